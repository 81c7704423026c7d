# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Rank rows by the sum of their postings: BM25, or the coverage of a question."""

import numpy as np

from .memory import BLOCK_ROWS
from .row_filter import is_kept
from .top_heap import is_worse, offer, sort_best_first

# The accumulators of a block (256 KB) stay in the second-level cache.
BLOCK = BLOCK_ROWS


def postings_top(
    rows, impacts, posting_count, starts, dfs, weights, use_weights, term_count, row_count,
    bitmap, filtered, accumulators, cursors, top_rows, top_scores, top_length,
):  # fmt: skip
    """Write the best `top_length` rows and their scores, best first; returns how many (rows that score 0 are none).

    A row's score is the sum, over the terms that it contains, of the posting's impact (`impacts` u32, unit 2**-16) or,
    if `use_weights`, of the term's weight (`weights` i64[term_count], below 2**22). Term t's postings are
    `starts[t]:starts[t] + dfs[t]` (i64 each) of `rows` (u32[posting_count], ascending). A term whose span is out of
    bounds is skipped. Rows may hold anything: one that is out of range ends its term, one that is out of order is
    skipped or counted, and nothing is read or written out of bounds. `accumulators` is u32[65536] of zeros, and is
    zeros again at the end; `cursors` is i64[2 * term_count] of scratch; `bitmap` keeps rows if `filtered`. Order: score
    descending, row ascending.

    Accumulator: uint32. Each addend is below 2**22 (checked at build time) and a query has at most 1,024 terms, so
    a sum stays below 2**32. Naive twin: `postings_top`.
    """
    if top_length <= 0:
        return 0
    for term in range(term_count):
        df = dfs[term]
        start = starts[term]
        if start < 0 or df < 0 or df > posting_count or start > posting_count - df:
            cursors[term] = 0
            cursors[term_count + term] = 0
        else:
            cursors[term] = start
            cursors[term_count + term] = start + df
    count = 0
    while True:
        # The block of the lowest row that any term still has; blocks without one are never visited.
        lowest = row_count
        for term in range(term_count):
            if cursors[term] < cursors[term_count + term]:
                lowest = min(lowest, np.int64(rows[cursors[term]]))
        if lowest >= row_count:
            break
        first = lowest & ~(BLOCK - 1)
        stop = min(first + BLOCK, row_count)
        for term in range(term_count):
            end = cursors[term_count + term]
            place = cursors[term]
            weight = np.uint32(weights[term])
            while place < end:
                row = np.int64(rows[place])
                if row >= stop:
                    break
                if row >= first:
                    accumulators[row - first] += weight if use_weights != 0 else impacts[place]
                place += 1
        for term in range(term_count):
            end = cursors[term_count + term]
            place = cursors[term]
            while place < end:
                row = np.int64(rows[place])
                if row >= stop:
                    break
                place += 1
                if row < first:
                    continue
                score = np.int64(accumulators[row - first])
                if score == 0:
                    continue  # scored nothing, or was taken through another term
                accumulators[row - first] = 0
                if count == top_length and not is_worse(top_scores[0], top_rows[0], score, row):
                    continue
                if filtered == 0 or is_kept(bitmap, row):
                    count = offer(top_rows, top_scores, count, top_length, score, row)
            cursors[term] = place
    sort_best_first(top_rows, top_scores, count)
    return count
