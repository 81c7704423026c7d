"""`mark_rows` against its twin: which rows contain one of some terms."""

from hypothesis import given, settings
from hypothesis import strategies as st

from kernels import kernel_calls, naive
from kernels.generated import TermPostings, term_postings

WILD_NUMBERS = st.sampled_from([-1, -(2**63), 2**63 - 1, 2**62, 2**31]) | st.integers(-2, 30)


@settings(max_examples=150)
@given(term_postings())
def test_kernel_equals_twin(postings: TermPostings) -> None:
    arguments = (postings.rows, postings.starts, postings.dfs, postings.row_count)
    assert kernel_calls.mark_rows(*arguments) == naive.mark_rows(*arguments)


@settings(max_examples=150)
@given(
    st.lists(st.integers(0, 40) | st.integers(0, 2**32 - 1), max_size=20),
    st.lists(st.tuples(WILD_NUMBERS, WILD_NUMBERS), max_size=6),
    st.integers(0, 40),
)
def test_rows_in_any_order_and_spans_out_of_bounds(
    rows: list[int], spans: list[tuple[int, int]], row_count: int
) -> None:
    arguments = (rows, [start for start, _ in spans], [df for _, df in spans], row_count)
    assert kernel_calls.mark_rows(*arguments) == naive.mark_rows(*arguments)


@given(term_postings())
def test_marked_rows_are_those_that_score(postings: TermPostings) -> None:
    rows, impacts, starts, dfs, _, row_count = postings
    bitmap = kernel_calls.mark_rows(rows, starts, dfs, row_count)
    top = kernel_calls.postings_top((rows, impacts), starts, dfs, None, row_count, None, 100)
    marked = [row for row in set(rows) if naive.is_kept(bitmap, row)]
    assert sorted(marked) == sorted(row for row, _ in top)
    filtered = kernel_calls.postings_top((rows, impacts), starts, dfs, None, row_count, bitmap, 100)
    assert filtered == top
