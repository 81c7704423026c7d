"""What tests of HTML see of a page."""

from coldseek_core.ingest.chunking import Chunking, pack
from coldseek_core.ingest.html_blocks import blocks_of
from coldseek_core.ingest.html_content import main_content
from coldseek_core.ingest.html_tree import parse_html
from coldseek_core.ingest.sections import Section


def sections_of(source: str) -> list[Section]:
    return blocks_of(main_content(parse_html(source)))


def html_page_text(source: str) -> str:
    """All text of a page outside headings, as one piece of unlimited length would hold it."""
    chunking = Chunking(1_000_000, 0)
    return "\n\n".join(text for section in sections_of(source) for text in pack(section.blocks, chunking))


def headings_of(source: str) -> list[tuple[int, str, str]]:
    """(level, text, anchor) of all headings."""
    return [(section.level, section.heading, section.anchor) for section in sections_of(source)[1:]]
