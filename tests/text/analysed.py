"""Short ways to look at an analysis."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from coldseek_core.text import ALIAS, LOOSE_NAME, NAME, PART, Analyser, Token
from coldseek_core.text.counting import TermCounter, TermNumbers
from coldseek_core.text.token import KIND_NAMES

SHORT = {"WORD": "W", "PART": "P", "NAME": "N", "LOOSE_NAME": "L", "ALIAS": "A", "GRAM": "G", "BIGRAM": "B"}
NAMED_KINDS = (ALIAS, LOOSE_NAME, NAME, PART)


@cache
def analyser(language: str = "en") -> Analyser:
    return Analyser(language)


def tokens(text: str, language: str = "en") -> list[Token]:
    return analyser(language).analyse(text)


def shown(text: str, language: str = "en") -> str:
    """Kinds and terms in order: "N:urls P:url"."""
    return " ".join(f"{SHORT[KIND_NAMES[token.kind]]}:{token.term}" for token in tokens(text, language))


def terms(text: str, language: str = "en") -> list[str]:
    return [token.term for token in tokens(text, language)]


def kept(text: str, language: str = "en") -> list[str]:
    """Terms that are not stop words."""
    return [token.term for token in tokens(text, language) if not token.stop]


def stops(text: str, language: str = "en") -> list[str]:
    return [token.term for token in tokens(text, language) if token.stop]


class Counter:
    """Counts texts, each a chunk of one field, as dicts."""

    def __init__(self, analyser: Analyser, memo_limit: int = 5_000, numbers: TermNumbers | None = None) -> None:
        self._numbers = TermNumbers() if numbers is None else numbers
        self._counter = TermCounter(analyser, self._numbers, memo_limit)

    def count(self, texts: Sequence[str]) -> list[tuple[dict[str, int], int]]:
        got = self._counter.count(texts, np.arange(len(texts), dtype=np.int64).reshape(-1, 1))
        terms = self._numbers.terms()
        names = [terms[number] for number in got.terms.tolist()]
        result: list[tuple[dict[str, int], int]] = []
        start = 0
        for end, length in zip(got.ends.tolist(), got.lengths[0].tolist(), strict=True):
            result.append((dict(zip(names[start:end], got.frequencies[0, start:end].tolist(), strict=True)), length))
            start = end
        return result


def count_all(analyser: Analyser, texts: Sequence[str]) -> list[tuple[dict[str, int], int]]:
    return Counter(analyser).count(texts)


def count(analyser: Analyser, text: str) -> tuple[dict[str, int], int]:
    return count_all(analyser, [text])[0]
