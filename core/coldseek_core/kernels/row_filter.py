# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""The filter bitmap that both legs honour: bit `row & 7` of byte `row >> 3`."""

import numpy as np

from .memory import BLOCK_BITS
from .options import helper
from .posting_groups import group_size, group_words, rows_of


@helper
def is_kept(bitmap, row):
    """Whether the bitmap (u8*, one bit a row) keeps `row`."""
    return (bitmap[row >> 3] >> np.uint8(row & 7)) & np.uint8(1) != 0


def mark_rows(words, word_count, starts, dfs, term_count, unpacked, bitmap, row_count):
    """Set the bit of every row that contains one of the terms; the caller passes a bitmap of zeros.

    Postings and `unpacked` as in `postings_top`; `bitmap` u8[(row_count + 7) / 8]. Returns 0. Naive twin: `mark_rows`.
    """
    for term in range(term_count):
        place = starts[term]
        left = dfs[term]
        before = np.int64(-1)
        while True:
            size = group_size(words, word_count, place, left)
            if size == 0 or np.int64(words[place]) <= before:
                break
            before = np.int64(words[place])
            rows, first = rows_of(words, place, size, unpacked)
            for order in range(size):
                row = (before << BLOCK_BITS) + np.int64(rows[first + order])
                if row < row_count:
                    bitmap[row >> 3] |= np.uint8(1) << np.uint8(row & 7)
            place += group_words(size)
            left -= size
    return 0
