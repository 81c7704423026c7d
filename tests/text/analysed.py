"""Short ways to look at an analysis."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from coldseek_core.columns.texts import Texts
from coldseek_core.text import ALIAS, LOOSE_NAME, NAME, PART, Analyser, Token
from coldseek_core.text.counting import TermCounter
from coldseek_core.text.term_numbers import TermNumbers, TextColumn
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


def column_of(texts: Sequence[str]) -> TextColumn:
    """Halves of surrogate pairs, too, though no build reads any."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return ends, np.frombuffer(b"".join(encoded), np.uint8)


class Counter:
    """Counts texts, each a chunk of one field, as dicts."""

    def __init__(self, analyser: Analyser, memo_limit: int = 5_000, numbers: TermNumbers | None = None) -> None:
        self._numbers = TermNumbers(analyser) if numbers is None else numbers
        self._counter = TermCounter(analyser, self._numbers, memo_limit)

    def count(self, texts: Sequence[str]) -> list[tuple[dict[str, int], int]]:
        places = np.arange(len(texts), dtype=np.int64)
        got = self._counter.count([column_of(texts)], places + 1, places.reshape(-1, 1))
        terms = list(Texts(*self._numbers.terms()))
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
