# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""A table of distinct texts, each with what is to become of it: what the tokeniser's tokens point into.

A text is a byte that says what is to become of it, and its UTF-8. A slot of the hash table (u32) holds 0, or in its low
bits, as many as number the slots, the text's number + 1, in its top bit whether it is a stop word, and bits of its hash
between. The hash is FNV-1a, the first byte taken last, so that what is known of the UTF-8 serves for the table of stop
words, and for the same text with another first byte.
"""

import numpy as np

from .code_points import put_code
from .fnv1a import OFFSET_BASIS, PRIME
from .options import helper
from .stop_words import is_stop_word
from .token_layout import ENTRY_COUNT, ERROR, NO_ROOM_FOR_BYTES, NO_ROOM_FOR_ENTRIES
from .unicode_layout import CODE_MASK
from .wide_bytes import fetch

STOP = 1 << 31  # beside an entry: its text is a stop word
ENTRY_MASK = STOP - 1
_HALF = np.uint64(32)


@helper
def _with_mode(value, mode):
    return (value ^ np.uint64(mode)) * PRIME


@helper
def begin_text(vocabulary, mode):
    """Begin a text behind all others: the place after its first byte, and the hash so far. A place below 0: no room."""
    _, _, offsets, _, arena, arena_capacity, _, counts = vocabulary
    place = offsets[counts[ENTRY_COUNT]]
    if not 0 <= place < arena_capacity:
        return np.int64(-1), OFFSET_BASIS
    arena[place] = mode
    return place + 1, OFFSET_BASIS


@helper
def put_symbol(vocabulary, place, value, code):
    """Append an ASCII symbol: the place and the hash after it."""
    _, _, _, _, arena, arena_capacity, _, _ = vocabulary
    if place < 0 or place >= arena_capacity:
        return np.int64(-1), value
    arena[place] = code
    return place + 1, (value ^ np.uint64(code)) * PRIME


@helper
def put_chars(vocabulary, place, value, chars, start, stop, dropped):
    """Append folded characters but for the ASCII one `dropped`: the place and the hash after them."""
    _, _, _, _, arena, arena_capacity, _, _ = vocabulary
    if place < 0 or 4 * (stop - start) > arena_capacity - place:
        return np.int64(-1), value
    for order in range(start, stop):
        code = np.int64(chars[order]) & CODE_MASK
        if code < 0x80:
            if code != dropped:
                arena[place] = code
                value = (value ^ np.uint64(code)) * PRIME
                place += 1
        else:
            after = put_code(arena, place, code)
            while place < after:
                value = (value ^ np.uint64(arena[place])) * PRIME
                place += 1
    return place, value


@helper
def _same_bytes(arena, left, right, length):
    for place in range(length):  # noqa: SIM110 - Numba has no all() over a generator
        if arena[left + place] != arena[right + place]:
            return False
    return True


@helper
def _new_entry(vocabulary, slot, start, place, value, tag):
    slots, _, offsets, _, arena, _, stops, counts = vocabulary
    entry = counts[ENTRY_COUNT]
    counts[ENTRY_COUNT] = entry + 1
    offsets[entry + 1] = place
    stop = STOP if is_stop_word(stops, arena, start + 1, place, value) else 0
    slots[slot] = tag | stop | entry + 1
    return entry | stop


@helper
def fetch_text(vocabulary, value, mode):
    """Ask for the slot of a text that is soon entered; `value`: the hash of its UTF-8."""
    slots, slot_count, _, _, _, _, _, _ = vocabulary
    slot = np.int64(_with_mode(value, mode) & np.uint64(slot_count - 1))
    fetch(slots, slot)  # pyright: ignore[reportCallIssue]


@helper
def enter_text(vocabulary, place, value):
    """The number of the text that ends before `place`, new or known, with STOP beside it. -1 where there is no room,
    told in `counts`. `value`: the hash of its UTF-8.
    """
    slots, slot_count, offsets, entry_capacity, arena, arena_capacity, _, counts = vocabulary
    if place < 0:
        counts[ERROR] = NO_ROOM_FOR_BYTES
        return np.int64(-1)
    entries = counts[ENTRY_COUNT]
    start = offsets[entries]
    whole = _with_mode(value, arena[start])
    mask = slot_count - 1
    tag = np.int64(whole >> _HALF) & ENTRY_MASK & ~mask
    slot = np.int64(whole & np.uint64(mask))
    for _ in range(slot_count):
        known = np.int64(slots[slot])
        if known == 0:
            if entries >= min(entry_capacity, mask):
                break
            return _new_entry(vocabulary, slot, start, place, value, tag)
        if known & ENTRY_MASK & ~mask == tag:
            number = (known & mask) - 1
            if 0 <= number < entries:
                low = offsets[number]
                length = offsets[number + 1] - low
                inside = 0 <= low <= arena_capacity - length
                if inside and length == place - start and _same_bytes(arena, low, start, length):
                    return number | known & STOP
        slot = (slot + 1) & mask
    counts[ERROR] = NO_ROOM_FOR_ENTRIES
    return np.int64(-1)


@helper
def is_stop(entry):
    """Whether an entry's text is a stop word; False for -1."""
    return entry >= 0 and entry & STOP != 0
