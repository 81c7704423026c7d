# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Front-code sorted terms in blocks, for `find_term`."""

import numpy as np

from .find_term import key_of
from .memory import LENGTH_ESCAPE, TERMS_A_BLOCK
from .options import helper


@helper
def _span(offsets, length, term):
    start, stop = offsets[term], offsets[term + 1]
    if 0 <= start <= stop <= length:
        return start, stop
    return np.int64(0), np.int64(0)


@helper
def _put(coded, capacity, place, value):
    if place < capacity:
        coded[place] = value
    return place + 1


@helper
def _put_length(coded, capacity, place, length):
    """What of a length does not go into a tag, if anything."""
    if length >= LENGTH_ESCAPE:
        length -= LENGTH_ESCAPE
        while length >= 255:
            place = _put(coded, capacity, place, 255)
            length -= 255
        place = _put(coded, capacity, place, length)
    return place


def front_code(offsets, terms, terms_length, term_count, coded, capacity, block_offsets, keys):
    """Sorted terms in blocks of TERMS_A_BLOCK, each as what makes it of the term before: a tag, then the bytes that are
    appended. The tag's high four bits say how many bytes are cut off the end of the term before, as few as can be, its
    low four how many are appended. A block's first term is made of the empty one. A number of LENGTH_ESCAPE or more is
    LENGTH_ESCAPE in the tag and goes on behind it, what is cut first: bytes that are added, up to the first below 255.

    Term i is `terms[offsets[i]:offsets[i + 1]]` (u8[terms_length], i64[term_count + 1]), an empty one where that is out
    of bounds. Written to `coded` (u8[capacity]) as far as there is room; block i begins at `block_offsets[i]`
    (i64[blocks + 1]), and the key of its first term is `keys[i]` (u64[blocks]). Returns how many bytes all take, at
    most 3 a term and 2 a byte. Naive twin: `front_code` in tests/kernels/naive.py.
    """
    place = np.int64(0)
    before = np.int64(0)
    before_length = np.int64(0)
    for term in range(term_count):
        start, stop = _span(offsets, terms_length, term)
        length = stop - start
        if term % TERMS_A_BLOCK == 0:
            block_offsets[term // TERMS_A_BLOCK] = place
            keys[term // TERMS_A_BLOCK] = key_of(terms, start, stop)
            before_length = np.int64(0)
        most = min(length, before_length)
        shared = np.int64(0)
        while shared < most and terms[before + shared] == terms[start + shared]:
            shared += 1
        rest = length - shared
        cut = before_length - shared
        tag = min(cut, LENGTH_ESCAPE) << 4 | min(rest, LENGTH_ESCAPE)
        place = _put(coded, capacity, place, tag)
        place = _put_length(coded, capacity, place, cut)
        place = _put_length(coded, capacity, place, rest)
        for byte in range(start + shared, stop):
            place = _put(coded, capacity, place, terms[byte])
        before = start
        before_length = length
    block_offsets[(term_count + TERMS_A_BLOCK - 1) // TERMS_A_BLOCK] = place
    return place
