# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Rank rows by the sum of their postings: BM25, or the coverage of a question.

Rows that cannot be among the best are left out, after MaxScore (Turtle and Flood, "Query evaluation: strategies and
optimizations", 1995): of a row that holds only terms whose largest impacts add up to less than the worst of the best,
nothing is read. Block by block, since each block of a term has a largest impact of its own.
"""

import numpy as np

from .block_scores import (
    add_and_list,
    add_group,
    add_to_listed,
    keep_listed,
    list_rows,
    offer_all,
    offer_group,
    offer_listed,
    zero_block,
)
from .memory import BLOCK_ROWS, LISTED_ROWS
from .options import helper
from .posting_groups import BLOCK_BITS, HEADER_WORDS, group_size
from .top_heap import sort_best_first

# What costs about as much: to look through all accumulators of a block, and to add so many postings.
_BLOCK_COST = 65536
_SHARE = 4
# As much as to add so many postings in a row: to look one row up among them.
_LOOK_UP_COST = 32


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
def _likely_worst(
    accumulators, first_row, limit, least, bitmap, filtered, listed, listed_count, is_listed,
    top_rows, top_scores, count, top_length, likely_rows, likely_scores,
):  # fmt: skip
    """The worst score of the best so far if this block's rows had no more than their sums up to now: at the end it can
    only be higher. `least` if it is not known to be more."""
    for order in range(count):
        likely_rows[order] = top_rows[order]
        likely_scores[order] = top_scores[order]
    if is_listed:
        count = offer_listed(
            accumulators, first_row, limit, least, bitmap, filtered, listed, listed_count, 0,
            likely_rows, likely_scores, count, top_length,
        )  # fmt: skip
    else:
        count = offer_all(
            accumulators, first_row, limit, least, bitmap, filtered, likely_rows, likely_scores, count, top_length
        )
    return max(least, likely_scores[0]) if count == top_length else least


def postings_top(
    words, word_count, starts, dfs, weights, use_weights, term_count, row_count, bitmap, filtered, skipping,
    accumulators, listed, cursors, likely_rows, likely_scores, top_rows, top_scores, top_length,
):  # fmt: skip
    """Write the best `top_length` rows and their scores, best first; returns how many (rows that score 0 are none).

    A row's score is the sum, over the terms that it contains, of the posting's impact or, if
    `use_weights`, of the term's weight (`weights` i64[term_count], 1 to 2**22 - 1). Term t has `dfs[t]` postings in
    groups (see `posting_groups`) that begin at `words[starts[t]]` (i64 each; `words` u16[word_count]). `bitmap` keeps
    rows if `filtered`. Order: score descending, row ascending. `skipping` changes the time alone.

    Words may hold anything: a group that is not wholly there, or of a block that does not come after the one before,
    ends its term; what is out of order is skipped or counted; nothing is read or written out of bounds. Scratch:
    `accumulators` u32[BLOCK_ROWS] of zeros, which are zeros again at the end; `listed` u16[LISTED_ROWS], `cursors`
    i64[6 * term_count + 1], `likely_rows` and `likely_scores` i64[top_length], whatever they hold.

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

        # What a row must score to matter: rows of earlier blocks win ties.
        least = np.int64(1)
        if count == top_length:
            least = top_scores[0] + 1
        bound = least if skipping != 0 else np.int64(0)
        member = np.int64(0)
        is_listed = True
        is_strewn = False  # whether accumulators of rows that are not listed may be other than 0
        listed_count = np.int64(0)
        added = np.int64(0)
        looked = np.int64(0)
        if cursors[rests] < bound:
            member = member_count  # no row of this block can matter
        elif member_count == 1:
            term = cursors[members]
            place = cursors[places + term]
            size = group_size(words, word_count, place, cursors[lefts + term])
            count = offer_group(
                words, place, size, weights[term], use_weights, first_row, limit, least, bitmap, filtered,
                top_rows, top_scores, count, top_length,
            )  # fmt: skip
            member = member_count

        # Terms that a row must hold one of, if it is to score enough.
        while member < member_count and cursors[rests + member] >= bound:
            term = cursors[members + member]
            place = cursors[places + term]
            size = group_size(words, word_count, place, cursors[lefts + term])
            weight = np.uint32(weights[term])
            if is_listed and listed_count + size > LISTED_ROWS:
                is_listed = False
                is_strewn = True
            if is_listed:
                listed_count = add_and_list(words, place, size, weight, use_weights, accumulators, listed, listed_count)
            else:
                add_group(words, place, size, weight, use_weights, accumulators)
            member += 1
            added += size
            cost = listed_count if is_listed else np.int64(_BLOCK_COST)
            if skipping != 0 and cursors[rests + member] >= bound and added >= _SHARE * looked + cost:
                least = _likely_worst(
                    accumulators, first_row, limit, least, bitmap, filtered, listed, listed_count, is_listed,
                    top_rows, top_scores, count, top_length, likely_rows, likely_scores,
                )  # fmt: skip
                bound = least
                looked += cost

        # The other terms add to rows that may still score enough, and these become fewer.
        is_first = is_listed
        while member < member_count:
            cost = listed_count if is_listed else np.int64(_BLOCK_COST)
            if is_first or added >= _SHARE * looked + cost:
                is_first = False
                looked += cost
                least = _likely_worst(
                    accumulators, first_row, limit, least, bitmap, filtered, listed, listed_count, is_listed,
                    top_rows, top_scores, count, top_length, likely_rows, likely_scores,
                )  # fmt: skip
                reach = least - cursors[rests + member]
                if is_listed:
                    listed_count = keep_listed(
                        accumulators, first_row, limit, reach, bitmap, filtered, listed, listed_count
                    )
                else:
                    listed_count = list_rows(
                        accumulators, first_row, limit, reach, bitmap, filtered, listed, np.int64(LISTED_ROWS)
                    )
                    is_listed = listed_count >= 0
                if listed_count == 0:
                    break
            term = cursors[members + member]
            place = cursors[places + term]
            size = group_size(words, word_count, place, cursors[lefts + term])
            weight = np.uint32(weights[term])
            if is_listed and listed_count * _LOOK_UP_COST < size:
                add_to_listed(words, place, size, weight, use_weights, accumulators, listed, listed_count)
                added += listed_count * _LOOK_UP_COST
            else:
                add_group(words, place, size, weight, use_weights, accumulators)
                is_strewn = True
                added += size
            member += 1

        if is_listed:
            count = offer_listed(
                accumulators, first_row, limit, least, bitmap, filtered, listed, listed_count, 1,
                top_rows, top_scores, count, top_length,
            )  # fmt: skip
        else:
            count = offer_all(
                accumulators, first_row, limit, least, bitmap, filtered, top_rows, top_scores, count, top_length
            )
        if is_strewn:
            zero_block(accumulators)

        # On to each term's next group.
        for member in range(member_count):
            term = cursors[members + member]
            size = group_size(words, word_count, cursors[places + term], cursors[lefts + term])
            place = cursors[places + term] + HEADER_WORDS + 2 * size
            left = cursors[lefts + term] - size
            cursors[places + term] = place
            cursors[lefts + term] = left
            if group_size(words, word_count, place, left) > 0 and np.int64(words[place]) > block:
                cursors[blocks + term] = np.int64(words[place])
            else:
                cursors[blocks + term] = -1
        kept = np.int64(0)
        for order in range(live):
            if cursors[blocks + cursors[order]] >= 0:
                cursors[kept] = cursors[order]
                kept += 1
        live = kept
    sort_best_first(top_rows, top_scores, count)
    return count
