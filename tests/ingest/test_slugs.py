import pytest
from hypothesis import given
from hypothesis import strategies as st

from coldseek_core.errors import UsageError
from coldseek_core.ingest.markdown import parse_markdown
from coldseek_core.ingest.slugs import Slugger, github_slug, mkdocs_slug, vitepress_slug


def anchors(source: str, framework: str = "none") -> list[str]:
    return [section.anchor for section in parse_markdown(source, framework)[1:]]


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("Getting Started", "getting-started"),
        ("`createAskHandler()` options", "createaskhandler-options"),
        ("What is RRF? (and why)", "what-is-rrf-and-why"),
        ("[Link](https://x.y) text", "link-text"),
        ("Ünïcödé headings", "ünïcödé-headings"),
        ("`__init__` method", "__init__-method"),
        ("_emphasis_ and __strong__", "emphasis-and-strong"),
        ("list_pages", "list_pages"),
        ("A &amp; B :rocket:", "a--b-rocket"),
        ("Use `retry()` & [docs](http://x/y) {#r}", "r"),
        ('<a id="named"></a>Heading', "named"),
        ("Heading [#short]", "short"),
        ("延迟 重试", "延迟-重试"),
        ("C#", "c"),
    ],
)
def test_anchor_of_a_heading_as_github_makes_it(heading: str, anchor: str) -> None:
    assert anchors(f"## {heading}\n\ntext") == [anchor]


def test_two_spaces_are_two_hyphens() -> None:
    assert github_slug("a  b") == "a--b"


def test_repeated_headings_are_numbered_by_occurrence() -> None:
    assert anchors("# A\n# A\n# A\n# A-1\n") == ["a", "a-1", "a-2", "a-1-1"]


def test_written_anchors_are_honoured_and_removed_from_the_text() -> None:
    sections = parse_markdown("## Usage {#custom}\nx\n## Example\nx\n## Example\nx")[1:]
    assert [(section.heading, section.anchor) for section in sections] == [
        ("Usage", "custom"),
        ("Example", "example"),
        ("Example", "example-1"),
    ]


def test_mkdocs_rule() -> None:
    assert mkdocs_slug("Ünïcode  `code` – x") == "unicode-code-x"
    slugger = Slugger("mkdocs")
    assert [slugger.anchor(heading) for heading in ("A", "A", "A", "中")] == ["a", "a_1", "a_2", "_1"]


def test_vitepress_rule() -> None:
    assert vitepress_slug("server.hmr: What's `é`?") == "server-hmr-what-s-e"
    assert vitepress_slug("1. First") == "_1-first"


def test_unknown_framework_is_an_error() -> None:
    with pytest.raises(UsageError, match="docusaurus"):
        Slugger("hugo")


@given(st.lists(st.sampled_from(["a", "a-1", "a_1", "A", "b", "", "1"]) | st.text(max_size=8)))
def test_anchors_of_one_page_are_never_the_same(headings: list[str]) -> None:
    for framework in ("none", "docusaurus", "mkdocs", "vitepress"):
        slugger = Slugger(framework)
        made = [slugger.anchor(heading) for heading in headings]
        assert len(set(made)) == len(made)
