"""An unclosed construct repeated very often must not take more than time in proportion to the text."""

import time

import pytest

from coldseek_core.ingest.chunking import Chunking, pack
from coldseek_core.ingest.markdown import parse_markdown
from coldseek_core.ingest.mdx import prepare_mdx

REPEATED = 160_000
LIMIT = 4.0  # seconds of processor time; a quarter of one to one and a half are usual, minutes if it were quadratic
UNCLOSED = [
    "[",
    "![",
    "<",
    "**a",
    "*a _b ",
    "`a ",
    "`",
    "``a",
    "(",
    "[a](b",
    "[a](",
    "[a][",
    "![a](<",
    "[link text ",
    "<div ",
    '<a href="',
    "<!--",
    "<!-- ",
    "&a",
    "\\",
    "~~a",
    "a**b ",
    "> ",
    ">",
    "- ",
    "1. ",
    "+ * ",
    "|",
    "| a ",
    "#",
    "~",
    "_",
    "$",
    "$a",
    "${",
    "{",
    "[a]: ",
    "[^",
    ":::",
    "!!! note ",
    '=== "',
    "\t",
    "{`",
    "{'",
    "{/*",
    "<A b={",
    '<A b="',
    "<a {",
    "</",
    "<A>",
    "<script>",
    "data:image/svg+xml,<svg ",
    '="M0 ',
    "!!!a ",
    "!!! a-",
    "/// tip | ",
    "::: a{x ",
    '<Tabs items={["a", ',
    "<Tab>",
    "<Unknown/>",
    "# a {.b ",
    "<p>",
]


def _seconds(source: str, mdx: bool) -> float:
    """Processor time that parsing takes: the least of three, for the machine may be busy with something else."""
    best = 10.0
    for _ in range(3):
        start = time.process_time()
        parse_markdown(prepare_mdx(source) if mdx else source, indented_code=not mdx)
        best = min(best, time.process_time() - start)
        if best < LIMIT:
            break
    return best


@pytest.mark.parametrize("unit", UNCLOSED)
@pytest.mark.parametrize("mdx", [False, True], ids=["markdown", "mdx"])
def test_an_unclosed_construct_repeated(unit: str, mdx: bool) -> None:
    source = unit * REPEATED
    assert _seconds("text " + source + "\n\nmore" if mdx else source, mdx) < LIMIT


LINES = [
    *("[a\n", "> a\n", "- a\n", "| a |\n", "<div>\n", "```\n", "a\n=\n", "## a\n\n", "a\n\n", "word " * 20),
    *("/// tip\n", "///\n", "!!! a\n    ", f"{'A1' * 40}\n", f"{'A1' * 40}\n" * 15 + "\n", "import A from './a.mdx'\n"),
    *("import {\n", "export const x = {\n\n", "<A b={\n", "{`\n", "<TabItem label='x'>\n"),
]


@pytest.mark.parametrize("unit", LINES)
def test_lines_repeated_take_time_in_proportion(unit: str) -> None:
    def seconds(source: str) -> float:
        start = time.process_time()
        for prepared in (source, prepare_mdx(source)):
            for section in parse_markdown(prepared):
                pack(section.blocks, Chunking())
        return time.process_time() - start

    assert seconds(unit * 12_000) < 8 * seconds(unit * 3_000) + 1.0
