"""From counted chunks to the dictionary and the postings with their BM25F impacts."""

import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..columns.posting_words import posting_words
from ..columns.term_slots import term_slots
from ..errors import UsageError
from ..search.settings import FIELDS, FIXED_POINT, IMPACT_LIMIT

# Term frequencies and length of each field of one chunk, in the order of FIELDS.
FieldCounts = Sequence[tuple[Mapping[str, int], int]]


@dataclass(frozen=True)
class Postings:
    """What the columns of terms, term_slots and postings hold, how many postings there are, and what the manifest says
    of scoring."""

    terms: list[str]
    df: NDArray[np.uint32]
    idf: NDArray[np.uint32]
    start: NDArray[np.int64]
    slots: NDArray[np.uint32]
    words: NDArray[np.uint16]
    count: int
    scoring: dict[str, Any]


class PostingsBuilder:
    """Takes chunks in row order, gives postings.

    `scoring` holds `k1`, and `weights` and `b` for each field (see `search.settings.DEFAULT_SCORING`).
    """

    def __init__(self, scoring: Mapping[str, Any]) -> None:
        """Raises UsageError for scoring parameters that are missing or out of range."""
        self._k1, self._weights, self._b = _checked_scoring(scoring)
        self._vocabulary: dict[str, int] = {}
        self._term_ids = array("I")
        self._rows = array("I")
        self._frequencies = [array("I") for _ in FIELDS]
        self._lengths = [array("I") for _ in FIELDS]

    @property
    def chunk_count(self) -> int:
        return len(self._lengths[0])

    def add(self, fields: FieldCounts) -> None:
        """Count one chunk."""
        row = self.chunk_count
        vocabulary = self._vocabulary
        terms: dict[str, None] = {}
        for counts, _ in fields:
            terms.update(dict.fromkeys(counts))
        for term in terms:
            self._term_ids.append(vocabulary.setdefault(term, len(vocabulary)))
            self._rows.append(row)
        for order, (counts, length) in enumerate(fields):
            self._frequencies[order].extend([counts.get(term, 0) for term in terms])
            self._lengths[order].append(length)

    def finish(self) -> Postings:
        """Sort the terms by their UTF-8 bytes and the postings by term and row, and compute the impacts."""
        count = self.chunk_count
        encoded = sorted((term.encode(), old) for term, old in self._vocabulary.items())
        new_ids = np.empty(len(encoded), np.int64)
        new_ids[np.fromiter((old for _, old in encoded), np.int64, len(encoded))] = np.arange(len(encoded))
        term_ids = new_ids[np.frombuffer(self._term_ids, np.uint32)]
        order = np.argsort(term_ids, kind="stable")  # rows were added in ascending order
        term_ids = term_ids[order]
        rows = np.frombuffer(self._rows, np.uint32)[order]
        df = np.bincount(term_ids, minlength=len(encoded))
        idf = self._idf_of(df, count)
        averages = [float(sum(lengths)) / count if count else 0.0 for lengths in self._lengths]
        impacts, impact_fixed_point = self._impacts(rows, order, idf[term_ids], averages)
        packed = posting_words(df, rows, impacts)
        unknown_idf = _fixed(_idf(0, count))
        return Postings(
            terms=[term.decode() for term, _ in encoded],
            df=df.astype(np.uint32),
            # At least 1, so that a word in every chunk of a large corpus still weighs something.
            idf=np.maximum(np.floor(idf * FIXED_POINT + 0.5), 1.0).astype(np.uint32),
            start=packed.starts,
            slots=term_slots([term for term, _ in encoded]),
            words=packed.words,
            count=len(rows),
            scoring={
                "fields": list(FIELDS),
                "k1": self._k1,
                "weights": self._weights,
                "b": self._b,
                "average_lengths": averages,
                "fixed_point": FIXED_POINT,
                "impact_fixed_point": impact_fixed_point,
                "unknown_idf": unknown_idf,
            },
        )

    def _idf_of(self, df: NDArray[np.int64], count: int) -> NDArray[np.float64]:
        """IDF of each term; one logarithm for each distinct df, by `math.log`, whose result depends on nothing else."""
        distinct, inverse = np.unique(df, return_inverse=True)
        return np.array([_idf(int(value), count) for value in distinct], np.float64)[inverse]

    def _impacts(
        self,
        rows: NDArray[np.uint32],
        order: NDArray[np.int64],
        idf: NDArray[np.float64],
        averages: list[float],
    ) -> tuple[NDArray[np.uint16], int]:
        """BM25F (Robertson, Zaragoza and Taylor 2004), each operation rounded once in this order; and how many units of
        an impact make 1."""
        w = np.zeros(len(rows), np.float64)
        for field in range(len(FIELDS)):
            frequency = np.frombuffer(self._frequencies[field], np.uint32)[order].astype(np.float64)
            lengths = np.frombuffer(self._lengths[field], np.uint32).astype(np.float64)
            b, average = self._b[field], averages[field]
            norm = (1.0 - b) + (b * lengths) / average if average > 0.0 else np.ones_like(lengths)
            # Where the frequency is 0 this adds 0.0, which changes nothing. A norm of 0 (b = 1, length 0) goes
            # with frequencies of stop words only: they count as if the norm were 1.
            norm = np.where(norm > 0.0, norm, 1.0)
            w += (self._weights[field] * frequency) / norm[rows]
        impact = idf * ((w * (self._k1 + 1.0)) / (w + self._k1))
        fixed_point = fixed_point_for(float(impact.max(initial=0.0)))
        return np.maximum(np.floor(impact * fixed_point + 0.5), 1.0).astype(np.uint16), fixed_point


def fixed_point_for(largest: float) -> int:
    """How many units of an impact make 1: a power of two, at most FIXED_POINT, so that the `largest` fits 16 bits.

    A sum of 1,024 such impacts stays below 2**26. An IDF is below 23 and k1 at most 10, so this is 256 at least.
    """
    fixed_point = FIXED_POINT
    while largest * fixed_point + 0.5 >= IMPACT_LIMIT:
        fixed_point //= 2
    return fixed_point


def _idf(df: int, count: int) -> float:
    return math.log(1.0 + (count - df + 0.5) / (df + 0.5))


def _fixed(value: float) -> int:
    return math.floor(value * FIXED_POINT + 0.5)


def _checked_scoring(scoring: Mapping[str, Any]) -> tuple[float, list[float], list[float]]:
    try:
        k1 = float(scoring["k1"])
        weights = [float(value) for value in scoring["weights"]]
        b = [float(value) for value in scoring["b"]]
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"scoring needs k1, and weights and b for each of {', '.join(FIELDS)}: {error}") from error
    if len(weights) != len(FIELDS) or len(b) != len(FIELDS):
        raise UsageError(f"scoring needs a weight and a b for each of {', '.join(FIELDS)}")
    if not 0.0 < k1 <= 10.0:
        raise UsageError(f"k1 must be above 0 and at most 10, not {k1}")
    if not all(0.0 <= weight <= 100.0 for weight in weights) or not any(weights):
        raise UsageError(f"field weights must be from 0 to 100, and one above 0, not {weights}")
    if not all(0.0 <= value <= 1.0 for value in b):
        raise UsageError(f"b must be from 0 to 1 for each field, not {b}")
    return k1, weights, b
