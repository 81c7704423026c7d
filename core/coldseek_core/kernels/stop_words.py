# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""The hash table of stop words: written when an analyser is made, looked up for each text that is new."""

import numpy as np

from .fnv1a import fnv1a_64
from .options import helper


def fill_slots(word_offsets, words, word_count, slots, slot_count):
    """Insert words 0 to `word_count - 1` in order into `slots` (u32[slot_count] of zeros, a power of two, at least
    twice `word_count`): value number + 1 at the first free place from FNV-1a-64 of the word's bytes on.

    `word_offsets` i64[word_count + 1] into `words` (u8), made by the caller. Returns 0. Naive twin: `fill_slots`.
    """
    mask = slot_count - 1
    for word in range(word_count):
        value = fnv1a_64(words, word_offsets[word], word_offsets[word + 1])
        place = np.int64(value & np.uint64(mask))
        for _ in range(slot_count):
            if slots[place] == 0:
                slots[place] = np.uint32(word + 1)
                break
            place = (place + 1) & mask
    return 0


@helper
def is_stop_word(stops, text, start, stop, value):
    """Whether bytes `text[start:stop]`, whose FNV-1a hash is `value`, are a stop word.

    `stops`: slots (u32), how many (a power of two), offsets (i64[words + 1]), bytes, their length, and how many words.
    Slots and offsets may hold anything: numbers out of range and spans out of bounds match nothing, and a full table
    ends the probe after one round.
    """
    slots, slot_count, offsets, words, words_length, word_count = stops
    mask = slot_count - 1
    place = np.int64(value & np.uint64(mask))
    for _ in range(slot_count):
        known = np.int64(slots[place])
        if known == 0:
            break
        if known <= word_count:
            low = offsets[known - 1]
            high = offsets[known]
            inside = 0 <= low <= high <= words_length
            if inside and high - low == stop - start and _same_bytes(text, start, words, low, high - low):
                return True
        place = (place + 1) & mask
    return False


@helper
def _same_bytes(left, left_start, right, right_start, length):
    for place in range(length):  # noqa: SIM110 - Numba has no all() over a generator
        if left[left_start + place] != right[right_start + place]:
            return False
    return True
