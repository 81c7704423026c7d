# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Find runs of text: stretches whose tokens depend on their bytes alone.

A run lies between breaks: white space, symbols that cut a piece of text in any case, and symbols at its ends that
belong to none of its words. Many are found and hashed before the first is looked up, so that the memo's answers are on
their way meanwhile.
"""

import numpy as np

from .options import helper, inlined_helper
from .run_memo import fetch_record, fetch_slot, hash_run, pair_at
from .token_layout import RUNS_AT_ONCE
from .wide_bytes import WINDOW, bits_among, zeros_above, zeros_below

_HASHES, _SPANS, _PAIRS = 1, 1 + RUNS_AT_ONCE, 1 + 2 * RUNS_AT_ONCE  # where in the log they are kept
# A window, and what `pair_at` reads behind a run's end.
_REACH = WINDOW + 16
_STOP_SHIFT, _FIRST_MASK = np.uint64(32), np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)
_LAST = np.uint64(1 << WINDOW - 1)

_space_bits = bits_among("\t\r", "\x1c ")
# Symbols that are neither joiners nor belong to a name: nothing goes over them (compounds.py).
_breaking_bits = bits_among('!"', "%%", "(*", ",,", ";?", "[^", "``", "{~")
_high_bits = bits_among("\x80\xff")
# What a run may begin with: a letter, a digit, or a symbol that may be a prefix. What it may end with: not a prefix,
# but a suffix. No other symbol at its ends is looked at.
_leading_bits = bits_among("09", "AZ", "az", "#$", "..", "@@", "\x80\xff")
_trailing_bits = bits_among("09", "AZ", "az", "##", "++", "\x80\xff")


@inlined_helper
def _told_apart(text, place):
    """Of the window at `place`, as bits: the breaks, where a run may begin, and where one may end.

    A symbol before what is not ASCII, or at the window's end, where that is not known, is no break and belongs to a
    run: folding may make one of both.
    """
    spaces = _space_bits(text, place)  # pyright: ignore[reportCallIssue]
    breaking = _breaking_bits(text, place)  # pyright: ignore[reportCallIssue]
    high = _high_bits(text, place)  # pyright: ignore[reportCallIssue]
    leading = _leading_bits(text, place)  # pyright: ignore[reportCallIssue]
    trailing = _trailing_bits(text, place)  # pyright: ignore[reportCallIssue]
    before_high = high >> _ONE | _LAST
    breaks = spaces | breaking & ~before_high
    return breaks, (leading | before_high) & ~breaks, trailing


@helper
def find_runs(memo, text, length, place):
    """Note the next runs of `text` (u8[length]) from `place` on in the memo's log. Returns how many there are, and how
    many bytes are done with: none where a run begins that is as long as a window, or little more is left of the text.
    """
    _, _, log, _ = memo
    runs = np.int64(0)
    done = np.int64(0)
    while runs <= RUNS_AT_ONCE - WINDOW // 2 and place + done + _REACH <= length:
        breaks, leading, trailing = _told_apart(text, place + done)
        at = np.int64(0)
        while at < WINDOW:
            first = at + zeros_below(leading >> np.uint64(at))  # pyright: ignore[reportCallIssue]
            if first >= WINDOW:
                at = np.int64(WINDOW)
                break
            stop = first + zeros_below(breaks >> np.uint64(first))
            if stop >= WINDOW:
                at = first
                break
            at = stop
            kept = trailing >> np.uint64(first) & (_ONE << np.uint64(stop - first)) - _ONE
            size = WINDOW - zeros_above(kept)
            if size > 0:
                first += done
                low, high = pair_at(text, place + first, size)
                value = hash_run(text, place + first, size, low, high)
                fetch_slot(memo, value)
                log[_HASHES + runs] = value
                log[_SPANS + runs] = np.uint64(first | first + size << 32)
                log[_PAIRS + 2 * runs] = low
                log[_PAIRS + 2 * runs + 1] = high
                runs += 1
        done += at
        if at == 0:
            break
    for run in range(runs):
        fetch_record(memo, log[_HASHES + run])
    return runs, done


@inlined_helper
def noted_run(memo, run):
    """A run's first byte and the one behind its last, from where runs were looked for, its hash and its first bytes."""
    _, _, log, _ = memo
    span = log[_SPANS + run]
    pair = log[_PAIRS + 2 * run], log[_PAIRS + 2 * run + 1]
    return np.int64(span & _FIRST_MASK), np.int64(span >> _STOP_SHIFT), log[_HASHES + run], pair
