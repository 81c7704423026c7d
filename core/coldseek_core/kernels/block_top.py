# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""The best rows of one block, by sums that are as incomplete as they may be.

After MaxScore (Turtle and Flood, "Query evaluation: strategies and optimizations", 1995): terms are added in an order,
and `rests` are the most that the terms from each on can still add. Once that is less than what a row must score, no
further row can be among the best, and those that cannot reach it are dropped.
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
from .memory import LISTED_ROWS
from .options import helper
from .posting_groups import group_size

# What other work costs, in postings that are added one after the other: to look through all sums of a block, and to
# look one row up in a group.
_BLOCK_COST = 65536
_LOOK_UP_COST = 32
# At least so many postings are added for each sum that is looked at, so that a question that nothing can be skipped of
# takes little longer.
_ADDED_A_LOOK = 4


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
            accumulators, first_row, limit, least, bitmap, filtered, 0, likely_rows, likely_scores, count, top_length
        )
    return max(least, likely_scores[0]) if count == top_length else least


@helper
def block_top(
    words, word_count, weights, use_weights, bitmap, filtered, skipping, cursors, places, lefts, members, member_count,
    rests, first_row, limit, accumulators, listed, unpacked, likely_rows, likely_scores, top_rows, top_scores, count,
    top_length,
):  # fmt: skip
    """Offer the rows of a block to the best, a heap of `count` rows of earlier blocks; returns how many there are now.

    `places`, `lefts`, `members` and `rests` are the parts of `cursors` that `postings_top` describes: `member_count`
    terms have a group of this block each. All else is as in `postings_top`.
    """
    # What a row must score to matter: rows of earlier blocks win ties.
    least = np.int64(1)
    if count == top_length:
        least = top_scores[0] + 1
    bound = least if skipping != 0 else np.int64(0)
    if cursors[rests] < bound:
        return count
    if member_count == 1:
        term = cursors[members]
        size = group_size(words, word_count, cursors[places + term], cursors[lefts + term])
        return offer_group(
            words, cursors[places + term], size, weights[term], use_weights, unpacked, first_row, limit, least, bitmap,
            filtered, top_rows, top_scores, count, top_length,
        )  # fmt: skip

    member = np.int64(0)
    is_listed = True
    is_strewn = False  # whether accumulators of rows that are not listed may be other than 0
    listed_count = np.int64(0)
    added = np.int64(0)
    looked = np.int64(0)
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
            listed_count = add_and_list(
                words, place, size, weight, use_weights, unpacked, accumulators, listed, listed_count
            )
        else:
            add_group(words, place, size, weight, use_weights, unpacked, accumulators)
        member += 1
        added += size
        cost = listed_count if is_listed else np.int64(_BLOCK_COST)
        if skipping != 0 and cursors[rests + member] >= bound and added >= _ADDED_A_LOOK * looked + cost:
            least = _likely_worst(
                accumulators, first_row, limit, least, bitmap, filtered, listed, listed_count, is_listed,
                top_rows, top_scores, count, top_length, likely_rows, likely_scores,
            )  # fmt: skip
            bound = least
            looked += cost

    # The other terms add to rows that may still score enough, and these become fewer.
    is_due = is_listed
    while member < member_count:
        cost = listed_count if is_listed else np.int64(_BLOCK_COST)
        if is_due or added >= _ADDED_A_LOOK * looked + cost:
            is_due = False
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
            add_group(words, place, size, weight, use_weights, unpacked, accumulators)
            is_strewn = True
            added += size
        member += 1

    if is_listed:
        count = offer_listed(
            accumulators, first_row, limit, least, bitmap, filtered, listed, listed_count, 1,
            top_rows, top_scores, count, top_length,
        )  # fmt: skip
        if is_strewn:
            zero_block(accumulators)
        return count
    return offer_all(
        accumulators, first_row, limit, least, bitmap, filtered, 1, top_rows, top_scores, count, top_length
    )
