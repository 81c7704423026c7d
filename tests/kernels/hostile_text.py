"""Call one text kernel many times with garbage, every buffer between forbidden pages; see `hostile_process.py`.

Usage: hostile_text.py KERNEL SEED CALLS. What may be trusted is what callers allocate: lengths.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

for _folder in ("core", "tests"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / _folder))

import coldseek_core.text.unicode_tables as package  # noqa: E402
from coldseek_core.kernels import load  # noqa: E402
from coldseek_core.kernels.token_layout import (  # noqa: E402
    BUCKETS,
    ENTRY_COUNT,
    LEAST_LOG,
    NO_ROOM_FOR_BYTES,
    PIECE_SECTIONS,
    QUESTION_COUNTS,
    SCRATCH_SECTIONS,
    SPAN_SECTIONS,
    STRETCH_SCRATCH,
    TERM_SECTIONS,
    UNKNOWN_WORDS,
    VOCABULARY_COUNTS,
)
from kernels.guarded import GuardedBuffer  # noqa: E402
from kernels.hostile_process import Hostile, main  # noqa: E402
from kernels.naive import front_code  # noqa: E402

_FILE = Path(package.__file__).with_name(package.TABLE_FILE)
_TABLES = np.frombuffer(_FILE.read_bytes()[16:], np.uint32)
_TABLE_BUFFER = GuardedBuffer(_TABLES.nbytes)
_CHARS = list(
    "aAbS19._-:/#@&+$'  \n\u2019\u2010éÉßİﬁ½試か각\u1112\u1161\u11abที่कि\u0301\u0316\u093c\u200d\ud800\ufdfa\u200b"
)


def _text(hostile: Hostile) -> Any:
    """UTF-8, or what is none."""
    chars = hostile.random.choice(_CHARS, hostile.size(60))
    data = np.frombuffer("".join(chars).encode("utf-8", "surrogatepass"), np.uint8).copy()
    if hostile.random.random() < 0.4 and data.size:
        places = hostile.random.integers(0, data.size, 1 + data.size // 8)
        data[places] = hostile.random.integers(0, 256, places.size)
        data = data[: hostile.random.integers(0, data.size + 1)]
    return hostile.put(data, np.uint8)


def _tables(hostile: Hostile) -> Any:
    """The real ones with some numbers wrong, or nothing but garbage."""
    kind = hostile.random.integers(0, 3)
    if kind == 0:
        return hostile.garbage(hostile.size(9000), 9000, np.uint32)
    tables = _TABLES.copy()
    if kind == 1:
        # Most of the places where blocks and records begin, and references of the records themselves.
        places = hostile.random.integers(0, tables.size, 20_000)
        tables[places] = hostile.random.integers(0, 1 << 32, places.size)
        tables = tables[: hostile.random.integers(0, tables.size + 1)]
    return _TABLE_BUFFER.place(tables, hostile.at_end)


def tokenise(hostile: Hostile) -> None:
    text, tables = _text(hostile), _tables(hostile)
    if hostile.random.random() < 0.5:  # long enough for the memo, and the same again
        text = hostile.put(np.tile(text, 4), np.uint8)
    stop_count, stop_length = hostile.size(4), hostile.size(20)
    stop_slot_count = int(hostile.random.choice([0, 1, 8]))
    stop_slots = hostile.garbage(stop_slot_count, stop_count + 1, np.uint32)
    stop_offsets = hostile.garbage(stop_count + 1, stop_length, np.int64)
    stop_bytes = hostile.put(hostile.random.integers(97, 99, stop_length), np.uint8)
    slot_count = int(hostile.random.choice([0, 1, 2, 16, 128]))
    entry_capacity, arena_capacity = hostile.size(60), hostile.size(600)
    if hostile.random.random() < 0.5:
        slots, offsets = hostile.zeros(slot_count, np.uint32), hostile.zeros(entry_capacity + 1, np.int64)
    else:
        numbers = hostile.random.integers(0, entry_capacity + 2, slot_count) | (1 << 31)
        slots = hostile.put(numbers | hostile.random.integers(0, 1 << 16, slot_count) << 8, np.uint32)
        offsets = hostile.garbage(entry_capacity + 1, arena_capacity, np.int64)
    arena = hostile.garbage(arena_capacity, 255, np.uint8)
    capacity = hostile.size(80)
    piece = hostile.garbage(PIECE_SECTIONS * capacity, capacity, np.uint32)
    spans = hostile.garbage(SPAN_SECTIONS * capacity, 99, np.int64)
    scratch = hostile.garbage(STRETCH_SCRATCH, 255, np.uint32)
    token_capacity = hostile.size(80)
    entries, kinds = hostile.zeros(token_capacity, np.uint32), hostile.zeros(token_capacity, np.uint8)
    starts, ends, words = (hostile.zeros(token_capacity, np.int64) for _ in range(3))
    known = int(hostile.random.choice([0, 0, 1, entry_capacity, entry_capacity + 1, -1]))
    counts = hostile.put(np.array([known, 5, 0]), np.int64)
    memo_slot_count, memo_length = int(hostile.random.choice([0, 1, 2, 16])), hostile.size(LEAST_LOG + 300)
    memo_slots, memo_log = hostile.zeros(memo_slot_count, np.uint32), hostile.zeros(memo_length, np.uint64)
    arguments = (
        *(text.ctypes.data, len(text), tables.ctypes.data, len(tables), hostile.size(1), hostile.size(1)),
        *(stop_slots.ctypes.data, stop_slot_count, stop_offsets.ctypes.data, stop_bytes.ctypes.data, stop_length),
        *(stop_count, slots.ctypes.data, slot_count, offsets.ctypes.data, entry_capacity),
        *(arena.ctypes.data, arena_capacity, piece.ctypes.data, spans.ctypes.data, capacity, scratch.ctypes.data),
        *(memo_slots.ctypes.data, memo_slot_count, memo_log.ctypes.data, memo_length),
        *(entries.ctypes.data, starts.ctypes.data, ends.ctypes.data, kinds.ctypes.data, words.ctypes.data),
        *(token_capacity, counts.ctypes.data),
    )
    found = load().tokenise(*arguments)
    assert -4 <= found <= token_capacity
    if found > 0:
        assert (entries[:found] < max(counts[0], 1)).all()
        assert ((starts[:found] >= 0) & (starts[:found] < ends[:found]) & (ends[:found] <= len(text))).all()
        assert (np.diff(words[:found]) >= 0).all()
    # Again, with a memo of which some numbers are wrong.
    places = hostile.random.integers(0, max(memo_length, 1), min(memo_length, 30))
    memo_log[places] = hostile.random.integers(0, 1 << 63, places.size) >> hostile.random.integers(0, 63, places.size)
    places = hostile.random.integers(0, max(memo_slot_count, 1), min(memo_slot_count, 4))
    memo_slots[places] ^= hostile.random.integers(0, memo_length + 2, places.size).astype(np.uint32)
    assert -4 <= load().tokenise(*arguments) <= token_capacity


def enter_terms(hostile: Hostile) -> None:
    """Texts, their terms so far and the stems: sound or not."""
    text_count, texts_length, stems_length = hostile.size(12), hostile.size(60), hostile.size(40)
    data, tables = _text(hostile), _tables(hostile)
    texts = np.resize(data, texts_length) if data.size else np.zeros(texts_length)
    sizes = hostile.random.integers(0, texts_length + 1, text_count + 1)
    sound = hostile.random.random() < 0.7
    offsets = (
        hostile.put(np.sort(sizes), np.int64) if sound else hostile.garbage(text_count + 1, texts_length, np.int64)
    )
    for place in offsets[:-1]:
        if 0 <= place < texts_length and hostile.random.random() < 0.8:
            texts[place] = hostile.random.integers(0, 5)
    texts = hostile.put(texts, np.uint8)
    stems = hostile.put(hostile.random.choice(list(b"ab\n\xc3\xa9"), stems_length), np.uint8)
    slot_count = int(hostile.random.choice([0, 1, 2, 16, 64]))
    term_capacity, capacity = hostile.size(14), hostile.size(150)
    if hostile.random.random() < 0.6:
        slots, term_offsets = hostile.zeros(slot_count, np.uint32), hostile.zeros(term_capacity + 1, np.int64)
        counts = hostile.zeros(VOCABULARY_COUNTS, np.int64)
    else:
        slots = hostile.garbage(slot_count, 9, np.uint32)
        term_offsets = hostile.garbage(term_capacity + 1, capacity, np.int64)
        counts = hostile.garbage(VOCABULARY_COUNTS, 5, np.int64)
    terms, numbers = hostile.garbage(capacity, 255, np.uint8), hostile.zeros(text_count, np.int64)
    found = load().enter_terms(
        *(offsets.ctypes.data, texts.ctypes.data, texts_length, text_count),
        *(hostile.size(1), stems.ctypes.data, stems_length, tables.ctypes.data, len(tables)),
        *(slots.ctypes.data, slot_count, term_offsets.ctypes.data, term_capacity, terms.ctypes.data, capacity),
        *(numbers.ctypes.data, counts.ctypes.data),
    )
    assert found == NO_ROOM_FOR_BYTES or found == counts[ENTRY_COUNT]
    assert ((numbers >= -1) & (numbers <= max(term_capacity, 0))).all()


def _term_blocks(hostile: Hostile) -> tuple[Any, Any, Any, int]:
    """Keys, offsets and bytes of blocks, and how many there are: sound ones of few letters, spoilt ones, or garbage."""
    letters = hostile.random.integers(0, 3, (hostile.size(99), 4)).astype(np.uint8)
    keys, blocks = front_code(sorted({bytes(word[: hostile.size(4)]) for word in letters}))
    coded, ends = np.frombuffer(b"".join(blocks), np.uint8).copy(), np.cumsum([0, *map(len, blocks)])
    kind = hostile.size(3)
    if kind == 1:
        spoilt = hostile.random.random(len(coded)) < 0.1
        coded[spoilt] = hostile.random.integers(0, 256, int(spoilt.sum()))
    if kind == 2:
        coded = hostile.garbage(len(coded), 255, np.uint8)
    held, offsets = hostile.put(np.array(keys, np.uint64), np.uint64), hostile.put(ends, np.int64)
    if hostile.size(2) == 0:
        held = hostile.garbage(len(keys), 9, np.uint64)
    if hostile.size(2) == 0:
        offsets = hostile.garbage(len(ends), len(coded), np.int64)
    return held, offsets, hostile.put(coded, np.uint8), len(keys)


def weigh_terms(hostile: Hostile) -> None:
    count, entry_count, term_count, known_count = (hostile.size(12) for _ in range(4))
    known_count = int(hostile.random.choice([known_count, 40, 100]))
    length, limit = hostile.size(30), hostile.size(6)
    most = min(count, term_count)
    room = hostile.size(most)
    entries, kinds = hostile.garbage(count, entry_count, np.uint32), hostile.garbage(count, 14, np.uint8)
    starts, ends, words = (hostile.garbage(count, 4, np.int64) for _ in range(3))
    numbers = hostile.garbage(entry_count, term_count, np.int64)
    totals = hostile.zeros(term_count, np.uint32) if hostile.size(2) else hostile.garbage(term_count, 2, np.uint32)
    offsets, data = hostile.garbage(term_count + 1, length, np.int64), hostile.garbage(length, 2, np.uint8)
    keys, block_offsets, coded, block_count = _term_blocks(hostile)
    dfs, idfs = hostile.garbage(known_count, 9, np.uint32), hostile.garbage(known_count, 3, np.uint32)
    postings, scratch = (
        hostile.garbage(known_count, 9, np.int64),
        hostile.zeros(SCRATCH_SECTIONS * most + BUCKETS, np.int64),
    )
    found, scored = hostile.zeros(TERM_SECTIONS * room, np.int64), hostile.zeros(room, np.uint8)
    unknown, counts = hostile.zeros(2 * room, np.int64), hostile.zeros(QUESTION_COUNTS, np.int64)
    size = load().weigh_terms(
        *(entries.ctypes.data, starts.ctypes.data, ends.ctypes.data, kinds.ctypes.data, words.ctypes.data, count),
        *(numbers.ctypes.data, entry_count, totals.ctypes.data, term_count, offsets.ctypes.data, data.ctypes.data),
        *(length, keys.ctypes.data, block_offsets.ctypes.data, coded.ctypes.data, len(coded), block_count),
        *(known_count, dfs.ctypes.data, idfs.ctypes.data, postings.ctypes.data, hostile.size(3), limit),
        *(scratch.ctypes.data, found.ctypes.data, scored.ctypes.data, unknown.ctypes.data, room, counts.ctypes.data),
    )
    assert 0 <= size <= min(limit, room)
    assert 0 <= counts[UNKNOWN_WORDS] <= min(limit, room)


def count_terms(hostile: Hostile) -> None:
    count, entry_count, term_count, text_count = (hostile.size(12) for _ in range(4))
    entries, starts = hostile.garbage(count, entry_count, np.uint32), hostile.garbage(count, 20, np.int64)
    kinds, terms = hostile.garbage(count, 9, np.uint8), hostile.garbage(entry_count, term_count, np.int64)
    totals, text_ends = hostile.garbage(term_count, 2, np.uint32), hostile.garbage(text_count, 20, np.int64)
    found, frequencies = hostile.zeros(count, np.uint32), hostile.zeros(count, np.uint32)
    found_ends, lengths = hostile.zeros(text_count, np.int64), hostile.zeros(text_count, np.int64)
    written = load().count_terms(
        *(entries.ctypes.data, starts.ctypes.data, kinds.ctypes.data, count, terms.ctypes.data, entry_count),
        *(totals.ctypes.data, term_count, text_ends.ctypes.data, text_count),
        *(found.ctypes.data, frequencies.ctypes.data, found_ends.ctypes.data, lengths.ctypes.data),
    )
    assert 0 <= written <= count


def join_fields(hostile: Hostile) -> None:
    found_count, text_count, chunk_count, term_count, capacity = (hostile.size(12) for _ in range(5))
    found, frequencies = (hostile.garbage(found_count, near, np.uint32) for near in (term_count, 9))
    found_ends = hostile.garbage(text_count, found_count, np.int64)
    fields = hostile.garbage(3 * chunk_count, text_count, np.int64)
    places, terms = hostile.garbage(term_count, 2, np.uint32), hostile.zeros(capacity, np.uint32)
    joined, chunk_ends = hostile.zeros(3 * capacity, np.uint32), hostile.zeros(chunk_count, np.int64)
    written = load().join_fields(
        *(found.ctypes.data, frequencies.ctypes.data, found_count, found_ends.ctypes.data, text_count),
        *(fields.ctypes.data, chunk_count, 3, places.ctypes.data, term_count),
        *(terms.ctypes.data, joined.ctypes.data, capacity, chunk_ends.ctypes.data),
    )
    assert 0 <= written <= capacity


def place_postings(hostile: Hostile) -> None:
    count, chunk_count, row_count, term_count, posting_count = (hostile.size(12) for _ in range(5))
    terms, frequencies = hostile.garbage(count, term_count, np.uint32), hostile.garbage(3 * count, 9, np.uint32)
    chunk_ends, cursors = (hostile.garbage(*sizes, np.int64) for sizes in ((chunk_count, count), (term_count, 9)))
    idf, weights, norms, k1 = (
        hostile.put(hostile.random.choice([0.0, 1.0, -2.0, 1e300, np.nan, np.inf], size), np.float64)
        for size in (term_count, 3, 3 * row_count, 1)
    )
    postings = hostile.zeros(posting_count, np.uint64)
    largest = load().place_postings(
        *(terms.ctypes.data, frequencies.ctypes.data, count, chunk_ends.ctypes.data, chunk_count, hostile.size(3)),
        *(idf.ctypes.data, term_count, weights.ctypes.data, norms.ctypes.data, row_count, 3),
        *(k1.ctypes.data, cursors.ctypes.data, postings.ctypes.data, posting_count),
    )
    assert 0 <= largest < 1 << 32


def enter_texts(hostile: Hostile) -> None:
    text_count, length, capacity, known_bytes = (hostile.size(12) for _ in range(4))
    slot_count = int(hostile.random.choice([0, 1, 8]))
    offsets, texts = hostile.garbage(text_count + 1, length, np.int64), hostile.garbage(length, 3, np.uint8)
    slots = hostile.garbage(slot_count, 3, np.uint32)
    known_offsets = hostile.garbage(capacity + 1, known_bytes, np.int64)
    known, numbers = hostile.garbage(known_bytes, 3, np.uint8), hostile.zeros(text_count, np.int64)
    counts, first = hostile.garbage(3, capacity, np.int64), hostile.size(3)
    done = load().enter_texts(
        *(offsets.ctypes.data, texts.ctypes.data, length, first, text_count, slots.ctypes.data, slot_count),
        *(known_offsets.ctypes.data, capacity, known.ctypes.data, known_bytes),
        *(numbers.ctypes.data, counts.ctypes.data),
    )
    assert done == text_count or first <= done < text_count


def separate_texts(hostile: Hostile) -> None:
    text_count, length, capacity = (hostile.size(12) for _ in range(3))
    data, offsets = hostile.garbage(length, 200, np.uint8), hostile.garbage(text_count + 1, length, np.int64)
    lines, ends = hostile.zeros(capacity, np.uint8), hostile.zeros(text_count, np.int64)
    counts = hostile.garbage(2, capacity, np.int64)
    done = load().separate_texts(
        *(data.ctypes.data, length, offsets.ctypes.data, text_count, lines.ctypes.data, capacity),
        *(ends.ctypes.data, counts.ctypes.data),
    )
    assert 0 <= done <= text_count


def pack_postings(hostile: Hostile) -> None:
    term_count, posting_count, word_count = (hostile.size(12) for _ in range(3))
    dfs, postings = (
        hostile.garbage(term_count, posting_count, np.int64),
        hostile.garbage(posting_count, 2**49, np.uint64),
    )
    words, starts = hostile.zeros(word_count, np.uint16), hostile.zeros(term_count, np.int64)
    size = load().pack_postings(
        *(dfs.ctypes.data, term_count, postings.ctypes.data, posting_count, hostile.size(40)),
        *(words.ctypes.data, word_count, starts.ctypes.data),
    )
    assert 0 <= size <= 5 * posting_count


KERNELS: dict[str, Callable[[Hostile], None]] = {
    function.__name__: function
    for function in (
        *(tokenise, enter_terms, weigh_terms, count_terms, join_fields, place_postings),
        *(enter_texts, separate_texts, pack_postings),
    )
}


if __name__ == "__main__":
    main(KERNELS)
