"""From counted chunks to the dictionary and the postings with their BM25F impacts."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..columns.placed_postings import PlacedPostings
from ..columns.posting_words import posting_words
from ..columns.term_blocks import TermBlocks, term_blocks
from ..columns.texts import Texts, sort_order
from ..errors import UsageError
from ..search.settings import FIELDS, FIXED_POINT, IMPACT_LIMIT
from ..text.counting import CountedChunks
from .in_order import in_order

_COUNTED_AT_ONCE = 1 << 20  # postings


@dataclass(frozen=True)
class Postings:
    """What the columns of terms, term_blocks and postings hold, how many postings there are, and what the manifest says
    of scoring."""

    terms: Texts
    df: NDArray[np.uint32]
    idf: NDArray[np.uint32]
    start: NDArray[np.int64]
    blocks: TermBlocks
    words: NDArray[np.uint16]
    count: int
    scoring: dict[str, Any]


class PostingsBuilder:
    """Takes counted chunks in row order, gives postings.

    `scoring` holds `k1`, and `weights` and `b` for each field (see `search.settings.DEFAULT_SCORING`).
    """

    def __init__(self, scoring: Mapping[str, Any]) -> None:
        """Raises UsageError for scoring parameters that are missing or out of range."""
        self._k1, self._weights, self._b = _checked_scoring(scoring)
        self._counted: list[CountedChunks] = []
        self.chunk_count = 0

    def add(self, counted: CountedChunks) -> None:
        """Take the next chunks, counted by the numbers of their terms."""
        self._counted.append(counted)
        self.chunk_count += len(counted)

    def finish(self, terms: Texts, workers: int = 1) -> Postings:
        """Sort the terms by their UTF-8 bytes and the postings by term and row, and compute the impacts.

        `terms`: the term of each number. What was added is given up.
        """
        count = self.chunk_count
        parts = self._parts(workers)
        counting = [partial(_df_of, part.counted, len(terms)) for part in parts]
        dfs = in_order(lambda work: work(), [partial(sort_order, terms), *counting], workers)
        old_ids = next(dfs)
        dfs = list(dfs)
        ordered = terms.take(old_ids)
        df_by_number = sum(dfs, np.zeros(len(terms), np.int64))
        df = df_by_number[old_ids]
        idf = self._idf_of(df, count)
        cursors, idf_by_number = np.empty_like(df), np.empty_like(idf)
        cursors[old_ids] = np.cumsum(df) - df
        idf_by_number[old_ids] = idf
        lengths = self._lengths()
        averages = [float(of_field.sum()) / count if count else 0.0 for of_field in lengths]
        placed = PlacedPostings(int(df.sum()), idf_by_number, self._weights, self._norms(lengths, averages), self._k1)
        for part, df_of_part in zip(parts, dfs, strict=True):
            part.cursors = cursors.copy()
            cursors += df_of_part
        self._counted = []
        largest = max(in_order(lambda part: part.place(placed), parts, workers))
        fixed_point = fixed_point_for(largest)
        packed = posting_words(df, placed.postings, fixed_point, workers)
        return Postings(
            terms=ordered,
            df=df.astype(np.uint32),
            # At least 1, so that a word in every chunk of a large corpus still weighs something.
            idf=np.maximum(np.floor(idf * FIXED_POINT + 0.5), 1.0).astype(np.uint32),
            start=packed.starts,
            blocks=term_blocks(ordered),
            words=packed.words,
            count=len(placed.postings),
            scoring={
                "fields": list(FIELDS),
                "k1": self._k1,
                "weights": self._weights,
                "b": self._b,
                "average_lengths": averages,
                "fixed_point": FIXED_POINT,
                "impact_fixed_point": fixed_point,
                "unknown_idf": _fixed(_idf(0, count)),
            },
        )

    def _parts(self, count: int) -> "list[_Part]":
        """What was added in so many parts, one after the other, of about as many postings."""
        ends = np.cumsum([len(counted.terms) for counted in self._counted])
        cuts = np.searchsorted(ends, [ends[-1] * part / count for part in range(count)]) if len(ends) else [0] * count
        parts: list[_Part] = []
        row = 0
        for start, stop in zip(cuts, [*cuts[1:], len(ends)], strict=True):
            parts.append(_Part(self._counted[start:stop], row))
            row += sum(map(len, parts[-1].counted))
        return parts

    def _lengths(self) -> NDArray[np.int64]:
        """Of each field (rows) in each chunk (columns)."""
        if not self._counted:
            return np.zeros((len(FIELDS), 0), np.int64)
        return np.concatenate([counted.lengths for counted in self._counted], axis=1).astype(np.int64)

    def _idf_of(self, df: NDArray[np.int64], count: int) -> NDArray[np.float64]:
        """IDF of each term; one logarithm for each distinct df, by `math.log`, whose result depends on nothing else."""
        distinct = np.flatnonzero(np.bincount(df))
        table = np.zeros(int(df.max(initial=0)) + 1, np.float64)
        table[distinct] = [_idf(value, count) for value in distinct.tolist()]
        return table[df]

    def _norms(self, lengths: NDArray[np.int64], averages: list[float]) -> NDArray[np.float64]:
        """What a frequency is divided by, of each field in each chunk. A norm of 0 (b = 1, length 0) goes with
        frequencies of stop words only: they count as if the norm were 1.
        """
        norms = np.ones(lengths.shape, np.float64)
        for order, (of_field, b, average) in enumerate(zip(lengths, self._b, averages, strict=True)):
            if average > 0.0:
                norm = (1.0 - b) + (b * of_field.astype(np.float64)) / average
                norms[order] = np.where(norm > 0.0, norm, 1.0)
        return norms


class _Part:
    """Some of the chunks, whose rows begin with `row`. `cursors`: where the next posting of each term goes."""

    def __init__(self, counted: list[CountedChunks], row: int) -> None:
        self.counted = counted
        self.cursors = np.empty(0, np.int64)
        self._row = row

    def place(self, placed: PlacedPostings) -> float:
        """Place the postings, and give them up. Returns the largest impact."""
        self.counted.reverse()
        largest = 0.0
        while self.counted:
            counted = self.counted.pop()
            frequencies = counted.frequencies.astype(np.uint32)
            of_these = placed.place(counted.terms, frequencies, counted.ends, self._row, self.cursors)
            largest = max(largest, of_these)
            self._row += len(counted)
        return largest


def _df_of(parts: Sequence[CountedChunks], term_count: int) -> NDArray[np.int64]:
    """In how many chunks each term is, by its number."""
    df = np.zeros(term_count, np.int64)
    block: list[NDArray[np.uint32]] = []
    size = 0
    for order, counted in enumerate(parts, start=1):
        block.append(counted.terms)
        size += len(counted.terms)
        if size >= _COUNTED_AT_ONCE or order == len(parts):
            df += np.bincount(np.concatenate(block), minlength=term_count)
            block, size = [], 0
    return df


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
