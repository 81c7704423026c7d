import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.ingest.markdown import parse_markdown
from ingest.pages_on_disk import text_of


def headings(source: str) -> list[str]:
    return [section.heading for section in parse_markdown(source)[1:]]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("[a](x(y)z) b", "a b"),
        ("![alt](i.png) [![badge](b.svg)](link)", "alt badge"),
        ("[x][ref] and [y][]", "x and y"),
        ("[x][ref] and [y][]\n\n[ref]: http://a\n[y]: http://b", "x and y"),
        ("rows[i][j] stays", "rows[i][j] stays"),
        ("**bold** _it_ ~~gone~~ `code **x**`", "bold it gone `code **x**`"),
        ("a &amp;lt; b &copy;", "a &lt; b ©"),
        ("x <b>y</b><!-- ignore --> z", "x y z"),
        ("see <https://x.y/z>", "see https://x.y/z"),
        (r"\*no emphasis\* snake_case_name", "*no emphasis* snake_case_name"),
        ("`` a`b` ``", "`` a`b` ``"),
        (r"$F(x)=\int_{a}^{b} f(t)\,dt$ and _x_", r"$F(x)=\int_{a}^{b} f(t)\,dt$ and x"),
        ('<img src="x" alt="a map">', "a map"),
        ("text\n\n<!-- a comment\n# no heading\n-->\n\nmore", "text\n\nmore"),
        ("text\n\n---\n\nmore", "text\n\nmore"),
    ],
)
def test_visible_text(source: str, text: str) -> None:
    assert text_of(source) == text


def test_blocks_keep_their_markdown_syntax() -> None:
    source = (
        "- one\n- two\n  1. inner\n     ```js title=x\n     let a\n     ```\n\n"
        "> quoted **text**\n> more\n\n| a | b |\n|:--|--:|\n| 1 | `x\\|y` |"
    )
    assert text_of(source) == (
        "- one\n- two\n  1. inner\n     ```js title=x\n     let a\n     ```\n\n"
        "> quoted text\n> more\n\n| a | b |\n| --- | --- |\n| 1 | `x\\|y` |"
    )


def test_html_blocks_become_text() -> None:
    source = (
        "<h1>Net</h1><p>Cost <b>up</b>!</p><script>x</script>&amp;lt;\n\n"
        "<details>\n<summary>More</summary>\n\ninner **text**\n\n</details>\n\n"
        "<style>\n.a {}\n\n.b {}\n</style>\n\n<table><tr><td>1</td><td>2</td></tr></table>"
    )
    assert text_of(source) == "Net\n\nCost up!\n&lt;\n\nMore\n\ninner text\n\n1 | 2"


@pytest.mark.parametrize(
    "source",
    [
        "````\n```\n# not a title\n```\n````",
        "~~~\n~~~ruby\n# not a title\n~~~",
        "```\n# not a title",
        "<!--\n# not a title\n-->",
        "    # not a title",
        "#hashtag",
        "##",
        "- item\n\n  ```\n  # not a title\n  ```",
        "> ```\n> # not a title",
        "1. item\n   ~~~\n   # not a title\n   ~~~",
        "~~~~\n```\n# not a title\n~~~\n# not a title\n~~~~",
        "`````md\n````\n```\n# not a title\n```\n````\n`````",
        "   ```\n   # not a title\n  ```",
        "``` \n# not a title\n`````  ",
        "<!-- a\n\n# not a title\n\n-->",
        "<pre>\n\n# not a title\n\n</pre>",
        "<script>\n\n# not a title\n\n</script>",
    ],
)
def test_what_looks_like_a_heading_and_is_none(source: str) -> None:
    assert headings(source) == []
    if not source.startswith(("```\n# not", "    ")):  # those go on to the end of the page
        assert headings(f"{source}\n\n# Title") == ["Title"]


