"""`postings_top` against its twin: BM25 by impacts, coverage by weights."""

from hypothesis import given, settings
from hypothesis import strategies as st

from kernels import kernel_calls, naive
from kernels.generated import BLOCK, LARGEST_IMPACT, TermPostings, bitmaps, term_postings

LENGTHS = st.sampled_from([-1, 0, 1, 2, 3, 5, 8, 50, 100])


def check(given_postings: TermPostings, use_weights: bool, bitmap: bytes | None, length: int) -> None:
    rows, impacts, starts, dfs, weights, row_count = given_postings
    arguments = ((rows, impacts), starts, dfs, weights if use_weights else None, row_count, bitmap, length)
    assert kernel_calls.postings_top(*arguments) == naive.postings_top(*arguments)


@settings(max_examples=200)
@given(term_postings(), st.booleans(), LENGTHS, st.data())
def test_kernel_equals_twin(postings: TermPostings, use_weights: bool, length: int, data: st.DataObject) -> None:
    check(postings, use_weights, data.draw(bitmaps(postings.row_count)), length)


@given(term_postings(), st.integers(0, 9), st.integers(0, 9))
def test_shorter_list_is_a_prefix(postings: TermPostings, length: int, more: int) -> None:
    rows, impacts, starts, dfs, _, row_count = postings
    short, long = (
        kernel_calls.postings_top((rows, impacts), starts, dfs, None, row_count, None, size)
        for size in (length, length + more)
    )
    assert long[:length] == short


@given(term_postings(), st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40)), max_size=3))
def test_spans_out_of_bounds_are_skipped(postings: TermPostings, spans: list[tuple[int, int]]) -> None:
    rows, _, starts, dfs, weights, _ = postings
    wild = [(start, df) for start, df in spans if start < 0 or df < 0 or start + df > len(rows)]
    wild += [(2**62, 2**62), (-(2**63), 2**63 - 1), (0, len(rows) + 1), (len(rows) + 1, 0), (2**63 - 1, 1)]
    starts, dfs = starts + [start for start, _ in wild], dfs + [df for _, df in wild]
    check(postings._replace(starts=starts, dfs=dfs, weights=weights + [5] * len(wild)), False, None, 10)
    check(postings._replace(starts=starts, dfs=dfs, weights=weights + [5] * len(wild)), True, None, 10)


def test_1024_terms_of_the_largest_impact_fit_the_accumulator() -> None:
    rows = [0, BLOCK - 1, BLOCK] * 1024
    impacts = [LARGEST_IMPACT] * len(rows)
    starts = list(range(0, len(rows), 3))
    postings = TermPostings(rows, impacts, starts, [3] * 1024, [LARGEST_IMPACT] * 1024, BLOCK + 1)
    check(postings, False, None, 5)
    check(postings, True, None, 5)
    best = kernel_calls.postings_top((rows, impacts), starts, [3] * 1024, None, BLOCK + 1, None, 1)
    assert best == [(0, 1024 * LARGEST_IMPACT)]


def test_all_rows_tie_and_the_lowest_win() -> None:
    row_count = 3 * BLOCK
    rows = list(range(0, row_count, 7))
    postings = TermPostings(rows, [9] * len(rows), [0], [len(rows)], [4], row_count)
    top = kernel_calls.postings_top((rows, [9] * len(rows)), [0], [len(rows)], None, row_count, None, 50)
    assert top == [(row, 9) for row in rows[:50]]
    check(postings, True, None, 50)


def test_falling_and_rising_scores_go_through_the_heap() -> None:
    rows = list(range(2000))
    for impacts in (rows[::-1], [row + 1 for row in rows], [row * 7919 % 2003 + 1 for row in rows]):
        arguments = ((rows, [max(impact, 1) for impact in impacts]), [0], [2000], None, 2000, None, 100)
        assert kernel_calls.postings_top(*arguments) == naive.postings_top(*arguments)


def test_same_term_twice_counts_twice() -> None:
    assert kernel_calls.postings_top(([3], [5]), [0, 0], [1, 1], None, 4, None, 5) == [(3, 10)]


def test_rows_beyond_the_last_are_no_hits() -> None:
    arguments = (([1, 9, 2**32 - 1], [5, 6, 7]), [0], [3], None, 9, None, 5)
    assert kernel_calls.postings_top(*arguments) == naive.postings_top(*arguments) == [(1, 5)]
