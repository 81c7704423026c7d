"""Buffers between two pages that nobody may touch: an access out of bounds ends the process at once.

For child processes only: see `hostile_process.py`.
"""

import ctypes
import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

PAGE = mmap.PAGESIZE
_PROT_NONE = 0
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


class GuardedBuffer:
    """Memory for an array of up to `capacity` bytes with a forbidden page on either side.

    `place` lays an array flush against the page behind it or the page before it.
    """

    def __init__(self, capacity: int) -> None:
        self._inner = max(PAGE, -(-capacity // PAGE) * PAGE)
        self._map = mmap.mmap(-1, self._inner + 2 * PAGE)
        self._base = ctypes.addressof(ctypes.c_char.from_buffer(self._map))
        for guard in (self._base, self._base + PAGE + self._inner):
            if _libc.mprotect(guard, PAGE, _PROT_NONE):
                raise OSError(ctypes.get_errno(), "mprotect failed")

    def place(self, values: NDArray[Any], at_end: bool) -> NDArray[Any]:
        """A copy of `values` in the buffer; an empty one has an address that nobody may read."""
        if values.nbytes > self._inner:
            raise ValueError(f"{values.nbytes} bytes do not fit {self._inner}")
        size = values.nbytes
        offset = PAGE + self._inner - size if at_end else PAGE
        if size == 0:
            offset = PAGE + self._inner if at_end else 0
        result = np.frombuffer(self._map, values.dtype, values.size, offset)
        result[:] = values.ravel()
        return result
