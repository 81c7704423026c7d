# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""How a term's postings lie: groups of the postings in one block of 65,536 rows, in the order of the blocks.

A group begins with a header of three words (u16): the block's number, count - 1, the group's largest impact. Behind it
are the rows within the block, ascending, and their impacts. Row = 65,536 * block + row within the block. The impact of
a single row is the header's alone. Up to LARGEST_LIST rows are a word each. More are a directory of 256 words, how many
of the rows are below each multiple of 256, and the low byte of each row, two to a word, the first in the low half;
behind an odd number of bytes is a zero.
"""

import numpy as np

from .memory import BLOCK_BITS, HEADER_WORDS, LARGEST_LIST, STRETCH_BITS, STRETCHES
from .options import helper
from .packed_rows import COMPARED_BYTES, SPREAD_BYTES, equal_bytes, spread_bytes
from .wide_bytes import zeros_below


@helper
def _row_words(size):
    """How many words the rows of a group of `size` take."""
    return size if size <= LARGEST_LIST else STRETCHES + ((size + 1) >> 1)


@helper
def group_words(size):
    """How many words a group of `size` takes."""
    return HEADER_WORDS + _row_words(size) + (size if size > 1 else 0)


@helper
def group_size(words, word_count, place, left):
    """How many postings the group at `place` has; 0 if it has more than `left`, or is not wholly in
    `words[:word_count]`."""
    if place < 0 or place > word_count - HEADER_WORDS:
        return np.int64(0)
    size = np.int64(words[place + 1]) + 1
    if size > left or group_words(size) > word_count - place:
        return np.int64(0)
    return size


@helper
def impacts_of(place, size):
    """Where the impacts of the group at `place` begin."""
    return place + HEADER_WORDS + _row_words(size) if size > 1 else place + 2


@helper
def rows_of(words, place, size, unpacked):
    """(words, first): the rows of the group at `place` are words from `first` on, of `words` themselves or of
    `unpacked` (u16[UNPACKED_ROWS]), to which they are written if they are bytes."""
    first = place + HEADER_WORDS
    if size <= LARGEST_LIST:
        return words, first
    start = np.int64(0)
    for stretch in range(STRETCHES - 1):
        stop = min(np.int64(words[first + stretch + 1]), size)
        _spread_stretch(words, first + STRETCHES, start, stop, stretch, unpacked)
        start = max(start, stop)
    _spread_stretch(words, first + STRETCHES, start, size, STRETCHES - 1, unpacked)
    return unpacked, np.int64(0)


@helper
def _spread_stretch(words, first, start, stop, stretch, unpacked):
    """Write the rows of a stretch to `unpacked[start:stop]`, from its bytes at `first`.

    Most stretches have rows for one vector at most: one is written whatever there is. What is read beyond `stop` are
    impacts of the group, of which there are enough; what is written there is written again, or is room.
    """
    while True:
        spread_bytes(words, first, start, stretch << STRETCH_BITS, unpacked)  # pyright: ignore[reportCallIssue]
        start += SPREAD_BYTES
        if start >= stop:
            break


@helper
def _rows_until(words, first, stretch, size):
    """How many rows the directory at `first` says lie up to the end of a stretch; `size` at most."""
    return min(np.int64(words[first + stretch + 1]), size) if stretch < STRETCHES - 1 else size


@helper
def find_in_group(words, place, size, low):
    """The impact of the row `low` within its block in the group at `place`, -1 if the group lacks it."""
    first = place + HEADER_WORDS
    if size <= LARGEST_LIST:
        order = _find_in_list(words, first, size, low)
    else:
        order = _find_in_bytes(words, first, size, low)
    return np.int64(words[impacts_of(place, size) + order]) if order >= 0 else np.int64(-1)


@helper
def _find_in_list(words, first, size, low):
    """The rows of common terms are nearly even: the search widens from where `low` would be if they were."""
    start = np.int64(0)
    stop = size
    guess = (low * size) >> BLOCK_BITS
    step = np.int64(8)
    if np.int64(words[first + guess]) < low:
        start = guess + 1
        while start + step < stop and np.int64(words[first + start + step]) < low:
            start += step + 1
            step += step
        stop = min(stop, start + step)
    else:
        stop = guess
        while stop - step > 0 and np.int64(words[first + stop - step]) >= low:
            stop -= step
            step += step
        start = max(start, stop - step)
    # What is before `start` is below `low`; what is at `stop`, if that is in the group, is not.
    while start < stop:
        middle = start + ((stop - start) >> 1)
        if np.int64(words[first + middle]) < low:
            start = middle + 1
        else:
            stop = middle
    return start if start < size and np.int64(words[first + start]) == low else np.int64(-1)


@helper
def _find_in_bytes(words, first, size, low):
    stretch = low >> STRETCH_BITS
    stop = _rows_until(words, first, stretch, size)
    # What is compared beyond `stop` are impacts of the group, of which there are enough.
    for start in range(np.int64(words[first + stretch]), stop, COMPARED_BYTES):
        equal = equal_bytes(words, first + STRETCHES, start, low)  # pyright: ignore[reportCallIssue]
        found = start + zeros_below(equal)  # pyright: ignore[reportCallIssue]
        if found < min(start + COMPARED_BYTES, stop):
            return found
    return np.int64(-1)
