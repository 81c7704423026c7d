"""`score_rows` against its twin: coverage, keyword score and shared words of given rows."""

from hypothesis import given, settings
from hypothesis import strategies as st

from kernels import kernel_calls, naive
from kernels.generated import LARGEST_IMPACT, TermPostings, rows_below, term_postings

ANY_ROW = st.sampled_from([-1, -(2**63), 2**63 - 1, 2**32, 2**32 - 1]) | st.integers(-5, 300_000)


@settings(max_examples=200)
@given(term_postings(), st.data())
def test_kernel_equals_twin(postings: TermPostings, data: st.DataObject) -> None:
    rows, impacts, starts, dfs, weights, row_count = postings
    inside = rows_below(row_count) if row_count else ANY_ROW
    wanted = data.draw(st.lists(ANY_ROW | inside | st.sampled_from([*rows, 0]), max_size=20))
    scored = data.draw(st.lists(st.sampled_from([0, 1, 255]), min_size=len(starts), max_size=len(starts)))
    arguments = ((rows, impacts), starts, dfs, weights, scored, wanted)
    assert kernel_calls.score_rows(*arguments) == naive.score_rows(*arguments)


@given(term_postings(), st.integers(1, 60))
def test_agrees_with_postings_top(postings: TermPostings, length: int) -> None:
    rows, impacts, starts, dfs, weights, row_count = postings
    top = kernel_calls.postings_top((rows, impacts), starts, dfs, None, row_count, None, length)
    by_weight = kernel_calls.postings_top((rows, impacts), starts, dfs, weights, row_count, None, length)
    ones = [1] * len(starts)
    measured = kernel_calls.score_rows((rows, impacts), starts, dfs, weights, ones, [row for row, _ in top])
    assert [score for _, score in top] == [score for _, score, _ in measured]
    measured = kernel_calls.score_rows((rows, impacts), starts, dfs, weights, ones, [row for row, _ in by_weight])
    assert [score for _, score in by_weight] == [covered for covered, _, _ in measured]


def test_every_row_of_a_posting_list_is_found() -> None:
    rows = [row * row for row in range(200)]
    wanted = list(range(-2, 201 * 201))
    found = kernel_calls.score_rows((rows, [7] * 200), [0], [200], [3], [1], wanted)
    assert [row for row, entry in zip(wanted, found, strict=True) if entry == (3, 7, 1)] == rows
    assert all(entry in ((0, 0, 0), (3, 7, 1)) for entry in found)


def test_spans_out_of_bounds_are_skipped() -> None:
    starts, dfs = [0, -1, 2**62, 2, 0, 2**63 - 1], [1, 2, 2**62, 1, 3, 2**63 - 1]
    arguments = (([4, 5], [6, 7]), starts, dfs, [1, 10, 100, 1000, 10_000, 100_000], [1] * 6, [4, 5])
    assert kernel_calls.score_rows(*arguments) == naive.score_rows(*arguments) == [(1, 6, 1), (0, 0, 0)]


def test_sums_of_1024_terms() -> None:
    arguments = (([2], [LARGEST_IMPACT]), [0] * 1024, [1] * 1024, [2**32 - 1] * 1024, [1] * 1024, [2])
    expected = [(1024 * (2**32 - 1), 1024 * LARGEST_IMPACT, 1)]
    assert kernel_calls.score_rows(*arguments) == naive.score_rows(*arguments) == expected


def test_no_terms_and_no_rows() -> None:
    assert kernel_calls.score_rows(([], []), [], [], [], [], [0, 1]) == [(0, 0, 0)] * 2
    assert kernel_calls.score_rows(([1], [1]), [0], [1], [1], [1], []) == []
