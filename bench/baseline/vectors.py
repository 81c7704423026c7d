"""Quantised vectors and the exact scan over them, in pure Python."""

import math
from collections.abc import Sequence
from operator import mul

CODE_LIMIT = 127
QUERY_LIMIT = 16383
# Codes are kept as bytes, code + 128: iterating bytes allocates nothing and takes one byte a component.
_SHIFT = 128


def quantise(vector: Sequence[float], limit: int) -> list[int]:
    """Integers in [-limit, limit] whose largest magnitude is `limit`; zeros for a zero vector."""
    if not all(map(math.isfinite, vector)):
        raise ValueError("expected a vector of finite numbers; got NaN or infinity")
    largest = max(map(abs, vector), default=0.0)
    if largest == 0.0:
        return [0] * len(vector)
    # A power of two changes no ratio, and keeps the product away from subnormal numbers and from infinity.
    shift = 2.0**512 if largest < 1e-290 else 2.0**-512 if largest > 1e290 else 1.0
    scale = float(limit)
    codes = [math.floor((value * shift * scale) / (largest * shift) + 0.5) for value in vector]
    return [min(max(code, -limit), limit) for code in codes]


class VectorTable:
    """int8 codes of all rows; every vector has the same dimension."""

    def __init__(self, vectors: Sequence[Sequence[float]]) -> None:
        self.dimension = len(vectors[0]) if vectors else 0
        self.codes: list[bytes] = []
        self.norms: list[float] = []
        for vector in vectors:
            self._check_length(vector)
            codes = quantise(vector, CODE_LIMIT)
            self.codes.append(bytes(code + _SHIFT for code in codes))
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
        shift = _SHIFT * sum(query)
        return [
            max(-1.0, min(1.0, (sum(map(mul, codes, query)) - shift) / (query_norm * norm))) if norm else 0.0
            for codes, norm in zip(self.codes, self.norms, strict=True)
        ]
