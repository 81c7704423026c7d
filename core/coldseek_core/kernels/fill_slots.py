# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Build the term hash table that `find_term` probes."""

import numpy as np

from .fnv1a import fnv1a_64


def fill_slots(term_offsets, term_bytes, term_count, slots, slot_count):
    """Insert terms 0 to `term_count - 1` in order into `slots` (u32[slot_count] of zeros, a power of two, at least
    twice `term_count`): value term_id + 1 at the first free place from FNV-1a-64 of the term's bytes on.

    `term_offsets` i64[term_count + 1] into `term_bytes` (u8), made by the caller. Returns 0. Naive twin: `fill_slots`.
    """
    mask = slot_count - 1
    for term in range(term_count):
        value = fnv1a_64(term_bytes, term_offsets[term], term_offsets[term + 1])
        place = np.int64(value & np.uint64(mask))
        for _ in range(slot_count):
            if slots[place] == 0:
                slots[place] = np.uint32(term + 1)
                break
            place = (place + 1) & mask
    return 0
