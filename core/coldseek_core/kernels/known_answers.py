"""Small inputs whose results are known, to tell whether the kernels compute rightly on this machine."""

import ctypes

from .loader import Kernels

# FNV-1a-64 of "foobar" (Fowler, Noll and Vo's own test vector).
_FOOBAR = 0x85944171F73967E8

# Long enough for every vector unit's lanes to be full several times over, and no multiple of their number.
_DIMENSIONS = 2055


def wrong_answers(kernels: Kernels) -> list[str]:
    """Names of the kernels whose answers are wrong; empty where all is well."""
    checks = {"digest": _digest, "scan_top": _scan, "postings_top": _postings, "quantise_query": _quantise}
    return [name for name, check in checks.items() if not check(kernels)]


def _digest(kernels: Kernels) -> bool:
    data = ctypes.create_string_buffer(b"foobar")
    return kernels.digest(ctypes.addressof(data), 6) == _FOOBAR


def _scan(kernels: Kernels) -> bool:
    """Two rows of largest codes, alike and opposite to the question: every accumulator at its bound."""
    size = _DIMENSIONS
    codes = (ctypes.c_int8 * (2 * size))(*([-127] * size + [127] * size))
    half = (size + 1) // 2
    # Remainders of -8 and of 7 in every dimension but, of an odd number, in the one that is not there.
    remainders = (ctypes.c_int8 * (2 * half))(*([-0x78] * (half - 1) + [0x08]), *([0x77] * (half - 1) + [0x07]))
    squares = (ctypes.c_int64 * 2)((16 * 127 + 8) ** 2 * size, (16 * 127 + 7) ** 2 * size)
    query = (ctypes.c_int16 * size)(*([16383] * size))
    rows = (ctypes.c_int64 * 2)()
    similarities = (ctypes.c_double * 2)()
    count = kernels.scan_top(
        *(ctypes.addressof(codes), ctypes.addressof(remainders), ctypes.addressof(squares), size, 0, 2),
        *(ctypes.addressof(query), 16383 * 16383 * size, 0, 0),
        *(ctypes.addressof(rows), ctypes.addressof(similarities), 2),
    )
    return (count, *rows) == (2, 1, 0) and abs(similarities[0] - 1.0) < 1e-12 and abs(similarities[1] + 1.0) < 1e-12


def _postings(kernels: Kernels) -> bool:
    """Two terms: rows 1 and 4 have one of them, row 70,000 (in another block) has both."""
    words = (ctypes.c_uint16 * 20)(0, 0, 5, 1, 5, 1, 0, 6, 4464, 6, 0, 0, 5, 4, 5, 1, 0, 7, 4464, 7)
    starts, dfs = (ctypes.c_int64 * 2)(0, 10), (ctypes.c_int64 * 2)(2, 2)
    sums, listed, cursors = (ctypes.c_uint32 * 65536)(), (ctypes.c_uint16 * 8192)(), (ctypes.c_int64 * 13)()
    rows, scores, likely, likely_scores = ((ctypes.c_int64 * 3)() for _ in range(4))
    count = kernels.postings_top(
        *(ctypes.addressof(words), 20, ctypes.addressof(starts), ctypes.addressof(dfs), ctypes.addressof(dfs), 0, 2),
        *(70_001, 0, 0, 1, ctypes.addressof(sums), ctypes.addressof(listed), ctypes.addressof(cursors)),
        *(ctypes.addressof(likely), ctypes.addressof(likely_scores)),
        *(ctypes.addressof(rows), ctypes.addressof(scores), 3),
    )
    return (count, *rows, *scores) == (3, 70_000, 1, 4, 13, 5, 5)


def _quantise(kernels: Kernels) -> bool:
    values = (ctypes.c_double * 4)(0.5, -1.0, 0.25, 0.0)
    query = (ctypes.c_int16 * 4)()
    square = (ctypes.c_int64 * 1)()
    kernels.quantise_query(ctypes.addressof(values), 4, ctypes.addressof(query), ctypes.addressof(square))
    return tuple(query) == (8192, -16383, 4096, 0)
