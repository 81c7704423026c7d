"""Small inputs whose results are known, to tell whether the kernels compute rightly on this machine."""

import ctypes

from .loader import Kernels

# FNV-1a-64 of "foobar" (Fowler, Noll and Vo's own test vector).
_FOOBAR = 0x85944171F73967E8

# The longest rows but one that the scan looks at four at a time, sums in one stretch, and in two: lanes are full many
# times over, and their number divides none.
_DIMENSIONS = (1023, 4095, 8191)


def wrong_answers(kernels: Kernels) -> list[str]:
    """Names of the kernels whose answers are wrong; empty where all is well."""
    checks = {"digest": _digest, "scan_top": _scan, "postings_top": _postings, "quantise_query": _quantise}
    return [name for name, check in checks.items() if not check(kernels)]


def _digest(kernels: Kernels) -> bool:
    data = ctypes.create_string_buffer(b"foobar")
    return kernels.digest(ctypes.addressof(data), 6) == _FOOBAR


def _scan(kernels: Kernels) -> bool:
    return all(_scan_of(kernels, size) for size in _DIMENSIONS)


def _scan_of(kernels: Kernels, size: int) -> bool:
    """Rows of largest codes, two like the question, six opposite to it: every accumulator at its bound."""
    signs = (-1, -1, 1, -1, -1, 1, -1, -1)
    count = len(signs)
    codes = (ctypes.c_int8 * (count * size))(*(127 * sign for sign in signs for _ in range(size)))
    half = (size + 1) // 2
    # Remainders of -8 and of 7 in every dimension but, of an odd number, in the one that is not there.
    packed = {-1: [-0x78] * (half - 1) + [0x08], 1: [0x77] * (half - 1) + [0x07]}
    remainders = (ctypes.c_int8 * (count * half))(*(part for sign in signs for part in packed[sign]))
    squares = (ctypes.c_int64 * count)(*((16 * 127 + (8 if sign < 0 else 7)) ** 2 * size for sign in signs))
    query = (ctypes.c_int16 * size)(*([16383] * size))
    rows = (ctypes.c_int64 * 3)()
    similarities = (ctypes.c_double * 3)()
    found = kernels.scan_top(
        *(ctypes.addressof(codes), ctypes.addressof(remainders), ctypes.addressof(squares), size, 0, count),
        *(ctypes.addressof(query), 16383 * 16383 * size, None, 0),
        *(ctypes.addressof(rows), ctypes.addressof(similarities), 3),
    )
    off = [abs(similarity - right) for similarity, right in zip(similarities, (1.0, 1.0, -1.0), strict=True)]
    return (found, *rows) == (3, 2, 5, 0) and max(off) < 1e-12


def _postings(kernels: Kernels) -> bool:
    """Two terms: rows 1 and 4 have one of them, row 70,000 (in another block) has both."""
    postings = (ctypes.c_uint32 * 4)(1, 70_000, 4, 70_000)
    impacts = (ctypes.c_uint32 * 4)(5, 6, 5, 7)
    starts, dfs = (ctypes.c_int64 * 2)(0, 2), (ctypes.c_int64 * 2)(2, 2)
    scratch, cursors = (ctypes.c_uint32 * 65536)(), (ctypes.c_int64 * 4)()
    rows, scores = (ctypes.c_int64 * 3)(), (ctypes.c_int64 * 3)()
    count = kernels.postings_top(
        *(ctypes.addressof(postings), ctypes.addressof(impacts), 4, ctypes.addressof(starts), ctypes.addressof(dfs)),
        *(ctypes.addressof(dfs), 0, 2, 70_001, None, 0, ctypes.addressof(scratch), ctypes.addressof(cursors)),
        *(ctypes.addressof(rows), ctypes.addressof(scores), 3),
    )
    return (count, *rows, *scores) == (3, 70_000, 1, 4, 13, 5, 5)


def _quantise(kernels: Kernels) -> bool:
    values = (ctypes.c_double * 4)(0.5, -1.0, 0.25, 0.0)
    query = (ctypes.c_int16 * 4)()
    square = (ctypes.c_int64 * 1)()
    kernels.quantise_query(ctypes.addressof(values), 4, ctypes.addressof(query), ctypes.addressof(square))
    return tuple(query) == (8192, -16383, 4096, 0)
