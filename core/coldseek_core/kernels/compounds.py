# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Read a compound of words from folded characters: where its words, joiners and parts are."""

import numpy as np

from .options import helper
from .unicode_layout import (
    CLASS_MASK,
    CLASS_SHIFT,
    CODE_MASK,
    DIGIT,
    LAST_GRAM_SCRIPT,
    LATIN,
    LOWER,
    MARK,
    OTHER,
    SCRIPT_SHIFT,
    UPPER,
)

APOSTROPHE, COLON, DOT, HASH, HYPHEN, PLUS, UNDERSCORE, SMALL_S = (ord(symbol) for symbol in "':.#-+_s")
DOUBLE_COLON = 1 << 8 | COLON


def _bits(symbols):
    return np.int64(sum(1 << ord(symbol) - HASH for symbol in symbols))


# Sets of symbols as bits: looking into a tuple can raise, in Numba's eyes, and what can raise cannot be sealed.
_STRONG, _WEAK, _LOOSE, _PREFIXES = (_bits(symbols) for symbols in (".:/#@&", "_-", "-/:&", ".@#$"))

# Sections of a piece (u32), as long as it may be, behind its characters: words' first and last, what is known of
# them, where their parts end; parts' first and last, and the last of a plural acronym without its s.
WORD_START, WORD_STOP, WORD_FACTS, WORD_PARTS, PART_START, PART_STOP, PART_PLAIN, BARE = range(1, 9)
_SMALL_LATIN = LOWER | LATIN << SCRIPT_SHIFT - CLASS_SHIFT  # class and script of a character
# A word's facts: the joiner before it in the low bits, and these.
JOINER_MASK = 0x1FF
HAS_DIGITS, IS_ACRONYM, IS_ONE_LETTER = 1 << 9, 1 << 10, 1 << 11
# A part's plain end has this beside it where the part holds a digit.
PART_DIGITS = 1 << 31


@helper
def code_at(chars, count, place):
    """The code point at a place, 0 outside the piece."""
    return np.int64(chars[place]) & CODE_MASK if 0 <= place < count else np.int64(0)


@helper
def kind_of(char):
    return np.int64(char) >> CLASS_SHIFT & CLASS_MASK


@helper
def script_at(chars, count, place):
    """The script at a place, 0 outside the piece."""
    return np.int64(chars[place]) >> SCRIPT_SHIFT if 0 <= place < count else np.int64(0)


@helper
def starts_word(chars, count, place):
    """Whether a letter of a script with spaces, or a digit, stands here."""
    if place >= count:
        return False
    kind = kind_of(chars[place])
    return kind == DIGIT or (LOWER <= kind < DIGIT and not 1 <= script_at(chars, count, place) <= LAST_GRAM_SCRIPT)


@helper
def _continues(chars, count, place, script):
    if not starts_word(chars, count, place):
        return False
    own = script_at(chars, count, place)
    return script == 0 or own == 0 or own == script


@helper
def _skip_underscores(chars, count, place):
    while code_at(chars, count, place) == UNDERSCORE:
        place += 1
    return place


@helper
def _is_among(symbol, symbols):
    return 0 <= symbol - HASH < 64 and symbols >> (symbol - HASH) & 1 != 0


@helper
def is_weak_joiner(joiner):
    """`_` or `-`, which the name of a whole leaves out."""
    return _is_among(joiner, _WEAK)


@helper
def may_be_prefix(symbol):
    """One that may belong to the compound behind it."""
    return _is_among(symbol, _PREFIXES)


@helper
def is_loose_joiner(joiner):
    """One that may be mere punctuation."""
    return _is_among(joiner, _LOOSE)


@helper
def _starts_part(piece, capacity, order, bare):
    """Whether a part begins at the `order`th letter or digit of a word with `bare` of them: `create|Ask`,
    `HTML|Document`, `v2|Beta`.

    An acronym keeps a plural's s (`URLs|From`) and a letter before a digit (`IPv6|Address`), and a single leading
    capital stays with what follows (`OAuth2|Client`): cut off, they would be found by nothing that people type.
    """
    places = BARE * capacity + order
    if kind_of(piece[piece[places]]) != UPPER:
        return False
    before = kind_of(piece[piece[places - 1]])
    after = kind_of(piece[piece[places + 1]]) if order + 1 < bare else OTHER
    if before == LOWER or (before == DIGIT and after == LOWER):
        return True
    if before == UPPER and after == LOWER and order > 1:
        behind = kind_of(piece[piece[places + 2]]) if order + 2 < bare else OTHER
        plural = np.int64(piece[piece[places + 1]]) & CODE_MASK == SMALL_S
        return behind == LOWER or not (plural or behind == DIGIT)
    return False


