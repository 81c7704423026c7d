"""Small inputs whose results are known, to tell whether the kernels compute rightly on this machine."""

import ctypes
from ctypes import addressof as at

from .loader import Kernels
from .token_layout import GRAM, NAME, PART, PIECE_SECTIONS, PLAIN, SPAN_SECTIONS, STOP_TOKEN, STRETCH_SCRATCH, WORD
from .unicode_layout import (
    BLOCK_COUNT,
    BLOCK_LENGTH,
    BLOCK_SHIFT,
    CLASS_SHIFT,
    COUNT_BITS,
    DIGIT,
    LATIN,
    LOWER,
    MARK,
    SCRIPT_SHIFT,
    UPPER,
)

# FNV-1a-64 of "foobar" (Fowler, Noll and Vo's own test vector).
_FOOBAR = 0x85944171F73967E8

# Long enough for every vector unit's lanes to be full several times over, and no multiple of their number.
_DIMENSIONS = 2055


def wrong_answers(kernels: Kernels) -> list[str]:
    """Names of the kernels whose answers are wrong; empty where all is well."""
    checks = {
        "digest": _digest,
        "fill_slots": _fill_slots,
        "find_terms": _find_terms,
        "postings_top": _postings,
        "score_rows": _score_rows,
        "mark_rows": _mark_rows,
        "scan_top": _scan,
        "similarity_rows": _similarity_rows,
        "quantise_query": _quantise_query,
        "quantise_rows": _quantise_rows,
        "tokenise": _tokenise,
        "strip_marks": _strip_marks,
        "count_terms": _count_terms,
        "join_fields": _join_fields,
        "place_postings": _place_postings,
    }
    return [name for name, check in checks.items() if not check(kernels)]


def _digest(kernels: Kernels) -> bool:
    data = ctypes.create_string_buffer(b"foobar")
    return kernels.digest(at(data), 6) == _FOOBAR


def _fill_slots(kernels: Kernels) -> bool:
    """FNV-1a-64 of "a" ends with 0xEC8C, that of "foobar" with 0x67E8: of four places both want the first."""
    terms, offsets = ctypes.create_string_buffer(b"afoobar"), (ctypes.c_int64 * 3)(0, 1, 7)
    slots = (ctypes.c_uint32 * 4)()
    result = kernels.fill_slots(at(offsets), at(terms), 2, at(slots), 4)
    return (result, *slots) == (0, 1, 2, 0, 0)


def _find_terms(kernels: Kernels) -> bool:
    """In that table: "foobar", "c" (whose hash ends with 0xEFF2), "a"."""
    terms, offsets = ctypes.create_string_buffer(b"afoobar"), (ctypes.c_int64 * 3)(0, 1, 7)
    slots = (ctypes.c_uint32 * 4)(1, 2)
    query, query_offsets = ctypes.create_string_buffer(b"foobarca"), (ctypes.c_int64 * 4)(0, 6, 7, 8)
    ids = (ctypes.c_int64 * 3)()
    found = kernels.find_terms(at(query), at(query_offsets), 3, at(slots), 4, at(offsets), at(terms), 7, 2, at(ids))
    return (found, *ids) == (2, 1, -1, 0)


def _postings(kernels: Kernels) -> bool:
    """Two terms: rows 1 and 4 have one of them, row 70,000 (in another block) has both."""
    postings = (ctypes.c_uint32 * 4)(1, 70_000, 4, 70_000)
    impacts = (ctypes.c_uint32 * 4)(5, 6, 5, 7)
    starts, dfs = (ctypes.c_int64 * 2)(0, 2), (ctypes.c_int64 * 2)(2, 2)
    scratch, cursors = (ctypes.c_uint32 * 65536)(), (ctypes.c_int64 * 4)()
    rows, scores = (ctypes.c_int64 * 3)(), (ctypes.c_int64 * 3)()
    count = kernels.postings_top(
        *(at(postings), at(impacts), 4, at(starts), at(dfs)),
        *(at(dfs), 0, 2, 70_001, 0, 0, at(scratch), at(cursors)),
        *(at(rows), at(scores), 3),
    )
    return (count, *rows, *scores) == (3, 70_000, 1, 4, 13, 5, 5)


def _score_rows(kernels: Kernels) -> bool:
    """Those postings, terms that weigh 3 and 4, of which only the first is scored."""
    postings = (ctypes.c_uint32 * 4)(1, 70_000, 4, 70_000)
    impacts = (ctypes.c_uint32 * 4)(5, 6, 5, 7)
    starts, dfs = (ctypes.c_int64 * 2)(0, 2), (ctypes.c_int64 * 2)(2, 2)
    weights, scored = (ctypes.c_int64 * 2)(3, 4), (ctypes.c_uint8 * 2)(1, 0)
    wanted = (ctypes.c_int64 * 3)(70_000, 4, 2)
    covered, scores, shared = (ctypes.c_int64 * 3)(), (ctypes.c_int64 * 3)(), (ctypes.c_uint8 * 3)()
    result = kernels.score_rows(
        *(at(postings), at(impacts), 4, at(starts), at(dfs), at(weights), at(scored), 2, at(wanted), 3),
        *(at(covered), at(scores), at(shared)),
    )
    return (result, *covered, *scores, *shared) == (0, 7, 4, 0, 6, 0, 0, 1, 0, 0)


