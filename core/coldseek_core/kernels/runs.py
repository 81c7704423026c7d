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
from .wide_bytes import WINDOW, break_bits, zeros_below

_HASHES, _SPANS, _PAIRS = 1, 1 + RUNS_AT_ONCE, 1 + 2 * RUNS_AT_ONCE  # where in the log they are kept
# A window, and what `pair_at` reads behind a run's end.
_REACH = WINDOW + 16
_STOP_SHIFT, _FIRST_MASK = np.uint64(32), np.uint64(0xFFFFFFFF)


def _bits(kept, first):
    """Of 64 ASCII codes from `first` on, those that are kept at an end of a run."""
    codes = (code for code in range(first, first + 64) if chr(code).isalnum() or chr(code) in kept)
    return np.uint64(sum(1 << code - first for code in codes))


# A symbol before a run may be a prefix, one behind it a suffix; nothing else is looked at (compounds.py).
_LEADING, _TRAILING = ".@#$", "#+"
_LEADING_LOW, _LEADING_HIGH = _bits(_LEADING, 0), _bits(_LEADING, 64)
_TRAILING_LOW, _TRAILING_HIGH = _bits(_TRAILING, 0), _bits(_TRAILING, 64)


@inlined_helper
def _is_kept(code, low, high):
    bits = low if code < 64 else high
    return code >= 0x80 or bits >> np.uint64(code & 63) & np.uint64(1) != 0


@inlined_helper
def _without_symbols(text, first, stop):
    """A run's first byte and the one behind its last, without symbols that belong to none of its words."""
    while stop > first and not _is_kept(np.int64(text[stop - 1]), _TRAILING_LOW, _TRAILING_HIGH):
        stop -= 1
    while (
        first + 1 < stop and not _is_kept(np.int64(text[first]), _LEADING_LOW, _LEADING_HIGH) and text[first + 1] < 0x80
    ):
        first += 1
    return first, stop


@helper
def find_runs(memo, text, length, place):
    """Note the next runs of `text` (u8[length]) from `place` on in the memo's log. Returns how many there are, and how
    many bytes are done with: none where a run begins that is as long as a window, or little more is left of the text.
    """
    _, _, log, _ = memo
    runs = np.int64(0)
    done = np.int64(0)
    while runs <= RUNS_AT_ONCE - WINDOW // 2 and place + done + _REACH <= length:
        breaks = break_bits(text, place + done)  # pyright: ignore[reportCallIssue]
        at = np.int64(0)
        while at < WINDOW:
            first = at + zeros_below(~breaks >> np.uint64(at))
            if first >= WINDOW:
                at = np.int64(WINDOW)
                break
            stop = first + zeros_below(breaks >> np.uint64(first))
            if stop >= WINDOW:
                at = first
                break
            at = stop
            first, stop = _without_symbols(text, place + done + first, place + done + stop)
            if first < stop:
                low, high = pair_at(text, first, stop - first)
                value = hash_run(text, first, stop - first, low, high)
                fetch_slot(memo, value)
                log[_HASHES + runs] = value
                log[_SPANS + runs] = np.uint64(first - place | stop - place << 32)
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
