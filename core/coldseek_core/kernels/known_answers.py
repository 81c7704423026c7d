"""Small inputs whose results are known, to tell whether the kernels compute rightly on this machine."""

import ctypes
from ctypes import addressof as at

from .known_text_answers import TEXT_CHECKS
from .loader import Kernels
from .memory import UNPACKED_ROWS

# FNV-1a-64 of "foobar" (Fowler, Noll and Vo's own test vector).
_FOOBAR = 0x85944171F73967E8

# The longest rows but one that the scan looks at four at a time, sums in one stretch, and in two: lanes are full many
# times over, and their number divides none.
_DIMENSIONS = (1023, 4095, 8191)


def wrong_answers(kernels: Kernels) -> list[str]:
    """Names of the kernels whose answers are wrong; empty where all is well."""
    checks = {
        **TEXT_CHECKS,
        "digest": _digest,
        "fill_slots": _fill_slots,
        "front_code": _front_code,
        "postings_top": _postings,
        "score_rows": _score_rows,
        "mark_rows": _mark_rows,
        "scan_top": _scan,
        "scan_many_top": _scan_many,
        "similarity_rows": _similarity_rows,
        "widen_floats": _widen_floats,
        "quantise_query": _quantise_query,
        "quantise_rows": _quantise_rows,
        "place_postings": _place_postings,
        "pack_postings": _pack_postings,
    }
    return [name for name, check in checks.items() if not check(kernels)]


def _digest(kernels: Kernels) -> bool:
    data = ctypes.create_string_buffer(b"foobar")
    return kernels.digest(at(data), 6) == _FOOBAR


def _fill_slots(kernels: Kernels) -> bool:
    """FNV-1a-64 of "a" ends with 0xEC8C, that of "foobar" with 0x67E8: of four places both want the first."""
    words, offsets = ctypes.create_string_buffer(b"afoobar"), (ctypes.c_int64 * 3)(0, 1, 7)
    slots = (ctypes.c_uint32 * 4)()
    result = kernels.fill_slots(at(offsets), at(words), 2, at(slots), 4)
    return (result, *slots) == (0, 1, 2, 0, 0)


def _front_code(kernels: Kernels) -> bool:
    """ "a", "foobar", for which one byte is cut off, and four times "foobar", for which 15 + 3 bytes are appended."""
    terms, offsets = ctypes.create_string_buffer(b"a" + 5 * b"foobar"), (ctypes.c_int64 * 4)(0, 1, 7, 31)
    coded, block_offsets, keys = (ctypes.c_uint8 * 29)(), (ctypes.c_int64 * 2)(), (ctypes.c_uint64 * 1)()
    size = kernels.front_code(at(offsets), at(terms), 31, 3, at(coded), 29, at(block_offsets), at(keys))
    return (size, *block_offsets, *keys) == (29, 0, 29, ord("a") << 56) and bytes(
        coded
    ) == b"\x01a\x16foobar\x0f\x03foobarfoobarfoobar"


def _even_group(block: int) -> list[int]:
    """The words of every 32nd row of a block, as low bytes behind a directory: 2,048 rows, 8 of each stretch of 256.
    The last has an impact of 9, all others have 1."""
    return [block, 2047, 9, *range(0, 2048, 8), *[0x2000, 0x6040, 0xA080, 0xE0C0] * 256, *[1] * 2047, 9]


# Of each term and block of 65,536 rows: its number, how many rows but one, the largest impact, the row; or the rows and
# the impacts. The first term is in row 1 and, in another block, in row 70,000; the second in rows 4 and 70,000. The
# third has a third block, from row 131,072 on, to itself.
_WORDS = (0, 0, 5, 1, 1, 0, 6, 4464, 0, 0, 5, 4, 1, 0, 7, 4464, *_even_group(2))
_STARTS, _DFS = (0, 8, 16), (2, 2, 2048)


def _postings(kernels: Kernels) -> bool:
    """Rows 1 and 4 have one of two terms, row 70,000 has both. Row 196,576 is the last of the third term."""
    words = (ctypes.c_uint16 * len(_WORDS))(*_WORDS)
    starts, dfs = (ctypes.c_int64 * 3)(*_STARTS), (ctypes.c_int64 * 3)(*_DFS)
    sums, listed, cursors = (ctypes.c_uint32 * 65536)(), (ctypes.c_uint16 * 8192)(), (ctypes.c_int64 * 19)()
    unpacked = (ctypes.c_uint16 * UNPACKED_ROWS)()
    rows, scores, likely, likely_scores = ((ctypes.c_int64 * 4)() for _ in range(4))
    count = kernels.postings_top(
        *(at(words), len(_WORDS), at(starts), at(dfs), at(dfs), 0, 3),
        *(196_608, 0, 0, 1, at(sums), at(listed), at(unpacked), at(cursors)),
        *(at(likely), at(likely_scores)),
        *(at(rows), at(scores), 4),
    )
    return (count, *rows, *scores) == (4, 70_000, 196_576, 1, 4, 13, 9, 5, 5)