def _mark_rows(kernels: Kernels) -> bool:
    """Rows 0, 3 and 9 of ten; row 200 is none of them, and the last term's postings would be beyond the end."""
    rows = (ctypes.c_uint32 * 4)(0, 9, 3, 200)
    starts, dfs = (ctypes.c_int64 * 3)(0, 2, 3), (ctypes.c_int64 * 3)(2, 2, 2)
    bitmap = (ctypes.c_uint8 * 2)()
    result = kernels.mark_rows(at(rows), 4, at(starts), at(dfs), 3, at(bitmap), 10)
    return (result, *bitmap) == (0, 0b1001, 0b10)


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
        *(at(codes), at(remainders), at(squares), size, 0, 2),
        *(at(query), 16383 * 16383 * size, 0, 0),
        *(at(rows), at(similarities), 2),
    )
    return (count, *rows) == (2, 1, 0) and abs(similarities[0] - 1.0) < 1e-12 and abs(similarities[1] + 1.0) < 1e-12


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


def _tables() -> "ctypes.Array[ctypes.c_uint32]":
    """What the Unicode Standard says of six characters: 1, E, e, É, é, and the combining acute accent (class 230)."""
    numbers = [0] * (BLOCK_COUNT + 3 * BLOCK_LENGTH)
    for order, block in enumerate((0, 1, 0x301 >> BLOCK_SHIFT)):
        numbers[block] = BLOCK_COUNT + order * BLOCK_LENGTH

    def refer(count: int, *codes: int) -> int:
        numbers.extend(codes)
        return len(numbers) - len(codes) << COUNT_BITS | count

    def put(code: int, properties: int, decomposition: int = 0, fold: int = 0, compositions: int = 0) -> None:
        numbers[numbers[code >> BLOCK_SHIFT] + code % BLOCK_LENGTH] = len(numbers)
        numbers.extend((properties, decomposition, fold, compositions))

    upper, lower = (kind << CLASS_SHIFT | LATIN << SCRIPT_SHIFT for kind in (UPPER, LOWER))
    put(0x31, DIGIT << CLASS_SHIFT)
    put(0x45, upper, 0, refer(1, 0x65), refer(1, 0x301, 0xC9))
    put(0x65, lower, 0, 0, refer(1, 0x301, 0xE9))
    put(0xC9, upper, refer(2, 0x45, 0x301), refer(1, 0xE9))
    put(0xE9, lower, refer(2, 0x65, 0x301))
    put(0x301, MARK << CLASS_SHIFT | 230)
    return (ctypes.c_uint32 * len(numbers))(*numbers)


def _tokenise(kernels: Kernels) -> bool:
    """A stop word, a name with its two parts, and a word whose first letter is folded by the tables."""
    source = "The maxRetry, Élan".encode()
    text, tables, room = ctypes.create_string_buffer(source), _tables(), 32
    # One stop word in a table of one place: whatever its hash, it is there.
    stops, stop_offsets = ctypes.create_string_buffer(b"the"), (ctypes.c_int64 * 2)(0, 3)
    stop_slots = (ctypes.c_uint32 * 1)(1)
    slots, offsets, arena = (ctypes.c_uint64 * room)(), (ctypes.c_int64 * (room + 1))(), (ctypes.c_uint8 * 256)()
    piece, spans = (ctypes.c_uint32 * (PIECE_SECTIONS * room))(), (ctypes.c_int64 * (SPAN_SECTIONS * room))()
    scratch = (ctypes.c_uint32 * STRETCH_SCRATCH)()
    entries, starts, ends = (ctypes.c_uint32 * room)(), (ctypes.c_int64 * room)(), (ctypes.c_int64 * room)()
    kinds, words, counts = (ctypes.c_uint8 * room)(), (ctypes.c_int64 * room)(), (ctypes.c_int64 * 3)()
    found = kernels.tokenise(
        *(at(text), len(source), at(tables), len(tables), 0, 0),
        *(at(stop_slots), 1, at(stop_offsets), at(stops), 3, 1),
        *(at(slots), room, at(offsets), room, at(arena), 256, at(piece), at(spans), room, at(scratch)),
        *(at(entries), at(starts), at(ends), at(kinds), at(words), room, at(counts)),
    )
    tokens = (
        ("the", 0, 3, WORD | STOP_TOKEN, 0),
        ("maxretry", 4, 12, NAME, 1),
        ("max", 4, 7, PART, 1),
        ("retry", 7, 12, PART, 1),
        ("élan", 14, 18, WORD, 2),
    )
    return (found, *counts) == (5, 5, 5, 0) and all(
        bytes(arena)[offsets[order] : offsets[order + 1]] == bytes([PLAIN]) + token[0].encode()
        and (entries[order], starts[order], ends[order], kinds[order], words[order]) == (order, *token[1:])
        for order, token in enumerate(tokens)
    )


