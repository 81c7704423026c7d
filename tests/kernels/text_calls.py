"""Calls of the text kernels on ordinary and odd input, each with all its memory in arrays of the caller's."""

from pathlib import Path
from typing import Any

import numpy as np

import coldseek_core.text.unicode_tables as package
from coldseek_core.kernels.token_layout import PIECE_SECTIONS, SPAN_SECTIONS, STRETCH_SCRATCH
from kernels.kernel_calls import array, joined

TEXTS = (
    "",
    "How do I deploy to GitHub Pages? See docs/and/or the_max-retry_count, C++17, C#, .NET and @scope/pkgName++.",
    "getURLsFromAPIs IPv6Address OAuth2Client don\u2019t rock'n'roll a:::b _x_ __init__.py std::vector x" + "y" * 99,
    "Café RÉSUMÉ cafe\u0301 ﬁne ＦＩＮＥ Straße İstanbul ǅungla ½# \ufdfa ΑθήναΒόλος Ёлка a\u0323\u0301\u0316b",
    "部署GitHub頁面 カタカナ ｶﾞ 각 \u1112\u1161\u11ab ค้นหา ที่นี่ हिन्दी \u0301 \ud800 \u200d\u200b\u3000 5"
    + "\u0301\u0316" * 40,
)


def tokenise(kernels: Any, text: bytes, tables: Any, stems: int, room: int) -> tuple[int, Any]:
    """One call; `room`: capacity of everything."""
    data = array(list(text), np.uint8)
    stop_offsets, stop_bytes, stop_length = joined([b"a", b"the", b"and/or"])
    stop_slots = np.zeros(8, np.uint32)
    kernels.fill_slots(stop_offsets.ctypes.data, stop_bytes.ctypes.data, 3, stop_slots.ctypes.data, 8)
    slots, offsets, arena = np.zeros(512, np.uint64), np.zeros(room + 1, np.int64), np.zeros(8 * room, np.uint8)
    piece, spans = np.zeros(PIECE_SECTIONS * room, np.uint32), np.zeros(SPAN_SECTIONS * room, np.int64)
    scratch = np.zeros(STRETCH_SCRATCH, np.uint32)
    entries, kinds = np.zeros(room, np.uint32), np.zeros(room, np.uint8)
    starts, ends, words, counts = (np.zeros(size, np.int64) for size in (room, room, room, 3))
    found = kernels.tokenise(
        *(data.ctypes.data, len(text), tables.ctypes.data, len(tables), stems, 1 - stems),
        *(stop_slots.ctypes.data, 8, stop_offsets.ctypes.data, stop_bytes.ctypes.data, stop_length, 3),
        *(slots.ctypes.data, 512, offsets.ctypes.data, room, arena.ctypes.data, 8 * room),
        *(piece.ctypes.data, spans.ctypes.data, room, scratch.ctypes.data),
        *(entries.ctypes.data, starts.ctypes.data, ends.ctypes.data, kinds.ctypes.data, words.ctypes.data, room),
        counts.ctypes.data,
    )
    return found, (entries, starts, kinds)


def strip_marks(kernels: Any, text: bytes, tables: Any, capacity: int) -> int:
    data = array(list(text), np.uint8)
    offsets = np.array([0, len(text) // 2, len(text)], np.int64)
    stripped, stripped_offsets = np.zeros(capacity + 1, np.uint8), np.zeros(3, np.int64)
    return kernels.strip_marks(
        *(data.ctypes.data, offsets.ctypes.data, 2, tables.ctypes.data, len(tables)),
        *(stripped.ctypes.data, capacity, stripped_offsets.ctypes.data),
    )


def count_terms(kernels: Any, tokens: Any, count: int) -> int:
    entries, starts, kinds = tokens
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
        data = text.encode("utf-8", "surrogatepass")
        for given, stems, room in ((tables, 1, 400), (tables, 0, 400), (tables, 1, 12), (damaged, 1, 400)):
            found, tokens = tokenise(kernels, data, given, stems, room)
            count_terms(kernels, tokens, max(found, 0))
            strip_marks(kernels, data, given, 4 * room)
