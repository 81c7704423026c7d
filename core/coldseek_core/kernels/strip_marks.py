# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Strip the marks of Latin, Greek and Cyrillic letters; elsewhere marks are vowels and stay."""

import numpy as np

from .code_points import decode, field_of, number_at, put_code
from .options import helper
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


@helper
def put_stripped(text, place, stop, tables, tables_length, stripped, total, capacity):
    """Write `text[place:stop]`, NFKC, without those marks to `stripped` (u8[capacity]) from `total` on. Returns the
    place after it, or -1 if it does not fit.
    """
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
    return np.int64(total)
