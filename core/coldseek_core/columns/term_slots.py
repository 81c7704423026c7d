"""The hash table that finds a term's row: built here, probed by a kernel."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..kernels import load

_SMALLEST = 8


def term_slots(terms: Sequence[bytes]) -> NDArray[np.uint32]:
    """Slots (uint32) for `terms` (UTF-8, in the order of their rows): a power of two, at least twice as many.

    A slot holds row + 1, or 0. A term's home is FNV-1a-64 of its bytes modulo the size; the next free slot serves.
    """
    size = _SMALLEST
    while size < 2 * len(terms):
        size *= 2
    slots = np.zeros(size, np.uint32)
    data = np.frombuffer(b"".join(terms) or b"\0", np.uint8)
    offsets = np.zeros(len(terms) + 1, np.int64)
    np.cumsum([len(term) for term in terms], out=offsets[1:])
    load().fill_slots(offsets.ctypes.data, data.ctypes.data, len(terms), slots.ctypes.data, size)
    return slots
