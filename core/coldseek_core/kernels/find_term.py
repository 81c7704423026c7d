# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Look a term up in a dictionary that is front-coded in blocks, as `front_code` makes it: a binary search over the
blocks' first terms, then a walk through one block (Witten, Moffat and Bell, Managing Gigabytes, 2nd ed., section 4.1).
The search needs little more of these terms than their first bytes, as one number.
"""

import numpy as np

from .memory import KEY_BYTES, LENGTH_ESCAPE, TERMS_A_BLOCK
from .options import helper

_LARGEST_KEY = np.uint64(2**64 - 1)


@helper
def key_of(text, start, stop):
    """The first KEY_BYTES of bytes `text[start:stop]` as a number (u64), the first one highest, zeros for what is
    missing: keys are in the order of the texts, or equal.
    """
    key = np.uint64(0)
    for place in range(start, start + KEY_BYTES):
        key <<= np.uint64(8)
        if place < stop:
            key |= np.uint64(text[place])
    return key


@helper
def _first_from(keys, low, high, key):
    """The first of the sorted `keys` from `low` up to `high` that is not below `key`, `high` if there is none."""
    size = high - low
    while size > 1:
        half = size >> 1
        low += half * (keys[low + half - 1] < key)  # no branch: which way it would go cannot be foreseen
        size -= half
    if size == 1 and keys[low] < key:
        low += 1
    return low


@helper
def _same_bytes(left, left_start, right, right_start, most):
    """How many bytes are the same, up to `most`."""
    same = np.int64(0)
    while same < most and left[left_start + same] == right[right_start + same]:
        same += 1
    return same


@helper
def _read_length(coded, place, stop, length):
    """A length of which a tag holds `length`, and the place behind the bytes that it goes on in."""
    if length == LENGTH_ESCAPE:
        while place < stop:
            more = np.int64(coded[place])
            place += 1
            length += more
            if more < 255:
                break
    return length, place


@helper
def _block_at(blocks, block):
    """Where a block begins and ends; nowhere if that is out of bounds."""
    offsets, _, length = blocks
    start, stop = offsets[block], offsets[block + 1]
    if 0 <= start <= stop <= length:
        return start, stop
    return np.int64(0), np.int64(0)


@helper
def _walk(query, start, length, coded, place, stop, most):
    """Of the terms that are coded from `place` to `stop`, at most `most`, the number of the one that bytes
    `query[start:start + length]` are, -1 for none.
    """
    shared = np.int64(0)  # how long a prefix of the query the last term has, which comes before the query
    before = np.int64(0)  # how long that term is
    for term in range(most):
        if place >= stop:
            break
        tag = np.int64(coded[place])
        cut, size = tag >> 4, tag & LENGTH_ESCAPE
        place += 1
        if cut == LENGTH_ESCAPE or size == LENGTH_ESCAPE:
            cut, place = _read_length(coded, place, stop, cut)
            size, place = _read_length(coded, place, stop, size)
        common = before - cut
        if size > stop - place or common < shared:
            break
        before = common + size
        # A term that shares more with the one before than that one with the query differs from the query as that does.
        if common == shared:
            same = _same_bytes(query, start + shared, coded, place, min(length - shared, size))
            shared += same
            if same == size:
                if shared == length:
                    return np.int64(term)
            elif shared == length or coded[place + same] > query[start + shared]:
                break
        place += size
    return np.int64(-1)


@helper
def _starts_behind(query, start, stop, blocks, block):
    """Whether a block's first term comes after the query."""
    coded = blocks[1]
    place, end = _block_at(blocks, block)
    if place == end:
        return False
    size, place = _read_length(coded, place + 1, end, np.int64(coded[place]) & LENGTH_ESCAPE)
    same = _same_bytes(query, start, coded, place, min(size, stop - start, end - place))
    return place + same < end and same < size and (same == stop - start or coded[place + same] > query[start + same])


@helper
def find_term(query, start, stop, keys, blocks, block_count, term_count):
    """The id of the term that bytes `query[start:stop]` are, its place among all, or -1 where there is none.

    `keys` (u64[block_count]): those of the blocks' first terms; `blocks`: offsets (i64[block_count + 1]), bytes (u8),
    and how many bytes; both are as `front_code` makes them. They may hold anything: nothing is read out of bounds, and
    where keys or terms are not sorted some terms are not found. Naive twin: `find_terms` in tests/kernels/naive.py.
    """
    key = key_of(query, start, stop)
    # Blocks before `low` begin with a term before the query, those from `high` on with one behind it.
    low = _first_from(keys, np.int64(0), block_count, key)
    high = block_count
    if low < block_count and keys[low] == key:
        if key < _LARGEST_KEY:
            high = _first_from(keys, low, block_count, key + np.uint64(1))
        while low < high:
            middle = (low + high) >> 1
            if _starts_behind(query, start, stop, blocks, middle):
                high = middle
            else:
                low = middle + 1
    block = low - 1
    if block < 0:
        return np.int64(-1)
    place, end = _block_at(blocks, block)
    before = block * TERMS_A_BLOCK
    found = _walk(query, start, stop - start, blocks[1], place, end, min(TERMS_A_BLOCK, term_count - before))
    return before + found if found >= 0 else np.int64(-1)
