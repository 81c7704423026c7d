"""The words of postings against a plain twin."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from coldseek_core.columns.posting_words import posting_words
from kernels import naive
from kernels.generated import term_postings


def placed(postings: list[tuple[int, int]], fixed_point: int) -> NDArray[np.uint64]:
    """As they are placed, impacts in units of 1 / `fixed_point`."""
    return np.array([row << 32 | impact * 2**24 // fixed_point for row, impact in postings], np.uint64)


def check(terms: list[list[tuple[int, int]]]) -> None:
    df = np.array([len(postings) for postings in terms], np.int64)
    made = posting_words(df, placed([posting for postings in terms for posting in postings], 65536), 65536)
    words, starts = naive.posting_words(terms)
    assert (made.words.tolist(), made.starts.tolist()) == (words, starts)
    assert (made.words.dtype, made.starts.dtype) == (np.uint16, np.int64)


DOCUMENTATION = Path(__file__).resolve().parents[2] / "docs" / "index-format.md"


@pytest.mark.parametrize("count", [1, 2, 1024, 1025, 70_000])
def test_the_documented_reader_reads_them(count: int) -> None:
    (code,) = re.findall(r"```python\n(def postings_of\(.*?)```", DOCUMENTATION.read_text(encoding="utf-8"), re.S)
    documented: dict[str, Any] = {}
    exec(code, documented)
    held = [(3 * row, row % 9 + 1) for row in range(count)]
    words, starts = naive.posting_words([[(7, 7)], held, [(8, 8)]])
    assert naive.postings_of(words, starts[1], count) == (held, starts[2])
    assert documented["postings_of"](np.array(words, np.uint16), starts[1], count) == held


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


@pytest.mark.parametrize("count", [1023, 1024, 1025, 1026, 30_001, 65_535])
def test_rows_are_bytes_from_1025_on(count: int) -> None:
    random = np.random.default_rng(count)
    for rows in (range(count), range(65536 - count, 65536), np.sort(random.permutation(65536)[:count]).tolist()):
        check([[(65536 + row, row % 5 + 1) for row in rows], [(9, 9)]])


def test_a_word_of_one_chunk_takes_eight_bytes() -> None:
    made = posting_words(np.array([1]), placed([(70_000, 9)], 1), 1)
    assert made.words.tolist() == [1, 0, 9, 4464]
    assert made.words.nbytes == 8
