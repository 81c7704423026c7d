"""Questions of a given size (bytes of UTF-8, about) that hold as much work as they can, one kind of text each."""

import random
from collections.abc import Callable
from itertools import count, islice

_LETTERS = "abcdefghijklmnoprstuvwy"


def _joined(make_word: Callable[[random.Random], str], size: int, between: str = " ") -> str:
    rng = random.Random(size)
    words: list[str] = []
    written = 0
    while written < size:
        words.append(make_word(rng))
        written += len((words[-1] + between).encode())
    return between.join(words)


def _letters(rng: random.Random, least: int, most: int, letters: str = _LETTERS) -> str:
    return "".join(rng.choices(letters, k=rng.randint(least, most)))


def _identifier(rng: random.Random) -> str:
    humps = [_letters(rng, 1, 5).capitalize() for _ in range(rng.randint(2, 6))]
    return "".join(hump + rng.choice(["", "", "_", "-", ".", "::"]) for hump in humps)


def _shortest_words(size: int) -> str:
    """As many distinct words as there can be."""
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    words = (a + b + c for a in digits for b in digits for c in digits)
    return " ".join(islice(words, size // 4))


def _numbered(size: int) -> str:
    """Words that share all but their ends, longest first."""
    return " ".join("z" * 50 + f"{order:05}" for _, order in zip(range(size // 56), count(99_999, -1), strict=False))


def _mixed(size: int) -> str:
    kinds = ("distinct words", "Han", "identifiers", "accents", "emoji", "marks", "Hangul")
    return " ".join(HOSTILE[kind](size // len(kinds)) for kind in kinds)


HOSTILE: dict[str, Callable[[int], str]] = {
    "distinct words": lambda size: _joined(lambda rng: _letters(rng, 3, 9), size),
    "shortest words": _shortest_words,
    "words alike": _numbered,
    "one word": lambda size: "configure " * (size // 10),
    "stop words": lambda size: "the of " * (size // 7),
    "a run of letters": lambda size: "x" * size,
    "a run of words": lambda size: _joined(lambda rng: _letters(rng, 3, 9), size, "."),
    "Han": lambda size: _joined(lambda rng: chr(rng.randint(0x4E00, 0x9FFF)), size, ""),
    "few Han": lambda size: "延遲重試策略設定檔案" * (size // 30),
    "Hangul": lambda size: _joined(lambda rng: "".join(chr(rng.randint(0xAC00, 0xD7A3)) for _ in range(4)), size),
    "Thai": lambda size: "ที่" * (size // 9),
    "marks": lambda size: "a" + "\u0301\u0316" * (size // 4),
    "accents": lambda size: _joined(lambda rng: _letters(rng, 3, 8, "àéîõüçñøåßabdefgh"), size),
    "Cyrillic": lambda size: _joined(lambda rng: _letters(rng, 3, 8, "абвгдеёжзийклмно"), size),
    "identifiers": lambda size: _joined(_identifier, size),
    "a run of identifiers": lambda size: _joined(_identifier, size, ""),
    "humps": lambda size: "aB" * (size // 2),
    "joiners": lambda size: "a." * (size // 2),
    "loose joiners": lambda size: _joined(lambda rng: f"{_letters(rng, 2, 5)}-{_letters(rng, 2, 5)}", size),
    "emoji": lambda size: _joined(
        lambda rng: chr(rng.randint(0x1F300, 0x1F6FF)) + rng.choice(["", "\u200d", " "]), size, ""
    ),
    "mixed": _mixed,
}
