# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""FNV-1a, 64 bits (Fowler, Noll and Vo): hashes of terms, digest of manifests."""

import numpy as np

from .options import helper

OFFSET_BASIS = np.uint64(14695981039346656037)
PRIME = np.uint64(1099511628211)


@helper
def fnv1a_64(data, start, stop):
    """Hash of bytes `data[start:stop]` (u8*), uint64, wrapping by definition."""
    value = OFFSET_BASIS
    for place in range(start, stop):
        value = (value ^ np.uint64(data[place])) * PRIME
    return value


def digest(data, length):
    """FNV-1a-64 of `length` bytes. Naive twin: tests/kernels/naive.py `fnv1a_64`."""
    return fnv1a_64(data, 0, length)
