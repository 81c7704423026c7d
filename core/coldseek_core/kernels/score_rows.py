# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Keyword score, coverage and shared words of given rows, whichever leg found them."""

import numpy as np

from .memory import BLOCK_BITS
from .posting_groups import find_in_group, group_size, group_words


def score_rows(
    words, word_count, starts, dfs, weights, scored, term_count, wanted, wanted_count, covered, scores, shared
):  # fmt: skip
    """For each wanted row (i64[wanted_count], any values): the sum of the weights of the terms that it contains
    (`covered`, i64), the sum of the impacts of its scored terms (`scores`, i64), and whether it
    contains a scored term (`shared`, u8).

    Postings as in `postings_top`; `scored` is u8[term_count]. Sums are int64: at most 1,024 addends below 2**32.
    Returns 0. Naive twin: `score_rows`.
    """
    for order in range(wanted_count):
        covered[order] = 0
        scores[order] = 0
        shared[order] = 0
    for term in range(term_count):
        place = starts[term]
        left = dfs[term]
        before = np.int64(-1)
        while True:
            size = group_size(words, word_count, place, left)
            if size == 0 or np.int64(words[place]) <= before:
                break
            before = np.int64(words[place])
            for order in range(wanted_count):
                if wanted[order] >> BLOCK_BITS != before:
                    continue
                impact = find_in_group(words, place, size, wanted[order] & (2**BLOCK_BITS - 1))
                if impact < 0:
                    continue
                covered[order] += weights[term]
                if scored[term] != 0:
                    scores[order] += impact
                    shared[order] = 1
            place += group_words(size)
            left -= size
    return 0
