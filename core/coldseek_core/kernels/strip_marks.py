# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Strip the marks of Latin, Greek and Cyrillic letters; elsewhere marks are vowels and stay."""

import numpy as np

from .code_points import decode, field_of, number_at, put_code
from .unicode_layout import (
    CLASS_MASK,
    CLASS_SHIFT,
    CODE_MASK,
    COUNT_BITS,
    COUNT_MASK,
    DECOMPOSITION,
    LAST_GRAM_SCRIPT,
    LAST_MARK_STRIPPED_SCRIPT,
    MARK,
    PROPERTIES,
    S_BASE,
    S_COUNT,
    SCRIPT_SHIFT,
)


def strip_marks(text, offsets, count, tables, tables_length, stripped, capacity, stripped_offsets):
    """Write each text (text i at `offsets[i]:offsets[i + 1]` of `text`, i64[count + 1], made by the caller) without
    those marks to `stripped` (u8[capacity]), and where it ends to `stripped_offsets` (i64[count + 1]).

    Texts are NFKC. Returns the number of bytes, or -1 if they do not fit. `tables`: see unicode_layout.py; they may
    hold anything. Naive twin: `strip_marks` in tests/text/naive.
    """
    total = np.int64(0)
    stripped_offsets[0] = 0
    for order in range(count):
        place = offsets[order]
        stop = offsets[order + 1]
        stripping = False
        while place < stop:
            code, size = decode(text, stop, place)
            place += size
            parts = np.int64(0)
            if not S_BASE <= code < S_BASE + S_COUNT:  # syllables have no marks
                parts = field_of(tables, tables_length, code, DECOMPOSITION)
            sequence = parts >> COUNT_BITS
            first = number_at(tables, tables_length, sequence) & CODE_MASK if parts & COUNT_MASK else code
            properties = field_of(tables, tables_length, first, PROPERTIES)
            if properties >> CLASS_SHIFT & CLASS_MASK != MARK:
                stripping = LAST_GRAM_SCRIPT < properties >> SCRIPT_SHIFT <= LAST_MARK_STRIPPED_SCRIPT
            pieces = parts & COUNT_MASK if stripping else np.int64(0)
            for part in range(max(pieces, 1)):
                if pieces:
                    code = number_at(tables, tables_length, sequence + part) & CODE_MASK
                if stripping and field_of(tables, tables_length, code, PROPERTIES) >> CLASS_SHIFT & CLASS_MASK == MARK:
                    continue
                if total + 4 > capacity:
                    return np.int64(-1)
                total = put_code(stripped, total, code)
        stripped_offsets[order + 1] = total
    return total
