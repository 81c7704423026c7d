"""What a kernel is called with, drawn from a fuzzer's bytes: hostile wherever a kernel may not trust its caller.

What it may trust is what callers allocate or have checked: lengths, a query's own offsets and codes. Each function
gives the arguments in the order of `signatures.SIGNATURES`: a number, an array, or None for a pointer to nothing.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from coldseek_core.kernels.memory import (
    BLOCK_ROWS,
    LISTED_ROWS,
    TERMS_A_BLOCK,
    UNPACKED_ROWS,
)
from fuzz.draw import ROW_COUNTS, SLOT_COUNTS, Arguments, Draw
from fuzz.text_cases import (
    count_terms,
    enter_terms,
    enter_texts,
    join_fields,
    pack_postings,
    place_postings,
    separate_texts,
    tokenise,
    weigh_terms,
)


def digest(draw: Draw) -> Arguments:
    length = draw.size(40)
    return [draw.raw(length), length]


def fill_slots(draw: Draw) -> Arguments:
    offsets, data, count = draw.terms(9)
    slot_count = draw.one_of(SLOT_COUNTS[1:])
    return [offsets, data, count, np.zeros(slot_count, np.uint32), slot_count]


def front_code(draw: Draw) -> Arguments:
    offsets, data, count = draw.terms(70)
    if draw.size(3) == 0:
        offsets = draw.numbers(count + 1, len(data), np.int64)
    blocks, capacity = -(-count // TERMS_A_BLOCK), draw.one_of((0, 9, 300))
    written = (np.zeros(blocks + 1, np.int64), np.zeros(blocks, np.uint64))
    return [offsets, data, len(data), count, np.zeros(capacity, np.uint8), capacity, *written]


def _bitmap(draw: Draw, row_count: int) -> NDArray[np.uint8]:
    """As long as it must be; beyond its start one byte again and again."""
    size = (row_count + 7) // 8
    return np.resize(draw.raw(min(size, 16)), size)


def postings_top(draw: Draw) -> Arguments:
    row_count, length = draw.one_of(ROW_COUNTS), draw.size(6) - 1
    postings, terms = draw.postings()
    filtered = draw.size(1)
    return [
        *(*postings, draw.numbers(terms, 9, np.int64), draw.size(1), terms, row_count),
        *(_bitmap(draw, row_count) if filtered else None, filtered, draw.size(1)),
        *(np.zeros(BLOCK_ROWS, np.uint32), np.zeros(LISTED_ROWS, np.uint16), np.zeros(UNPACKED_ROWS, np.uint16)),
        draw.numbers(6 * terms + 1, 9, np.int64),
        *(np.zeros(max(length, 0), np.int64) for _ in range(4)),
        length,
    ]


def score_rows(draw: Draw) -> Arguments:
    postings, terms = draw.postings()
    wanted = draw.size(6)
    return [
        *(*postings, draw.numbers(terms, 9, np.int64), draw.numbers(terms, 1, np.uint8), terms),
        *(draw.numbers(wanted, 9, np.int64), wanted),
        *(np.zeros(wanted, np.int64), np.zeros(wanted, np.int64), np.zeros(wanted, np.uint8)),
    ]


def mark_rows(draw: Draw) -> Arguments:
    row_count = draw.one_of(ROW_COUNTS)
    postings, terms = draw.postings()
    return [*postings, terms, np.zeros(UNPACKED_ROWS, np.uint16), np.zeros((row_count + 7) // 8, np.uint8), row_count]


def _vectors(draw: Draw) -> tuple[Arguments, int, NDArray[np.int16]]:
    """Codes, remainders, squares, dimensions; how many rows; the query."""
    dimensions = draw.one_of((1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 64, 65, 1025, 4097, 8195))
    rows = draw.size(7 if dimensions < 100 else 1)
    # Bytes are drawn for a while, then repeated: long vectors would use them all up.
    codes, packed = (np.resize(draw.raw(64), rows * size) for size in (dimensions, (dimensions + 1) // 2))
    drawn = draw.raw(64).view(np.int16).astype(np.int64) % 32767 - 16383
    query = np.resize(drawn, dimensions).astype(np.int16)
    held: Arguments = [codes.view(np.int8), packed.view(np.int8), draw.numbers(rows, 99, np.int64), dimensions]
    return held, rows, query


def scan_top(draw: Draw) -> Arguments:
    held, rows, query = _vectors(draw)
    length, filtered = draw.size(5) - 1, draw.size(1)
    return [
        *(*held, draw.size(rows), draw.size(rows), query, draw.number(10**6)),
        *(_bitmap(draw, rows) if filtered else None, filtered),
        *(np.zeros(max(length, 0), np.int64), np.zeros(max(length, 0), np.float64), length),
    ]


def scan_many_top(draw: Draw) -> Arguments:
    held, rows, query = _vectors(draw)
    many, length, filtered = draw.size(6), draw.size(4) - 1, draw.size(1)
    size = many * max(length, 0)
    return [
        *(*held, draw.size(rows), draw.size(rows)),
        *(np.resize(query, many * len(query)), draw.numbers(many, 10**6, np.int64), many),
        *(_bitmap(draw, rows) if filtered else None, filtered),
        *(np.zeros(size, np.int64), np.zeros(size, np.float64), length, draw.numbers(many, 9, np.int64)),
    ]


def similarity_rows(draw: Draw) -> Arguments:
    held, rows, query = _vectors(draw)
    wanted = draw.numbers(draw.size(6), rows, np.int64)
    return [*held, rows, query, draw.number(10**6), wanted, len(wanted), np.zeros(len(wanted), np.float64)]


def _floats(draw: Draw, count: int) -> NDArray[np.float64]:
    """Any bits at all, or numbers near each other."""
    if draw.data.ConsumeBool():
        return draw.raw(8 * count).view(np.float64)
    unit = 2.0 ** draw.data.ConsumeIntInRange(-1074, 1016)
    return np.array([draw.data.ConsumeIntInRange(-300, 300) * unit for _ in range(count)], np.float64)


def widen_floats(draw: Draw) -> Arguments:
    size = draw.size(20)
    return [draw.raw(4 * size).view(np.float32), size, np.zeros(size, np.float64)]


def quantise_query(draw: Draw) -> Arguments:
    size = draw.size(20)
    return [_floats(draw, size), size, np.zeros(size, np.int16), np.zeros(1, np.int64)]


def quantise_rows(draw: Draw) -> Arguments:
    rows, size = draw.size(3), draw.size(9)
    codes, packed = np.zeros(rows * size, np.int8), np.zeros(rows * ((size + 1) // 2), np.int8)
    largest, squares = np.zeros(rows, np.float64), np.zeros(rows, np.int64)
    return [_floats(draw, rows * size), rows, size, codes, packed, largest, squares]


CASES: dict[str, Callable[[Draw], Arguments]] = {
    function.__name__: function
    for function in (
        *(digest, fill_slots, front_code, postings_top, score_rows, mark_rows, scan_top, scan_many_top),
        similarity_rows,
        *(widen_floats, quantise_query, quantise_rows, tokenise, enter_terms, count_terms, weigh_terms),
        *(join_fields, place_postings, enter_texts, separate_texts, pack_postings),
    )
}
