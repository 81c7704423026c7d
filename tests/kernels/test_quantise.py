"""Float vectors to integer codes: kernels against their twin, and the facts that the codes must keep."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.kernels.memory import Numbers
from kernels import kernel_calls, naive

LARGEST = 1.7976931348623157e308
FINITE = st.floats(allow_nan=False, allow_infinity=False)
HALVES = st.integers(-260, 260).map(lambda number: number / 2)
VALUES = FINITE | st.floats(-1, 1) | HALVES | st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 1e-290, 1e290, LARGEST])
VECTORS = st.lists(VALUES, max_size=70)


def square(codes: list[int]) -> int:
    return sum(code * code for code in codes)


def fine_square(codes: list[int], remainders: list[int]) -> int:
    return sum((16 * code + remainder) ** 2 for code, remainder in zip(codes, remainders, strict=True))


def codes_of(vector: list[float]) -> list[int]:
    """The 8-bit codes of one vector."""
    return kernel_calls.quantise_rows([vector], len(vector))[1][0]


@given(st.lists(st.binary(min_size=4, max_size=4), max_size=40).map(b"".join))
def test_widening_equals_twin(packed: bytes) -> None:
    found, expected = kernel_calls.widen_floats(packed), naive.widen_floats(packed)
    assert [value.hex() for value in found] == [value.hex() for value in expected]


@given(VECTORS | st.lists(st.floats(width=32), max_size=70))
def test_numbers_of_any_buffer(vector: list[float]) -> None:
    """Arrays of 32 and 64 bits, in one piece and not, give what their lists give."""
    with np.errstate(over="ignore"):
        arrays = [np.array(vector, kind) for kind in (np.float64, np.float32, ">f8", np.float16)]
    given_values: Any
    for given_values in (*arrays, *(one[::2] for one in arrays), *(one[::-1] for one in arrays)):
        held, expected = Numbers.of_floats(given_values), Numbers.of("d", given_values.tolist())
        assert held.view.tobytes() == expected.view.tobytes()
    assert Numbers.of_floats(vector).view.tobytes() == Numbers.of("d", vector).view.tobytes()


@settings(max_examples=300)
@given(VECTORS)
def test_query_equals_twin(vector: list[float]) -> None:
    expected = naive.quantise(vector, naive.QUERY_LIMIT)
    assert expected is not None
    assert kernel_calls.quantise_query(vector) == (0, expected, square(expected))


@settings(max_examples=300)
@given(st.integers(0, 9).flatmap(lambda size: st.lists(st.lists(VALUES, min_size=size, max_size=size), max_size=6)))
def test_rows_equal_twin(vectors: list[list[float]]) -> None:
    dimensions = len(vectors[0]) if vectors else 3
    expected = [naive.quantise(vector, naive.CODE_LIMIT) or [] for vector in vectors]
    remainders = [naive.remainders(vector) for vector in vectors]
    packed = [naive.pack(row) for row in remainders]
    largest = [max(map(abs, vector), default=0.0) for vector in vectors]
    squares = [fine_square(*pair) for pair in zip(expected, remainders, strict=True)]
    assert kernel_calls.quantise_rows(vectors, dimensions) == (-1, expected, packed, largest, squares)


@given(st.lists(st.integers(-8, 7), max_size=9))
def test_packing_keeps_remainders(remainders: list[int]) -> None:
    assert naive.unpack(naive.pack(remainders), len(remainders)) == remainders


@given(VECTORS, st.sampled_from([math.nan, math.inf, -math.inf]), st.integers(0, 70))
def test_what_is_not_finite_is_refused(vector: list[float], bad: float, place: int) -> None:
    broken = [*vector[:place], bad, *vector[place:]]
    assert kernel_calls.quantise_query(broken)[0] == -1
    size = len(broken)
    good = [1.0] * size
    result, codes, remainders, largest, squares = kernel_calls.quantise_rows([good, broken, good], size)
    assert result == 1
    assert codes == [[127] * size, [0] * size, [0] * size]
    assert not any(map(any, remainders))
    assert (largest, squares) == ([1.0, 0.0, 0.0], [(16 * 127) ** 2 * size, 0, 0])


@given(VECTORS)
def test_codes_reach_the_limit_and_keep_signs(vector: list[float]) -> None:
    for limit, codes in (
        (naive.QUERY_LIMIT, kernel_calls.quantise_query(vector)[1]),
        (naive.CODE_LIMIT, codes_of(vector)),
    ):
        if any(vector):
            assert max(map(abs, codes)) == limit
        assert all(code * value >= 0.0 for code, value in zip(codes, vector, strict=True))


@given(st.lists(st.floats(-1, 1).map(lambda value: round(value, 6)), min_size=1, max_size=40), st.integers(-900, 900))
def test_powers_of_two_change_nothing(vector: list[float], power: int) -> None:
    """Scaling by a power of two is exact, so codes are equal down to where floats lose bits."""
    scaled = [math.ldexp(value, power) for value in vector]
    assert kernel_calls.quantise_query(scaled) == kernel_calls.quantise_query(vector)
    made, expected = (kernel_calls.quantise_rows([values], len(vector)) for values in (scaled, vector))
    assert (*made[1:3], made[4]) == (*expected[1:3], expected[4])


def test_known_codes() -> None:
    assert kernel_calls.quantise_rows([[0.5, -1, 0.25, 0]], 4)[:2] == (-1, [[64, -127, 32, 0]])
    # Half rounds toward plus infinity, on both sides of zero.
    assert kernel_calls.quantise_rows([[127.0, 0.5, -0.5, 1.5, -1.5]], 5)[1] == [[127, 1, 0, 2, -1]]
    assert kernel_calls.quantise_query([16383.0, 0.5, -0.5, 1.5, -1.5])[1] == [16383, 1, 0, 2, -1]
    assert kernel_calls.quantise_rows([[0.0, -0.0]], 2) == (-1, [[0, 0]], [[0]], [0.0], [0])
    # 63.5, -127, 31.75 and 0 lack -8, 0, -4 and 0 sixteenths of 64, -127, 32 and 0.
    assert kernel_calls.quantise_rows([[0.5, -1, 0.25, 0]], 4)[2] == [naive.pack([-8, 0, -4, 0])]


@pytest.mark.parametrize("vector", [[3e38], [-7.0], [5e-324], [LARGEST], [-LARGEST, LARGEST], [0.1] * 33])
def test_constant_vectors_are_all_at_the_limit(vector: list[float]) -> None:
    expected = [127 if value > 0 else -127 for value in vector]
    assert codes_of(vector) == expected


@pytest.mark.parametrize("factor", [1.0, 2.0, 1e-6, 7.3, 1e-300, 1e300, 1e-307])
def test_scale_of_a_query_does_not_matter(factor: float) -> None:
    vector = np.random.default_rng(5).normal(size=64)
    codes = np.array(kernel_calls.quantise_query(vector.tolist())[1])
    scaled = np.array(kernel_calls.quantise_query((vector * factor).tolist())[1])
    assert np.abs(codes - scaled).max() <= 1  # the product itself is rounded, so a code may fall on the other side


@pytest.mark.parametrize("dimensions", [512, 1536])
def test_cosine_of_a_vector_and_its_codes(dimensions: int) -> None:
    vectors = np.random.default_rng(dimensions).normal(size=(20, dimensions))
    result, codes, packed, largest, squares = kernel_calls.quantise_rows(vectors.tolist(), dimensions)
    assert result == -1
    table = np.array(codes, np.float64)
    cosines = (table * vectors).sum(axis=1) / (np.linalg.norm(table, axis=1) * np.linalg.norm(vectors, axis=1))
    assert cosines.min() > 0.9999
    assert np.allclose(largest, np.abs(vectors).max(axis=1))
    remainders = [naive.unpack(row, dimensions) for row in packed]
    assert squares == [fine_square(*pair) for pair in zip(codes, remainders, strict=True)]
    fine = 16 * table + np.array(remainders)
    errors = fine / (16 * 127) * np.array(largest)[:, None] - vectors
    assert np.abs(errors).max() <= np.array(largest).max() / (16 * 127)  # half a part, and one where 8 was cut to 7


def test_similarities_and_ranking_stay_close_to_those_of_floats() -> None:
    """2,000 clustered vectors of 512: similarity within 0.0003, at least 99 of 100 of the best ten found."""
    random = np.random.default_rng(11)
    centres = random.normal(size=(40, 512))
    vectors = centres[random.integers(0, 40, 2000)] + 0.6 * random.normal(size=(2000, 512))
    _, codes, packed, _, squares = kernel_calls.quantise_rows(vectors.tolist(), 512)
    held = np.array(codes, np.int8), np.array(packed, np.int8), squares
    norms = np.linalg.norm(vectors, axis=1)
    shared, worst = 0, 0.0
    for query in centres[:10] + 0.6 * random.normal(size=(10, 512)):
        _, integers, query_square = kernel_calls.quantise_query(query.tolist())
        exact = vectors @ query / (norms * np.linalg.norm(query))
        top = kernel_calls.scan_top(*held, range(2000), np.array(integers, np.int16), query_square, None, 2000)
        worst = max(worst, max(abs(exact[row] - similarity) for row, similarity in top))
        shared += len({row for row, _ in top[:10]} & set(np.argsort(-exact)[:10].tolist()))
    assert worst < 0.0003
    assert shared >= 99
