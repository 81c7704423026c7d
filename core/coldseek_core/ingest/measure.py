"""How long a text is: in characters, or in tokens estimated without a model."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

_WORD_PIECE = 6
_TOKEN = re.compile(r"[A-Za-z0-9\u00c0-\u024f]+|[^\sA-Za-z0-9\u00c0-\u024f]")


@dataclass(frozen=True, slots=True)
class Measure:
    """`count(text)`, and `end(text, start, most)`: the furthest end with `count(text[start:end]) <= most`."""

    count: Callable[[str], int]
    end: Callable[[str, int, int], int]


def count_tokens(text: str) -> int:
    """Estimated tokens: a run of Latin letters and digits is one for every 6 characters begun, every other
    character that is not white space is one. Close to word-piece models for English, above them elsewhere,
    never zero for text."""
    return sum(1 + (found.end() - found.start() - 1) // _WORD_PIECE for found in _TOKEN.finditer(text))


def _token_end(text: str, start: int, most: int) -> int:
    for found in _TOKEN.finditer(text, start):
        needed = 1 + (found.end() - found.start() - 1) // _WORD_PIECE
        if needed > most:
            return found.start() + most * _WORD_PIECE if most else found.start()
        most -= needed
    return len(text)


def _character_end(text: str, start: int, most: int) -> int:
    return min(len(text), start + most)


MEASURES = {"characters": Measure(len, _character_end), "tokens": Measure(count_tokens, _token_end)}

_JOINER = "\u200d"


def whole_character_cut(text: str, start: int, end: int) -> int:
    """The last offset in (start, end] where a cut does not tear a character that readers see as one.

    Kept together: combining marks, variation selectors, emoji modifiers and joined emoji, flags, Hangul
    syllables. If what stands there is longer than 64 code points, `end` itself.
    """
    if end >= len(text):
        return len(text)
    for cut in range(end, max(start, end - 64), -1):
        if not is_torn(text, start, cut):
            return cut
    return end


def is_torn(text: str, start: int, cut: int) -> bool:
    """Whether the code points before and behind `cut` belong to one visible character of `text[start:]`."""
    after = text[cut]
    if after < "\u0300":
        return False
    before = text[cut - 1]
    if after == _JOINER or before == _JOINER or unicodedata.category(after)[0] == "M":
        return True
    point = ord(after)
    if 0x1F3FB <= point <= 0x1F3FF or 0xE0020 <= point <= 0xE007F:
        return True
    if 0x1160 <= point <= 0x11FF:  # vowels and finals of Hangul syllables
        return 0x1100 <= ord(before) <= 0x11FF or 0xAC00 <= ord(before) <= 0xD7A3
    if _is_regional(after) and _is_regional(before):
        first = cut - 1
        while first > start and _is_regional(text[first - 1]):
            first -= 1
        return (cut - first) % 2 == 1
    return False


def _is_regional(character: str) -> bool:
    return 0x1F1E6 <= ord(character) <= 0x1F1FF
