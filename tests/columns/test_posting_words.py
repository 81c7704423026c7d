"""The words of postings against a plain twin."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coldseek_core.columns.posting_words import posting_words
from kernels import naive
from kernels.generated import term_postings


def check(terms: list[list[tuple[int, int]]]) -> None:
    df = np.array([len(postings) for postings in terms], np.int64)
    rows = np.array([row for postings in terms for row, _ in postings], np.uint32)
    impacts = np.array([impact / 4 for postings in terms for _, impact in postings], np.float64)
    made = posting_words(df, rows, impacts, 4)
    words, starts = naive.posting_words(terms)
    assert (made.words.tolist(), made.starts.tolist()) == (words, starts)
    assert (made.words.dtype, made.starts.dtype) == (np.uint16, np.int64)


@given(st.data())
def test_words_equal_the_twins(data: st.DataObject) -> None:
    check(data.draw(term_postings()).terms)


def test_a_full_block_and_the_last_row() -> None:
    check([[(row, row % 65535 + 1) for row in range(65537)], [(2**32 - 2, 65535)], [(0, 1), (2**32 - 2, 2)]])


def test_terms_in_one_block_each_begin_a_group() -> None:
    check([[(5, 1)], [(5, 2)], [(6, 3)], [(1, 4)]])


def test_no_postings() -> None:
    check([])
    check([[], []])


def test_a_word_of_one_chunk_takes_ten_bytes() -> None:
    made = posting_words(np.array([1]), np.array([70_000], np.uint32), np.array([9.0]), 1)
    assert made.words.tolist() == [1, 0, 9, 4464, 9]
    assert made.words.nbytes == 10
