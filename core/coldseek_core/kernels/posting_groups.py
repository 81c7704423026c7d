# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""How a term's postings lie: groups of the postings in one block of 65,536 rows, in the order of the blocks.

A group is `3 + 2 * count` words (u16): the block's number, count - 1, the group's largest impact, the rows within the
block, ascending, and their impacts. Row = 65,536 * block + row within the block.
"""

import numpy as np

from .memory import BLOCK_BITS, HEADER_WORDS
from .options import helper


@helper
def group_size(words, word_count, place, left):
    """How many postings the group at `place` has; 0 if it has more than `left`, or is not wholly in
    `words[:word_count]`."""
    if place < 0 or place > word_count - HEADER_WORDS:
        return np.int64(0)
    size = np.int64(words[place + 1]) + 1
    if size > left or 2 * size > word_count - HEADER_WORDS - place:
        return np.int64(0)
    return size


@helper
def find_in_group(words, place, size, low):
    """The impact of the row `low` within its block in the group at `place`, -1 if the group lacks it.

    The rows of common terms are nearly even: the search widens from where `low` would be if they were.
    """
    first = place + HEADER_WORDS
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
    if start < size and np.int64(words[first + start]) == low:
        return np.int64(words[first + size + start])
    return np.int64(-1)
