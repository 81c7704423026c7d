# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""UTF-8 to code points, and what the tables say of one. Tables may hold anything: nothing is read outside them."""

import numpy as np

from .options import helper
from .unicode_layout import (
    BLOCK_LENGTH,
    BLOCK_SHIFT,
    COMPOSITIONS,
    COUNT_BITS,
    COUNT_MASK,
    L_BASE,
    L_COUNT,
    S_BASE,
    S_COUNT,
    T_BASE,
    T_COUNT,
    V_BASE,
    V_COUNT,
)

REPLACEMENT = 0xFFFD


@helper
def decode(text, length, place):
    """Code point at `place` (below `length`) and its size in bytes; a byte that is no UTF-8 is U+FFFD by itself.

    A lone surrogate is what Python's "surrogatepass" makes of it.
    """
    first = np.int64(text[place])
    if first < 0x80:
        return first, 1
    size = 1
    if 0xC2 <= first < 0xE0:
        size = 2
    elif 0xE0 <= first < 0xF0:
        size = 3
    elif 0xF0 <= first < 0xF5:
        size = 4
    if size == 1 or place + size > length:
        return REPLACEMENT, 1
    code = first & (0x7F >> size)
    for offset in range(1, size):
        byte = np.int64(text[place + offset])
        if byte & 0xC0 != 0x80:
            return REPLACEMENT, 1
        code = code << 6 | byte & 0x3F
    if code > 0x10FFFF:
        return REPLACEMENT, 1
    return code, size


@helper
def put_code(text, place, code):
    """Write `code` as UTF-8, four bytes at most, and give the place after it."""
    if code < 0x80:
        text[place] = code
        return place + 1
    if code < 0x800:
        text[place] = 0xC0 | code >> 6
        text[place + 1] = 0x80 | code & 0x3F
        return place + 2
    if code < 0x10000:
        text[place] = 0xE0 | code >> 12
        text[place + 1] = 0x80 | code >> 6 & 0x3F
        text[place + 2] = 0x80 | code & 0x3F
        return place + 3
    text[place] = 0xF0 | code >> 18 & 7
    text[place + 1] = 0x80 | code >> 12 & 0x3F
    text[place + 2] = 0x80 | code >> 6 & 0x3F
    text[place + 3] = 0x80 | code & 0x3F
    return place + 4


@helper
def number_at(tables, tables_length, place):
    """A number of the tables, 0 outside of them."""
    if 0 <= place < tables_length:
        return np.int64(tables[place])
    return np.int64(0)


@helper
def field_of(tables, tables_length, code, field):
    """One field of a code point's record."""
    block = number_at(tables, tables_length, code >> BLOCK_SHIFT)
    record = number_at(tables, tables_length, block + (code & (BLOCK_LENGTH - 1)))
    return number_at(tables, tables_length, record + field)


@helper
def is_space(code):
    """Whether Python's `str.split` cuts here; and the zero width space."""
    if code < 0x80:
        return 9 <= code <= 13 or 28 <= code <= 32
    if code < 0x2000:
        return code == 0x85 or code == 0xA0 or code == 0x1680
    return code <= 0x200B or code == 0x2028 or code == 0x2029 or code == 0x202F or code == 0x205F or code == 0x3000


@helper
def compose(tables, tables_length, first, second):
    """The canonical composite of two code points, or -1."""
    if L_BASE <= first < L_BASE + L_COUNT and V_BASE <= second < V_BASE + V_COUNT:
        return np.int64(S_BASE + ((first - L_BASE) * V_COUNT + second - V_BASE) * T_COUNT)
    is_open = S_BASE <= first < S_BASE + S_COUNT and (first - S_BASE) % T_COUNT == 0
    if is_open and T_BASE < second < T_BASE + T_COUNT:
        return np.int64(first + second - T_BASE)
    pairs = field_of(tables, tables_length, first, COMPOSITIONS)
    place = pairs >> COUNT_BITS
    for _ in range(pairs & COUNT_MASK):
        if number_at(tables, tables_length, place) == second:
            return number_at(tables, tables_length, place + 1)
        place += 2
    return np.int64(-1)
