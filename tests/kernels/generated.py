"""Hypothesis strategies for what kernels read: postings over several blocks of rows, filters, int8 vectors."""

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from kernels.naive import QUERY_LIMIT, pack, unpack

BLOCK = 65536
ROW_COUNTS = (0, 1, 7, 8, 9, 20, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 9, 4 * BLOCK + 3)
LARGEST_IMPACT = 2**16 - 1
LARGEST_WEIGHT = 2**22 - 1


class TermPostings(NamedTuple):
    """The (row, impact) postings of some query terms, and the terms' coverage weights."""

    terms: list[list[tuple[int, int]]]
    weights: list[int]
    row_count: int


def rows_below(row_count: int) -> st.SearchStrategy[int]:
    """Rows near the borders of blocks and near zero, so that terms share them."""
    near = {
        row
        for border in range(0, row_count + 1, BLOCK)
        for row in range(border - 4, border + 12)
        if 0 <= row < row_count
    }
    return st.sampled_from(sorted(near)) | st.integers(0, row_count - 1)


IMPACTS = st.integers(1, 3) | st.just(LARGEST_IMPACT) | st.integers(1, LARGEST_IMPACT)
WEIGHTS = IMPACTS | st.just(LARGEST_WEIGHT)


@st.composite
def term_postings(draw: st.DrawFn) -> TermPostings:
    row_count = draw(st.sampled_from(ROW_COUNTS))
    terms: list[list[tuple[int, int]]] = []
    for _ in range(draw(st.integers(0, 6))):
        held = sorted(draw(st.sets(rows_below(row_count), max_size=12))) if row_count else []
        terms.append([(row, draw(IMPACTS)) for row in held])
    weights = draw(st.lists(WEIGHTS, min_size=len(terms), max_size=len(terms)))
    return TermPostings(terms, weights, row_count)


@st.composite
def long_postings(draw: st.DrawFn) -> TermPostings:
    """Terms from rare ones to those of nearly every row, over some blocks: enough of them for rows to be skipped."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    row_count = draw(st.sampled_from([3000, BLOCK, BLOCK + 9000, 2 * BLOCK + 700]))
    terms: list[list[tuple[int, int]]] = []
    weights: list[int] = []
    for share in draw(st.lists(st.sampled_from([0.00005, 0.001, 0.02, 0.1, 0.3, 0.95]), min_size=1, max_size=5)):
        rows = np.flatnonzero(random.random(row_count) < share)
        # Rarer terms weigh more; a narrow range makes ties.
        largest = int(-np.log(share) * draw(st.sampled_from([1, 40, 5000]))) + 1
        terms.append(list(zip(rows.tolist(), random.integers(1, largest + 1, len(rows)).tolist(), strict=True)))
        weights.append(draw(st.sampled_from([1, largest, LARGEST_WEIGHT])))
    return TermPostings(terms, weights, row_count)


def bitmaps(row_count: int) -> st.SearchStrategy[bytes | None]:
    size = (row_count + 7) // 8
    return st.none() | st.builds(
        lambda seed, share: np.packbits(
            np.random.default_rng(seed).random(size * 8) < share, bitorder="little"
        ).tobytes(),
        st.integers(0, 2**32),
        st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    )


class Vectors(NamedTuple):
    """Rows as codes and packed remainders with their exact squares, and a 15-bit query with its own."""

    codes: NDArray[np.int8]
    remainders: NDArray[np.int8]
    squares: list[int]
    query: NDArray[np.int16]
    query_square: int

    @property
    def fine(self) -> list[list[int]]:
        """16 * code + remainder: what the twins take."""
        halves = [unpack(row, self.codes.shape[1]) for row in self.remainders.tolist()]
        return [
            [16 * code + half for code, half in zip(*pair, strict=True)]
            for pair in zip(self.codes.tolist(), halves, strict=True)
        ]


def with_squares(codes: NDArray[np.int8], query: NDArray[np.int16], halves: Any = 0) -> Vectors:
    """`halves`: remainders from -8 to 7, of the codes' shape or one for all."""
    rows, dimensions = codes.shape
    packed = [pack(row) for row in np.broadcast_to(halves, codes.shape).tolist()]
    remainders = np.array(packed, np.int8).reshape(rows, (dimensions + 1) // 2)
    made = Vectors(codes, remainders, [], query, sum(value * value for value in query.tolist()))
    return made._replace(squares=[sum(value * value for value in row) for row in made.fine])


def extreme_vectors(dimensions: int, pattern: str, count: int = 3) -> Vectors:
    """Vectors whose products are as large as they can be: all 127, all -128, and alternating signs."""
    signs = np.ones(dimensions, np.int64) if pattern == "equal" else np.resize([1, -1], dimensions)
    rows = [127 * signs, -127 * signs, np.maximum(-128 * np.abs(signs), -128), 127 * np.resize([1, 1, -1], dimensions)]
    codes = np.array([rows[order % 4] for order in range(count)], np.int8)
    return with_squares(codes, (QUERY_LIMIT * signs).astype(np.int16), np.where(codes < 0, -8, 7))


@st.composite
def vectors(draw: st.DrawFn, dimensions: st.SearchStrategy[int] | None = None) -> Vectors:
    """Random rows; some are zero, some equal (ties), some opposite; the query is now and then zero."""
    size = draw(dimensions if dimensions is not None else st.integers(1, 70))
    count = draw(st.integers(0, 24))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    spread = draw(st.sampled_from([1, 2, 127]))
    codes = random.integers(-spread, spread + 1, (count, size)).astype(np.int8)
    if draw(st.booleans()):
        codes[random.random((count, size)) < 0.3] = -128
    for row in range(count):
        fate: Any = random.integers(0, 6)
        if fate == 0:
            codes[row] = 0
        elif fate == 1 and row:
            codes[row] = codes[row - 1]
    limit = draw(st.sampled_from([0, 1, 100, QUERY_LIMIT]))
    query = random.integers(-limit, limit + 1, size).astype(np.int16)
    if draw(st.booleans()):
        query[:] = np.where(query < 0, -limit, limit)
    halves = random.integers(-8, 8, codes.shape) if draw(st.booleans()) else draw(st.sampled_from([-8, 0, 7]))
    return with_squares(codes, query, halves)
