"""Calls of the text kernels on ordinary and odd input, each with all its memory in arrays of the caller's."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import coldseek_core.text.unicode_tables as package
from coldseek_core.kernels.memory import TERMS_A_BLOCK
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
from kernels.kernel_calls import array, joined

TEXTS = (
    "",
    "How do I deploy to GitHub Pages? See docs/and/or the_max-retry_count, C++17, C#, .NET and @scope/pkgName++.",
    "getURLsFromAPIs IPv6Address OAuth2Client don\u2019t rock'n'roll a:::b _x_ __init__.py std::vector x" + "y" * 99,
    "Café RÉSUMÉ cafe\u0301 ﬁne ＦＩＮＥ Straße İstanbul ǅungla ½# \ufdfa ΑθήναΒόλος Ёлка a\u0323\u0301\u0316b",
    "部署GitHub頁面 カタカナ ｶﾞ 각 \u1112\u1161\u11ab ค้นหา ที่นี่ हिन्दी \u0301 \ud800 \u200d\u200b\u3000 5"
    + "\u0301\u0316" * 40,
)


def tokenise(
    kernels: Any,
    text: bytes,
    tables: Any,
    stems: int,
    room: int,
    stop_words: Sequence[bytes] = (b"a", b"the", b"and/or"),
    filled: Sequence[int] | None = None,
) -> tuple[int, Any, Any]:
    """One call; `room`: capacity of everything; `filled`: slots of stop words that are filled already. The result, the
    tokens, and the vocabulary's offsets and bytes.
    """
    data = array(list(text), np.uint8)
    stop_offsets, stop_bytes, stop_length = joined(stop_words)
    stop_slots, stops = array(filled if filled is not None else [0] * 8, np.uint32), len(stop_words)
    slot_count = 8 if filled is None else len(filled)
    if filled is None:
        kernels.fill_slots(stop_offsets.ctypes.data, stop_bytes.ctypes.data, stops, stop_slots.ctypes.data, slot_count)
    slots, offsets, arena = np.zeros(512, np.uint32), np.zeros(room + 1, np.int64), np.zeros(8 * room, np.uint8)
    piece, spans = np.zeros(PIECE_SECTIONS * room, np.uint32), np.zeros(SPAN_SECTIONS * room, np.int64)
    scratch, memo_slots = np.zeros(STRETCH_SCRATCH, np.uint32), np.zeros(64, np.uint32)
    memo_log = np.zeros(LEAST_LOG + 20 * room, np.uint64)
    entries, kinds = np.zeros(room, np.uint32), np.zeros(room, np.uint8)
    starts, ends, words, counts = (np.zeros(size, np.int64) for size in (room, room, room, 3))
    found = kernels.tokenise(
        *(data.ctypes.data, len(text), tables.ctypes.data, len(tables), stems, 1 - stems),
        *(stop_slots.ctypes.data, slot_count, stop_offsets.ctypes.data, stop_bytes.ctypes.data, stop_length, stops),
        *(slots.ctypes.data, 512, offsets.ctypes.data, room, arena.ctypes.data, 8 * room),
        *(piece.ctypes.data, spans.ctypes.data, room, scratch.ctypes.data),
        *(memo_slots.ctypes.data, 64, memo_log.ctypes.data, len(memo_log)),
        *(entries.ctypes.data, starts.ctypes.data, ends.ctypes.data, kinds.ctypes.data, words.ctypes.data, room),
        counts.ctypes.data,
    )
    return found, (entries, starts, ends, kinds, words), (offsets, arena, int(counts[0]))


def enter_terms(kernels: Any, vocabulary: Any, stemmed: int, tables: Any, capacity: int) -> Any:
    """One call, with made-up stems. The terms' offsets, bytes, number, and the numbers of the texts' terms."""
    offsets, texts, count = vocabulary
    stems = array(list(b"deploy\npage\ncaf\xc3\xa9\n\n" * count), np.uint8)
    slots, term_offsets = np.zeros(512, np.uint32), np.zeros(count + 1, np.int64)
    terms, numbers, counts = (
        np.zeros(capacity, np.uint8),
        np.zeros(max(count, 1), np.int64),
        np.zeros(VOCABULARY_COUNTS, np.int64),
    )
    kernels.enter_terms(
        *(offsets.ctypes.data, texts.ctypes.data, len(texts), count, stemmed, stems.ctypes.data, len(stems)),
        *(tables.ctypes.data, len(tables), slots.ctypes.data, 512, term_offsets.ctypes.data, count),
        *(terms.ctypes.data, capacity, numbers.ctypes.data, counts.ctypes.data),
    )
    return term_offsets, terms, int(counts[0]), numbers


def weigh_terms(kernels: Any, tokens: Any, count: int, terms: Any, limit: int) -> int:
    """One call, with an index that knows every other term."""
    entries, starts, ends, kinds, words = tokens
    term_offsets, term_bytes, term_count, numbers = terms
    known = [bytes(term_bytes[term_offsets[row] : term_offsets[row + 1]]) for row in range(0, term_count, 2)]
    known_offsets, known_bytes, known_length = joined(sorted(known))
    count, rows = -(-len(known) // TERMS_A_BLOCK), np.arange(len(known) + 1, dtype=np.int64)
    keys, block_offsets = np.zeros(count + 1, np.uint64), np.zeros(count + 1, np.int64)
    coded = np.zeros(3 * len(known) + 2 * known_length + 1, np.uint8)
    coded_length = kernels.front_code(
        *(known_offsets.ctypes.data, known_bytes.ctypes.data, known_length, len(known)),
        *(coded.ctypes.data, len(coded), block_offsets.ctypes.data, keys.ctypes.data),
    )
    idfs = (1 + rows % 7).astype(np.uint32)
    most = max(min(count, term_count), 1)
    totals, scratch = np.zeros(max(term_count, 1), np.uint32), np.zeros(SCRATCH_SECTIONS * most + BUCKETS, np.int64)
    found, scored = np.zeros(TERM_SECTIONS * most, np.int64), np.zeros(most, np.uint8)
    unknown, counts = np.zeros(2 * most, np.int64), np.zeros(QUESTION_COUNTS, np.int64)
    return kernels.weigh_terms(
        *(entries.ctypes.data, starts.ctypes.data, ends.ctypes.data, kinds.ctypes.data, words.ctypes.data, count),
        *(numbers.ctypes.data, len(numbers), totals.ctypes.data, term_count),
        *(term_offsets.ctypes.data, term_bytes.ctypes.data, len(term_bytes)),
        *(keys.ctypes.data, block_offsets.ctypes.data, coded.ctypes.data, coded_length, count, len(known)),
        *(idfs.ctypes.data, idfs.ctypes.data, rows.ctypes.data, 5, limit, scratch.ctypes.data),
        *(found.ctypes.data, scored.ctypes.data, unknown.ctypes.data, most, counts.ctypes.data),
    )


def count_terms(kernels: Any, tokens: Any, count: int) -> int:
    entries, starts, _, kinds, _ = tokens
    terms = np.arange(len(entries), dtype=np.int64) // 2 - 1
    totals, text_ends = np.zeros(len(entries), np.uint32), np.array([20, 21, 1 << 40], np.int64)
    found, frequencies = np.zeros(len(entries), np.uint32), np.zeros(len(entries), np.uint32)
    found_ends, lengths = np.zeros(3, np.int64), np.zeros(3, np.int64)
    return kernels.count_terms(
        *(entries.ctypes.data, starts.ctypes.data, kinds.ctypes.data, count, terms.ctypes.data, len(terms)),
        *(totals.ctypes.data, len(totals), text_ends.ctypes.data, 3, found.ctypes.data, frequencies.ctypes.data),
        *(found_ends.ctypes.data, lengths.ctypes.data),
    )


def call_text_kernels(kernels: Any) -> None:
    """All of them on every text, with tables as they are and cut, with room and without."""
    file = Path(package.__file__).with_name(package.TABLE_FILE)
    tables = np.frombuffer(file.read_bytes()[16:], np.uint32)
    damaged = np.random.default_rng(9).integers(0, 9000, 9000).astype(np.uint32)
    for text in TEXTS:
        data = f"{text} {text}".encode("utf-8", "surrogatepass")
        for given, stems, room in ((tables, 1, 400), (tables, 0, 400), (tables, 1, 12), (damaged, 1, 400)):
            found, tokens, vocabulary = tokenise(kernels, data, given, stems, room)
            count_terms(kernels, tokens, max(found, 0))
            terms = enter_terms(kernels, vocabulary, stems, given, 8 * room)
            for limit in (1024, 5):
                weigh_terms(kernels, tokens, max(found, 0), terms, limit)
