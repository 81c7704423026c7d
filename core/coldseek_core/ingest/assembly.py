"""Sections to the chunks of one document: heading paths, anchors, ids and ordinals."""

from collections.abc import Iterable, Sequence

from coldseek_core.ingest.chunking import Chunking, pack
from coldseek_core.ingest.documents import Chunk
from coldseek_core.ingest.sections import Section


def same_heading(first: str, second: str) -> bool:
    """Whether two headings read the same: case and white space aside."""
    return " ".join(first.split()).casefold() == " ".join(second.split()).casefold()


def make_chunks(sections: Sequence[Section], title: str, url: str, chunking: Chunking) -> tuple[Chunk, ...]:
    """The chunks of a page. A first heading equal to the title is the top of the page; an empty section
    adds nothing."""
    chunks: list[Chunk] = []
    taken: set[str] = set()
    path: list[tuple[int, str]] = []
    ordinal = 0
    for section in _with_top(sections, title):
        if section.level:
            while path and path[-1][0] >= section.level:
                path.pop()
            path.append((section.level, section.heading))
        headings = tuple(heading for _, heading in path)
        texts = pack(section.blocks, chunking)
        base = f"{url}#{section.anchor}" if section.anchor else url
        for text, chunk_id in zip(texts, _ids(base, taken), strict=False):
            chunks.append(Chunk(chunk_id, text, headings, section.anchor, ordinal))
        ordinal += bool(texts)
    return tuple(chunks)


def _with_top(sections: Sequence[Section], title: str) -> list[Section]:
    """`sections`, the first heading merged into the top of the page if it repeats the title."""
    if len(sections) > 1 and same_heading(sections[1].heading, title):
        top = Section(0, "", "", [*sections[0].blocks, *sections[1].blocks])
        return [top, *sections[2:]]
    return list(sections)


def _ids(base: str, taken: set[str]) -> Iterable[str]:
    """`base`, `base~2`, `base~3` ..., leaving out and noting down what is taken."""
    number = 1
    while True:
        candidate = base if number == 1 else f"{base}~{number}"
        if candidate not in taken:
            taken.add(candidate)
            yield candidate
        number += 1
