# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""The scores of one block of rows: an accumulator for each row, and a list of those rows that score while they are few.

`listed` (u16) holds each row within the block, once, whose accumulator (u32) is not 0; where rows would be too many,
they have no list and all accumulators are looked through.
"""

import numpy as np

from .memory import BLOCK_ROWS
from .options import helper
from .posting_groups import find_in_group, impacts_of, rows_of
from .row_filter import is_kept
from .top_heap import is_worse, offer

# Accumulators that are looked at together: the largest of them is found by vector instructions.
_STRIDE = 64


@helper
def add_group(words, place, size, weight, use_weights, unpacked, accumulators):
    """Add a group's impacts, or the term's weight, to its rows."""
    rows, first = rows_of(words, place, size, unpacked)
    if use_weights != 0:
        for order in range(size):
            accumulators[rows[first + order]] += weight
    else:
        impacts = impacts_of(place, size)
        for order in range(size):
            accumulators[rows[first + order]] += np.uint32(words[impacts + order])


@helper
def add_and_list(words, place, size, weight, use_weights, unpacked, accumulators, listed, count):
    """As `add_group`, and list the rows that had nothing; returns how many are listed. There must be room for all."""
    rows, first = rows_of(words, place, size, unpacked)
    impacts = impacts_of(place, size)
    for order in range(size):
        low = rows[first + order]
        before = accumulators[low]
        listed[count] = low
        count += before == 0
        added = weight if use_weights != 0 else np.uint32(words[impacts + order])
        accumulators[low] = before + added
    return count


@helper
def add_to_listed(words, place, size, weight, use_weights, accumulators, listed, count):
    """Add a group's impacts, or the term's weight, to the listed rows that it holds, each looked up."""
    for order in range(count):
        low = listed[order]
        impact = find_in_group(words, place, size, np.int64(low))
        if impact >= 0:
            accumulators[low] += weight if use_weights != 0 else np.uint32(impact)


@helper
def list_rows(accumulators, first_row, limit, least, bitmap, filtered, listed, room):
    """List the rows that the filter keeps and that have `least` or more; returns how many, -1 for lack of room."""
    count = np.int64(0)
    for start in range(0, limit, _STRIDE):
        largest = np.uint32(0)
        for low in range(start, start + _STRIDE):
            largest = max(largest, accumulators[low])
        if np.int64(largest) < least:
            continue
        for low in range(start, min(start + _STRIDE, limit)):
            if np.int64(accumulators[low]) >= least and (filtered == 0 or is_kept(bitmap, first_row + low)):
                if count == room:
                    return np.int64(-1)
                listed[count] = np.uint16(low)
                count += 1
    return count


@helper
def keep_listed(accumulators, first_row, limit, least, bitmap, filtered, listed, count):
    """Keep the listed rows that `list_rows` would list, and zero the accumulators of the others."""
    kept = np.int64(0)
    for order in range(count):
        low = np.int64(listed[order])
        if np.int64(accumulators[low]) >= least and low < limit and (filtered == 0 or is_kept(bitmap, first_row + low)):
            listed[kept] = listed[order]
            kept += 1
        else:
            accumulators[low] = 0
    return kept


@helper
def offer_all(accumulators, first_row, limit, least, bitmap, filtered, zeroing, rows, scores, count, length):
    """Offer every row that has `least` or more and that the filter keeps to a heap; returns how many that holds. All
    accumulators are zeroed if `zeroing`."""
    for start in range(0, BLOCK_ROWS if zeroing != 0 else limit, _STRIDE):
        largest = np.uint32(0)
        for low in range(start, start + _STRIDE):
            largest = max(largest, accumulators[low])
        if np.int64(largest) >= least:
            for low in range(start, min(start + _STRIDE, limit)):
                score = np.int64(accumulators[low])
                if score >= least and (filtered == 0 or is_kept(bitmap, first_row + low)):
                    count = offer(rows, scores, count, length, score, first_row + low)
                    if count == length:
                        least = max(least, scores[0] + 1)  # the rows to come are higher
        if zeroing != 0:
            for low in range(start, start + _STRIDE):
                accumulators[low] = 0
    return count


@helper
def offer_listed(
    accumulators, first_row, limit, least, bitmap, filtered, listed, listed_count, zeroing, rows, scores, count, length
):  # fmt: skip
    """As `offer_all`, of the listed rows; their accumulators are zeroed if `zeroing`."""
    for order in range(listed_count):
        low = np.int64(listed[order])
        score = np.int64(accumulators[low])
        if zeroing != 0:
            accumulators[low] = 0
        if score < least or low >= limit:
            continue
        if count == length and not is_worse(scores[0], rows[0], score, first_row + low):
            continue
        if filtered == 0 or is_kept(bitmap, first_row + low):
            count = offer(rows, scores, count, length, score, first_row + low)
    return count


@helper
def offer_group(
    words, place, size, weight, use_weights, unpacked, first_row, limit, least, bitmap, filtered, rows, scores, count,
    length,
):  # fmt: skip
    """As `offer_all`, of a block in which one term alone has postings: no accumulator is touched."""
    held, first = rows_of(words, place, size, unpacked)
    impacts = impacts_of(place, size)
    before = np.int64(-1)
    for order in range(size):
        score = np.int64(weight) if use_weights != 0 else np.int64(words[impacts + order])
        if score < least:
            continue
        low = np.int64(held[first + order])
        if low <= before or low >= limit:
            continue  # no order that an index has
        before = low
        if filtered == 0 or is_kept(bitmap, first_row + low):
            count = offer(rows, scores, count, length, score, first_row + low)
            if count == length:
                least = max(least, scores[0] + 1)
    return count


@helper
def zero_block(accumulators):
    for low in range(BLOCK_ROWS):
        accumulators[low] = 0
