"""Small texts whose tokens and terms are known, to tell whether the kernels of text compute rightly on this machine."""

import ctypes
from ctypes import addressof as at

from .loader import Kernels
from .token_layout import (
    BUCKETS,
    GRAM,
    LEAST_LOG,
    NAME,
    PART,
    PIECE_SECTIONS,
    PLAIN,
    QUESTION_COUNTS,
    SCRATCH_SECTIONS,
    SPAN_SECTIONS,
    STOP_TOKEN,
    STRETCH_SCRATCH,
    TERM_SECTIONS,
    TO_STEM,
    VOCABULARY_COUNTS,
    WORD,
)
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
    """A stop word, a name with its two parts, a word whose first letter is folded by the tables, and, from the memo,
    the stop word again.
    """
    source = "The maxRetry, Élan ".encode() + b" " * 16 + b"The" + b" " * 80
    text, tables, room = ctypes.create_string_buffer(source), _tables(), 32
    # One stop word in a table of one place: whatever its hash, it is there.
    stops, stop_offsets = ctypes.create_string_buffer(b"the"), (ctypes.c_int64 * 2)(0, 3)
    stop_slots = (ctypes.c_uint32 * 1)(1)
    slots, offsets, arena = (ctypes.c_uint32 * room)(), (ctypes.c_int64 * (room + 1))(), (ctypes.c_uint8 * 256)()
    piece, spans = (ctypes.c_uint32 * (PIECE_SECTIONS * room))(), (ctypes.c_int64 * (SPAN_SECTIONS * room))()
    scratch = (ctypes.c_uint32 * STRETCH_SCRATCH)()
    memo_slots, memo_log = (ctypes.c_uint32 * 8)(), (ctypes.c_uint64 * (LEAST_LOG + room))()
    entries, starts, ends = (ctypes.c_uint32 * room)(), (ctypes.c_int64 * room)(), (ctypes.c_int64 * room)()
    kinds, words, counts = (ctypes.c_uint8 * room)(), (ctypes.c_int64 * room)(), (ctypes.c_int64 * 3)()
    found = kernels.tokenise(
        *(at(text), len(source), at(tables), len(tables), 0, 0),
        *(at(stop_slots), 1, at(stop_offsets), at(stops), 3, 1),
        *(at(slots), room, at(offsets), room, at(arena), 256, at(piece), at(spans), room, at(scratch)),
        *(at(memo_slots), 8, at(memo_log), len(memo_log)),
        *(at(entries), at(starts), at(ends), at(kinds), at(words), room, at(counts)),
    )
    tokens = (
        ("the", 0, 3, WORD | STOP_TOKEN, 0),
        ("maxretry", 4, 12, NAME, 1),
        ("max", 4, 7, PART, 1),
        ("retry", 7, 12, PART, 1),
        ("élan", 14, 18, WORD, 2),
        ("the", 35, 38, WORD | STOP_TOKEN, 3),
    )
    texts = [bytes(arena)[offsets[order] : offsets[order + 1]] for order in range(5)]
    return (found, *counts) == (6, 5, 6, 0) and all(
        texts[order % 5] == bytes([PLAIN]) + token[0].encode()
        and entries[order] == order % 5
        and (starts[order], ends[order], kinds[order], words[order]) == token[1:]
        for order, token in enumerate(tokens)
    )


def _enter_terms(kernels: Kernels) -> bool:
    """ "pages" with the stem "page", "page", which is the same term then, and "é1é1", which loses its marks."""
    texts = [bytes([TO_STEM]) + b"pages", bytes([PLAIN]) + b"page", bytes([PLAIN]) + "é1é1".encode()]
    data, tables, stems = (
        ctypes.create_string_buffer(b"".join(texts)),
        _tables(),
        ctypes.create_string_buffer(b"page\n"),
    )
    offsets, slots = (ctypes.c_int64 * 4)(0, 6, 11, 18), (ctypes.c_uint32 * 8)()
    term_offsets, terms = (ctypes.c_int64 * 4)(), (ctypes.c_uint8 * 16)()
    numbers, counts = (ctypes.c_int64 * 3)(), (ctypes.c_int64 * VOCABULARY_COUNTS)()
    found = kernels.enter_terms(
        *(at(offsets), at(data), 18, 3, 1, at(stems), 5, at(tables), len(tables)),
        *(at(slots), 8, at(term_offsets), 3, at(terms), 16, at(numbers), at(counts)),
    )
    return (found, *term_offsets, *numbers, *counts) == (2, 0, 4, 8, 0, 0, 0, 1, 2, 0, 0, 3, 0) and bytes(
        terms
    ) == b"pagee1e1" + bytes(8)


