"""The exact scan against its twin: ids and bit-equal similarities at every size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.search.legs import merge_ranges
from kernels import kernel_calls, naive
from kernels.generated import BLOCK, Vectors, bitmaps, extreme_vectors, vectors, with_squares

# Around the number of codes of a step, and of four, and around the longest rows that are summed in one way.
BORDERS = [
    *(63, 64, 65, 100, 127, 128, 129, 191, 192, 193, 255, 256, 257, 320, 321, 383, 384, 448, 449, 512, 771),
    *(1023, 1024, 1025, 1087, 1088, 4095, 4096, 4097, 4159, 4160, 4161, 8192, 8193, 8256),
]
LARGE_SIZES = [512, 1024, 1025, 1536, 4096, 4097, 20_000]


def check(given_vectors: Vectors, rows: range, bitmap: bytes | None, length: int) -> None:
    codes, remainders, squares, query, query_square = given_vectors
    got = kernel_calls.scan_top(codes, remainders, squares, rows, query, query_square, bitmap, length)
    expected = naive.scan_top(given_vectors.fine, squares, rows, query.tolist(), query_square, bitmap, length)
    assert got == expected  # floats compared for equality: similarities are bit-equal by contract
    assert [similarity.hex() for _, similarity in got] == [similarity.hex() for _, similarity in expected]
    wanted = [*rows, -1, len(codes), 2**63 - 1, -(2**63)]
    similarities = kernel_calls.similarity_rows(codes, remainders, squares, query, query_square, wanted)
    assert similarities == naive.similarity_rows(given_vectors.fine, squares, query.tolist(), query_square, wanted)


@settings(max_examples=200)
@given(vectors(), st.sampled_from([-1, 0, 1, 2, 5, 24, 60]), st.data())
def test_kernels_equal_twins(given_vectors: Vectors, length: int, data: st.DataObject) -> None:
    count = len(given_vectors.codes)
    start = data.draw(st.integers(0, count))
    stop = data.draw(st.integers(0, count))
    check(given_vectors, range(start, stop), data.draw(bitmaps(count)), length)


@pytest.mark.parametrize("dimensions", range(1, 71))
def test_every_small_size(dimensions: int) -> None:
    random = np.random.default_rng(dimensions)
    codes = random.integers(-128, 128, (5, dimensions)).astype(np.int8)
    query = random.integers(-16383, 16384, dimensions).astype(np.int16)
    check(with_squares(codes, query, random.integers(-8, 8, codes.shape)), range(5), None, 5)
    for pattern in ("equal", "alternating"):
        check(extreme_vectors(dimensions, pattern, 4), range(4), None, 4)


@pytest.mark.parametrize("dimensions", BORDERS)
def test_rows_that_rise_above_the_others(dimensions: int) -> None:
    """Most rows are passed over by their codes alone; which are not is at every place among four rows, wherever the
    first row is, with a filter and without.
    """
    random = np.random.default_rng(dimensions)
    query = random.integers(-16383, 16384, dimensions).astype(np.int16)
    query[:: max(1, dimensions // 7)] = 16383
    count = 14 if dimensions > 2000 else 45
    rising = random.random((count, 1)) < 0.3
    alike = np.linspace(0, 0.6, count)[:, np.newaxis] * query / 129 * rising
    codes = np.clip(alike + random.normal(0, 40, (count, dimensions)), -128, 127).astype(np.int8)
    codes[count // 2] = -128
    given_vectors = with_squares(codes, query, random.integers(-8, 8, codes.shape))
    # What no index holds: rows with codes whose squares are none.
    hostile = given_vectors._replace(squares=[*given_vectors.squares])
    hostile.squares[::9] = [0, -1, -(2**63), 0, 2**63 - 1][: len(hostile.squares[::9])]
    bitmap = np.packbits(random.random(count) < 0.7, bitorder="little").tobytes()
    for vectors_, kept in ((given_vectors, None), (given_vectors, bitmap), (hostile, None)):
        for start, stop in ((0, count), (1, count), (2, count - 1), (3, count - 2), (5, 8), (5, 9), (6, 6)):
            check(vectors_, range(start, stop), kept, 3)


@pytest.mark.parametrize("dimensions", LARGE_SIZES)
def test_random_vectors_of_large_sizes(dimensions: int) -> None:
    random = np.random.default_rng(dimensions)
    codes = random.integers(-128, 128, (4, dimensions)).astype(np.int8)
    query = random.integers(-16383, 16384, dimensions).astype(np.int16)
    check(with_squares(codes, query, random.integers(-8, 8, codes.shape)), range(4), None, 3)


@pytest.mark.parametrize("dimensions", [*LARGE_SIZES, 131_071])
@pytest.mark.parametrize("pattern", ["equal", "alternating"])
def test_accumulators_at_their_bound(dimensions: int, pattern: str) -> None:
    """All codes at 127, -127 and -128, all query values at 16,383 with the same signs."""
    check(extreme_vectors(dimensions, pattern, 4), range(4), None, 4)


@pytest.mark.parametrize("dimensions", [64, 768, 1024, 1056, 1536, 3072])
def test_vector_of_equal_magnitudes_is_most_similar_to_itself(dimensions: int) -> None:
    """As a binary embedding is: every value has the same magnitude."""
    signs = np.random.default_rng(7).choice([-1, 1], dimensions)
    opposite = np.stack([127 * signs, -127 * signs]).astype(np.int8)
    given_vectors = with_squares(opposite, (16383 * signs).astype(np.int16))
    top = kernel_calls.scan_top(*given_vectors[:3], range(2), *given_vectors[3:], None, 2)
    assert [row for row, _ in top] == [0, 1]
    assert top[0][1] == pytest.approx(1.0)
    assert top[1][1] == pytest.approx(-1.0)


def test_published_products() -> None:
    """[90, 45] . [3, 2] = 360 (bytes would wrap to 104), and 1,536 products of 127 * 127 = 24,774,144."""
    small = with_squares(np.array([[90, 45]], np.int8), np.array([3, 2], np.int16))
    check(small, range(1), None, 1)
    (similarity,) = kernel_calls.similarity_rows(*small, [0])
    assert similarity == 360 / (np.sqrt(13.0) * np.sqrt(10125.0))
    large = with_squares(np.full((1, 1536), 127, np.int8), np.full(1536, 127, np.int16))
    assert kernel_calls.similarity_rows(*large, [0]) == [24_774_144 / (np.sqrt(24_774_144.0) ** 2)]


def test_ties_go_to_the_lower_row_and_zero_rows_rank_between() -> None:
    codes = np.array([[0, 0], [-5, 0], [9, 0], [3, 0], [0, 0], [7, 0], [0, 4]], np.int8)
    given_vectors = with_squares(codes, np.array([16383, 0], np.int16))
    top = kernel_calls.scan_top(*given_vectors[:3], range(7), *given_vectors[3:], None, 50)
    assert top == [(2, 1.0), (3, 1.0), (5, 1.0), (0, 0.0), (4, 0.0), (6, 0.0), (1, -1.0)]


def test_remainders_decide_between_equal_codes() -> None:
    random = np.random.default_rng(4)
    codes = np.repeat(random.integers(-127, 128, (1, 33)), 500, axis=0).astype(np.int8)
    query = random.integers(-16383, 16384, 33).astype(np.int16)
    check(with_squares(codes, query, random.integers(-8, 8, codes.shape)), range(500), None, 10)


def test_many_rows_over_several_blocks() -> None:
    random = np.random.default_rng(3)
    count = 2 * BLOCK + 77
    codes = random.integers(-3, 4, (count, 3)).astype(np.int8)
    query = np.array([900, -16383, 77], np.int16)
    halves = random.integers(-8, 8, codes.shape)
    remainders = ((halves[:, :2] & 15) + 16 * np.pad(halves[:, 2:], ((0, 0), (0, 1)))).astype(np.int8)
    fine = 16 * codes.astype(np.int64) + halves
    squares = np.square(fine).sum(axis=1)
    query_square = int(np.square(query.astype(np.int64)).sum())
    bitmap = random.integers(0, 256, (count + 7) // 8).astype(np.uint8).tobytes()
    dots = fine @ query.astype(np.int64)
    with np.errstate(invalid="ignore"):
        similarities = np.where(squares > 0, dots / (np.sqrt(float(query_square)) * np.sqrt(squares)), 0.0)
    for kept in (None, bitmap):
        pairs = [(row, value) for row, value in enumerate(similarities.tolist()) if naive.is_kept(kept, row)]
        expected = sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:100]
        got = kernel_calls.scan_top(codes, remainders, squares, range(count), query, query_square, kept, 100)
        assert got == expected


@settings(max_examples=100)
@given(vectors(), st.lists(st.integers(0, 24), max_size=5), st.integers(0, 30), st.data())
def test_ranges_merge_to_one_scan(given_vectors: Vectors, cuts: list[int], length: int, data: st.DataObject) -> None:
    codes, remainders, squares, query, query_square = given_vectors
    bitmap = data.draw(bitmaps(len(codes)))
    borders = [0, *sorted(min(cut, len(codes)) for cut in cuts), len(codes)]
    ranges = data.draw(st.permutations([range(a, b) for a, b in zip(borders, borders[1:], strict=False)]))
    parts: list[tuple[list[int], list[float]]] = []
    for part in ranges:
        found = kernel_calls.scan_top(codes, remainders, squares, part, query, query_square, bitmap, length)
        parts.append(([row for row, _ in found], [similarity for _, similarity in found]))
    whole = kernel_calls.scan_top(codes, remainders, squares, range(len(codes)), query, query_square, bitmap, length)
    assert list(zip(*merge_ranges(parts, length), strict=True)) == whole
