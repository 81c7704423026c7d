"""Postings in the order of terms: where each goes, and its impact, by a kernel."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..kernels import load
from ..kernels.memory import PLACED_BITS


class PlacedPostings:
    """`postings` (u64), filled by `place`: the row in the upper half, in the lower one the impact in units of
    2**-PLACED_BITS (see `kernels.memory`), rounded down.

    `idf` (f64[terms]), `weights` (of fields), `norms` (f64, (fields, rows)) and `k1` are as the kernel takes them.
    """

    def __init__(
        self,
        count: int,
        idf: NDArray[np.float64],
        weights: Sequence[float],
        norms: NDArray[np.float64],
        k1: float,
    ) -> None:
        self.postings = np.empty(count, np.uint64)
        self._idf = np.ascontiguousarray(idf, np.float64)
        self._weights = np.array(weights, np.float64)
        self._norms = np.ascontiguousarray(norms, np.float64)
        self._k1 = np.array([k1], np.float64)

    def place(
        self,
        terms: NDArray[np.uint32],
        frequencies: NDArray[np.uint32],
        ends: NDArray[np.int64],
        first_row: int,
        cursors: NDArray[np.int64],
    ) -> float:
        """Place the postings of some chunks, whose rows begin with `first_row`. Returns the largest impact.

        `terms` (u32[postings]), `frequencies` (u32, (fields, postings)), `ends` (i64[chunks]), all contiguous.
        `cursors` (i64[terms]): where each term's next posting goes; counted up. Rows come in ascending order, but
        threads may place parts of them at a time, each with cursors of its own.
        """
        largest: int = load().place_postings(
            *(terms.ctypes.data, frequencies.ctypes.data, len(terms), ends.ctypes.data, len(ends), first_row),
            *(self._idf.ctypes.data, len(self._idf), self._weights.ctypes.data, self._norms.ctypes.data),
            *(self._norms.shape[1], len(self._weights), self._k1.ctypes.data, cursors.ctypes.data),
            *(self.postings.ctypes.data, len(self.postings)),
        )
        return largest / 2**PLACED_BITS
