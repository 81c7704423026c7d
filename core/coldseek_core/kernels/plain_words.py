# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""The short way for most pieces of most texts: one plain word in ASCII, with punctuation around it."""

import numpy as np

from .code_points import is_space
from .compounds import HASH, PLUS, UNDERSCORE, may_be_prefix
from .emit_tokens import emit
from .fnv1a import PRIME
from .options import helper
from .token_layout import PLAIN, TO_STEM, WORD
from .vocabulary import begin_text, enter_text, is_stop

_WORD, _PLAIN, _TO_STEM, _NONE, _ONE = np.int64(WORD), np.int64(PLAIN), np.int64(TO_STEM), np.int64(0), np.int64(1)
_NOT_PLAIN = np.int64(-1)


@helper
def _is_symbol(code):
    """Whether an ASCII code is no letter, no digit and no white space."""
    return not (97 <= code <= 122 or 65 <= code <= 90 or 48 <= code <= 57 or is_space(code))


@helper
def emit_plain(vocabulary, tokens, text, length, place, source, stems, number):
    """The token of the piece at `place`, code point `source`, as the long way would write it.

    The place behind the piece, and how many words it has (0 or 1). A place of -1, and nothing written: the piece is not
    of this kind. It is where it is ASCII, and symbols, letters and digits, symbols; with no hump inside the word, and
    no symbol beside it that might belong to it.
    """
    _, _, _, _, arena, arena_capacity, _, _ = vocabulary
    shift = source - place
    prefix = False
    while place < length and text[place] < 0x80 and _is_symbol(np.int64(text[place])):
        code = np.int64(text[place])
        prefix = prefix or code == UNDERSCORE or may_be_prefix(code)
        place += 1
    start = place
    begin, value = begin_text(vocabulary, _TO_STEM if stems else _PLAIN)
    if begin < 0:
        return _NOT_PLAIN, _NONE
    behind = begin
    capitals = np.int64(0)
    digits = np.int64(0)
    while place < length:
        code = np.int64(text[place])
        if 65 <= code <= 90:
            code += 32
            capitals += 1
            if place > start and capitals + digits <= place - start:
                return _NOT_PLAIN, _NONE
        elif 48 <= code <= 57:
            digits += 1
        elif not 97 <= code <= 122:
            break
        elif capitals > 1:
            return _NOT_PLAIN, _NONE
        if behind >= arena_capacity:
            return _NOT_PLAIN, _NONE
        arena[behind] = code
        value = (value ^ np.uint64(code)) * PRIME
        behind += 1
        place += 1
    stop = place
    if capitals and 48 <= np.int64(text[start]) <= 57:
        return _NOT_PLAIN, _NONE
    while place < length and text[place] < 0x80 and _is_symbol(np.int64(text[place])):
        if text[place] == HASH or text[place] == PLUS:
            return _NOT_PLAIN, _NONE
        place += 1
    if place < length and (text[place] >= 0x80 or not is_space(np.int64(text[place]))):
        return _NOT_PLAIN, _NONE
    if stop == start:
        return place, _NONE
    if prefix:
        return _NOT_PLAIN, _NONE
    if digits and stems:
        begin_text(vocabulary, _PLAIN)
    entry = enter_text(vocabulary, behind, value)
    emit(tokens, entry, shift + start, shift + stop, _WORD, is_stop(entry), number)
    return place, _ONE
