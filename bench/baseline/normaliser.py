"""Text -> pieces -> normalised characters that remember where they came from, and their case."""

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from baseline.unicode_facts import HYPHENS, PIECE_BREAKS, char_class, is_ignorable, is_safe_starter

LONGEST_STRETCH = 32


class Char(NamedTuple):
    """A normalised code point; `start` and `end` are code point offsets into the source text.

    `category` is the general category of the code point that this one was folded from, after NFKC; what was
    composed after folding has that of its first part.
    `kind` is the class of the folded code point: L, D, M, A or S.
    """

    text: str
    start: int
    end: int
    category: str
    kind: str

    @property
    def is_upper(self) -> bool:
        return self.category in ("Lu", "Lt")

    @property
    def is_lower(self) -> bool:
        return self.category == "Ll"


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """(offset, piece) for every stretch of `text` without white space."""
    start = None
    for position, char in enumerate(text):
        if char in PIECE_BREAKS:
            if start is not None:
                yield start, text[start:position]
            start = None
        elif start is None:
            start = position
    if start is not None:
        yield start, text[start:]


def _stretches(chars: list[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Cut at safe starters, and where a stretch is full; the positions are only carried along."""
    stretch: list[tuple[int, str]] = []
    for position, char in chars:
        if stretch and (len(stretch) == LONGEST_STRETCH or is_safe_starter(char)):
            yield stretch
            stretch = []
        stretch.append((position, char))
    if stretch:
        yield stretch


def _decompose(folded: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """NFKD of (character, category) pairs: every part has the category of what it is a part of."""
    parts: list[tuple[str, str]] = []
    marks: list[tuple[str, str]] = []
    for char, category in folded:
        for part in unicodedata.normalize("NFKD", char):
            if not unicodedata.combining(part):
                parts += sorted(marks, key=lambda mark: unicodedata.combining(mark[0]))
                parts.append((part, category))
                marks = []
            else:
                marks.append((part, category))
    return parts + sorted(marks, key=lambda mark: unicodedata.combining(mark[0]))


def _compose(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Canonical composition (Unicode, 3.11) of decomposed (character, category) pairs."""
    result: list[tuple[str, str]] = []
    starter: int | None = None
    for char, category in parts:
        order = unicodedata.combining(char)
        if starter is not None:
            is_next = starter == len(result) - 1
            if is_next or unicodedata.combining(result[-1][0]) < order:
                joined = unicodedata.normalize("NFC", result[starter][0] + char)
                if len(joined) == 1:
                    result[starter] = (joined, result[starter][1])
                    continue
        result.append((char, category))
        if not order:
            starter = len(result) - 1
    return result


def normalise(piece: str, offset: int = 0) -> list[Char]:
    """NFKC, full case folding, NFKC again, without default-ignorable code points."""
    result: list[Char] = []
    kept = [(position, char) for position, char in enumerate(piece) if not is_ignorable(char)]
    for stretch in _stretches(kept):
        start = offset + stretch[0][0]
        end = offset + stretch[-1][0] + 1
        composed = unicodedata.normalize("NFKC", "".join(char for _, char in stretch))
        folded = [(small, unicodedata.category(char)) for char in composed for small in char.casefold()]
        for char, category in _compose(_decompose(folded)):
            text = "-" if char in HYPHENS else char
            result.append(Char(text, start, end, category, char_class(text)))
    return result
