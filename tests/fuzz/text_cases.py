"""What the kernels of texts, terms and postings in the making are called with; see `cases`."""

import numpy as np
from numpy.typing import NDArray

from coldseek_core.kernels.memory import (
    LARGEST_LIST,
    STRETCHES,
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
from fuzz.draw import FRAGMENTS, SLOT_COUNTS, TABLES, Arguments, Draw


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
        *(np.zeros(posting_count, np.uint64), posting_count),
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
    dfs, postings = draw.numbers(term_count, 4, np.int64), draw.numbers(posting_count, 1 << 49, np.uint64)
    if term_count and posting_count and draw.data.ConsumeBool():
        # The first term has so many that the rows of a group are bytes.
        dfs[0] = posting_count = LARGEST_LIST + 1 + draw.size(40)
        postings = np.resize(postings & np.uint64(0xFFFF_FFFFFFFF), posting_count)
        word_count += 3 + STRETCHES + (posting_count + 1) // 2 + posting_count
    return [
        *(dfs, term_count, postings, posting_count, draw.one_of((0, 1, 13, 99))),
        *(np.zeros(word_count, np.uint16), word_count, np.zeros(term_count, np.int64)),
    ]
