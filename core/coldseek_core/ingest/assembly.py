"""Sections to the chunks of one document: heading paths, anchors, ids and ordinals."""

from collections.abc import Sequence

from coldseek_core.ingest.block_writer import DEFINITION_LEVEL
from coldseek_core.ingest.chunking import Chunking, pack
from coldseek_core.ingest.documents import Chunk
from coldseek_core.ingest.sections import Section


def same_heading(first: str, second: str) -> bool:
    """Whether two headings read the same: case and white space aside."""
    return " ".join(first.split()).casefold() == " ".join(second.split()).casefold()


def make_chunks(sections: Sequence[Section], title: str, url: str, chunking: Chunking) -> tuple[Chunk, ...]:
    """The chunks of a page. A first heading equal to the title is the top of the page; an empty section
    adds nothing. What goes on behind a definition belongs to the section that it interrupts."""
    chunks: list[Chunk] = []
    ids = _Ids()
    path: list[tuple[int, str]] = []
    ordinals: dict[tuple[tuple[str, ...], str], int] = {}
    for section in _with_top(sections, title):
        while path and path[-1][0] >= section.level:
            path.pop()
        if section.level:
            path.append((section.level, section.heading))
        headings = tuple(heading for _, heading in path)
        base = f"{url}#{section.anchor}" if section.anchor else url
        for text in pack(section.blocks, chunking):
            ordinal = ordinals.setdefault((headings, section.anchor), len(ordinals))
            chunks.append(Chunk(ids.next(base), text, headings, section.anchor, ordinal))
    return tuple(chunks)


def _with_top(sections: Sequence[Section], title: str) -> list[Section]:
    """`sections`, the first heading merged into the top of the page if it repeats the title."""
    first = sections[1] if len(sections) > 1 else sections[0]
    if not 0 < first.level < DEFINITION_LEVEL or not same_heading(first.heading, title):
        return list(sections)
    top = Section(0, "", "", [*sections[0].blocks, *first.blocks])
    is_first = (first.level, first.heading, first.anchor)
    return [
        top,
        *(
            Section(0, "", "", section.blocks)
            if (section.level, section.heading, section.anchor) == is_first
            else section
            for section in sections[2:]
        ),
    ]


class _Ids:
    """Gives `base`, `base~2`, `base~3` ..., leaving out what is taken."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}

    def next(self, base: str) -> str:
        while True:
            number = self._numbers[base] = self._numbers.get(base, 0) + 1
            candidate = base if number == 1 else f"{base}~{number}"
            if candidate not in self._taken:
                self._taken.add(candidate)
                return candidate
