"""From hits to numbered sources that fit a budget."""

from .results import Hit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Source:
    """A numbered place to cite: one section, with the texts of its packed chunks in rank order."""

    __slots__ = ("heading_path", "number", "text", "title", "url")

    def __init__(self, number: int, url: str, title: str, heading_path: "tuple[str, ...]", text: str) -> None:
        self.number = number
        self.url = url
        self.title = title
        self.heading_path = heading_path
        self.text = text

    def to_dict(self) -> "dict[str, Any]":
        return {
            "number": self.number,
            "url": self.url,
            "title": self.title,
            "headingPath": list(self.heading_path),
            "text": self.text,
        }

    def heading(self) -> str:
        """`[1] Title > Section (url)`."""
        path = " > ".join(part for part in (self.title, *self.heading_path) if part)
        return f"[{self.number}] {path} ({self.url})" if path else f"[{self.number}] ({self.url})"


def pack(hits: list[Hit], section_of: "Callable[[int], tuple[int, int]]", max_context_chars: int) -> list[Source]:
    """Number the hits' sections in rank order, up to `max_context_chars` code points of text.

    `section_of` gives a row's (document row, section): chunks of one section share a number. Packing stops at the
    first text that does not fit once something that is not empty is packed, so the first text is always kept.
    """
    sources: dict[tuple[int, int], Source] = {}
    used = 0
    for hit in hits:
        text = hit.chunk.text
        if used and used + len(text) > max_context_chars:
            break
        used += len(text)
        section = section_of(hit.row)
        source = sources.get(section)
        if source is None:
            chunk = hit.chunk
            sources[section] = Source(len(sources) + 1, chunk.section_url, chunk.title, chunk.heading_path, text)
        elif text:
            source.text = f"{source.text}\n\n{text}" if source.text else text
    return list(sources.values())


def context_of(sources: list[Source]) -> str:
    """The sources as text: a heading line for each, its text, a blank line between."""
    return "\n\n".join(f"{source.heading()}\n{source.text}" for source in sources)
