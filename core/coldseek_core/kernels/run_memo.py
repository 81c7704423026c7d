# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""A memo of what runs of text became: a run is tokenised once, and its tokens are written again from there.

A run is a stretch of text below WINDOW bytes whose tokens depend on nothing else (see runs.py). The memo is a log of
numbers (u64), of which the first says how many are used, and the next belong to runs.py. A record of it is a head (in
its low bytes the run's size, tokens, code points and words), the run's bytes, 16 at a time, with zeros behind them, and
a number for each token: its entry in the low half, then its kind, and how far its start, end and word are from the
run's. A slot (u32) of the hash table holds some bits of a run's hash and the place of its record, or 0. When the log is
full, or the vocabulary is begun anew, all is forgotten.
"""

import numpy as np

from .options import helper, inlined_helper
from .token_layout import ERROR, FIRST_RECORD, LEAST_LOG, LONGEST_RECORD, NO_ROOM_FOR_TOKENS, TOKEN_COUNT
from .wide_bytes import WINDOW, eight_bytes, fetch

_MOST_TOKENS = LONGEST_RECORD - 1 - WINDOW // 8
_WAYS = 4  # slots where a run may be, so that no text can make look-ups slow
_PLACE_BITS = 21  # of a slot: the log has no more numbers
_PLACE_MASK = (1 << _PLACE_BITS) - 1
_BYTE, _LOW = np.uint64(0xFF), np.uint64(0xFFFFFFFF)
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_8, _16, _24, _29, _32, _40, _48, _56 = (np.uint64(bits) for bits in (8, 16, 24, 29, 32, 40, 48, 56))
_TAG_SHIFT = np.uint64(32 + _PLACE_BITS)
# Odd constants of splitmix64 (Steele, Lea and Flood 2014).
_FIRST_FACTOR, _SECOND_FACTOR = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@inlined_helper
def is_memo(memo):
    """Whether there is memory for one."""
    _, slot_count, _, log_length = memo
    return slot_count > 0 and log_length >= LEAST_LOG


@helper
def begin_memo(memo):
    """Forget all runs."""
    slots, slot_count, log, _ = memo
    for slot in range(slot_count):
        slots[slot] = 0
    log[0] = FIRST_RECORD


@inlined_helper
def pair_at(text, place, rest):
    """16 bytes of a run as two numbers, zeros for those behind its end; `rest`: how many bytes there are to its end."""
    low = eight_bytes(text, place)  # pyright: ignore[reportCallIssue]
    high = eight_bytes(text, place + 8)  # pyright: ignore[reportCallIssue]
    if rest < 8:
        low &= (_ONE << np.uint64(8 * rest)) - _ONE
    if rest < 16:
        high = high & ((_ONE << np.uint64(8 * (rest - 8))) - _ONE) if rest > 8 else _ZERO
    return low, high


@inlined_helper
def _mixed(value, low, high):
    value = (value ^ low) * _FIRST_FACTOR
    return (value ^ value >> _29 ^ high) * _SECOND_FACTOR


@inlined_helper
def hash_run(text, place, size, low, high):
    value = _mixed(np.uint64(size), low, high)
    for offset in range(16, size, 16):
        low, high = pair_at(text, place + offset, size - offset)
        value = _mixed(value, low, high)
    return value ^ value >> _32


@inlined_helper
def fetch_slot(memo, value):
    slots, slot_count, _, _ = memo
    fetch(slots, np.int64(value & np.uint64(slot_count - 1)))  # pyright: ignore[reportCallIssue]


@inlined_helper
def fetch_record(memo, value):
    slots, slot_count, log, _ = memo
    record = np.int64(slots[np.int64(value & np.uint64(slot_count - 1))]) & _PLACE_MASK
    fetch(log, record)  # pyright: ignore[reportCallIssue]


@inlined_helper
def _is_same(text, place, size, pair, log, at):
    low, high = pair
    if low != log[at] or high != log[at + 1]:
        return False
    for offset in range(16, size, 16):
        at += 2
        low, high = pair_at(text, place + offset, size - offset)
        if low != log[at] or high != log[at + 1]:
            return False
    return True


@inlined_helper
def find_run(memo, text, place, size, value, pair):
    """The place of a run's record, 0 where there is none."""
    slots, slot_count, log, log_length = memo
    mask = slot_count - 1
    slot = np.int64(value & np.uint64(mask))
    tag = np.int64(value >> _TAG_SHIFT)
    for _ in range(_WAYS):
        known = np.int64(slots[slot])
        record = known & _PLACE_MASK
        likely = known >> _PLACE_BITS == tag and FIRST_RECORD <= record <= log_length - LONGEST_RECORD
        if likely and np.int64(log[record] & _BYTE) == size and _is_same(text, place, size, pair, log, record + 1):
            return record
        if known == 0:
            break
        slot = (slot + 1) & mask
    return np.int64(0)


@inlined_helper
def emit_run(memo, tokens, record, source, number):
    """Write a run's tokens again. Returns how many code points and words it has."""
    _, _, log, _ = memo
    entries, starts, ends, kinds, words, capacity, counts = tokens
    head = log[record]
    first = record + 1 + 2 * (np.int64(head & _BYTE) + 15 >> 4)
    made = np.int64(head >> _8 & _BYTE)
    count = counts[TOKEN_COUNT]
    if count + made > capacity:
        counts[ERROR] = NO_ROOM_FOR_TOKENS
        return np.int64(0), np.int64(0)
    for order in range(made):
        token = log[first + order]
        entries[count + order] = token & _LOW
        kinds[count + order] = token >> _32 & _BYTE
        starts[count + order] = source + np.int64(token >> _40 & _BYTE)
        ends[count + order] = source + np.int64(token >> _48 & _BYTE)
        words[count + order] = number + np.int64(token >> _56)
    counts[TOKEN_COUNT] = count + made
    return np.int64(head >> _16 & _BYTE), np.int64(head >> _24 & _BYTE)


@helper
def keep_run(memo, tokens, text, place, size, value, before, after):
    """Remember a run's tokens. `before`, `after`: the number of tokens, the code point and the number of the word."""
    slots, slot_count, log, log_length = memo
    entries, starts, ends, kinds, words, _, _ = tokens
    first, source, number = before
    stop, source_after, number_after = after
    if stop - first > _MOST_TOKENS:
        return
    at = np.int64(log[0] & _LOW)
    if not FIRST_RECORD <= at <= min(log_length - LONGEST_RECORD, _PLACE_MASK):
        begin_memo(memo)
        at = np.int64(FIRST_RECORD)
    mask = slot_count - 1
    slot = np.int64(value & np.uint64(mask))
    chosen = slot
    for _ in range(_WAYS):
        if slots[slot] == 0:
            chosen = slot
            break
        slot = (slot + 1) & mask
    slots[chosen] = np.int64(value >> _TAG_SHIFT) << _PLACE_BITS | at
    points, found = source_after - source, number_after - number
    log[at] = np.uint64(size | stop - first << 8 | points << 16 | found << 24)
    at += 1
    for offset in range(0, size, 16):
        log[at], log[at + 1] = pair_at(text, place + offset, size - offset)
        at += 2
    for order in range(first, stop):
        span = starts[order] - source << 40 | ends[order] - source << 48 | words[order] - number << 56
        log[at] = np.uint64(np.int64(entries[order]) | np.int64(kinds[order]) << 32 | span)
        at += 1
    log[0] = np.uint64(at)
