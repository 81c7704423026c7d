"""The hash table that finds a term's row: built here, probed by a kernel."""

import numpy as np
from numpy.typing import NDArray

from ..kernels import load
from .texts import Texts

_SMALLEST = 8


def term_slots(terms: Texts) -> NDArray[np.uint32]:
    """Slots (uint32) for `terms` in the order of their rows: a power of two, at least twice as many.

    A slot holds row + 1, or 0. A term's home is FNV-1a-64 of its bytes modulo the size; the next free slot serves.
    """
    size = _SMALLEST
    while size < 2 * len(terms):
        size *= 2
    slots = np.zeros(size, np.uint32)
    load().fill_slots(terms.offsets.ctypes.data, terms.data.ctypes.data, len(terms), slots.ctypes.data, size)
    return slots
