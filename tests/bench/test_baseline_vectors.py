"""Quantisation and the vector scan of the baseline."""

import math
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baseline.search import BaselineSearch
from baseline.vectors import CODE_LIMIT, QUERY_LIMIT, VectorTable, quantise

FINITE = st.floats(-1e300, 1e300, allow_nan=False)


@pytest.mark.parametrize(
    ("vector", "codes"),
    [
        ([0.5, -1.0, 0.25, 0.0], [64, -127, 32, 0]),
        ([0.0, 0.0], [0, 0]),
        ([2.0, 2.0], [127, 127]),
        ([-3.0], [-127]),
        ([127.0, 0.5, -0.5, 1.5, -1.5], [127, 1, 0, 2, -1]),
        ([1.7e308, -1.7e308], [127, -127]),
        ([5e-324, 0.0], [127, 0]),
    ],
)
def test_codes(vector: list[float], codes: list[int]) -> None:
    assert quantise(vector, CODE_LIMIT) == codes


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_numbers_must_be_finite(bad: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        quantise([1.0, bad], CODE_LIMIT)


@given(st.lists(FINITE, min_size=1, max_size=20), st.sampled_from([CODE_LIMIT, QUERY_LIMIT]))
def test_codes_are_in_range_and_reach_the_limit(vector: list[float], limit: int) -> None:
    codes = quantise(vector, limit)
    assert max(map(abs, codes)) == (limit if any(vector) else 0)


def test_similarity_is_close_to_the_cosine() -> None:
    rng = random.Random(1)
    for dimension in (512, 1536):
        vector = [rng.gauss(0, 1) for _ in range(dimension)]
        other = [value + rng.gauss(0, 1) for value in vector]
        cosine = sum(a * b for a, b in zip(vector, other, strict=True)) / math.hypot(*vector) / math.hypot(*other)
        same, near = VectorTable([vector, other]).similarities(vector)
        assert same > 0.9999
        assert near == pytest.approx(cosine, abs=0.005)


def test_similarity_from_exact_integers() -> None:
    table = VectorTable([[127.0, 45.0], [0.0, 0.0], [-127.0, -45.0]])
    expected = (127 * 16383 + 45 * 0) / (math.sqrt(16383**2) * math.sqrt(127**2 + 45**2))
    assert table.similarities([3.0, 0.0]) == [expected, 0.0, -expected]
    assert table.similarities([0.0, 0.0]) == [0.0, 0.0, 0.0]


@given(st.integers(-60, 60))
def test_scaling_the_query_changes_nothing(exponent: int) -> None:
    table = VectorTable([[0.3, -0.7, 0.1], [0.9, 0.2, 0.4]])
    query = [0.1, 0.5, -0.25]
    assert table.similarities([value * 2.0**exponent for value in query]) == table.similarities(query)


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="3 numbers; got one of 2"):
        VectorTable([[1.0, 2.0, 3.0]]).similarities([1.0, 2.0])
    with pytest.raises(ValueError, match="expected 1 vectors; got 2"):
        BaselineSearch([([], [], [])], [[1.0], [2.0]])


@given(st.lists(st.lists(st.integers(-2, 2), min_size=2, max_size=2), max_size=70), st.integers(1, 60))
def test_all_rows_rank_with_ties_by_row(vectors: list[list[int]], top_k: int) -> None:
    chunks = [([], [], [])] * len(vectors)
    index = BaselineSearch(chunks, [[float(value) for value in vector] for vector in vectors])
    if not vectors:
        return
    hits = index.search([], [1.0, -1.0], mode="semantic", top_k=top_k).hits
    assert [hit.rank for hit in hits] == list(range(1, min(top_k, 50, len(vectors)) + 1))
    order = [(-(hit.similarity or 0.0), hit.row) for hit in hits]
    assert all(before < after for before, after in pairwise(order))
    assert index.vectors is not None
    everything = sorted((-value, row) for row, value in enumerate(index.vectors.similarities([1.0, -1.0])))
    assert order == everything[: len(order)]
