"""Many queries in one pass over the codes: for each, what a scan of its own finds, and what the twin finds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from coldseek_core.kernels.scan_many import TILE
from kernels import kernel_calls, naive
from kernels.generated import Vectors, bitmaps, extreme_vectors, vectors, with_squares

# Around the number of codes of a step, and around the longest rows of which four queries are compared at once.
BORDERS = [1, 2, 63, 64, 65, 100, 127, 128, 129, 255, 256, 320, 384, 771, 1023, 1024, 1025, 1088, 4097, 8192, 8256]


def squares_of(queries: NDArray[np.int16]) -> list[int]:
    return [sum(value * value for value in query) for query in queries.tolist()]


def each(
    held: Vectors, rows: range, queries: NDArray[np.int16], bitmap: bytes | None, length: int
) -> list[list[tuple[int, float]]]:
    """What a scan of its own finds for each query."""
    return [
        kernel_calls.scan_top(*held[:3], rows, query, square, bitmap, length)
        for query, square in zip(queries, squares_of(queries), strict=True)
    ]


def check(held: Vectors, rows: range, queries: NDArray[np.int16], bitmap: bytes | None, length: int) -> None:
    asked = squares_of(queries)
    got = kernel_calls.scan_many_top(*held[:3], rows, queries, asked, bitmap, length)
    expected = [
        naive.scan_top(held.fine, held.squares, rows, query, square, bitmap, length)
        for query, square in zip(queries.tolist(), asked, strict=True)
    ]
    assert got == expected
    assert got == each(held, rows, queries, bitmap, length)


def related(query: NDArray[np.int16], count: int, random: np.random.Generator) -> NDArray[np.int16]:
    """The query, its opposite, zeros, and others."""
    others = [query, -query, np.zeros_like(query), query // 3, query[::-1]]
    others += [random.integers(-16383, 16384, len(query)).astype(np.int16) for _ in range(count)]
    return np.stack(others[:count]) if count else np.zeros((0, len(query)), np.int16)


@settings(max_examples=150)
@given(
    vectors(st.integers(1, 70) | st.sampled_from([100, 128, 200])),
    st.integers(0, 10),
    st.sampled_from([-1, 0, 1, 2, 5, 24, 60]),
    st.data(),
)
def test_equal_to_the_twin(held: Vectors, many: int, length: int, data: st.DataObject) -> None:
    count = len(held.codes)
    rows = range(data.draw(st.integers(0, count)), data.draw(st.integers(0, count)))
    queries = related(held.query, many, np.random.default_rng(data.draw(st.integers(0, 99))))
    check(held, rows, queries, data.draw(bitmaps(count)), length)


@pytest.mark.parametrize("dimensions", BORDERS)
def test_borders(dimensions: int) -> None:
    random = np.random.default_rng(dimensions)
    query = random.integers(-16383, 16384, dimensions).astype(np.int16)
    count = 9 if dimensions > 2000 else 30
    alike = np.linspace(0, 0.6, count)[:, np.newaxis] * query / 129 * (random.random((count, 1)) < 0.3)
    codes = np.clip(alike + random.normal(0, 40, (count, dimensions)), -128, 127).astype(np.int8)
    held = with_squares(codes, query, random.integers(-8, 8, codes.shape))
    # What no index holds: rows with codes whose squares are none.
    hostile = held._replace(squares=[*held.squares])
    hostile.squares[::7] = [0, -1, -(2**63), 0, 2**63 - 1][: len(hostile.squares[::7])]
    bitmap = np.packbits(random.random(count) < 0.7, bitorder="little").tobytes()
    for vectors_, kept in ((held, None), (held, bitmap), (hostile, None)):
        for start, stop, many in ((0, count, 9), (1, count, 4), (3, count - 2, 3), (5, 6, 5), (6, 6, 4)):
            check(vectors_, range(start, stop), related(query, many, random), kept, 3)


@pytest.mark.parametrize("dimensions", [64, 512, 1024, 1025, 4097])
@pytest.mark.parametrize("pattern", ["equal", "alternating"])
def test_accumulators_at_their_bound(dimensions: int, pattern: str) -> None:
    held = extreme_vectors(dimensions, pattern, 4)
    check(held, range(4), np.stack([held.query, -held.query] * 2), None, 4)


@pytest.mark.parametrize("dimensions", [64, 100, 771, 2048])
def test_over_several_tiles(dimensions: int) -> None:
    """Rows of three tiles, with ties between them."""
    random = np.random.default_rng(dimensions)
    count = 2 * TILE // dimensions + 77
    codes = random.integers(-127, 128, (count, dimensions)).astype(np.int8)
    codes[count // 2 :: 9] = codes[: len(codes[count // 2 :: 9])]
    squares = 256 * np.square(codes.astype(np.int64)).sum(axis=1)
    remainders = np.zeros((count, (dimensions + 1) // 2), np.int8)
    queries = random.integers(-16383, 16384, (7, dimensions)).astype(np.int16)
    bitmap = np.packbits(random.random(count) < 0.4, bitorder="little").tobytes()
    held = Vectors(codes, remainders, squares.tolist(), queries[0], 0)
    for kept, rows in ((None, range(count)), (bitmap, range(count)), (None, range(5, count - 3))):
        got = kernel_calls.scan_many_top(*held[:3], rows, queries, squares_of(queries), kept, 40)
        assert got == each(held, rows, queries, kept, 40)
        assert all(len(found) == 40 for found in got)
