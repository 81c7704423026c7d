"""Every kernel's C signature: what Python, ctypes and Numba are told of it.

Types: `i8* u8* i16* u16* u32* i64* u64* f32* f64*` are pointers to arrays whose lengths other arguments give; `i64 f64
u64` are values. A kernel trusts the lengths and nothing that an array holds.
"""

# name: (result, (argument types))
SIGNATURES: dict[str, tuple[str, tuple[str, ...]]] = {
    # data, length
    "digest": ("u64", ("u8*", "i64")),
    # word offsets, word bytes, word count, slots, slot count
    "fill_slots": ("i64", ("i64*", "u8*", "i64", "u32*", "i64")),
    # terms: offsets, bytes, bytes length, count; coded bytes, their capacity, offsets of blocks, keys
    "front_code": ("i64", ("i64*", "u8*", "i64", "i64", "u8*", "i64", "i64*", "u64*")),
    # words, word count, starts, dfs, weights, use weights, term count, row count, filter, filtered, skipping,
    # accumulators, listed rows, unpacked rows, cursors, likely rows, likely scores, top rows, top scores, top length
    "postings_top": (
        "i64",
        (
            *("u16*", "i64", "i64*", "i64*", "i64*", "i64", "i64", "i64", "u8*", "i64", "i64"),
            *("u32*", "u16*", "u16*", "i64*", "i64*", "i64*", "i64*", "i64*", "i64"),
        ),
    ),
    # words, word count, starts, dfs, weights, scored, term count, wanted rows, wanted count, covered, scores, shared
    "score_rows": (
        "i64",
        ("u16*", "i64", "i64*", "i64*", "i64*", "u8*", "i64", "i64*", "i64", "i64*", "i64*", "u8*"),
    ),
    # words, word count, starts, dfs, term count, unpacked rows, bitmap, row count
    "mark_rows": ("i64", ("u16*", "i64", "i64*", "i64*", "i64", "u16*", "u8*", "i64")),
    # codes, remainders, squares, dimensions, first row, row after the last, query, query square, filter, filtered,
    # top rows, top similarities, top length
    "scan_top": (
        "i64",
        ("i8*", "i8*", "i64*", "i64", "i64", "i64", "i16*", "i64", "u8*", "i64", "i64*", "f64*", "i64"),
    ),
    # codes, remainders, squares, dimensions, first row, row after the last, queries, query squares, query count,
    # filter, filtered, top rows, top similarities, top length, counts
    "scan_many_top": (
        "i64",
        (
            *("i8*", "i8*", "i64*", "i64", "i64", "i64", "i16*", "i64*", "i64", "u8*", "i64"),
            *("i64*", "f64*", "i64", "i64*"),
        ),
    ),
    # codes, remainders, squares, dimensions, row count, query, query square, wanted rows, wanted count, similarities
    "similarity_rows": ("i64", ("i8*", "i8*", "i64*", "i64", "i64", "i16*", "i64", "i64*", "i64", "f64*")),
    # values, count, the same as float64
    "widen_floats": ("i64", ("f32*", "i64", "f64*")),
    # values, dimensions, query, square
    "quantise_query": ("i64", ("f64*", "i64", "i16*", "i64*")),
    # values, row count, dimensions, codes, remainders, largest magnitudes, squares
    "quantise_rows": ("i64", ("f64*", "i64", "i64", "i8*", "i8*", "f64*", "i64*")),
    # text, length, tables, tables length, stems, apostrophe breaks,
    # stop words: slots, slot count, offsets, bytes, bytes length, count,
    # vocabulary: slots, slot count, offsets, capacity, bytes, bytes capacity,
    # a piece: characters and places, spans, capacity, scratch,
    # memo of runs: slots, slot count, log, log length,
    # tokens: texts, starts, ends, kinds, words, capacity, counts
    "tokenise": (
        "i64",
        (
            *("u8*", "i64", "u32*", "i64", "i64", "i64"),
            *("u32*", "i64", "i64*", "u8*", "i64", "i64"),
            *("u32*", "i64", "i64*", "i64", "u8*", "i64"),
            *("u32*", "i64*", "i64", "u32*"),
            *("u32*", "i64", "u64*", "i64"),
            *("u32*", "i64*", "i64*", "u8*", "i64*", "i64", "i64*"),
        ),
    ),
    # texts: offsets, bytes, bytes length, count; whether they are stemmed, stems, stems length, tables, tables length,
    # terms: slots, slot count, offsets, capacity, bytes, bytes capacity; numbers of the texts' terms, counts
    "enter_terms": (
        "i64",
        (
            *("i64*", "u8*", "i64", "i64", "i64", "u8*", "i64", "u32*", "i64"),
            *("u32*", "i64", "i64*", "i64", "u8*", "i64", "i64*", "i64*"),
        ),
    ),
    # texts: offsets, bytes, bytes length, the first that is new, count;
    # known ones: slots, slot count, offsets, capacity, bytes, bytes capacity; numbers, counts
    "enter_texts": (
        "i64",
        (
            *("i64*", "u8*", "i64", "i64", "i64"),
            *("u32*", "i64", "i64*", "i64", "u8*", "i64", "i64*", "i64*"),
        ),
    ),
    # texts: bytes, bytes length, offsets, count; lines, their capacity, ends, counts
    "separate_texts": ("i64", ("u8*", "i64", "i64*", "i64", "u8*", "i64", "i64*", "i64*")),
    # entries, starts, kinds, count, terms, entry count, totals, term count, text ends, text count,
    # found, frequencies, found ends, lengths
    "count_terms": (
        "i64",
        (
            *("u32*", "i64*", "u8*", "i64", "i64*", "i64", "u32*", "i64"),
            *("i64*", "i64", "u32*", "u32*", "i64*", "i64*"),
        ),
    ),
    # found, frequencies, found count, found ends, text count, fields, chunk count, field count,
    # places, term count, terms, joined, capacity, chunk ends
    "join_fields": (
        "i64",
        (
            *("u32*", "u32*", "i64", "i64*", "i64", "i64*", "i64", "i64"),
            *("u32*", "i64", "u32*", "u32*", "i64", "i64*"),
        ),
    ),
    # terms, frequencies, count, chunk ends, chunk count, first row,
    # idf, term count, weights, norms, row count, field count, saturation,
    # cursors, postings, posting count
    "place_postings": (
        "i64",
        (
            *("u32*", "u32*", "i64", "i64*", "i64", "i64"),
            *("f64*", "i64", "f64*", "f64*", "i64", "i64", "f64*"),
            *("i64*", "u64*", "i64"),
        ),
    ),
    # dfs, term count, postings, posting count, shift, words, word count, starts
    "pack_postings": ("i64", ("i64*", "i64", "u64*", "i64", "i64", "u16*", "i64", "i64*")),
    # tokens: texts, starts, ends, kinds, words, count; numbers of the texts' terms, text count, totals, term count,
    # term offsets, term bytes, bytes length,
    # the index's terms: keys of blocks, their offsets, bytes, bytes length, count; term count, dfs, idfs, starts of
    # postings,
    # unknown IDF, limit, scratch, found terms, scored, unknown words, room, counts
    "weigh_terms": (
        "i64",
        (
            *("u32*", "i64*", "i64*", "u8*", "i64*", "i64", "i64*", "i64", "u32*", "i64"),
            *("i64*", "u8*", "i64"),
            *("u64*", "i64*", "u8*", "i64", "i64", "i64", "u32*", "u32*", "i64*"),
            *("i64", "i64", "i64*", "i64*", "u8*", "i64*", "i64", "i64*"),
        ),
    ),
}

# Kernels whose calls are often brief: the places of arguments whose product says how much a call has to do, and up to
# which product it keeps the GIL, for some microseconds: to get it back from another thread would take longer.
BRIEF: dict[str, tuple[tuple[int, ...], int]] = {
    "tokenise": ((1,), 256),  # bytes
    "weigh_terms": ((5,), 64),  # tokens
    "widen_floats": ((1,), 8192),
    "quantise_query": ((1,), 2048),  # dimensions
    "score_rows": ((6, 8), 128),  # terms and rows
    "similarity_rows": ((3, 8), 8192),  # dimensions and rows
}
