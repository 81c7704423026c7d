"""Definition lists: a term with an id is a section, one without is repeated in the pieces of its definition."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.ingest.assembly import make_chunks
from coldseek_core.ingest.chunking import Chunking, pack
from coldseek_core.ingest.documents import Chunk
from coldseek_core.ingest.html_blocks import blocks_of
from coldseek_core.ingest.html_content import main_content
from coldseek_core.ingest.html_tree import parse_html
from coldseek_core.ingest.measure import MEASURES
from coldseek_core.ingest.rst import parse_rst
from ingest.html_probes import headings_of, html_page_text, sections_of

LONG = "Words of a long definition. " * 10


def chunks_of(source: str, size: int = 1200, title: str = "Title") -> tuple[Chunk, ...]:
    return make_chunks(sections_of(source), title, "/p", Chunking(size, 0))


def places(source: str, title: str = "Title") -> list[tuple[str, tuple[str, ...], str]]:
    """(id, heading path, first words) of all chunks."""
    return [(chunk.id, chunk.heading_path, chunk.text[:12]) for chunk in chunks_of(source, title=title)]


def test_a_definition_with_an_id_is_a_section_below_its_heading() -> None:
    source = (
        f"<h2 id=m>Memory</h2><p>Before.<dl><dt id=a><span><code>buffers</code> (<code>integer</code>)</span></dt>"
        f"<dd><p>{LONG}</p><pre>x</pre></dd><dt id=b>other</dt><dd>{LONG}</dd></dl><p>Behind.<h2 id=n>Next</h2><p>End."
    )
    assert places(source) == [
        ("/p#m", ("Memory",), "Before."),
        ("/p#a", ("Memory", "buffers (integer)"), "`buffers` (`"),
        ("/p#b", ("Memory", "other"), "other\nWords "),
        ("/p#m~2", ("Memory",), "Behind."),
        ("/p#n", ("Next",), "End."),
    ]
    sections = [chunk.section for chunk in chunks_of(source)]
    assert sections == [0, 1, 2, 0, 3]  # what goes on behind the list belongs to the section that it interrupts


def test_later_pieces_of_a_long_definition_keep_its_link_and_its_term() -> None:
    source = f"<h2 id=m>Memory</h2><dl><dt id=a>buffers</dt><dd><p>{LONG * 3}</p><p>{LONG * 3}</p></dd></dl>"
    found = chunks_of(source, 400)
    assert len(found) > 4
    assert {(chunk.anchor, chunk.heading_path, chunk.section) for chunk in found} == {("a", ("Memory", "buffers"), 0)}


@pytest.mark.parametrize(
    ("term", "anchor"),
    [
        ("<dt id=a>t</dt>", "a"),
        ("<dt><a id=a></a>t</dt>", "a"),
        ("<dt><a name=a>t</a></dt>", "a"),
        ("<dt><span class=sig id=a>t</span></dt>", "a"),
        ("<dt id=a>t</dt><dt id=b>u</dt>", "a"),
        ("<dt>t</dt><dt id=b>u</dt>", "b"),
        ("<a name=a></a><dt>t</dt>", "a"),
        ("<div id=a><dt>t</dt></div>", "a"),
        ("<dt id=' '>t</dt>", ""),
        ("<dt id=''>t</dt>", ""),
        ("<dt id=a></dt>", ""),
    ],
)
def test_where_the_id_of_a_term_may_stand(term: str, anchor: str) -> None:
    found = [heading for heading in headings_of(f"<dl>{term}<dd>{LONG}</dl>") if heading[1]]
    assert [heading[2] for heading in found] == ([anchor] if anchor else [])
    assert LONG.strip() in html_page_text(f"<dl>{term}<dd>{LONG}</dl>")


def test_several_terms_of_one_definition_are_one_heading() -> None:
    source = f"<dl><dt id=a><code>-q</code><br><code>--quiet</code></dt><dt>-Q</dt><dd>{LONG}</dl>"
    (chunk,) = chunks_of(source)
    assert chunk.heading_path == ("-q, --quiet, -Q",)
    assert chunk.text.startswith("`-q`\n`--quiet`\n-Q\nWords")


def test_short_definitions_stay_together() -> None:
    entries = "".join(f"<dt id=e{number}>E{number}</dt><dd>Error {number}.</dd>" for number in range(300))
    found = chunks_of(f"<h2 id=h>Errors</h2><dl>{entries}</dl>")
    assert len(found) < 10
    assert {(chunk.anchor, chunk.heading_path) for chunk in found} == {("h", ("Errors",))}
    assert "E299\nError 299." in "\n\n".join(chunk.text for chunk in found)


def test_short_and_long_definitions_keep_their_order_and_their_links() -> None:
    source = f"<h2 id=h>All</h2><dl><dt id=a>a<dd>one<dt id=b>b<dd>{LONG}<dt id=c>c<dd>three</dl>"
    assert places(source) == [
        ("/p#h", ("All",), "a\none"),
        ("/p#b", ("All", "b"), "b\nWords of a"),
        ("/p#h~2", ("All",), "c\nthree"),
    ]


def test_nested_definitions_are_sections_of_their_own() -> None:
    source = (
        f"<h2 id=h>Module</h2><dl><dt id=c>class C</dt><dd><p>{LONG}</p>"
        f"<dl><dt id=f>f(x)</dt><dd><p>{LONG}</p><dl class=field-list><dt>Returns</dt><dd>int</dd></dl></dd></dl>"
        f"<p>Rest of C.</p></dd></dl><p>Rest."
    )
    assert (
        places(source)
        == [
            ("/p#h", ("Module",), "Rest."),
            ("/p#c", ("Module", "class C"), "class C\nWord"),
            ("/p#f", ("Module", "class C", "f(x)"), "f(x)\nWords o"),
            ("/p#c~2", ("Module", "class C"), "Rest of C."),
        ]
        or places(source)[0][0] == "/p#c"
    )
    ids = [chunk.id for chunk in chunks_of(source)]
    assert ids == ["/p#c", "/p#f", "/p#c~2", "/p#h"]
    assert "Returns\nint" in chunks_of(source)[1].text


def test_a_term_without_a_definition_is_not_lost() -> None:
    signature = "f(" + ", ".join(f"argument_{number}=None" for number in range(40)) + ")"
    (chunk,) = chunks_of(f"<dl><dt id=f>{signature}</dt></dl>")
    assert (chunk.anchor, chunk.text) == ("f", signature)
    assert len(chunk.heading_path[0]) <= 200
    assert signature.startswith(chunk.heading_path[0])
    assert html_page_text("<dl><dt id=f>f()</dt><dd></dd><dt id=g>g()<dd> </dl>") == "f()\n\ng()"


def test_an_id_that_was_there_before_leads_elsewhere_and_makes_no_section() -> None:
    source = f"<h2 id=h>H</h2><dl><dt id=a>a<dd>{LONG}<dt id=a>b<dd>{LONG}<dt id=h>c<dd>{LONG}</dl>"
    assert places(source) == [
        ("/p#a", ("H", "a"), "a\nWords of a"),
        ("/p#h", ("H",), "b\nWords of a"),
    ]


def test_definitions_inside_lists_and_quotes_stay_there() -> None:
    for around in ("ul><li", "blockquote"):
        source = f"<h2 id=h>H</h2><{around}><dl><dt id=a>term<dd>{LONG}</dl>"
        assert {(chunk.anchor, chunk.heading_path) for chunk in chunks_of(source)} == {("h", ("H",))}


def test_a_title_is_no_definition() -> None:
    """The part of the title that a heading repeats is found at headings alone."""
    source = f"<dl><dt id=a>Title<dd>{LONG}</dl><p>Behind."
    assert [chunk.anchor for chunk in chunks_of(source)] == ["a", ""]
    headed = f"<h1 id=t>Title</h1><p>Top.<dl><dt id=a>a<dd>{LONG}</dl><p>Behind."
    assert places(headed) == [("/p", (), "Top."), ("/p#a", ("a",), "a\nWords of a"), ("/p~2", (), "Behind.")]


def test_a_heading_ends_definitions_above_it() -> None:
    source = f"<h2 id=h>H</h2><dl><dt id=a>a<dd>{LONG}<h3 id=i>I</h3><p>Inside.</dl><p>Behind.<h4 id=j>J</h4><p>x"
    assert [(chunk.anchor, chunk.heading_path) for chunk in chunks_of(source)] == [
        ("a", ("H", "a")),
        ("i", ("H", "I")),
        ("h", ("H",)),
        ("j", ("H", "J")),
    ]


@pytest.mark.parametrize(
    "body",
    [
        f"<p>{LONG * 3}",
        f"<p>{LONG}<p>{LONG}<p>{LONG}",
        "<pre>" + "line of code\n" * 60 + "</pre>",
        "<table><tr><th>a<th>b" + "<tr><td>cell<td>cell" * 60 + "</table>",
        "<ul>" + f"<li>{LONG}" * 3 + "</ul>",
    ],
)
@pytest.mark.parametrize("overlap", [0, 60])
def test_later_pieces_repeat_a_term_that_has_no_id(body: str, overlap: int) -> None:
    source = f"<p>Before.<dl><dt><code>term</code> of it<dd>{body}</dl><p>Behind."
    pieces = pack(sections_of(source)[0].blocks, Chunking(300, overlap))
    assert len(pieces) > 2
    assert all(len(piece) <= 300 for piece in pieces)
    assert pieces[0].startswith("Before.")
    assert pieces[-1].endswith("Behind.")
    inside = [piece for piece in pieces if piece != "Before." and not piece.endswith("Behind.")]
    assert len(inside) >= 2
    assert all(piece.removeprefix("Before.\n\n").split("\n")[0] == "`term` of it" for piece in inside)
    assert all(piece.count("`term` of it") == 1 for piece in inside)


def test_what_follows_a_definition_has_not_its_term() -> None:
    source = f"<dl><dt>term<dd>{LONG}</dl><p>{LONG}"
    pieces = pack(sections_of(source)[0].blocks, Chunking(300, 0))
    assert [piece.startswith("term\n") for piece in pieces] == [True, False]


def test_pieces_of_a_nested_definition_repeat_both_terms() -> None:
    source = f"<dl><dt>outer<dd><p>One.<dl><dt>inner<dd><p>{LONG}<p>{LONG}</dl></dl>"
    pieces = pack(sections_of(source)[0].blocks, Chunking(320, 0))
    assert pieces[0].startswith("outer\nOne.")
    assert pieces[-1].startswith("outer\ninner\n")


def test_a_definition_list_in_restructuredtext_repeats_its_terms() -> None:
    blocks = parse_rst(f"term : kind\n    {LONG}\n\n    {LONG}\n\n:field: {LONG}\n\n    {LONG}\n")[0][0].blocks
    pieces = pack(blocks, Chunking(300, 0))
    assert [piece.split("\n")[0] for piece in pieces] == ["term : kind", "term : kind", "field:", "field:"]


TERMS = st.sampled_from(["t", "a longer term", "term " * 30, "字" * 90, "x" * 250])
BODIES = st.sampled_from(
    ["", "<p>short", f"<p>{LONG}", "<pre>" + "code\n" * 50 + "</pre>", "<ul><li>a<li>b</ul>", "字" * 400]
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(TERMS, BODIES), max_size=5),
    st.integers(100, 400),
    st.integers(0, 50),
    st.sampled_from(["characters", "tokens"]),
)
def test_pieces_with_terms_are_never_too_long(
    entries: list[tuple[str, str]], size: int, overlap: int, unit: str
) -> None:
    source = "<dl>" + "".join(f"<dt>{term}<dd>{body}" for term, body in entries) + "</dl>"
    for section in sections_of(source):
        for piece in pack(section.blocks, Chunking(size, overlap, unit)):
            assert 0 < MEASURES[unit].count(piece) <= size


@pytest.mark.parametrize("unit", ["characters", "tokens"])
def test_very_many_definitions_take_time_in_proportion(unit: str) -> None:
    """Also where each is a section, and where terms are long and nested."""
    entries = "".join(f"<dt id=i{number}>t<dd>{LONG}" for number in range(3_000))
    sections = blocks_of(main_content(parse_html(f"<dl>{entries}</dl>")))
    assert len(make_chunks(sections, "T", "/p", Chunking(unit=unit))) == 3_000
    nested = ("<dl><dt>" + "term " * 40 + "<dd>") * 40 + "<p>x" * 5_000
    pieces = pack(sections_of(nested)[0].blocks, Chunking(unit=unit))
    assert sum(piece.count("x") for piece in pieces) >= 5_000