def _strip_marks(kernels: Kernels) -> bool:
    """é is e without its accent; that of a digit stays."""
    text, tables = ctypes.create_string_buffer("é1\u0301".encode()), _tables()
    offsets, stripped, stripped_offsets = (ctypes.c_int64 * 3)(0, 2, 5), (ctypes.c_uint8 * 9)(), (ctypes.c_int64 * 3)()
    size = kernels.strip_marks(
        *(at(text), at(offsets), 2, at(tables), len(tables), at(stripped), 9, at(stripped_offsets))
    )
    return (size, *stripped_offsets) == (4, 0, 1, 4) and bytes(stripped) == "e1\u0301".encode() + bytes(5)


def _count_terms(kernels: Kernels) -> bool:
    """Two texts: term 1 twice and term 0 as a stop word, then term 0 twice. Names and stop words are no length."""
    entries, starts = (ctypes.c_uint32 * 6)(0, 1, 0, 2, 1, 1), (ctypes.c_int64 * 6)(0, 4, 8, 12, 16, 18)
    kinds = (ctypes.c_uint8 * 6)(WORD, WORD | STOP_TOKEN, NAME, WORD, GRAM, PART)
    terms, totals, text_ends = (ctypes.c_int64 * 3)(1, 0, -1), (ctypes.c_uint32 * 2)(), (ctypes.c_int64 * 2)(10, 20)
    found, frequencies = (ctypes.c_uint32 * 6)(), (ctypes.c_uint32 * 6)()
    found_ends, lengths = (ctypes.c_int64 * 2)(), (ctypes.c_int64 * 2)()
    size = kernels.count_terms(
        *(at(entries), at(starts), at(kinds), 6, at(terms), 3, at(totals), 2, at(text_ends), 2),
        *(at(found), at(frequencies), at(found_ends), at(lengths)),
    )
    return (size, *found[:3], *frequencies[:3], *found_ends, *lengths) == (3, 1, 0, 0, 2, 1, 2, 2, 3, 1, 2)


def _join_fields(kernels: Kernels) -> bool:
    """Texts of terms 1 and 0, of 0, of nothing and of 2; chunks of the first two and of the last with the first."""
    found, frequencies = (ctypes.c_uint32 * 4)(1, 0, 0, 2), (ctypes.c_uint32 * 4)(5, 6, 7, 8)
    found_ends, fields = (ctypes.c_int64 * 4)(2, 3, 3, 4), (ctypes.c_int64 * 4)(0, 1, 3, 0)
    places, terms = (ctypes.c_uint32 * 3)(), (ctypes.c_uint32 * 6)()
    joined, chunk_ends = (ctypes.c_uint32 * 12)(*([9] * 12)), (ctypes.c_int64 * 2)()
    size = kernels.join_fields(
        *(at(found), at(frequencies), 4, at(found_ends), 4, at(fields), 2, 2),
        *(at(places), 3, at(terms), at(joined), 6, at(chunk_ends)),
    )
    known = (5, 6, 8, 0, 0, 9, 0, 7, 0, 5, 6, 9)
    return (size, *terms, *joined, *chunk_ends) == (5, 1, 0, 2, 1, 0, 0, *known, 2, 5)


def _place_postings(kernels: Kernels) -> bool:
    """A k1 of 1 makes 2 w / (w + 1) of w, which is 1, 3 and 2 + 1: 1, 3 / 2 and 3 / 2, times 2, 2 and 4."""
    terms, frequencies = (ctypes.c_uint32 * 3)(1, 1, 0), (ctypes.c_uint32 * 6)(2, 6, 4, 0, 0, 3)
    chunk_ends, idf = (ctypes.c_int64 * 2)(1, 3), (ctypes.c_double * 2)(4.0, 2.0)
    weights, norms = (ctypes.c_double * 2)(1.0, 0.5), (ctypes.c_double * 6)(9.0, 2.0, 2.0, 9.0, 9.0, 1.5)
    saturation, cursors = (ctypes.c_double * 1)(1.0), (ctypes.c_int64 * 2)(0, 1)
    rows, impacts = (ctypes.c_uint32 * 3)(), (ctypes.c_double * 3)()
    placed = kernels.place_postings(
        *(at(terms), at(frequencies), 3, at(chunk_ends), 2, 1, at(idf), 2, at(weights), at(norms), 3, 2),
        *(at(saturation), at(cursors), at(rows), at(impacts), 3),
    )
    return (placed, *cursors, *rows, *impacts) == (3, 1, 3, 2, 1, 2, 6.0, 2.0, 3.0)
