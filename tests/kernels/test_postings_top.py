"""`postings_top` against its twin: BM25 by impacts, coverage by weights."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.kernels.memory import LISTED_ROWS
from kernels import kernel_calls, naive
from kernels.generated import (
    BLOCK,
    LARGEST_IMPACT,
    LARGEST_WEIGHT,
    TermPostings,
    bitmaps,
    long_postings,
    term_postings,
)

LENGTHS = st.sampled_from([-1, 0, 1, 2, 3, 5, 8, 50, 100])


def check(postings: TermPostings, use_weights: bool, bitmap: bytes | None, length: int) -> None:
    terms, weights, row_count = postings
    arguments = (terms, weights if use_weights else None, row_count, bitmap, length)
    expected = naive.postings_top(*arguments)
    assert kernel_calls.postings_top(*arguments) == expected
    assert kernel_calls.postings_top(*arguments, skipping=False) == expected


@settings(max_examples=200)
@given(term_postings(), st.booleans(), LENGTHS, st.data())
def test_kernel_equals_twin(postings: TermPostings, use_weights: bool, length: int, data: st.DataObject) -> None:
    check(postings, use_weights, data.draw(bitmaps(postings.row_count)), length)


@settings(max_examples=40, deadline=None)
@given(long_postings(), st.booleans(), st.sampled_from([1, 3, 40, 1000]), st.data())
def test_skipping_changes_nothing(postings: TermPostings, use_weights: bool, length: int, data: st.DataObject) -> None:
    check(postings, use_weights, data.draw(bitmaps(postings.row_count)), length)


@given(term_postings(), st.integers(0, 9), st.integers(0, 9))
def test_shorter_list_is_a_prefix(postings: TermPostings, length: int, more: int) -> None:
    terms, _, row_count = postings
    short, long = (kernel_calls.postings_top(terms, None, row_count, None, size) for size in (length, length + more))
    assert long[:length] == short


@given(term_postings(), st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40)), max_size=3), st.booleans())
def test_groups_out_of_bounds_are_skipped(
    postings: TermPostings, spans: list[tuple[int, int]], use_weights: bool
) -> None:
    words, starts = naive.posting_words(postings.terms)
    dfs = [len(held) for held in postings.terms]
    wild = [(start, df) for start, df in spans if start < 0 or df <= 0 or start > len(words) - 4]
    wild += [(2**62, 2**62), (-(2**63), 2**63 - 1), (len(words) - 3, 1), (len(words) + 1, 0), (2**63 - 1, 1)]
    weights = [*postings.weights, *[5] * len(wild)] if use_weights else None
    arguments = (words, starts + [start for start, _ in wild], dfs + [df for _, df in wild], weights)
    found = kernel_calls.postings_top_of_words(*arguments, postings.row_count, None, 10)
    known = postings.weights if use_weights else None
    assert found == naive.postings_top(postings.terms, known, postings.row_count, None, 10)


@pytest.mark.parametrize(
    "words",
    [
        [0, 0, 5, 3, 0, 0, 7, 4],  # the same block again
        [1, 0, 5, 3, 0, 0, 7, 4],  # a block before the last
        [0, 0, 5, 3, 1, 1, 7, 4],  # a group of more postings than there are words
        [0, 0, 5, 3, 1, 65535, 7, 4],
        [0, 0, 5, 3, 1, 0, 7],
    ],
)
def test_a_group_that_no_index_has_ends_its_term(words: list[int]) -> None:
    row = 65536 * words[0] + 3
    assert kernel_calls.postings_top_of_words(words, [0], [2], None, 200_000, None, 5) == [(row, 5)]
    assert kernel_calls.score_rows_of_words(words, [0], [2], [9], [1], [row, 4, 65540]) == [
        (9, 5, 1),
        (0, 0, 0),
        (0, 0, 0),
    ]
    marked = np.unpackbits(
        np.frombuffer(kernel_calls.mark_rows_of_words(words, [0], [2], 200_000), np.uint8), bitorder="little"
    )
    assert np.flatnonzero(marked).tolist() == [row]


def test_a_group_of_more_postings_than_its_term_has_is_none() -> None:
    words, starts = naive.posting_words([[(1, 5), (2, 6)]])
    assert kernel_calls.postings_top_of_words(words, starts, [1], None, 9, None, 5) == []


def test_1024_terms_of_the_largest_impact_and_weight_fit_the_accumulator() -> None:
    held = [(0, LARGEST_IMPACT), (BLOCK - 1, LARGEST_IMPACT), (BLOCK, LARGEST_IMPACT)]
    postings = TermPostings([held] * 1024, [LARGEST_WEIGHT] * 1024, BLOCK + 1)
    check(postings, False, None, 5)
    check(postings, True, None, 5)
    assert kernel_calls.postings_top(postings.terms, None, BLOCK + 1, None, 1) == [(0, 1024 * LARGEST_IMPACT)]
    assert kernel_calls.postings_top(postings.terms, postings.weights, BLOCK + 1, None, 1) == [
        (0, 1024 * LARGEST_WEIGHT)
    ]


def test_all_rows_tie_and_the_lowest_win() -> None:
    row_count = 3 * BLOCK
    rows = range(0, row_count, 7)
    for terms in ([[(row, 9) for row in rows]], [[(row, 5) for row in rows], [(row, 4) for row in rows]]):
        top = kernel_calls.postings_top(terms, None, row_count, None, 50)
        assert top == [(row, 9) for row in rows[:50]]
        check(TermPostings(terms, [4] * len(terms), row_count), True, None, 50)


def test_falling_and_rising_scores_go_through_the_heap() -> None:
    rows = range(2000)
    for impacts in (rows[::-1], [row + 1 for row in rows], [row * 7919 % 2003 + 1 for row in rows]):
        held = [(row, max(impact, 1)) for row, impact in zip(rows, impacts, strict=True)]
        for terms in ([held], [held, held[::3]]):
            check(TermPostings(terms, [1, 1], 2000), False, None, 100)


@pytest.mark.parametrize("count", [LISTED_ROWS - 1, LISTED_ROWS, LISTED_ROWS + 1])
def test_as_many_rows_as_have_a_list(count: int) -> None:
    terms = [[(row * 7, 3 + row % 11) for row in range(count)], [(row, 2 + row % 5) for row in range(0, BLOCK, 2)]]
    check(TermPostings(terms, [7, 5], BLOCK), False, None, 40)
    check(TermPostings(terms[:1], [7], BLOCK), True, None, 40)


def test_a_rare_word_among_common_ones_wins() -> None:
    terms = [[(row, 1 + row % 3) for row in range(2 * BLOCK)], [(BLOCK + 5, 9000), (BLOCK + 9, 9000)]]
    top = kernel_calls.postings_top(terms, None, 2 * BLOCK, None, 3)
    assert top == naive.postings_top(terms, None, 2 * BLOCK, None, 3)
    assert [row for row, _ in top[:2]] == [BLOCK + 9, BLOCK + 5]


@pytest.mark.parametrize("use_weights", [False, True])
def test_rows_are_skipped_by_their_largest_impact(use_weights: bool) -> None:
    """Where that says too little, which no index does, skipping shows: what should have won is left out."""
    terms = [[(row, 50) for row in range(10)], [(row, 60) for row in range(10, 40)], [(BLOCK + 7, 90), (BLOCK + 8, 1)]]
    words, starts = naive.posting_words(terms)
    words[starts[1] + 2] = words[starts[2] + 2] = 3
    weights = [50, 3, 3] if use_weights else None
    arguments = (words, starts, [10, 30, 2], weights, 2 * BLOCK, None, 5)
    best = [(row, 50) for row in range(5)]
    assert kernel_calls.postings_top_of_words(*arguments, skipping=True) == best
    honest = kernel_calls.postings_top_of_words(*arguments, skipping=False)
    assert honest == (best if use_weights else [(BLOCK + 7, 90), *[(row, 60) for row in range(10, 14)]])


def test_same_term_twice_counts_twice() -> None:
    assert kernel_calls.postings_top([[(3, 5)], [(3, 5)]], None, 4, None, 5) == [(3, 10)]


def test_rows_beyond_the_last_are_no_hits() -> None:
    arguments = ([[(1, 5), (9, 6), (2**32 - 1, 7)]], None, 9, None, 5)
    assert kernel_calls.postings_top(*arguments) == naive.postings_top(*arguments) == [(1, 5)]
