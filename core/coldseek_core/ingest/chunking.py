"""Sections to the texts of chunks: blocks packed greedily, long ones split, each piece repeating the end of
the last."""

from collections.abc import Sequence
from dataclasses import dataclass

from coldseek_core.errors import UsageError
from coldseek_core.ingest.measure import MEASURES
from coldseek_core.ingest.sections import Block
from coldseek_core.ingest.splitting import overlap_start, prose_cut, split_code, split_table

SMALLEST_SIZE = 100
LARGEST_SIZE = 1_000_000
_DEFAULT_SIZE = {"characters": 1200, "tokens": 450}
_DEFAULT_OVERLAP = {"characters": 0.125, "tokens": 0.15}


@dataclass(frozen=True, slots=True, init=False)
class Chunking:
    """How long chunks may be, and how much of a piece the next piece of the same section repeats.

    `unit` is "characters" (code points) or "tokens" (estimated: see measure.count_tokens). Without `size`:
    1,200 characters or 450 tokens; without `overlap`: 12.5 % of the size, or 15 % in tokens.
    Raises UsageError for a size below 100 or an overlap of more than half the size.
    """

    size: int
    overlap: int
    unit: str

    def __init__(self, size: int | None = None, overlap: int | None = None, unit: str = "characters") -> None:
        if unit not in MEASURES:
            raise UsageError(f"unknown chunk unit {unit!r}; use 'characters' or 'tokens'")
        size = _DEFAULT_SIZE[unit] if size is None else _whole(size, "chunk size")
        if not SMALLEST_SIZE <= size <= LARGEST_SIZE:
            raise UsageError(f"chunk size must be from {SMALLEST_SIZE} to {LARGEST_SIZE} {unit}, got {size}")
        overlap = int(size * _DEFAULT_OVERLAP[unit]) if overlap is None else _whole(overlap, "chunk overlap")
        if not 0 <= overlap <= size // 2:
            raise UsageError(
                f"chunk overlap must be from 0 to {size // 2}, half of the chunk size {size}, got {overlap}"
            )
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "overlap", overlap)
        object.__setattr__(self, "unit", unit)


def _whole(value: object, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise UsageError(f"{name} must be a whole number, got {value!r}")
    return value


def pack(blocks: Sequence[Block], chunking: Chunking) -> list[str]:
    """The texts of one section's pieces, in order, none empty, each at most `chunking.size` long.

    The one exception is a table whose header and one row are longer than that. Takes time in proportion to
    the text.
    """
    packer = _Packer(chunking)
    for block in blocks:
        packer.add(block)
    packer.finish()
    return packer.pieces


@dataclass(slots=True)
class _Part:
    text: str
    glue: str
    prose: bool


class _Packer:
    def __init__(self, chunking: Chunking) -> None:
        self.pieces: list[str] = []
        self._size = chunking.size
        self._overlap = chunking.overlap
        self._measure = MEASURES[chunking.unit]
        self._parts: list[_Part] = []
        self._used = 0
        self._only_repeated = True
        self._term = ""  # what the next piece begins with: the definition that goes on in it
        self._shortened = ("", "")

    def add(self, block: Block) -> None:
        text = block.rendered()
        glue = "\n" if block.tight else "\n\n"
        length = self._measure.count(text)
        prose = block.kind == "text"
        self._term = self._short_term(block.repeated_terms(begun=False))
        if length <= self._room(glue):
            self._append(text, glue, prose)
        elif length <= self._longest():
            glue = self._next_piece(length, glue)
            self._append(text, glue, prose)
        elif prose:
            self._add_long_prose(text, glue, block)
        else:
            self._add_long(block, glue)

    def finish(self) -> None:
        if self._parts and not self._only_repeated:
            self.pieces.append(_text_of(self._parts))
        self._parts = []

    def _room(self, glue: str) -> int:
        return self._size - self._used - (self._measure.count(glue) if self._parts else 0)

    def _longest(self) -> int:
        """What a piece holds beside its term."""
        return self._size - self._measure.count(f"{self._term}\n\n") if self._term else self._size

    def _short_term(self, term: str) -> str:
        """`term`, or as much of it as leaves three quarters of a piece."""
        if term != self._shortened[0]:
            end = self._measure.end(term, 0, self._size // 4)
            short = term if end >= len(term) else term[: prose_cut(term, 0, max(end, 1))].rstrip()
            self._shortened = (term, short)
        return self._shortened[1]

    def _append(self, text: str, glue: str, prose: bool) -> None:
        self._used = self._size - self._room(glue) + self._measure.count(text)
        self._parts.append(_Part(text, glue, prose))
        self._only_repeated = False

    def _next_piece(self, needed: int, glue: str) -> str:
        """Ends the piece; the next one opens with the term of a definition that goes on, and with as much of the end
        of the last piece as leaves room for `needed`. Returns what parts this from what follows, which is `glue`, or a
        line's end behind a term alone."""
        tail: list[_Part] = []
        if not self._only_repeated:  # else what was to be repeated does not fit before what follows
            self.pieces.append(_text_of(self._parts))
            for part in reversed(self._parts):
                if not part.prose:
                    break
                tail.insert(0, part)
        text = _text_of(tail)
        most = min(self._overlap, self._longest() - needed - self._measure.count(glue))
        repeated = text[overlap_start(text, self._measure, most) :].strip()
        self._parts, self._used = [], 0
        if self._term and not repeated.startswith(self._term):
            self._append(self._term, "", prose=False)
        if repeated:
            self._append(repeated, "\n", prose=True)
        self._only_repeated = True
        return "\n" if self._parts and not repeated else glue

    def _add_long_prose(self, text: str, glue: str, block: Block) -> None:
        if self._room(glue) < self._size // 3 and not self._only_repeated:
            glue = self._next_piece(0, glue)
        self._term = self._short_term(block.repeated_terms(begun=True))
        start = 0
        while start < len(text):
            end = self._measure.end(text, start, self._room(glue))
            cut = end if end == len(text) else prose_cut(text, start, max(end, start + 1))
            fragment = text[start:cut].rstrip()
            if fragment:
                self._append(fragment, glue, prose=True)
            following = cut + len(text[cut : cut + 1000]) - len(text[cut : cut + 1000].lstrip())
            between = text[start + len(fragment) : following]
            start = following
            if start < len(text):
                glue = "\n" if "\n" in between else " " if between else ""
                glue = self._next_piece(0, glue)

    def _add_long(self, block: Block, glue: str) -> None:
        if self._room(glue) < self._size // 2:
            glue = self._next_piece(self._size // 2, glue)
        self._term = self._short_term(block.repeated_terms(begun=True))
        split = split_code if block.kind == "code" else split_table
        parts = split(block, self._measure, self._longest(), self._room(glue))
        if parts and self._parts and self._measure.count(parts[0]) > self._room(glue):
            glue = self._next_piece(self._longest(), glue)
        for number, part in enumerate(parts):
            if number:
                glue = self._next_piece(self._longest(), glue)
            self._append(part, glue, prose=False)


def _text_of(parts: Sequence[_Part]) -> str:
    return "".join((part.glue if number else "") + part.text for number, part in enumerate(parts))
