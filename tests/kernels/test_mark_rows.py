"""`mark_rows` against its twin: which rows contain one of some terms."""

from hypothesis import given, settings
from hypothesis import strategies as st

from kernels import kernel_calls, naive
from kernels.generated import TermPostings, long_postings, term_postings

WILD_NUMBERS = st.sampled_from([-1, -(2**63), 2**63 - 1, 2**62, 2**31]) | st.integers(-2, 30)


@settings(max_examples=150)
@given(term_postings())
def test_kernel_equals_twin(postings: TermPostings) -> None:
    expected = naive.mark_rows(postings.terms, postings.row_count)
    assert kernel_calls.mark_rows(postings.terms, postings.row_count) == expected


@settings(max_examples=150)
@given(
    st.lists(st.integers(0, 40), max_size=20, unique=True),
    st.lists(st.tuples(WILD_NUMBERS, WILD_NUMBERS), max_size=6),
    st.integers(0, 40),
)
def test_rows_in_any_order_and_groups_out_of_bounds(
    rows: list[int], spans: list[tuple[int, int]], row_count: int
) -> None:
    words, starts = naive.posting_words([[(row, 1) for row in rows]])
    # No group has so many postings, or begins there.
    wild = [(start, df) for start, df in spans if df <= 0 or not 0 <= start <= len(words) - 4]
    starts, dfs = [*starts, *[start for start, _ in wild]], [len(rows), *[df for _, df in wild]]
    expected = naive.mark_rows([[(row, 1) for row in rows]], row_count)
    assert kernel_calls.mark_rows_of_words(words, starts, dfs, row_count) == expected


@settings(max_examples=10, deadline=None)
@given(long_postings())
def test_kernel_equals_twin_for_common_terms(postings: TermPostings) -> None:
    expected = naive.mark_rows(postings.terms, postings.row_count)
    assert kernel_calls.mark_rows(postings.terms, postings.row_count) == expected


@given(term_postings())
def test_marked_rows_are_those_that_score(postings: TermPostings) -> None:
    terms, _, row_count = postings
    bitmap = kernel_calls.mark_rows(terms, row_count)
    top = kernel_calls.postings_top(terms, None, row_count, None, 100)
    marked = [row for row in {row for held in terms for row, _ in held} if naive.is_kept(bitmap, row)]
    assert sorted(marked) == sorted(row for row, _ in top)
    filtered = kernel_calls.postings_top(terms, None, row_count, bitmap, 100)
    assert filtered == top
