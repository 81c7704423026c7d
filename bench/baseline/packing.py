"""Numbered sources from ranked chunks, up to a number of characters."""

from collections.abc import Hashable, Iterable
from typing import NamedTuple


class Source(NamedTuple):
    """A numbered source: chunks of one section, in rank order."""

    number: int
    section: Hashable
    rows: list[int]
    texts: list[str]


def pack(ranked: Iterable[tuple[int, Hashable, str]], max_context_chars: int = 8000) -> list[Source]:
    """Sources from (row, section, text) in rank order; `section` must tell sections of all documents apart.

    Only the texts count, in code points. Packing stops at the first text that does not fit, unless all
    that is packed so far is empty.
    """
    sources: dict[Hashable, Source] = {}
    used = 0
    for row, section, text in ranked:
        if used and used + len(text) > max_context_chars:
            break
        used += len(text)
        source = sources.setdefault(section, Source(len(sources) + 1, section, [], []))
        source.rows.append(row)
        source.texts.append(text)
    return list(sources.values())