def _enter_texts(kernels: Kernels) -> bool:
    """Into an empty table: "a", "foobar", "a" again and nothing."""
    texts, offsets = ctypes.create_string_buffer(b"afoobara"), (ctypes.c_int64 * 5)(0, 1, 7, 8, 8)
    slots, known_offsets = (ctypes.c_uint32 * 8)(), (ctypes.c_int64 * 3)()
    known, numbers, counts = (ctypes.c_uint8 * 9)(), (ctypes.c_int64 * 4)(), (ctypes.c_int64 * 3)(0, 0, 9)
    done = kernels.enter_texts(
        *(at(offsets), at(texts), 8, 0, 4, at(slots), 8, at(known_offsets), 2, at(known), 9, at(numbers), at(counts)),
    )
    # What turns out to be known was written behind the others first.
    return (done, *known_offsets, *numbers, *counts) == (4, 0, 1, 7, 0, 1, 0, -1, 2, 0, 0) and bytes(
        known
    ) == b"afoobara\0"


def _separate_texts(kernels: Kernels) -> bool:
    """Behind two bytes, one character: "e" with an acute accent, nothing, "ab"."""
    data, offsets = ctypes.create_string_buffer("éab".encode()), (ctypes.c_int64 * 4)(0, 2, 2, 4)
    lines, ends, counts = (ctypes.c_uint8 * 10)(), (ctypes.c_int64 * 3)(), (ctypes.c_int64 * 2)(2, 1)
    done = kernels.separate_texts(at(data), 4, at(offsets), 3, at(lines), 10, at(ends), at(counts))
    expected = b"\0\0" + "é\n\nab\n".encode() + b"\0"
    return (done, *ends, *counts) == (3, 3, 4, 7, 9, 7) and bytes(lines) == expected


def _weigh_terms(kernels: Kernels) -> bool:
    """Four words: "a" and, twice, "foobar", which an index has, and "zz"."""
    entries, numbers, kinds = (ctypes.c_uint32 * 4)(0, 1, 2, 1), (ctypes.c_int64 * 3)(0, 1, 2), (ctypes.c_uint8 * 4)()
    starts, ends = (ctypes.c_int64 * 4)(0, 2, 9, 12), (ctypes.c_int64 * 4)(1, 8, 11, 18)
    words, totals = (ctypes.c_int64 * 4)(0, 1, 2, 3), (ctypes.c_uint32 * 3)()
    terms, offsets = ctypes.create_string_buffer(b"afoobarzz"), (ctypes.c_int64 * 4)(0, 1, 7, 9)
    keys, blocks = (ctypes.c_uint64 * 1)(ord("a") << 56), ctypes.create_string_buffer(b"\x01a\x16foobar")
    block_offsets, dfs, idfs = (ctypes.c_int64 * 2)(0, 9), (ctypes.c_uint32 * 2)(3, 1), (ctypes.c_uint32 * 2)(10, 20)
    postings, scratch = (ctypes.c_int64 * 2)(0, 3), (ctypes.c_int64 * (3 * SCRATCH_SECTIONS + BUCKETS))()
    found, scored = (ctypes.c_int64 * (3 * TERM_SECTIONS))(), (ctypes.c_uint8 * 3)()
    unknown, counts = (ctypes.c_int64 * 6)(), (ctypes.c_int64 * QUESTION_COUNTS)()
    size = kernels.weigh_terms(
        *(at(entries), at(starts), at(ends), at(kinds), at(words), 4, at(numbers), 3, at(totals), 3),
        *(at(offsets), at(terms), 9, at(keys), at(block_offsets), at(blocks), 9, 1, 2),
        *(at(dfs), at(idfs), at(postings)),
        *(30, 1024, at(scratch), at(found), at(scored), at(unknown), 3, at(counts)),
    )
    return (
        (size, *found, *scored) == (2, 0, 3, 0, 3, 1, 0, 10, 20, 0, 1, 1, 0)
        and (*unknown,) == (9, 11, 0, 0, 0, 0)
        and (*counts,) == (3, 0, 0, 2, 0, 1, 10 + 20 + 30)
    )


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


TEXT_CHECKS = {
    "tokenise": _tokenise,
    "enter_terms": _enter_terms,
    "enter_texts": _enter_texts,
    "separate_texts": _separate_texts,
    "count_terms": _count_terms,
    "join_fields": _join_fields,
    "weigh_terms": _weigh_terms,
}
