"""`score_rows` against its twin: coverage, keyword score and shared words of given rows."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels import kernel_calls, naive
from kernels.generated import LARGEST_IMPACT, TermPostings, rows_below, term_postings

ANY_ROW = st.sampled_from([-1, -(2**63), 2**63 - 1, 2**32, 2**32 - 1]) | st.integers(-5, 300_000)


@settings(max_examples=200)
@given(term_postings(), st.data())
def test_kernel_equals_twin(postings: TermPostings, data: st.DataObject) -> None:
    terms, weights, row_count = postings
    inside = rows_below(row_count) if row_count else ANY_ROW
    held = [row for postings in terms for row, _ in postings]
    wanted = data.draw(st.lists(ANY_ROW | inside | st.sampled_from([*held, 0]), max_size=20))
    scored = data.draw(st.lists(st.sampled_from([0, 1, 255]), min_size=len(terms), max_size=len(terms)))
    arguments = (terms, weights, scored, wanted)
    assert kernel_calls.score_rows(*arguments) == naive.score_rows(*arguments)


@given(term_postings(), st.integers(1, 60))
def test_agrees_with_postings_top(postings: TermPostings, length: int) -> None:
    terms, weights, row_count = postings
    top = kernel_calls.postings_top(terms, None, row_count, None, length)
    by_weight = kernel_calls.postings_top(terms, weights, row_count, None, length)
    ones = [1] * len(terms)
    measured = kernel_calls.score_rows(terms, weights, ones, [row for row, _ in top])
    assert [score for _, score in top] == [score for _, score, _ in measured]
    measured = kernel_calls.score_rows(terms, weights, ones, [row for row, _ in by_weight])
    assert [score for _, score in by_weight] == [covered for covered, _, _ in measured]


@pytest.mark.parametrize(
    "place", [lambda number: number * number, lambda number: number, lambda number: 65535 - 3 * number]
)
def test_every_row_of_a_posting_list_is_found(place: Callable[[int], int]) -> None:
    """Rows that thin out, that lie close, and that are far from the first."""
    rows = sorted(place(number) for number in range(200))
    wanted = list(range(-2, 66_000))
    found = kernel_calls.score_rows([[(row, 7) for row in rows]], [3], [1], wanted)
    assert [row for row, entry in zip(wanted, found, strict=True) if entry == (3, 7, 1)] == rows
    assert all(entry in ((0, 0, 0), (3, 7, 1)) for entry in found)


@pytest.mark.parametrize("count", [1024, 1025, 3000, 20_001, 65_535, 65_536])
def test_every_row_of_a_long_list_is_found(count: int) -> None:
    """And no other, whether rows are words or bytes, few in a stretch or more than are compared at once."""
    random = np.random.default_rng(count)
    for rows in (np.sort(random.permutation(65536)[:count]), np.arange(count), np.arange(65536 - count, 65536)):
        held = [(row, row % 65535 + 1) for row in rows.tolist()]
        found = kernel_calls.score_rows([held], [3], [1], range(65536))
        scores = {row: entry for row, entry in enumerate(found) if entry != (0, 0, 0)}
        assert scores == {row: (3, impact, 1) for row, impact in held}


@pytest.mark.parametrize("value", [0, 1, 700, 0x7FFF, 0xFFFF])
@pytest.mark.parametrize("place", [3, 4, 100, 258])
def test_a_wrong_directory_leads_to_no_row_beyond_the_group(place: int, value: int) -> None:
    """What it finds are impacts of the group."""
    words, starts = naive.posting_words([[(32 * order, 5) for order in range(2000)]])
    words[place] = value
    words += [9] * 100
    found = kernel_calls.score_rows_of_words(words, starts, [2000], [3], [1], range(65536))
    assert set(found) <= {(0, 0, 0), (3, 5, 1)}


def test_groups_out_of_bounds_are_skipped() -> None:
    words, _ = naive.posting_words([[(4, 6)], [(5, 7)]])
    starts, dfs = [0, -1, 2**62, 7, 5, 2**63 - 1, -(2**63)], [1, 2, 2**62, 1, 1, 2**63 - 1, 1]
    weights = [10**place for place in range(7)]
    assert kernel_calls.score_rows_of_words(words, starts, dfs, weights, [1] * 7, [4, 5]) == [(1, 6, 1), (0, 0, 0)]


def test_sums_of_1024_terms() -> None:
    arguments = ([[(2, LARGEST_IMPACT)]] * 1024, [2**32 - 1] * 1024, [1] * 1024, [2])
    expected = [(1024 * (2**32 - 1), 1024 * LARGEST_IMPACT, 1)]
    assert kernel_calls.score_rows(*arguments) == naive.score_rows(*arguments) == expected


def test_no_terms_and_no_rows() -> None:
    assert kernel_calls.score_rows([], [], [], [0, 1]) == [(0, 0, 0)] * 2
    assert kernel_calls.score_rows([[(1, 1)]], [1], [1], []) == []
