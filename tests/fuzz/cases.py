"""What a kernel is called with, drawn from a fuzzer's bytes: hostile wherever a kernel may not trust its caller.

What it may trust is what callers allocate or have checked: lengths, a query's own offsets and codes. Each function
gives the arguments in the order of `signatures.SIGNATURES`: a number, an array, or None for a pointer to nothing.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import coldseek_core.text.unicode_tables as package
from coldseek_core.kernels.memory import (
    BLOCK_ROWS,
    LARGEST_LIST,
    LISTED_ROWS,
    STRETCHES,
    TERMS_A_BLOCK,
    UNPACKED_ROWS,
)
from coldseek_core.kernels.token_layout import (
    BUCKETS,
    LEAST_LOG,
    PIECE_SECTIONS,
    QUESTION_COUNTS,
    SCRATCH_SECTIONS,
    SPAN_SECTIONS,
    STRETCH_SCRATCH,
    TERM_SECTIONS,
    VOCABULARY_COUNTS,
)

Arguments = list["int | NDArray[Any] | None"]

WILD = (
    *(0, 1, 2, 7, 8, 255, 256, 65535, 65536, 65537, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1, 2**62, 2**63 - 1),
    *(-1, -2, -(2**31), -(2**63)),
)
ROW_COUNTS = (0, 1, 5, 8, 9, 64, 3000, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, 2 * BLOCK_ROWS + 5)
SLOT_COUNTS = (0, 1, 2, 8, 32)
# Edges of UTF-8, and characters that folding, cutting and stripping treat in ways of their own.
FRAGMENTS = (
    *(
        b"\xf4\x90\x80\x80",
        b"\xf4\x8f\xbf\xbf",
        b"\xed\xa0\x80",
        b"\xc1\x80",
        b"\xe0\x80\x80",
        b"\xf5\x80",
        b"\x80",
        b"\xe2\x80",
    ),
    *(
        part.encode()
        for part in "aA1_-.:/#&+$'\u2019 \n\u200b\u3000éßİﬁ½試かﾞ각\u1112\u1161\u11abทกี่न\u0301\u0316\u093cΑЁ\ufdfa"
    ),
)
TABLES = np.frombuffer(Path(package.__file__).with_name(package.TABLE_FILE).read_bytes()[16:], np.uint32)


class Draw:
    """Values from a fuzzer's bytes. `data`: an atheris.FuzzedDataProvider."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def size(self, most: int) -> int:
        return self.data.ConsumeIntInRange(0, most)

    def one_of(self, values: Any) -> Any:
        return values[self.size(len(values) - 1)]

    def number(self, near: int) -> int:
        """Mostly from -2 to a bit above `near`."""
        kind = self.size(7)
        if kind == 0:
            return self.one_of(WILD)
        if kind == 1:
            return self.data.ConsumeInt(8)
        return self.data.ConsumeIntInRange(-2, near + 2)

    def numbers(self, count: int, near: int, dtype: Any) -> NDArray[Any]:
        values = [self.number(near) for _ in range(count)]
        if self.data.ConsumeBool():
            values.sort()
        return np.array(values, np.int64).astype(dtype)

    def raw(self, count: int) -> NDArray[np.uint8]:
        """Exactly `count` bytes, zeros where the fuzzer's run out."""
        taken = self.data.ConsumeBytes(count)
        return np.frombuffer(taken + bytes(count - len(taken)), np.uint8).copy()

    def terms(self, most: int) -> tuple[NDArray[np.int64], NDArray[np.uint8], int]:
        """Sound offsets, bytes of few different values, and how many terms."""
        sizes = [self.size(3) for _ in range(self.size(most))]
        return np.cumsum([0, *sizes]).astype(np.int64), 97 + self.raw(sum(sizes)) % 3, len(sizes)

    def postings(self) -> tuple[Arguments, int]:
        """Words, word count, starts, dfs; and the term count."""
        count, terms = self.size(40), self.size(5)
        words = self.numbers(count, 3, np.uint16)
        starts, dfs = self.numbers(terms, count, np.int64), self.numbers(terms, count, np.int64)
        if terms and self.data.ConsumeBool():
            # The first term begins with a group whose rows are bytes, before all others.
            size = LARGEST_LIST + 1 + self.size(40)
            group = np.resize(self.numbers(20, 300, np.uint16), 3 + STRETCHES + (size + 1) // 2 + size)
            group[0], group[1] = self.size(2), size - 1
            words = np.concatenate([group, words])
            starts += len(group)
            starts[0], dfs[0] = 0, size + self.size(9)
        return [words, len(words), starts, dfs], terms


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


def _tables(draw: Draw) -> NDArray[np.uint32]:
    """The real ones, those with a few numbers wrong or an end cut off, or garbage."""
    kind = draw.size(5)
    if kind == 0:
        return draw.numbers(draw.size(60), 60, np.uint32)
    if kind > 2:
        return TABLES
    tables = TABLES.copy()
    for _ in range(draw.size(6)):
        tables[draw.size(len(tables) - 1)] = draw.number(len(tables)) & 0xFFFFFFFF
    return tables[: draw.size(len(tables))] if kind == 2 else tables


def _text(draw: Draw) -> NDArray[np.uint8]:
    """Any bytes, fragments one after another, or text."""
    kind = draw.size(3)
    if kind == 0:
        return draw.raw(draw.size(48))
    if kind < 3:
        return np.frombuffer(b"".join(draw.one_of(FRAGMENTS) for _ in range(draw.size(24))), np.uint8).copy()
    text = draw.data.ConsumeUnicode(draw.size(40)).encode("utf-8", "surrogatepass")
    return np.frombuffer(text, np.uint8).copy()


def tokenise(draw: Draw) -> Arguments:
    capacity, token_capacity = draw.one_of((0, 3, 30, 300, 300)), draw.one_of((0, 2, 40, 400, 400))
    entry_capacity, arena_capacity = draw.one_of((0, 2, 40, 400, 400)), draw.one_of((0, 9, 400, 4000, 4000))
    slot_count = draw.one_of((0, 1, 2, 16, 512, 512))
    stop_slot_count, stop_count, stop_length = draw.one_of((0, 1, 8)), draw.size(3), draw.size(6)
    slots, offsets = np.zeros(slot_count, np.uint32), np.zeros(entry_capacity + 1, np.int64)
    counts = np.zeros(3, np.int64)
    if draw.size(3) == 0:  # a vocabulary that is not sound
        slots[: min(slot_count, 8)] = draw.numbers(min(slot_count, 8), 2, np.uint32)
        offsets[: min(len(offsets), 8)] = draw.numbers(min(len(offsets), 8), arena_capacity, np.int64)
        counts[0] = draw.number(entry_capacity)
    stops: Arguments = [
        *(draw.numbers(stop_slot_count, stop_count, np.uint32), stop_slot_count),
        *(
            draw.numbers(stop_count + 1, stop_length, np.int64),
            97 + draw.raw(stop_length) % 26,
            stop_length,
            stop_count,
        ),
    ]
    stems, breaks, tables = draw.size(1), draw.size(1), _tables(draw)
    text = np.tile(_text(draw), draw.one_of((1, 1, 3, 9)))
    memo_slot_count, memo_length = draw.one_of((0, 1, 2, 16)), draw.one_of((0, LEAST_LOG - 1, LEAST_LOG, 900))
    memo_slots, memo_log = np.zeros(memo_slot_count, np.uint32), np.zeros(memo_length, np.uint64)
    if draw.size(3) == 0:  # a memo that is not sound
        memo_slots[:] = draw.numbers(memo_slot_count, memo_length, np.uint32)
        memo_log[-40:] = draw.numbers(min(memo_length, 40), memo_length, np.uint64)
    return [
        *(text, len(text), tables, len(tables), stems, breaks, *stops),
        *(slots, slot_count, offsets, entry_capacity, np.zeros(arena_capacity, np.uint8), arena_capacity),
        *(np.zeros(PIECE_SECTIONS * capacity, np.uint32), np.zeros(SPAN_SECTIONS * capacity, np.int64), capacity),
        *(np.zeros(STRETCH_SCRATCH, np.uint32), memo_slots, memo_slot_count, memo_log, memo_length),
        *(np.zeros(token_capacity, np.uint32), np.zeros(token_capacity, np.int64), np.zeros(token_capacity, np.int64)),
        *(np.zeros(token_capacity, np.uint8), np.zeros(token_capacity, np.int64), token_capacity, counts),
    ]


def enter_terms(draw: Draw) -> Arguments:
    tables, text = _tables(draw), _text(draw)
    cuts = sorted(draw.size(len(text)) for _ in range(draw.size(5) + 1))
    offsets = np.array(cuts, np.int64)
    if draw.size(3) == 0:
        offsets = draw.numbers(len(cuts), len(text), np.int64)
    elif draw.size(3):
        text[[cut for cut in cuts if cut < len(text)]] = draw.size(3)
    stems = np.frombuffer(
        b"".join(draw.one_of((*FRAGMENTS, b"\n", b"\n")) for _ in range(draw.size(6))), np.uint8
    ).copy()
    slot_count, term_capacity, capacity = draw.one_of((0, 1, 2, 64, 64)), draw.size(6), draw.one_of((0, 5, 200, 200))
    slots, term_offsets = np.zeros(slot_count, np.uint32), np.zeros(term_capacity + 1, np.int64)
    counts = np.zeros(VOCABULARY_COUNTS, np.int64)
    if draw.size(3) == 0:  # terms that are not sound
        slots[: min(slot_count, 8)] = draw.numbers(min(slot_count, 8), 2, np.uint32)
        term_offsets = draw.numbers(term_capacity + 1, capacity, np.int64)
        counts = draw.numbers(VOCABULARY_COUNTS, 4, np.int64)
    return [
        *(offsets, text, len(text), len(cuts) - 1, draw.size(1), stems, len(stems), tables, len(tables)),
        *(slots, slot_count, term_offsets, term_capacity, np.zeros(capacity, np.uint8), capacity),
        *(np.zeros(len(cuts) - 1, np.int64), counts),
    ]


def _term_blocks(draw: Draw) -> tuple[Arguments, NDArray[np.uint8], int]:
    """Keys and offsets of blocks, their bytes, and how many blocks. A term is a tag, perhaps with more of its numbers,
    and letters, which may not fit it.
    """
    starts, coded, keys = [0], bytearray(), list[int]()
    for _ in range(draw.size(3)):
        keys.append((97 + draw.size(2)) << 56)
        for _ in range(draw.one_of((0, 1, 1, 3, 5))):
            coded.append(draw.one_of((0, 0, 16, 32, 240)) | draw.one_of((1, 1, 2, 3, 15)))
            coded += (97 + draw.raw(draw.size(3)) % 3 if draw.size(5) else draw.raw(3)).tobytes()
        starts.append(len(coded))
    offsets = np.array(starts, np.int64) if draw.size(2) else draw.numbers(len(starts), len(coded), np.int64)
    held = np.array(keys, np.uint64)
    return [np.sort(held) if draw.size(2) else held, offsets], np.frombuffer(coded, np.uint8).copy(), len(keys)


def weigh_terms(draw: Draw) -> Arguments:
    count, entry_count = draw.size(8), draw.size(6)
    offsets, data, term_count = draw.terms(5)
    if draw.size(3) == 0:
        offsets = draw.numbers(term_count + 1, len(data), np.int64)
    blocks, coded, block_count = _term_blocks(draw)
    terms = draw.one_of((0, 3, 32, 70))
    totals = np.zeros(term_count, np.uint32) if draw.size(3) else draw.numbers(term_count, 3, np.uint32)
    most = min(count, term_count)
    room = draw.size(most)
    return [
        *(draw.numbers(count, entry_count, np.uint32), draw.numbers(count, 9, np.int64)),
        *(draw.numbers(count, 9, np.int64), draw.numbers(count, 14, np.uint8), draw.numbers(count, 2, np.int64), count),
        *(draw.numbers(entry_count, term_count, np.int64), entry_count, totals, term_count, offsets, data, len(data)),
        *(*blocks, coded, len(coded), block_count, terms),
        *(draw.numbers(terms, 3, np.uint32), draw.numbers(terms, 3, np.uint32), draw.numbers(terms, 9, np.int64)),
        *(draw.size(3), draw.size(6), np.zeros(SCRATCH_SECTIONS * most + BUCKETS, np.int64)),
        *(np.zeros(TERM_SECTIONS * room, np.int64), np.zeros(room, np.uint8), np.zeros(2 * room, np.int64), room),
        np.zeros(QUESTION_COUNTS, np.int64),
    ]


def count_terms(draw: Draw) -> Arguments:
    count, entry_count, term_count, text_count = (draw.size(8) for _ in range(4))
    return [
        *(draw.numbers(count, entry_count, np.uint32), draw.numbers(count, 20, np.int64)),
        *(draw.numbers(count, 9, np.uint8), count, draw.numbers(entry_count, term_count, np.int64), entry_count),
        *(draw.numbers(term_count, 2, np.uint32), term_count, draw.numbers(text_count, 20, np.int64), text_count),
        *(np.zeros(count, np.uint32), np.zeros(count, np.uint32)),
        *(np.zeros(text_count, np.int64), np.zeros(text_count, np.int64)),
    ]


def join_fields(draw: Draw) -> Arguments:
    found_count, text_count, chunk_count, fields, term_count = (draw.size(most) for most in (9, 5, 4, 3, 4))
    capacity = draw.size(12)
    return [
        *(draw.numbers(found_count, term_count, np.uint32), draw.numbers(found_count, 9, np.uint32), found_count),
        *(draw.numbers(text_count, found_count, np.int64), text_count),
        *(draw.numbers(chunk_count * fields, text_count, np.int64), chunk_count, fields),
        *(draw.numbers(term_count, 2, np.uint32), term_count, np.zeros(capacity, np.uint32)),
        *(np.zeros(fields * capacity, np.uint32), capacity, np.zeros(chunk_count, np.int64)),
    ]


def place_postings(draw: Draw) -> Arguments:
    count, chunk_count, row_count, term_count = (draw.size(most) for most in (9, 5, 6, 4))
    fields, posting_count = draw.size(3), draw.size(9)
    return [
        *(draw.numbers(count, term_count, np.uint32), draw.numbers(count * fields, 9, np.uint32), count),
        *(draw.numbers(chunk_count, count, np.int64), chunk_count, draw.size(3)),
        *(draw.numbers(term_count, 9, np.float64), term_count, draw.numbers(fields, 3, np.float64)),
        *(draw.numbers(fields * row_count, 9, np.float64), row_count, fields),
        *(draw.numbers(1, 2, np.float64), draw.numbers(term_count, posting_count, np.int64)),
        *(np.zeros(posting_count, np.uint32), np.zeros(posting_count, np.float64), posting_count),
    ]


def enter_texts(draw: Draw) -> Arguments:
    text_count, length, capacity, known_bytes = (draw.size(most) for most in (6, 9, 5, 12))
    slot_count = draw.one_of(SLOT_COUNTS)
    sound = draw.size(3)
    return [
        *(draw.numbers(text_count + 1, length, np.int64), draw.numbers(length, 3, np.uint8), length, draw.size(2)),
        *(text_count, np.zeros(slot_count, np.uint32) if sound else draw.numbers(slot_count, 3, np.uint32), slot_count),
        np.zeros(capacity + 1, np.int64) if sound else draw.numbers(capacity + 1, known_bytes, np.int64),
        *(capacity, np.zeros(known_bytes, np.uint8), known_bytes, np.zeros(text_count, np.int64)),
        np.zeros(3, np.int64) if sound else draw.numbers(3, capacity, np.int64),
    ]


def separate_texts(draw: Draw) -> Arguments:
    text_count, length, capacity = (draw.size(most) for most in (6, 9, 16))
    return [
        *(draw.numbers(length, 200, np.uint8), length, draw.numbers(text_count + 1, length, np.int64), text_count),
        *(np.zeros(capacity, np.uint8), capacity, np.zeros(text_count, np.int64), draw.numbers(2, 3, np.int64)),
    ]


def pack_postings(draw: Draw) -> Arguments:
    term_count, posting_count, word_count = (draw.size(most) for most in (5, 9, 40))
    dfs, rows = draw.numbers(term_count, 4, np.int64), draw.numbers(posting_count, 70_000, np.uint32)
    impacts = draw.numbers(posting_count, 40, np.float64)
    if term_count and posting_count and draw.data.ConsumeBool():
        # The first term has so many that the rows of a group are bytes.
        dfs[0] = posting_count = LARGEST_LIST + 1 + draw.size(40)
        rows, impacts = np.resize(rows & 0xFFFF, posting_count), np.resize(impacts, posting_count)
        word_count += 3 + STRETCHES + (posting_count + 1) // 2 + posting_count
    return [
        *(dfs, term_count, rows, impacts, posting_count, draw.one_of((0, 1, 2048))),
        *(np.zeros(word_count, np.uint16), word_count, np.zeros(term_count, np.int64)),
    ]


CASES: dict[str, Callable[[Draw], Arguments]] = {
    function.__name__: function
    for function in (
        *(digest, fill_slots, front_code, postings_top, score_rows, mark_rows, scan_top, scan_many_top),
        similarity_rows,
        *(widen_floats, quantise_query, quantise_rows, tokenise, enter_terms, count_terms, weigh_terms),
        *(join_fields, place_postings, enter_texts, separate_texts, pack_postings),
    )
}
