# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""The filter bitmap that both legs honour: bit `row & 7` of byte `row >> 3`."""

import numpy as np

from .options import helper


@helper
def is_kept(bitmap, row):
    """Whether the bitmap (u8*, one bit a row) keeps `row`."""
    return (bitmap[row >> 3] >> np.uint8(row & 7)) & np.uint8(1) != 0


def mark_rows(rows, posting_count, starts, dfs, term_count, bitmap, row_count):
    """Set the bit of every row that contains one of the terms; the caller passes a bitmap of zeros.

    `rows` u32[posting_count]; term t's postings are `starts[t]:starts[t] + dfs[t]` (i64[term_count] each, anything
    out of bounds is skipped); `bitmap` u8[(row_count + 7) / 8]. Returns 0. Naive twin: `mark_rows`.
    """
    for term in range(term_count):
        start = starts[term]
        if start < 0 or dfs[term] < 0 or dfs[term] > posting_count or start > posting_count - dfs[term]:
            continue
        for place in range(start, start + dfs[term]):
            row = np.int64(rows[place])
            if row < row_count:
                bitmap[row >> 3] |= np.uint8(1) << np.uint8(row & 7)
    return 0
