# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Look a term up in the term hash table."""

import numpy as np

from .fnv1a import fnv1a_64
from .options import helper


@helper
def _same_bytes(left, left_start, right, right_start, length):
    for place in range(length):  # noqa: SIM110 - Numba has no all() over a generator
        if left[left_start + place] != right[right_start + place]:
            return False
    return True


@helper
def find_hashed(query, start, stop, value, slots, slot_count, term_offsets, term_bytes, bytes_length, term_count):
    """`find_term` of bytes whose FNV-1a hash `value` is known."""
    mask = slot_count - 1
    place = np.int64(value & np.uint64(mask))
    for _ in range(slot_count):
        known = np.int64(slots[place])
        if known == 0:
            break
        if known <= term_count:
            low = term_offsets[known - 1]
            high = term_offsets[known]
            inside = 0 <= low <= high <= bytes_length
            if inside and high - low == stop - start and _same_bytes(query, start, term_bytes, low, high - low):
                return known - 1
        place = (place + 1) & mask
    return np.int64(-1)


@helper
def find_term(query, start, stop, slots, slot_count, term_offsets, term_bytes, bytes_length, term_count):
    """The term id of bytes `query[start:stop]`, or -1 where the table does not have it.

    `slots` (u32[slot_count], a power of two) holds term_id + 1 or 0; `term_offsets` is i64[term_count + 1] into
    `term_bytes` (u8[bytes_length]). Slots and offsets may hold anything: ids out of range and spans out of bounds match
    nothing, and a full table ends the probe after one round. Naive twin: `find_terms` in tests/kernels/naive.py.
    """
    value = fnv1a_64(query, start, stop)
    return find_hashed(query, start, stop, value, slots, slot_count, term_offsets, term_bytes, bytes_length, term_count)
