"""Quantised vectors and the exact scan over them, in pure Python."""

import math
from collections.abc import Sequence
from operator import mul

CODE_LIMIT = 127
QUERY_LIMIT = 16383
# A stored component is a code and what its rounding left over, from -8 to 7 of these parts.
PARTS = 16
# One object for each value: iterating over references to them allocates nothing.
_SHARED = {value: value for value in range(-PARTS * CODE_LIMIT - 8, PARTS * CODE_LIMIT + 8)}


def scaled(vector: Sequence[float], limit: int) -> list[float]:
    """Floats whose largest magnitude is `limit`; zeros for a zero vector."""
    if not all(map(math.isfinite, vector)):
        raise ValueError("expected a vector of finite numbers; got NaN or infinity")
    largest = max(map(abs, vector), default=0.0)
    if largest == 0.0:
        return [0.0] * len(vector)
    # A power of two changes no ratio, and keeps the product away from subnormal numbers and from infinity.
    shift = 2.0**512 if largest < 1e-290 else 2.0**-512 if largest > 1e290 else 1.0
    scale = float(limit)
    return [(value * shift * scale) / (largest * shift) for value in vector]


def quantise(vector: Sequence[float], limit: int) -> list[int]:
    """Integers in [-limit, limit] whose largest magnitude is `limit`; zeros for a zero vector."""
    return [min(max(math.floor(value + 0.5), -limit), limit) for value in scaled(vector, limit)]


def quantise_finely(vector: Sequence[float]) -> list[int]:
    """16 times the code of 8 bits, plus its remainder."""
    fine: list[int] = []
    for value, code in zip(scaled(vector, CODE_LIMIT), quantise(vector, CODE_LIMIT), strict=True):
        remainder = math.floor((value - code) * PARTS + 0.5)
        fine.append(PARTS * code + min(max(remainder, -8), 7))
    return fine


class VectorTable:
    """12-bit codes of all rows; every vector has the same dimension."""

    def __init__(self, vectors: Sequence[Sequence[float]]) -> None:
        self.dimension = len(vectors[0]) if vectors else 0
        # Tuples of numbers: the garbage collector walks through lists of them, but not through these.
        self.codes: list[tuple[int, ...]] = []
        self.norms: list[float] = []
        for vector in vectors:
            self._check_length(vector)
            codes = quantise_finely(vector)
            self.codes.append(tuple(_SHARED[code] for code in codes))
            self.norms.append(math.sqrt(sum(map(mul, codes, codes))))

    def _check_length(self, vector: Sequence[float]) -> None:
        if len(vector) != self.dimension:
            raise ValueError(f"expected a vector of {self.dimension} numbers; got one of {len(vector)}")

    def similarities(self, vector: Sequence[float]) -> list[float]:
        """Cosine of the query and every row, in row order."""
        self._check_length(vector)
        query = quantise(vector, QUERY_LIMIT)
        query_norm = math.sqrt(sum(map(mul, query, query)))
        if not query_norm:
            return [0.0] * len(self.codes)
        return [
            max(-1.0, min(1.0, sum(map(mul, codes, query)) / (query_norm * norm))) if norm else 0.0
            for codes, norm in zip(self.codes, self.norms, strict=True)
        ]
