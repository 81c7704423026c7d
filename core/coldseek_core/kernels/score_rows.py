# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Keyword score, coverage and shared words of given rows, whichever leg found them."""

import numpy as np

from .options import helper


@helper
def _find_posting(rows, low, high, row):
    """Place of `row` in the ascending `rows[low:high]`, or -1."""
    stop = high
    while low < high:
        middle = low + ((high - low) >> 1)
        if np.int64(rows[middle]) < row:
            low = middle + 1
        else:
            high = middle
    if low < stop and np.int64(rows[low]) == row:
        return low
    return -1


def score_rows(
    rows, impacts, posting_count, starts, dfs, weights, scored, term_count, wanted, wanted_count,
    covered, scores, shared,
):  # fmt: skip
    """For each wanted row (i64[wanted_count], any values): the sum of the weights of the terms that it contains
    (`covered`, i64), the sum of the impacts of its scored terms (`scores`, i64, unit 2**-16), and whether it
    contains a scored term (`shared`, u8).

    Postings as in `postings_top`; `scored` is u8[term_count]. Sums are int64: at most 1,024 addends below 2**32.
    Returns 0. Naive twin: `score_rows`.
    """
    for order in range(wanted_count):
        covered[order] = 0
        scores[order] = 0
        shared[order] = 0
    for term in range(term_count):
        start = starts[term]
        df = dfs[term]
        if start < 0 or df < 0 or df > posting_count or start > posting_count - df:
            continue
        for order in range(wanted_count):
            place = _find_posting(rows, start, start + df, wanted[order])
            if place < 0:
                continue
            covered[order] += weights[term]
            if scored[term] != 0:
                scores[order] += np.int64(impacts[place])
                shared[order] = 1
    return 0
