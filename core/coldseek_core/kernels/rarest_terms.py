# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Choose the rarest of too many terms, in time linear in their bytes however they are ordered."""

import numpy as np

from .options import helper
from .token_layout import BUCKETS, NUMBER, ORDER, RANK, SCRATCH_SECTIONS, STATE

_RANK_DIGITS = 6
_MOST_IDF = 1 << 40


@helper
def rank_of(idf, known):
    """Ascending: the rarest first and, of equally rare ones, those that are unknown."""
    return _MOST_IDF - min(max(idf, 0), _MOST_IDF) << 1 | known


@helper
def span_of(texts, number):
    """Where a term's bytes are, nowhere if that is out of bounds."""
    offsets, _, length = texts
    start, stop = offsets[number], offsets[number + 1]
    if 0 <= start <= stop <= length:
        return start, stop
    return np.int64(0), np.int64(0)


@helper
def _digit(scratch, room, texts, term, depth):
    """One digit, 0 to 256, of what terms are ordered by: the rank in `_RANK_DIGITS` bytes, then the term's bytes."""
    if depth < _RANK_DIGITS:
        return scratch[RANK * room + term] >> 8 * (_RANK_DIGITS - 1 - depth) & 0xFF
    start, stop = span_of(texts, scratch[NUMBER * room + term])
    place = start + depth - _RANK_DIGITS
    return np.int64(texts[1][place]) + 1 if place < stop else np.int64(0)


@helper
def choose_rarest(scratch, room, texts, count, wanted, chosen):
    """Give the state `chosen` to the `wanted` ones of `count` terms that have the least rank and, of equal ranks, the
    least bytes. `scratch`: see token_layout.py; `texts`: offsets, bytes and their length.

    Terms are dealt into buckets by one digit after another: the buckets before the limit are in, those after it are
    out, and the one that it runs through is dealt by the next digit.
    """
    buckets = SCRATCH_SECTIONS * room
    for place in range(count):
        scratch[ORDER * room + place] = place
    depth = 0
    while wanted > 0 and count > 0:
        for digit in range(BUCKETS):
            scratch[buckets + digit] = 0
        for place in range(count):
            scratch[buckets + _digit(scratch, room, texts, scratch[ORDER * room + place], depth)] += 1
        limit = np.int64(0)
        taken = np.int64(0)
        while limit < BUCKETS and taken + scratch[buckets + limit] <= wanted:
            taken += scratch[buckets + limit]
            limit += 1
        if limit == 0 and depth >= _RANK_DIGITS:  # no digits are left: they are the same, and the first ones serve
            limit = np.int64(1)
            count = wanted
            taken = wanted
        same = np.int64(0)
        for place in range(count):
            term = scratch[ORDER * room + place]
            digit = _digit(scratch, room, texts, term, depth)
            if digit < limit:
                scratch[STATE * room + term] = chosen
            elif digit == limit:
                scratch[ORDER * room + same] = term
                same += 1
        wanted -= taken
        count = same
        depth += 1
