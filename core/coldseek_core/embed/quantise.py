"""Float vectors to 8-bit codes and 4-bit remainders, as the index stores them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..kernels import load
from .protocol import MOST_DIMENSIONS


@dataclass(frozen=True)
class QuantisedVectors:
    """`codes` int8 (rows, dimensions), `remainders` int8 (rows, half of dimensions, two to a byte), `scales` float32
    (max|v| / 127) and `squares` int64 (sums of (16 * code + remainder)**2).
    """

    codes: NDArray[np.int8]
    remainders: NDArray[np.int8]
    scales: NDArray[np.float32]
    squares: NDArray[np.int64]


class Quantiser:
    """Takes vectors in row order, batch by batch, and keeps their codes only."""

    def __init__(self, count: int, dimensions: int) -> None:
        """Raises UsageError for a size that the kernels cannot sum exactly."""
        if not 1 <= dimensions <= MOST_DIMENSIONS:
            raise UsageError(f"vectors must have 1 to {MOST_DIMENSIONS} dimensions, not {dimensions}")
        self._codes = np.zeros((count, dimensions), np.int8)
        self._remainders = np.zeros((count, (dimensions + 1) // 2), np.int8)
        self._largest = np.zeros(count, np.float64)
        self._squares = np.zeros(count, np.int64)
        self._done = 0

    def add(self, batch: Sequence[Sequence[float]]) -> None:
        """Quantise the next vectors. Raises UsageError for NaN and infinity."""
        values = np.array(batch, np.float64).reshape(len(batch), self._codes.shape[1])
        first, self._done = self._done, self._done + len(batch)
        failed = load().quantise_rows(
            *(values.ctypes.data, len(batch), values.shape[1]),
            *(self._codes[first:].ctypes.data, self._remainders[first:].ctypes.data),
            *(self._largest[first:].ctypes.data, self._squares[first:].ctypes.data),
        )
        if failed >= 0:
            raise UsageError(f"the vector of chunk {first + failed} holds NaN or infinity")

    def finish(self) -> QuantisedVectors:
        # A scale beyond float32 is cut to its limit: it orders nothing.
        scales = np.minimum(self._largest / 127.0, float(np.finfo(np.float32).max)).astype(np.float32)
        return QuantisedVectors(self._codes, self._remainders, scales, self._squares)
