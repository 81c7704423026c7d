"""The inverted index of the baseline: a dict of posting lists with ready impacts (BM25F, fixed point).

BM25F: Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", 2004.
"""

import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from baseline.settings import FIELDS, Settings
from baseline.tokens import LENGTH_KINDS, as_tokens

UNIT = 65536.0
IMPACT_LIMIT = 2**16


class ChunkTokens(NamedTuple):
    """The tokens of one chunk, by field, from any analyser (see `baseline.tokens.as_tokens`)."""

    title: Iterable[Any]
    headings: Iterable[Any]
    body: Iterable[Any]


class Postings(NamedTuple):
    """The chunks that hold one term: `rows` ascending, `impacts` in the index's unit; `idf` in units of 2**-16."""

    rows: "array[int]"
    impacts: "array[int]"
    idf: int

    def holds(self, row: int) -> bool:
        place = bisect_left(self.rows, row)
        return place < len(self.rows) and self.rows[place] == row


def inverse_document_frequency(chunks: int, df: int) -> float:
    return math.log(1.0 + (chunks - df + 0.5) / (df + 0.5))


def fixed_point(value: float) -> int:
    return math.floor(value * UNIT + 0.5)


class InvertedIndex:
    """Posting lists of chunks given as (title, headings, body) tokens; row = position in `chunks`."""

    def __init__(self, chunks: Iterable[ChunkTokens | tuple[Any, Any, Any]], settings: Settings) -> None:
        lengths: list[list[int]] = []
        # term -> row -> term frequency in every field
        frequencies: dict[str, dict[int, list[int]]] = {}
        for row, chunk in enumerate(chunks):
            lengths.append([])
            for field, items in enumerate(chunk):
                tokens = as_tokens(items)
                counted = [token for token in tokens if not token.stop and token.kind in LENGTH_KINDS]
                lengths[row].append(len(counted))
                for term, tf in Counter(token.term for token in tokens).items():
                    rows = frequencies.setdefault(term, {})
                    if row not in rows:
                        rows[row] = [0] * len(FIELDS)
                    rows[row][field] = tf
        self.rows = len(lengths)
        self.average_lengths = [
            sum(length[field] for length in lengths) / self.rows if self.rows else 0.0 for field in range(len(FIELDS))
        ]
        self.unknown_idf = fixed_point(inverse_document_frequency(self.rows, 0))
        norms = [[self._norm(settings, field, length) for field, length in enumerate(of_row)] for of_row in lengths]
        found: dict[str, list[float]] = {}
        for term, rows in frequencies.items():
            idf = inverse_document_frequency(self.rows, len(rows))
            found[term] = [self._impact(settings, idf, tfs, norms[row]) for row, tfs in rows.items()]
        # The finest power of two of a unit in which the largest impact fits 16 bits.
        largest = max((max(impacts) for impacts in found.values()), default=0.0)
        self.impact_unit = 65536.0
        while math.floor(largest * self.impact_unit + 0.5) >= IMPACT_LIMIT:
            self.impact_unit /= 2.0
        self.postings: dict[str, Postings] = {}
        for term, rows in frequencies.items():
            idf = inverse_document_frequency(self.rows, len(rows))
            impacts = [max(1, math.floor(impact * self.impact_unit + 0.5)) for impact in found[term]]
            self.postings[term] = Postings(array("I", rows), array("I", impacts), max(1, fixed_point(idf)))

    def _norm(self, settings: Settings, field: int, length: int) -> float:
        average = self.average_lengths[field]
        if not average:
            return 1.0
        b = settings.b[field]
        norm = (1.0 - b) + (b * length) / average
        return norm if norm > 0.0 else 1.0  # a field of stop words only, with b = 1

    @staticmethod
    def _impact(settings: Settings, idf: float, tfs: list[int], norms: list[float]) -> float:
        k1 = settings.k1
        weight = 0.0
        for field, tf in enumerate(tfs):
            if tf:
                weight += (settings.weights[field] * tf) / norms[field]
        return idf * ((weight * (k1 + 1.0)) / (weight + k1))