def _score_rows(kernels: Kernels) -> bool:
    """Those postings, terms that weigh 3, 4 and 5, of which the second is not scored."""
    words = (ctypes.c_uint16 * len(_WORDS))(*_WORDS)
    starts, dfs = (ctypes.c_int64 * 3)(*_STARTS), (ctypes.c_int64 * 3)(*_DFS)
    weights, scored = (ctypes.c_int64 * 3)(3, 4, 5), (ctypes.c_uint8 * 3)(1, 0, 1)
    wanted = (ctypes.c_int64 * 5)(70_000, 4, 2, 131_073, 196_576)
    covered, scores, shared = (ctypes.c_int64 * 5)(), (ctypes.c_int64 * 5)(), (ctypes.c_uint8 * 5)()
    result = kernels.score_rows(
        *(at(words), len(_WORDS), at(starts), at(dfs), at(weights), at(scored), 3, at(wanted), 5),
        *(at(covered), at(scores), at(shared)),
    )
    return (result, *covered) == (0, 7, 4, 0, 0, 5) and (*scores, *shared) == (6, 0, 0, 0, 9, 1, 0, 0, 0, 1)


def _mark_rows(kernels: Kernels) -> bool:
    """Rows 0, 3 and 9, and every 32nd, of 70; row 200 is none of them, and the last term's postings would be beyond the
    end."""
    held = (*_even_group(0), 0, 1, 1, 0, 9, 1, 1, 0, 0, 1, 3, 0, 1, 1, 200)
    words = (ctypes.c_uint16 * len(held))(*held)
    first = len(held) - 15
    starts, dfs = (ctypes.c_int64 * 4)(0, first, first + 7, first + 11), (ctypes.c_int64 * 4)(2048, 2, 1, 2)
    unpacked, bitmap = (ctypes.c_uint16 * UNPACKED_ROWS)(), (ctypes.c_uint8 * 9)()
    result = kernels.mark_rows(at(words), len(held), at(starts), at(dfs), 4, at(unpacked), at(bitmap), 70)
    return (result, *bitmap) == (0, 0b1001, 0b10, 0, 0, 1, 0, 0, 0, 1)


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
        *(at(codes), at(remainders), at(squares), size, 0, count),
        *(at(query), 16383 * 16383 * size, 0, 0),
        *(at(rows), at(similarities), 3),
    )
    off = [abs(similarity - right) for similarity, right in zip(similarities, (1.0, 1.0, -1.0), strict=True)]
    return (found, *rows) == (3, 2, 5, 0) and max(off) < 1e-12


def _scan_many(kernels: Kernels) -> bool:
    """Five queries, four of them at once, of which the second and the fourth are the others' opposites; rows like the
    first query, at right angles to it, and unlike it.
    """
    half = 40
    size, many = 2 * half, 5
    codes = (ctypes.c_int8 * (3 * size))(*([3, 4] * half), *([4, -3] * half), *([-3, -4] * half))
    remainders, squares = (ctypes.c_int8 * (3 * half))(), (ctypes.c_int64 * 3)(*([6400 * half] * 3))
    signs = (1, -1, 1, -1, 1)
    queries = (ctypes.c_int16 * (many * size))(*(sign * value for sign in signs for value in [3, 4] * half))
    query_squares, counts = (ctypes.c_int64 * many)(*([25 * half] * many)), (ctypes.c_int64 * many)()
    rows, similarities = (ctypes.c_int64 * (2 * many))(), (ctypes.c_double * (2 * many))()
    result = kernels.scan_many_top(
        *(at(codes), at(remainders), at(squares), size, 0, 3, at(queries), at(query_squares), many),
        *(0, 0, at(rows), at(similarities), 2, at(counts)),
    )
    expected = [row for sign in signs for row in ((0, 1) if sign > 0 else (2, 1))]
    off = [abs(similarity - right) for similarity, right in zip(similarities, (1.0, 0.0) * many, strict=True)]
    return (result, *counts, *rows) == (0, *[2] * many, *expected) and max(off) < 1e-12


