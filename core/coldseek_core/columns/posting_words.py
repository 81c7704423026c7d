"""The words that a term's postings are stored as: written here, read by kernels (see `kernels.posting_groups`)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kernels.memory import BLOCK_BITS, HEADER_WORDS


@dataclass(frozen=True)
class PostingWords:
    """`words` of all terms, one after the other, and of each term the place of its first in `starts`."""

    words: NDArray[np.uint16]
    starts: NDArray[np.int64]


def posting_words(df: NDArray[np.int64], rows: NDArray[np.uint32], impacts: NDArray[np.uint16]) -> PostingWords:
    """The postings of all terms, `df[t]` of each, in groups by blocks of 65,536 rows.

    `rows` and `impacts` hold the first term's postings first; the rows of a term ascend.
    """
    if not len(rows):
        return PostingWords(np.empty(0, np.uint16), np.zeros(len(df), np.int64))
    term_ends = np.cumsum(df)
    blocks = (rows >> BLOCK_BITS).astype(np.uint16)
    begins = np.empty(len(rows), np.bool_)
    begins[0] = True
    np.not_equal(blocks[1:], blocks[:-1], out=begins[1:])
    begins[term_ends[:-1][term_ends[:-1] < len(rows)]] = True
    firsts = np.flatnonzero(begins)
    sizes = np.diff(firsts, append=len(rows))
    heads = HEADER_WORDS * np.arange(len(firsts), dtype=np.int64) + 2 * firsts
    words = np.empty(HEADER_WORDS * len(firsts) + 2 * len(rows), np.uint16)
    words[heads] = blocks[firsts]
    words[heads + 1] = sizes - 1
    words[heads + 2] = np.maximum.reduceat(impacts, firsts)
    # The postings before a group take two words each and a header for every group up to this one.
    places = np.arange(len(rows), dtype=np.int64)
    places += np.repeat(heads + HEADER_WORDS - firsts, sizes)
    words[places] = rows & (2**BLOCK_BITS - 1)
    places += np.repeat(sizes, sizes)
    words[places] = impacts
    group_of_posting = np.searchsorted(firsts, np.concatenate([[0], term_ends[:-1]]))
    starts = np.append(heads, len(words))[group_of_posting]
    return PostingWords(words, starts)
