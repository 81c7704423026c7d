# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Postings in the order of terms to the words that they are stored as (see posting_groups.py)."""

import numpy as np

from .memory import BLOCK_BITS, HEADER_WORDS, LARGEST_LIST, STRETCH_BITS, STRETCHES
from .options import helper
from .posting_groups import group_words, impacts_of

_LOW = (1 << BLOCK_BITS) - 1
_ROW_SHIFT = 32
_IMPACT = (1 << _ROW_SHIFT) - 1
_MOST = 65535  # an impact has 16 bits


@helper
def _row(posting):
    return np.int64(posting >> np.uint64(_ROW_SHIFT))


@helper
def _write_rows(postings, begin, size, words, first):
    """Write the rows of `postings[begin : begin + size]` to `words` from `first` on, as rows of a group."""
    if size <= LARGEST_LIST:
        for order in range(size):
            words[first + order] = _row(postings[begin + order]) & _LOW
        return
    stretch = np.int64(0)
    for order in range(size):
        low = _row(postings[begin + order]) & _LOW
        while stretch <= low >> STRETCH_BITS:
            words[first + stretch] = order
            stretch += 1
        place = first + STRETCHES + (order >> 1)
        byte = low & (2**STRETCH_BITS - 1)
        words[place] = byte if order & 1 == 0 else np.int64(words[place]) | byte << 8
    while stretch < STRETCHES:
        words[first + stretch] = size
        stretch += 1


def pack_postings(dfs, term_count, postings, posting_count, shift, words, word_count, starts):
    """Write the postings of all terms, `dfs[t]` of term t (i64[term_count]), as groups to `words` (u16[word_count]),
    and where each term's begin to `starts` (i64[term_count]).

    `postings` (u64[posting_count]), each as `place_postings` leaves it, hold the first term's first; the rows of a term
    ascend. An impact is stored in units that are 2**shift as large (`shift`: 1 to 31), rounded half up, at least 1 and
    at most 65,535. Returns how many words there are; of groups that have no room nothing is written, so none is needed
    to ask. Naive twin: `pack_postings` in tests/kernels/naive_count.py.
    """
    shift = min(max(shift, np.int64(1)), np.int64(31))
    half = np.int64(1) << (shift - 1)
    place = np.int64(0)
    posting = np.int64(0)
    for term in range(term_count):
        starts[term] = place
        left = min(max(dfs[term], np.int64(0)), posting_count - posting)
        stop = posting + left
        while posting < stop:
            block = _row(postings[posting]) >> BLOCK_BITS
            first = posting
            while posting < stop and _row(postings[posting]) >> BLOCK_BITS == block:
                posting += 1
            size = posting - first
            after = place + group_words(size)
            if after <= word_count:
                _write_rows(postings, first, size, words, place + HEADER_WORDS)
                at = impacts_of(place, size)
                largest = np.int64(1)
                for order in range(size):
                    impact = np.int64(postings[first + order] & np.uint64(_IMPACT))
                    impact = min(max((impact + half) >> shift, np.int64(1)), np.int64(_MOST))
                    largest = max(largest, impact)
                    words[at + order] = impact
                words[place] = block
                words[place + 1] = size - 1
                words[place + 2] = largest
            place = after
    return place