def _similarity_rows(kernels: Kernels) -> bool:
    """Vectors that repeat (3, 4), whose length is 5: beside it (4, 3) has the cosine 24 / 25, once as codes and once
    as remainders, (-3, -4) has -1, and (4, -3) is at right angles. There is no row 4.
    """
    half = 1030
    size = 2 * half
    codes = (ctypes.c_int8 * (4 * size))(*([4, 3] * half), *([0] * size), *([-3, -4] * half), *([4, -3] * half))
    remainders = (ctypes.c_int8 * (4 * half))(*([0] * half), *([0x44, 0x33] * (half // 2)))
    squares = (ctypes.c_int64 * 4)(6400 * half, 25 * half, 6400 * half, 6400 * half)
    query = (ctypes.c_int16 * size)(*([3, 4] * half))
    wanted, similarities = (ctypes.c_int64 * 5)(2, 1, 0, 3, 4), (ctypes.c_double * 5)(*([9.0] * 5))
    result = kernels.similarity_rows(
        *(at(codes), at(remainders), at(squares), size, 4, at(query), 25 * half),
        *(at(wanted), 5, at(similarities)),
    )
    known = (-1.0, 0.96, 0.96, 0.0, 0.0)
    return result == 0 and all(abs(value - right) < 1e-12 for value, right in zip(similarities, known, strict=True))


def _widen_floats(kernels: Kernels) -> bool:
    """0.1 is not what it is in 64 bits, but 13,421,773 / 2**27."""
    values, wide = (ctypes.c_float * 3)(0.1, -2.5, 0.0), (ctypes.c_double * 3)(*([9.0] * 3))
    result = kernels.widen_floats(at(values), 3, at(wide))
    return (result, *wide) == (0, 13_421_773 / 2**27, -2.5, 0.0)


def _quantise_query(kernels: Kernels) -> bool:
    """16,383 times the values; 8,191.5 is rounded up."""
    values = (ctypes.c_double * 4)(0.5, -1.0, 0.25, 0.0)
    query = (ctypes.c_int16 * 4)()
    square = (ctypes.c_int64 * 1)()
    result = kernels.quantise_query(at(values), 4, at(query), at(square))
    return (result, *query, *square) == (0, 8192, -16383, 4096, 0, 8192**2 + 16383**2 + 4096**2)


def _quantise_rows(kernels: Kernels) -> bool:
    """127 / 2 times the first row's values: 63.5 is 64 and a remainder of -8 sixteenths. The third has an infinity."""
    values = (ctypes.c_double * 9)(2.0, -2.0, 1.0, 0.0, 0.0, 0.0, 1.0, float("inf"), 1.0)
    codes, remainders = (ctypes.c_int8 * 9)(), (ctypes.c_int8 * 6)()
    largest, squares = (ctypes.c_double * 3)(), (ctypes.c_int64 * 3)()
    result = kernels.quantise_rows(at(values), 3, 3, at(codes), at(remainders), at(largest), at(squares))
    return (
        (result, *codes) == (2, 127, -127, 64, *[0] * 6)
        and (*remainders, *largest) == (-128, 0, 0, 0, 0, 0, 2.0, 0.0, 0.0)
        and tuple(squares) == (2 * (16 * 127) ** 2 + (16 * 64 - 8) ** 2, 0, 0)
    )


def _place_postings(kernels: Kernels) -> bool:
    """A k1 of 1 makes 2 w / (w + 1) of w, which is 1, 3 and 2 + 1: 1, 3 / 2 and 3 / 2, times 2, 2 and 4,
    in units of 2**-24."""
    terms, frequencies = (ctypes.c_uint32 * 3)(1, 1, 0), (ctypes.c_uint32 * 6)(2, 6, 4, 0, 0, 3)
    chunk_ends, idf = (ctypes.c_int64 * 2)(1, 3), (ctypes.c_double * 2)(4.0, 2.0)
    weights, norms = (ctypes.c_double * 2)(1.0, 0.5), (ctypes.c_double * 6)(9.0, 2.0, 2.0, 9.0, 9.0, 1.5)
    saturation, cursors = (ctypes.c_double * 1)(1.0), (ctypes.c_int64 * 2)(0, 1)
    postings = (ctypes.c_uint64 * 3)()
    largest = kernels.place_postings(
        *(at(terms), at(frequencies), 3, at(chunk_ends), 2, 1, at(idf), 2, at(weights), at(norms), 3, 2),
        *(at(saturation), at(cursors), at(postings), 3),
    )
    known = (2 << 32 | 6 << 24, 1 << 32 | 2 << 24, 2 << 32 | 3 << 24)
    return (largest, *cursors, *postings) == (6 << 24, 1, 3, *known)


def _pack_postings(kernels: Kernels) -> bool:
    """Three terms, one of two rows in block 0, one of a row in block 1, with impacts of 20, 11 and 1 in units that
    are an eighth of those that are stored, and one of every 32nd row."""
    dfs, starts = (ctypes.c_int64 * 3)(2, 1, 2048), (ctypes.c_int64 * 3)()
    rows, impacts = (3, 5, 65543, *range(0, 65536, 32)), (20, 11, 1, *[4] * 2047, 75)
    postings = (ctypes.c_uint64 * 2051)(*(row << 32 | impact for row, impact in zip(rows, impacts, strict=True)))
    known = (0, 1, 3, 3, 5, 3, 1, 1, 0, 1, 7, *_even_group(0))
    words = (ctypes.c_uint16 * len(known))()
    size = kernels.pack_postings(at(dfs), 3, at(postings), 2051, 3, at(words), len(known), at(starts))
    return (size, *starts, *words) == (len(known), 0, 7, 11, *known)
