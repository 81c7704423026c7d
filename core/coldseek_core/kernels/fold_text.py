# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""NFKC and case folding of a short stretch of code points, by the tables (Unicode Standard Annex 15)."""

import numpy as np

from .code_points import compose, field_of, number_at
from .options import helper
from .token_layout import STRETCH_ROOM
from .unicode_layout import (
    CASELESS,
    CLASS_MASK,
    CLASS_SHIFT,
    CODE_MASK,
    COMBINING_MASK,
    COUNT_BITS,
    COUNT_MASK,
    DECOMPOSITION,
    DIGIT,
    FOLD,
    L_BASE,
    LATIN,
    LOWER,
    PROPERTIES,
    S_BASE,
    S_COUNT,
    SCRIPT_SHIFT,
    T_BASE,
    T_COUNT,
    UPPER,
    V_BASE,
    V_COUNT,
)

# Sections of the scratch, STRETCH_ROOM numbers each: code points, the class carried with each, the same again for
# what is made of them, and combining classes.
_CARRIED, _MADE, _MADE_CARRIED, _COMBINING = (STRETCH_ROOM * order for order in range(1, 5))
HYPHEN, APOSTROPHE = 0x2D, 0x27
_FACTS = np.int64(~CODE_MASK & 0xFFFFFFFF)  # class and script of a record's properties


@helper
def folded_ascii(code):
    """The folded character of an ASCII code."""
    if 97 <= code <= 122:
        return np.int64(code | LOWER << CLASS_SHIFT | LATIN << SCRIPT_SHIFT)
    if 65 <= code <= 90:
        return np.int64(code + 32 | UPPER << CLASS_SHIFT | LATIN << SCRIPT_SHIFT)
    if 48 <= code <= 57:
        return np.int64(code | DIGIT << CLASS_SHIFT)
    return np.int64(code)


@helper
def folded_inert(code, properties):
    """The folded character of a code point that folds to itself."""
    return code | properties & _FACTS


@helper
def _insert_ordered(scratch, count, code, carried, combining):
    """Append, then move a mark before marks of a higher combining class (canonical ordering). What has no room is left
    out, which the pinned tables never come to.
    """
    if count >= STRETCH_ROOM:
        return count
    place = count
    if combining:
        while place > 0 and scratch[_COMBINING + place - 1] > combining:
            scratch[_MADE + place] = scratch[_MADE + place - 1]
            scratch[_MADE_CARRIED + place] = scratch[_MADE_CARRIED + place - 1]
            scratch[_COMBINING + place] = scratch[_COMBINING + place - 1]
            place -= 1
    scratch[_MADE + place] = code
    scratch[_MADE_CARRIED + place] = carried
    scratch[_COMBINING + place] = combining
    return count + 1


@helper
def _decompose(scratch, count, tables, tables_length):
    made = np.int64(0)
    for order in range(count):
        code = np.int64(scratch[order])
        carried = np.int64(scratch[_CARRIED + order])
        if S_BASE <= code < S_BASE + S_COUNT:
            syllable = code - S_BASE
            made = _insert_ordered(scratch, made, L_BASE + syllable // (V_COUNT * T_COUNT), carried, np.int64(0))
            made = _insert_ordered(scratch, made, V_BASE + syllable // T_COUNT % V_COUNT, carried, np.int64(0))
            if syllable % T_COUNT:
                made = _insert_ordered(scratch, made, T_BASE + syllable % T_COUNT, carried, np.int64(0))
            continue
        parts = field_of(tables, tables_length, code, DECOMPOSITION)
        size = max(parts & COUNT_MASK, 1)
        for part in range(size):
            if parts & COUNT_MASK:
                code = number_at(tables, tables_length, (parts >> COUNT_BITS) + part) & CODE_MASK
            combining = field_of(tables, tables_length, code, PROPERTIES) & COMBINING_MASK
            made = _insert_ordered(scratch, made, code, carried, combining)
    return made


@helper
def _nfkc(scratch, count, tables, tables_length):
    """NFKC of the first `count` code points, in place, and how many they are then. A composite keeps what its first
    part carries.
    """
    made = _decompose(scratch, count, tables, tables_length)
    total = np.int64(0)
    starter = np.int64(-1)
    last = np.int64(0)
    for order in range(made):
        code = np.int64(scratch[_MADE + order])
        combining = np.int64(scratch[_COMBINING + order])
        if starter >= 0 and ((last == 0 and starter == total - 1) or 0 < last < combining):
            composite = compose(tables, tables_length, np.int64(scratch[starter]), code)
            if composite >= 0:
                scratch[starter] = composite & CODE_MASK
                continue
        if combining == 0:
            starter = total
        last = combining
        scratch[total] = code
        scratch[_CARRIED + total] = scratch[_MADE_CARRIED + order]
        total += 1
    return total


@helper
def _classified(code, case, tables, tables_length):
    """The folded character: "-" and "'" for all of their kind; a letter's class is what it was before folding."""
    if code == HYPHEN or code == 0x2010 or code == 0x2212:
        return np.int64(HYPHEN)
    if code == APOSTROPHE or code == 0x2019 or code == 0x2BC:
        return np.int64(APOSTROPHE)
    properties = field_of(tables, tables_length, code, PROPERTIES)
    kind = properties >> CLASS_SHIFT & CLASS_MASK
    if LOWER <= kind <= CASELESS:
        was = case if LOWER <= case <= CASELESS else CASELESS
        return code | was << CLASS_SHIFT | properties >> SCRIPT_SHIFT << SCRIPT_SHIFT
    return code | properties & _FACTS


@helper
def fold_stretch(scratch, count, tables, tables_length):
    """NFKC, case folding, NFKC again of the first `count` code points of `scratch` (u32[STRETCH_SCRATCH]); folded
    characters take their place. Returns how many.
    """
    for order in range(count):
        scratch[_CARRIED + order] = 0
    composed = _nfkc(scratch, count, tables, tables_length)
    total = np.int64(0)
    changed = False
    for order in range(composed):
        code = np.int64(scratch[order])
        case = field_of(tables, tables_length, code, PROPERTIES) >> CLASS_SHIFT & CLASS_MASK
        parts = field_of(tables, tables_length, code, FOLD)
        size = max(parts & COUNT_MASK, 1)
        changed = changed or parts != 0
        for part in range(size):
            if parts & COUNT_MASK:
                code = number_at(tables, tables_length, (parts >> COUNT_BITS) + part) & CODE_MASK
            if total < STRETCH_ROOM:
                scratch[_MADE + total] = code
                scratch[_MADE_CARRIED + total] = case
                total += 1
    for order in range(total):
        scratch[order] = scratch[_MADE + order]
        scratch[_CARRIED + order] = scratch[_MADE_CARRIED + order]
    if changed:  # what no folding changed is NFKC already
        total = _nfkc(scratch, total, tables, tables_length)
    for order in range(total):
        code, case = np.int64(scratch[order]), np.int64(scratch[_CARRIED + order])
        scratch[order] = _classified(code, case, tables, tables_length)
    return total
