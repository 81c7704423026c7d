# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Texts of one vocabulary to their numbers in another."""

import numpy as np

from .fnv1a import fnv1a_64
from .token_layout import ENTRY_COUNT, ERROR, NO_ROOM_FOR_BYTES
from .vocabulary import ENTRY_MASK, enter_text


def enter_texts(
    offsets, texts, texts_length, first, text_count,
    slots, slot_count, known_offsets, known_capacity, known, known_bytes, numbers, counts,
):  # fmt: skip
    """The number of each text from `first` up to `text_count` among those that a table holds, in `numbers`
    (i64[text_count]); those that it lacks are entered.

    Text i is `texts[offsets[i]:offsets[i + 1]]` (u8[texts_length], i64[text_count + 1]). The table is one of distinct
    texts as `tokenise` and `enter_terms` fill it: `slots` (u32[slot_count], a power of two), `known_offsets`
    (i64[known_capacity + 1]), `known` (u8[known_bytes]), of `counts[ENTRY_COUNT]` texts (`counts` is i64[3]). It never
    says that a text is a stop word.

    Returns the number of the text that has no room, `text_count` if all have; `counts[ERROR]` says which room is
    wanting. A text that is empty or out of range gets -1. Naive twin: tests/kernels/naive_count.py.
    """
    no_stops = (slots, np.int64(0), offsets, texts, np.int64(0), np.int64(0))
    table = (slots, slot_count, known_offsets, known_capacity, known, known_bytes, no_stops, counts)
    counts[ERROR] = 0
    for text in range(max(first, np.int64(0)), text_count):
        start, stop = offsets[text], offsets[text + 1]
        numbers[text] = -1
        if not 0 <= start < stop <= texts_length:
            continue
        entries = counts[ENTRY_COUNT]
        if not 0 <= entries <= known_capacity:
            return np.int64(text)
        place = known_offsets[entries]
        if not 0 <= place <= known_bytes - (stop - start):
            counts[ERROR] = NO_ROOM_FOR_BYTES
            return np.int64(text)
        for order in range(stop - start):
            known[place + order] = texts[start + order]
        after = place + stop - start
        entry = enter_text(table, after, fnv1a_64(known, place, after))
        if entry < 0:
            return np.int64(text)
        numbers[text] = entry & ENTRY_MASK
    return np.int64(text_count)