@helper
def _read_parts(piece, capacity, start, stop, parts):
    """Cut a word with capitals at its humps. Returns the number of parts after it."""
    bare = np.int64(0)
    for place in range(start, stop):
        if kind_of(piece[place]) != MARK and np.int64(piece[place]) & CODE_MASK != APOSTROPHE:
            piece[BARE * capacity + bare] = place
            bare += 1
    first = np.int64(0)
    digits = np.int64(0)
    capitals = np.int64(0)
    for order in range(np.int64(0), bare + 1):
        if order == bare or (order > 0 and _starts_part(piece, capacity, order, bare)):
            end = np.int64(piece[BARE * capacity + order]) if order < bare else stop
            if np.int64(piece[end - 1]) & CODE_MASK == APOSTROPHE:
                end -= 1
            last = np.int64(piece[BARE * capacity + order - 1])
            small = kind_of(piece[last]) == LOWER and np.int64(piece[last]) & CODE_MASK == SMALL_S
            size = order - first
            plain = last if size > 2 and small and capitals == size - 1 else end
            piece[PART_START * capacity + parts] = piece[BARE * capacity + first]
            piece[PART_STOP * capacity + parts] = end
            piece[PART_PLAIN * capacity + parts] = plain | PART_DIGITS if digits else plain
            parts += 1
            first = order
            digits = np.int64(0)
            capitals = np.int64(0)
        if order < bare:
            kind = kind_of(piece[piece[BARE * capacity + order]])
            digits += kind == DIGIT
            capitals += kind == UPPER
    return parts


@helper
def _read_word(piece, capacity, count, place, apostrophe_breaks, word, joiner, parts):
    """Note the word at `place`, where one starts. Returns the place after it and the number of parts after it."""
    start = place
    stop = place
    script = np.int64(0)
    digits = np.int64(0)
    capitals = np.int64(0)
    bare = np.int64(0)
    while place < count:
        if (script == 0 or script == LATIN) and np.int64(piece[place]) >> CLASS_SHIFT == _SMALL_LATIN:  # most are
            script = np.int64(LATIN)
            bare += 1
            stop = place + 1
        elif _continues(piece, count, place, script):
            own = script_at(piece, count, place)
            if own:
                script = own
            kind = kind_of(piece[place])
            digits += kind == DIGIT
            capitals += kind == UPPER
            bare += 1
            stop = place + 1
        elif kind_of(piece[place]) == MARK:
            stop = place + 1
        elif (
            apostrophe_breaks
            or code_at(piece, count, place) != APOSTROPHE
            or not _continues(piece, count, place + 1, script)
        ):
            break
        place += 1
    before = parts
    if capitals:
        parts = _read_parts(piece, capacity, start, stop, parts)
    else:
        piece[PART_START * capacity + parts] = start
        piece[PART_STOP * capacity + parts] = stop
        piece[PART_PLAIN * capacity + parts] = stop | PART_DIGITS if digits else stop
        parts += 1
    facts = joiner
    if digits:
        facts |= HAS_DIGITS
    elif bare == 1:
        facts |= IS_ONE_LETTER
    if parts - before == 1 and piece[PART_PLAIN * capacity + before] & ~PART_DIGITS != stop:
        facts |= IS_ACRONYM
    piece[WORD_START * capacity + word] = start
    piece[WORD_STOP * capacity + word] = stop
    piece[WORD_FACTS * capacity + word] = facts
    piece[WORD_PARTS * capacity + word] = parts
    return place, parts


@helper
def _suffix(piece, count, place, one_letter):
    """`#`, `+` (for ++), or 0."""
    symbol = code_at(piece, count, place)
    if symbol == PLUS and code_at(piece, count, place + 1) == PLUS:
        return np.int64(PLUS)
    if symbol == HASH:
        after = _skip_underscores(piece, count, place + 1)
        letter = place + 1 < count and LOWER <= kind_of(piece[place + 1]) < DIGIT
        if one_letter or not (letter or starts_word(piece, count, after)):
            return np.int64(HASH)
    return np.int64(0)


@helper
def _joiner(piece, count, place):
    """The joiner at `place`, 0 where nothing is joined, and where the next word begins."""
    after = _skip_underscores(piece, count, place)
    symbol = code_at(piece, count, after)
    if _is_among(symbol, _STRONG):
        if symbol == COLON and code_at(piece, count, after + 1) == COLON:
            symbol = np.int64(DOUBLE_COLON)
            after += 1
        after = _skip_underscores(piece, count, after + 1)
    elif after > place:
        symbol = np.int64(UNDERSCORE)
    elif symbol == HYPHEN:
        after += 1
    else:
        return np.int64(0), place
    if starts_word(piece, count, after):
        return symbol, after
    return np.int64(0), place


@helper
def read_prefix(piece, count, first):
    """The place of the symbol before a compound that belongs to it (`.NET`, `@types`), or -1."""
    place = first - 1
    while code_at(piece, count, place) == UNDERSCORE:
        place -= 1
    symbol = code_at(piece, count, place)
    if not may_be_prefix(symbol):
        return np.int64(-1)
    if place > 0 and (kind_of(piece[place - 1]) != OTHER or code_at(piece, count, place - 1) == symbol):
        return np.int64(-1)
    if symbol == DOT and not LOWER <= kind_of(piece[first]) < DIGIT:
        return np.int64(-1)
    return place


@helper
def read_compound(piece, capacity, count, place, apostrophe_breaks):
    """Note the words and parts of the compound at `place`, where a word starts: how many words, the suffix (`#`, `+`
    for ++, 0), and the place after it.
    """
    words = np.int64(0)
    parts = np.int64(0)
    joiner = np.int64(0)
    while True:
        place, parts = _read_word(piece, capacity, count, place, apostrophe_breaks, words, joiner, parts)
        one_letter = words == 0 and piece[WORD_FACTS * capacity] & IS_ONE_LETTER != 0
        words += 1
        suffix = _suffix(piece, count, place, one_letter)
        if suffix:
            return words, np.int64(suffix), place + (2 if suffix == PLUS else 1)
        joiner, place = _joiner(piece, count, place)
        if joiner == 0:
            return words, np.int64(0), place
