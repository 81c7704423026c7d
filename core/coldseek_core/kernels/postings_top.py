# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Rank rows by the sum of their postings: BM25, or the coverage of a question."""

import numpy as np

from .block_top import block_top
from .memory import BLOCK_BITS, BLOCK_ROWS
from .options import helper
from .posting_groups import group_size, group_words
from .top_heap import sort_best_first


@helper
def _sort_by_df(cursors, count, dfs):
    """Put the terms `cursors[:count]` in order of their df, rarest first (Shell, 1959)."""
    gap = count >> 1
    while gap > 0:
        for place in range(gap, count):
            term = cursors[place]
            hole = place
            while hole >= gap and dfs[cursors[hole - gap]] > dfs[term]:
                cursors[hole] = cursors[hole - gap]
                hole -= gap
            cursors[hole] = term
        gap >>= 1


@helper
def _next_groups(words, word_count, cursors, places, lefts, blocks, members, member_count, live):
    """Go on to the next group of each term of a block; returns how many terms have postings left."""
    for member in range(member_count):
        term = cursors[members + member]
        block = cursors[blocks + term]
        size = group_size(words, word_count, cursors[places + term], cursors[lefts + term])
        place = cursors[places + term] + group_words(size)
        left = cursors[lefts + term] - size
        cursors[places + term] = place
        cursors[lefts + term] = left
        cursors[blocks + term] = -1
        if group_size(words, word_count, place, left) > 0 and np.int64(words[place]) > block:
            cursors[blocks + term] = np.int64(words[place])
    kept = np.int64(0)
    for order in range(live):
        if cursors[blocks + cursors[order]] >= 0:
            cursors[kept] = cursors[order]
            kept += 1
    return kept


def postings_top(
    words, word_count, starts, dfs, weights, use_weights, term_count, row_count, bitmap, filtered, skipping,
    accumulators, listed, unpacked, cursors, likely_rows, likely_scores, top_rows, top_scores, top_length,
):  # fmt: skip
    """Write the best `top_length` rows and their scores, best first; returns how many (rows that score 0 are none).

    A row's score is the sum, over the terms that it contains, of the posting's impact or, if `use_weights`, of the
    term's weight (`weights` i64[term_count], 1 to 2**22 - 1). Term t has `dfs[t]` postings in groups (see
    `posting_groups`) that begin at `words[starts[t]]` (i64 each; `words` u16[word_count]). `bitmap` keeps rows if
    `filtered`. Order: score descending, row ascending. `skipping` leaves out rows that cannot be among the best, and
    changes the time alone.

    Words may hold anything: a group that is not wholly there, or of a block that does not come after the one before,
    ends its term; what is out of order is skipped or counted; nothing is read or written out of bounds. Scratch:
    `accumulators` u32[BLOCK_ROWS] of zeros, which are zeros again at the end; `listed` u16[LISTED_ROWS], `unpacked`
    u16[UNPACKED_ROWS], `cursors` i64[6 * term_count + 1], `likely_rows` and `likely_scores` i64[top_length], whatever
    they hold.

    Accumulator: uint32. Each addend is below 2**22 (an impact even below 2**16) and a query has at most 1,024 terms, so
    a sum stays below 2**32. Naive twin: `postings_top`.
    """
    if top_length <= 0:
        return 0
    # Parts of `cursors`: terms that have postings left, rarest first; of each term, where its next group is, how many
    # postings it has left and the group's block; the terms of a block, and the most that these add from each on.
    places, lefts, blocks = term_count, 2 * term_count, 3 * term_count
    members, rests = 4 * term_count, 5 * term_count
    live = np.int64(0)
    for term in range(term_count):
        if group_size(words, word_count, starts[term], dfs[term]) > 0:
            cursors[live] = term
            live += 1
            cursors[places + term] = starts[term]
            cursors[lefts + term] = dfs[term]
            cursors[blocks + term] = np.int64(words[starts[term]])
    _sort_by_df(cursors, live, dfs)
    count = np.int64(0)
    while live > 0:
        # The lowest block that any term still has; blocks without one are never visited.
        block = cursors[blocks + cursors[0]]
        for order in range(1, live):
            block = min(block, cursors[blocks + cursors[order]])
        first_row = block << BLOCK_BITS
        limit = min(np.int64(BLOCK_ROWS), row_count - first_row)
        if limit <= 0:
            break
        member_count = np.int64(0)
        for order in range(live):
            if cursors[blocks + cursors[order]] == block:
                cursors[members + member_count] = cursors[order]
                member_count += 1
        cursors[rests + member_count] = 0
        for member in range(member_count - 1, -1, -1):
            term = cursors[members + member]
            most = weights[term] if use_weights != 0 else np.int64(words[cursors[places + term] + 2])
            cursors[rests + member] = cursors[rests + member + 1] + most

        count = block_top(
            words, word_count, weights, use_weights, bitmap, filtered, skipping,
            cursors, places, lefts, members, member_count, rests, first_row, limit,
            accumulators, listed, unpacked, likely_rows, likely_scores, top_rows, top_scores, count, top_length,
        )  # fmt: skip
        live = _next_groups(words, word_count, cursors, places, lefts, blocks, members, member_count, live)
    sort_best_first(top_rows, top_scores, count)
    return count