def test_an_empty_heading_and_a_hashtag_are_text() -> None:
    assert text_of("##\n\n#hashtag") == "##\n\n#hashtag"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("## C#\n## F# and C# ##\n## Done ###", ["C#", "F# and C#", "Done"]),
        ("Title\n-\n\ntext", ["Title"]),
        ("Title\n===", ["Title"]),
        ("## A\n---\ntext", ["A"]),
        ("- item\n---\ntext", []),
        ("| a |\n|---|\n| 1 |\n---\ntext", []),
        ("## Use `retry()` & [docs](http://x/y) {#r}", ["Use retry() & docs"]),
        ("## A &amp; B :rocket:", ["A & B :rocket:"]),
    ],
)
def test_headings(source: str, found: list[str]) -> None:
    assert headings(source) == found


@pytest.mark.parametrize(
    ("source", "heading", "anchor"),
    [
        ("## Use `retry()` & [docs](http://x/y) {#r}", "Use retry() & docs", "r"),
        ("## A &amp; B :rocket:", "A & B :rocket:", "a--b-rocket"),
        ("## [docs](http://x/y) and [more][m]\n\n[m]: http://z", "docs and more", "docs-and-more"),
        ("## ![logo](i.png) **Bold** _it_", "logo Bold it", "logo-bold-it"),
        ("## X [#x-y]", "X", "x-y"),
        ('## <a id="z"></a>Z', "Z", "z"),
        ("## Z <a name=q></a>", "Z", "q"),
        ("## A {: #id .wide }", "A", "id"),
        ("## A {.wide .high}", "A", "a"),
        ("Title {#t}\n=====", "Title", "t"),
        ("## &lt;div&gt; &copy;", "<div> ©", "div-"),
        ("## A {#ünï}", "A", "ünï"),
        ("## Write `{#x}`", "Write {#x}", "write-x"),
        ("## `{.x}`", "{.x}", "x"),
    ],
)
def test_the_text_and_the_anchor_of_a_heading(source: str, heading: str, anchor: str) -> None:
    section = parse_markdown(source)[1]
    assert (section.heading, section.anchor) == (heading, anchor)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("## A\n\n---\n\ntext", ["A"]),
        ("> quote\n---\ntext", []),
        ("1. item\n===\ntext", []),
        ("```\ncode\n```\n---\ntext", []),
        ("<div>x</div>\n---\ntext", []),
        ("***\n---\ntext", []),
        ("[r]: http://x\n---\ntext", []),
        (":::tip\n---\n:::", []),
        ("one\ntwo\n---\ntext", ["one two"]),
        ("Title\n-\n-", ["Title"]),
    ],
)
def test_a_line_of_hyphens_is_a_heading_only_below_a_paragraph(source: str, found: list[str]) -> None:
    assert headings(source) == found


def test_block_tags_in_a_line_part_words_and_inline_tags_do_not() -> None:
    assert text_of("<b>Report</b><p>Revenue</p>") == "Report\nRevenue"
    assert text_of("text <div>a</div> <div>b</div> end") == "text\na\nb\nend"
    assert text_of("un<b>believ</b><i>able</i> H<sub>2</sub>O") == "unbelievable H2O"
    assert text_of("| a |\n|---|\n| <p>x</p><p>y</p> |") == "| a |\n| --- |\n| x y |"
    assert text_of(f"<b>a</b><p>{'long ' * 3000}</p><p>end</p>").startswith("a\nlong")


def test_a_heading_in_a_quote_is_text_and_takes_its_anchor() -> None:
    sections = parse_markdown("## A\n\n> ### Heap\n> text\n\n## Heap\n\nx")
    assert [(section.heading, section.anchor) for section in sections[1:]] == [("A", "a"), ("Heap", "heap-1")]
    assert [block.rendered() for block in sections[1].blocks] == ["> ### Heap", "> text"]


def test_a_table_right_after_a_paragraph_is_a_table() -> None:
    blocks = parse_markdown("text\n| a | b |\n|---|---|\n| 1 | 2 |")[0].blocks
    assert [block.kind for block in blocks] == ["text", "table"]


PAYLOAD = base64.b64encode(bytes(number * number % 251 for number in range(225_000))).decode()
WRAPPED = "\n".join(PAYLOAD[start : start + 76] for start in range(0, len(PAYLOAD) - 76, 76))


