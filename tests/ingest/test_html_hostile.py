"""HTML that is broken, endless or made to hurt: time in proportion to its length, and never a crash."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coldseek_core.ingest.chunking import Chunking, pack
from coldseek_core.ingest.html_blocks import blocks_of
from coldseek_core.ingest.html_content import main_content
from coldseek_core.ingest.html_guard import bounded, with_closing_tags
from coldseek_core.ingest.html_text import without_embedded_data
from coldseek_core.ingest.html_tree import parse_html
from ingest.html_probes import html_page_text
from ingest.pages_on_disk import read_site

REPEATED = 80_000
# Seconds of processor time for up to 2 MB; minutes, or all memory, if time or size were quadratic.
LIMIT = 12.0
UNITS = [
    *(
        "<div>",
        "<b>",
        "<a>",
        "<p>",
        "<li>",
        "<ul><li>",
        "<dl><dd>",
        "<blockquote>",
        "<table><tr><td>",
        "<table>a",
        "<pre>",
    ),
    *("<svg>", "<math><mi>", "<ruby><rt>", "<select><option>", "<button>", "<form>", "<h1>", "<details><summary>"),
    *("<a><div>", "<b><p>", "<b><div></b>", "<span><p></span>", "<span><div></span>", "<div><table><td></div>", "</p>"),
    *(
        "<!--",
        "<![CDATA[",
        "<",
        "</",
        "<a x",
        "<a x='",
        "&amp",
        "&#x",
        "<script>",
        "<title>",
        "<template>",
        "<br>",
        "<q>",
    ),
    *(
        "<section id=a><h2>b",
        "<div class=toc>",
        "<code>`",
        "<td rowspan=9999 colspan=9999>x",
        "<tr><td rowspan=9>x",
        "<sup>2",
    ),
]
NUMBERED: list[Callable[[int], str]] = [
    lambda number: f"<font size={number}>",
    lambda number: f"<font size={number}><p>x",
    lambda number: f"<a id={number}></a><h2>{number}</h2>",
    lambda number: f"<tag{number}>",
]


def seconds(source: str) -> float:
    start = time.process_time()
    for section in blocks_of(main_content(parse_html(without_embedded_data(with_closing_tags(source))))):
        pack(section.blocks, Chunking())
    return time.process_time() - start


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_a_construct_repeated_very_often(unit: str) -> None:
    assert seconds(unit * REPEATED) < LIMIT


@pytest.mark.parametrize("unit", UNITS)
def test_a_construct_repeated_often(unit: str) -> None:
    assert seconds(unit * (REPEATED // 20)) < LIMIT / 16


@pytest.mark.parametrize("unit", NUMBERED)
def test_constructs_that_are_all_different(unit: Callable[[int], str]) -> None:
    assert seconds("".join(map(unit, range(10_000)))) < LIMIT / 4


@pytest.mark.parametrize(
    "source",
    [
        "<a " + " ".join(f"x{number}=1" for number in range(100_000)) + ">text",
        "<a y='>' " + " ".join(f"x{number}='1'" for number in range(100_000)) + ">text",
        "<a " + " ".join(f"x{number}" for number in range(100_000)),
        "<a/" + "/".join(f"x{number}" for number in range(100_000)) + ">text",
    ],
    ids=["plain", "quoted", "unclosed", "slashes"],
)
def test_a_tag_with_very_many_attributes(source: str) -> None:
    assert seconds(source) < LIMIT / 4


@pytest.mark.parametrize("deep", [10_000, pytest.param(100_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("tag", ["div", "ul><li", "blockquote", "b", "table><tr><td", "section", "dl><dd", "span"])
def test_very_deep_nesting_keeps_the_text(tag: str, deep: int) -> None:
    source = f"<p>before</p>{f'<{tag}>' * deep}deep<p>inside{''.join(f'</{name}>' for name in tag.split('><')) * deep}"
    words = html_page_text(source + "<p>after").replace(">", " ").replace("-", " ").split()
    assert [word for word in words if word.isalpha()] == ["before", "deep", "inside", "after"]


def test_a_page_is_only_changed_where_it_must_be() -> None:
    ordinary = "<div><p>a <b>b</b><ul><li>c<li>d</ul></div><!-- <div> --><script>'<div>'</script>" * 500
    assert bounded(ordinary) == ordinary
    old = "<p>a<li>b<dd>c<td>d<a name=x>e" * 2_000
    assert bounded(old) == old


def test_text_outlives_the_tags_that_are_taken_out() -> None:
    assert "".join(html_page_text("<div>x " * 2_000).split()) == "x" * 2_000
    assert "".join(html_page_text("<i>y " * 2_000).split()) == "y" * 2_000


PIECES = """
    <p> </p> <div> </div> <ul> <li> </ul> <ol> <dl> <dt> <dd> <table> <tr> <td> </table> <pre> </pre> <code> </code>
    <h2 </h2> <b> </b> <a href='x'> </a> <br> <img alt='alt'> <!-- --> <script> </script> <style> <svg> <math> <sup>
    <blockquote> <details> <summary> <p\thidden> <nav> <main> <article> <section> &lt; &amp;lt; &#0; &#xD800; < > " '
    <textarea> <title> <template> <ul\trole=tablist> <caption> <q> <rt> ] ]> <![CDATA[ <?x \x00
"""
SOUP = st.sampled_from([*PIECES.split(), "\x0c", "<a href='x'>", "<section id=s>", "<h2 id=a>", "<img alt='alt'>"])
WORDS = st.text("abc é漢 \n\t", max_size=6)


@given(st.lists(st.one_of(SOUP, WORDS), max_size=60).map("".join))
def test_no_soup_of_tags_raises(source: str) -> None:
    for section in blocks_of(main_content(parse_html(with_closing_tags(source)))):
        for text in pack(section.blocks, Chunking(100, 20)):
            assert text.strip()
            text.encode()


TAGS = st.sampled_from(["p", "div", "b", "ul", "li", "blockquote", "section", "span", "td", "em", "h2", "dd"])
TREES = st.recursive(
    st.text("abc ", min_size=1, max_size=8),
    lambda inner: st.tuples(TAGS, st.lists(inner, max_size=4)).map(
        lambda made: f"<{made[0]} class=leak>{''.join(made[1])}</{made[0]}>"
    ),
    max_leaves=20,
)


@given(TREES)
def test_no_tag_leaks_and_no_letter_is_lost(source: str) -> None:
    sections = blocks_of(main_content(parse_html(source)))
    found = "".join(section.heading + "".join(block.text for block in section.blocks) for section in sections)
    assert "leak" not in found
    assert "<" not in found
    wanted = [letter for letter in _text_between_tags(source) if letter in "abc"]
    assert sorted(letter for letter in found if letter in "abc") == sorted(wanted)


def _text_between_tags(source: str) -> str:
    return "".join(piece.rpartition(">")[2] for piece in source.split("<"))


@given(st.binary(max_size=200))
def test_any_bytes_are_a_page_or_a_problem(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder: Path = tmp_path_factory.mktemp("bytes")
    report = read_site(folder, {"a.html": data, "b.xhtml": data})
    assert len(report.documents) + len(report.problems) + len(report.left_out) == 2
