import pytest

from coldseek_core.ingest.markdown import parse_markdown
from ingest.pages_on_disk import text_of


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (":::tip My title\n\nbody\n\n:::", "My title\n\nbody"),
        ("::: warning\nbody\n:::\nafter", "body\n\nafter"),
        (":::note[A *title*]{.x}\nbody\n:::", "A title\n\nbody"),
        ("- item\n\n  :::tip\n  inner\n  :::\n\nafter", "- item\n\n  inner\n\nafter"),
        ("paragraph\n:::info\nbody\n:::", "paragraph\n\nbody"),
        (":::tip\n<p>html</p>\n:::\n\nafter", "html\n\nafter"),
        ('!!! note "Title"\n    body\n\n    - item\n\nafter', "Title\n\nbody\n\n- item\n\nafter"),
        ("??? warning\n\n    body", "body"),
        ('=== "npm"\n\n    ```\n    npm i\n    ```\n\n=== "yarn"\n\n    y', "npm\n\n```\nnpm i\n```\n\nyarn\n\ny"),
        ("> [!NOTE]\n> body **x**\n> more", "body x\nmore"),
        ("> [!TIP] Title\n>\n> body", "Title\n\nbody"),
        ("> no alert", "> no alert"),
        ("!!!", "!!!"),
        ("a ::: b", "a ::: b"),
        ("::: details Click {open}\nbody\n:::", "Click\n\nbody"),
        ("::: {.callout-note title='Shown'}\nbody\n:::", "Shown\n\nbody"),
        ('::::tabs\n:::tab{label="npm"}\nbody\n:::\n::::', "npm\n\nbody"),
        (":::{note} Title\nbody\n:::", "Title\n\nbody"),
        (":::tip\nnever closed", "never closed"),
        ("`:::tip` and\n\n~~~\n:::tip\n~~~", "`:::tip` and\n\n```\n:::tip\n```"),
        ("> :::tip\n> body\n> :::", "> body"),
        ("!!!note\n    body", "body"),
        ('!!! danger inline end "T"\n    body', "T\n\nbody"),
        ('!!! note\n    a\n\n    !!! tip "N"\n        b\n\n    c', "a\n\nN\n\nb\n\nc"),
        ('=== "A"\n    === "B"\n        x\n\n    y', "A\n\nB\n\nx\n\ny"),
        ("/// note | Title\nbody\n///\n\nafter", "Title\n\nbody\n\nafter"),
        ("//// tab | A\n/// tip\nbody\n///\n////", "A\n\nbody"),
        ("/// a comment\n///", "/// a comment\n///"),
    ],
)
def test_markers_are_dropped_and_bodies_kept(source: str, text: str) -> None:
    assert text_of(source) == text


def test_nested_by_colon_count_and_untouched_in_a_fence() -> None:
    source = (
        "::::: tabs\n:::: tab One\n:::note Inner\nbody\n\n```md\n:::tip\nin code\n:::\n```\n\n:::\n::::\n:::::\n\nafter"
    )
    assert text_of(source) == "One\n\nInner\n\nbody\n\n```md\n:::tip\nin code\n:::\n```\n\nafter"


def test_a_heading_in_an_admonition_is_a_section() -> None:
    assert [section.anchor for section in parse_markdown(":::tip\n\n## Inside\n\nbody\n\n:::")[1:]] == ["inside"]


def test_deeply_nested_indented_directives_keep_their_text() -> None:
    source = "".join("    " * depth + "!!! note\n" for depth in range(150)) + "    " * 150 + "needle"
    assert "needle" in text_of(source)


def test_a_marker_with_many_words_takes_time_in_proportion() -> None:
    """It would never end if words could be told apart in many ways."""
    for marker in ("!!! ", "??? ", ":::", "/// "):
        assert text_of(f"{marker}{'a' * 900}!") == f"{marker}{'a' * 900}!" or marker == ":::"
        assert "needle" in text_of(f"{marker}{'a-b ' * 200}! needle")