@pytest.mark.parametrize(
    "source",
    [
        f"![alt](data:image/png;base64,{PAYLOAD}) shown",
        f"[alt](data:text/plain;base64,{PAYLOAD}) shown",
        f"alt shown\n\n[ref]: data:image/png;base64,{PAYLOAD}",
        f'<a href="data:image/png;base64,{PAYLOAD}">alt</a> shown',
        f'<div><img alt="alt" src="data:image/png;base64,{PAYLOAD}"> shown</div>',
        f'```json\n{{"alt": "data:image/png;base64,{PAYLOAD}", "shown": 1}}\n```',
        f"alt {PAYLOAD} shown",
        f"```\nalt {'a;b(c)' * 1000} shown\n```",
        f"![alt](<data:image/png;base64,{PAYLOAD}> 'title') shown",
        f"![alt](DATA:image/png;base64,{PAYLOAD}) shown",
        "![alt](data:image/svg+xml,%3Csvg" + "%20d" * 20_000 + ") shown",
        "![alt](data:image/svg+xml;utf8,<svg xmlns='http://x'><path d='" + "M0 1 " * 20_000 + "'/></svg>) shown",
        '<svg><path d="' + "M0,1 L2,3 " * 20_000 + '"/></svg> alt shown',
        f"```\nalt\n{WRAPPED}\nshown\n```",
        f"alt\n\n{WRAPPED}\n\nshown",
        "```json\n{\n" + f'"{PAYLOAD[:500]}",\n' * 600 + '"alt": "shown"}\n```',
        "```js\nalt\n" + "function a(b,c){return b+c};var d=a(1,2);" * 500 + "\nshown\n```",
    ],
)
def test_embedded_data_is_left_out(source: str) -> None:
    text = text_of(source)
    assert len(text) < 80
    assert "alt" in text
    assert "shown" in text


def test_a_long_rule_and_long_words_in_other_scripts_are_no_data() -> None:
    assert text_of("a\n\n" + "-" * 3000 + "\n\nb") == "a\n\nb"
    assert text_of("字" * 5000) == "字" * 5000
    for code in ("字，" * 5000, "one two three " * 1000, "\n".join(["-" * 70] * 40), "word_of_a_list\n" * 400):
        assert text_of(f"```\n{code}\n```") == f"```\n{code.rstrip()}\n```"


def test_lines_that_include_other_files_are_dropped() -> None:
    source = "```rust\n{{#rustdoc_include ../listings/a.rs:here}}\n```\n\n<<< @/snippets/x.js\n\ntext"
    assert text_of(source) == "text"


def test_interpolations_are_dropped_where_the_framework_fills_them_in() -> None:
    source = "Version {{ version }} of `{{ x }}`\n\n<p>{{ y }}z</p>"
    [section] = parse_markdown(source, "vitepress")
    assert [block.text for block in section.blocks] == ["Version  of `{{ x }}`", "z"]
    assert "{{ version }}" in text_of(source)


@pytest.mark.parametrize("marker", ["> ", "- ", "1. ", ">", "> - ", "+ > "])
def test_deep_nesting_loses_nothing_and_does_not_fail(marker: str) -> None:
    assert "needle" in text_of(marker * (900 // len(marker)) + " needle")
    nested = "".join("  " * depth + f"- level {depth}\n" for depth in range(200))
    text = text_of(nested)
    assert all(f"level {depth}" in text for depth in range(200))


def test_nested_images_do_not_exhaust_the_stack() -> None:
    assert "needle" in text_of("![" * 400 + " needle " + "](a)" * 400)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "# ",
                "- ",
                "> ",
                "`",
                "```\n",
                "[",
                "](",
                ")",
                "<div>",
                "</",
                "<!--",
                "|",
                "\n",
                "\n\n",
                ":::",
                "    ",
                "a",
                "&amp;",
                "!!! note\n",
                '=== "T"\n',
                "$",
                "\\",
                "*",
                "_",
                "{",
                "}",
                "中",
                "\u200d",
                "\t",
                "1. ",
                "---",
                "^",
                "\x0b",
            ]
        ),
        max_size=60,
    ).map("".join)
)
def test_any_text_is_parsed(source: str) -> None:
    for framework in ("none", "vitepress"):
        for section in parse_markdown(source, framework):
            assert all(block.text.strip() for block in section.blocks)
