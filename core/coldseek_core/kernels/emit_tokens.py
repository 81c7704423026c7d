# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Write the tokens of a compound, or of a run of characters."""

import numpy as np

from .compounds import (
    APOSTROPHE,
    COLON,
    DOUBLE_COLON,
    HAS_DIGITS,
    IS_ACRONYM,
    IS_ONE_LETTER,
    JOINER_MASK,
    PART_DIGITS,
    PART_PLAIN,
    PART_START,
    PART_STOP,
    PLUS,
    WORD_FACTS,
    WORD_PARTS,
    WORD_START,
    WORD_STOP,
    is_loose_joiner,
    is_weak_joiner,
    kind_of,
    script_at,
)
from .options import helper
from .token_layout import (
    ALIAS,
    AS_IS,
    BIGRAM,
    ERROR,
    GRAM,
    LOOSE_NAME,
    NAME,
    NO_ROOM_FOR_TOKENS,
    PART,
    PLAIN,
    STOP_TOKEN,
    TO_ALIAS,
    TO_STEM,
    TOKEN_COUNT,
    WORD,
)
from .unicode_layout import CODE_MASK, MARK
from .vocabulary import ENTRY_MASK, begin_text, enter_text, fetch_text, is_stop, put_chars, put_symbol

# Numba compiles a helper again for each literal that it is called with: these and zeros are numbers of one type.
_PLAIN, _TO_STEM, _TO_ALIAS, _AS_IS = np.int64(PLAIN), np.int64(TO_STEM), np.int64(TO_ALIAS), np.int64(AS_IS)
_NONE, _ONE = np.int64(0), np.int64(1)
_COLON = np.int64(COLON)
_WORD, _PART, _ALIAS = np.int64(WORD), np.int64(PART), np.int64(ALIAS)
_GRAM, _BIGRAM = np.int64(GRAM), np.int64(BIGRAM)
_NO = np.bool_(False)


@helper
def emit(tokens, entry, start, end, kind, stop, word):
    """Write one token; nothing where the vocabulary had no room for its text."""
    entries, starts, ends, kinds, words, capacity, counts = tokens
    count = counts[TOKEN_COUNT]
    if entry < 0:
        return
    if count >= capacity:
        counts[ERROR] = NO_ROOM_FOR_TOKENS
        return
    entries[count] = entry & ENTRY_MASK
    starts[count] = start
    ends[count] = end
    kinds[count] = kind | STOP_TOKEN if stop else kind
    words[count] = word
    counts[TOKEN_COUNT] = count + 1


@helper
def _enter_range(vocabulary, piece, start, stop, mode):
    """The entry of the characters from `start` to `stop`, apostrophes left out."""
    place, value = begin_text(vocabulary, mode)
    place, value = put_chars(vocabulary, place, value, piece, start, stop, APOSTROPHE)
    return enter_text(vocabulary, place, value)


@helper
def _enter_words(vocabulary, piece, capacity, first, last, prefix, suffix, mode):
    """The entry of words `first` to `last` (not included) as one name: weak joiners dropped, strong ones kept."""
    place, value = begin_text(vocabulary, mode)
    if prefix:
        place, value = put_symbol(vocabulary, place, value, prefix)
    for word in range(first, last):
        joiner = np.int64(piece[WORD_FACTS * capacity + word]) & JOINER_MASK
        if word > first and not is_weak_joiner(joiner):
            if joiner == DOUBLE_COLON:
                place, value = put_symbol(vocabulary, place, value, _COLON)
                joiner = _COLON
            place, value = put_symbol(vocabulary, place, value, joiner)
        start, stop = np.int64(piece[WORD_START * capacity + word]), np.int64(piece[WORD_STOP * capacity + word])
        place, value = put_chars(vocabulary, place, value, piece, start, stop, APOSTROPHE)
    if suffix:
        place, value = put_symbol(vocabulary, place, value, suffix)
        if suffix == PLUS:
            place, value = put_symbol(vocabulary, place, value, suffix)
    fetch_text(vocabulary, value, _TO_ALIAS)  # mostly what comes next
    return enter_text(vocabulary, place, value)


@helper
def _parts_of(piece, capacity, first, last):
    """The number of parts of words `first` to `last` (not included)."""
    before = np.int64(piece[WORD_PARTS * capacity + first - 1]) if first else np.int64(0)
    return np.int64(piece[WORD_PARTS * capacity + last - 1]) - before


@helper
def _emit_alias(vocabulary, tokens, piece, spans, capacity, first, last, stop, number):
    """A name's stem, where the name holds no digit, and is no plural acronym (whose part is its stem)."""
    for word in range(first, last):
        if piece[WORD_FACTS * capacity + word] & HAS_DIGITS:
            return
    if last - first == 1 and piece[WORD_FACTS * capacity + first] & IS_ACRONYM:
        return
    entry = _enter_words(vocabulary, piece, capacity, first, last, _NONE, _NONE, _TO_ALIAS)
    start = spans[piece[WORD_START * capacity + first]]
    end = spans[capacity + piece[WORD_STOP * capacity + last - 1] - 1]
    emit(tokens, entry, start, end, _ALIAS, stop, number)


@helper
def _is_loose(piece, capacity, words, prefix, suffix):
    """Whether a compound is mere punctuation of plain words, whose parts say the same as the whole."""
    if words == 1 or prefix or suffix or _parts_of(piece, capacity, _NONE, words) != words:
        return False
    for word in range(words):
        facts = np.int64(piece[WORD_FACTS * capacity + word])
        if facts & (HAS_DIGITS | IS_ACRONYM) or (word and not is_loose_joiner(facts & JOINER_MASK)):
            return False
    return True


@helper
def _are_all_stops(vocabulary, piece, capacity, words, plain_mode):
    for word in range(words):
        start, stop = np.int64(piece[WORD_START * capacity + word]), np.int64(piece[WORD_STOP * capacity + word])
        entry = _enter_range(vocabulary, piece, start, stop, plain_mode)
        if not is_stop(entry):
            return False
    return True


@helper
def _emit_parts(vocabulary, tokens, piece, spans, capacity, word, plain_mode, stop, number):
    first = np.int64(piece[WORD_PARTS * capacity + word - 1]) if word else np.int64(0)
    for part in range(first, np.int64(piece[WORD_PARTS * capacity + word])):
        start = np.int64(piece[PART_START * capacity + part])
        end = np.int64(piece[PART_STOP * capacity + part])
        plain = np.int64(piece[PART_PLAIN * capacity + part])
        mode = _PLAIN if plain & PART_DIGITS else plain_mode
        entry = _enter_range(vocabulary, piece, start, plain & ~PART_DIGITS, mode)
        part_stop = stop or is_stop(entry)
        emit(tokens, entry, spans[start], spans[capacity + end - 1], _PART, part_stop, number)


@helper
def _emit_segment(vocabulary, tokens, piece, spans, capacity, first, last, words, suffix, kind, stems, stop, number):
    """Words between strong joiners: their name and its alias, if there are other segments, then their parts."""
    start = spans[piece[WORD_START * capacity + first]]
    alone = first == 0 and last == words
    acronym = piece[WORD_FACTS * capacity + first] & IS_ACRONYM != 0
    if not alone and (_parts_of(piece, capacity, first, last) > 1 or acronym):
        entry = _enter_words(vocabulary, piece, capacity, first, last, _NONE, _NONE, _PLAIN)
        name_stop = stop or is_stop(entry)
        end = spans[capacity + piece[WORD_STOP * capacity + last - 1] - 1]
        emit(tokens, entry, start, end, kind, name_stop, number)
        if stems:
            _emit_alias(vocabulary, tokens, piece, spans, capacity, first, last, name_stop, number)
    for word in range(first, last):
        if suffix and word == words - 1 and piece[WORD_FACTS * capacity + word] & IS_ONE_LETTER:
            # The C++ of Objective-C++ is no C.
            entry = _enter_words(vocabulary, piece, capacity, word, word + 1, _NONE, suffix, _PLAIN)
            start = spans[piece[WORD_START * capacity + word]]
            end = spans[capacity + piece[WORD_STOP * capacity + word] - 1 + (2 if suffix == PLUS else 1)]
            emit(tokens, entry, start, end, _PART, stop, number)
        else:
            mode = _TO_STEM if stems else _PLAIN
            _emit_parts(vocabulary, tokens, piece, spans, capacity, word, mode, stop, number)


@helper
def emit_compound(vocabulary, tokens, piece, spans, capacity, words, prefix_place, suffix, stems, number):
    """The tokens of a compound that `read_compound` has read: a plain word, or the name of the whole, the names of its
    segments and its parts. If the whole is a stop word, all of it is. `prefix_place`: see `read_prefix`.
    """
    prefix = np.int64(piece[prefix_place]) & CODE_MASK if prefix_place >= 0 else np.int64(0)
    inner_start = spans[piece[WORD_START * capacity]]
    start = spans[prefix_place] if prefix else inner_start
    behind = 2 if suffix == PLUS else 1 if suffix else 0
    end = spans[capacity + piece[WORD_STOP * capacity + words - 1] - 1 + behind]
    parts = _parts_of(piece, capacity, _NONE, words)
    facts = np.int64(piece[WORD_FACTS * capacity])
    plain_mode = _TO_STEM if stems else _PLAIN
    if parts == 1 and not facts & IS_ACRONYM and not prefix:
        if not suffix:
            first, stop = np.int64(piece[WORD_START * capacity]), np.int64(piece[WORD_STOP * capacity])
            mode = _PLAIN if facts & HAS_DIGITS else plain_mode
            entry = _enter_range(vocabulary, piece, first, stop, mode)
            emit(tokens, entry, start, end, _WORD, is_stop(entry), number)
            return
        if facts & IS_ONE_LETTER:
            entry = _enter_words(vocabulary, piece, capacity, _NONE, _ONE, _NONE, suffix, _PLAIN)
            emit(tokens, entry, start, end, _WORD, _NO, number)
            return
    loose = _is_loose(piece, capacity, words, prefix, suffix)
    kind = np.int64(LOOSE_NAME if loose else NAME)
    entry = _enter_words(vocabulary, piece, capacity, _NONE, words, prefix, suffix, _PLAIN)
    stop = is_stop(entry) or (loose and _are_all_stops(vocabulary, piece, capacity, words, plain_mode))
    emit(tokens, entry, start, end, kind, stop, number)
    if prefix and parts > 1:
        entry = _enter_words(vocabulary, piece, capacity, _NONE, words, _NONE, suffix, _PLAIN)
        emit(tokens, entry, inner_start, end, kind, stop or is_stop(entry), number)
    first = _NONE
    for word in range(_ONE, words + _ONE):
        if word == words or not is_weak_joiner(np.int64(piece[WORD_FACTS * capacity + word]) & JOINER_MASK):
            if stems and first == 0 and word == words and not prefix and not suffix:
                _emit_alias(vocabulary, tokens, piece, spans, capacity, _NONE, words, stop, number)
            _emit_segment(
                vocabulary, tokens, piece, spans, capacity, first, word, words, suffix, kind, stems, stop, number
            )
            first = word


@helper
def _unit_stop(piece, count, place):
    """The place after the character at `place` and its marks."""
    place += 1
    while place < count and kind_of(piece[place]) == MARK:
        place += 1
    return place


@helper
def emit_grams(vocabulary, tokens, piece, spans, capacity, count, place, number):
    """Characters and pairs from `place` on; a character of a pair that is a stop word is one, too. Returns the place
    after them.
    """
    script = script_at(piece, count, place)
    stop = _unit_stop(piece, count, place)
    pair_before = False
    while True:
        gram = _enter_range(vocabulary, piece, place, stop, _AS_IS)
        more = script_at(piece, count, stop) == script
        after = _unit_stop(piece, count, stop) if more else stop
        pair = np.int64(-1)
        pair_stop = False
        if more:
            pair = _enter_range(vocabulary, piece, place, after, _AS_IS)
            pair_stop = is_stop(pair)
        gram_stop = pair_before or pair_stop or is_stop(gram)
        emit(tokens, gram, spans[place], spans[capacity + stop - 1], _GRAM, gram_stop, number)
        if not more:
            return stop
        emit(tokens, pair, spans[place], spans[capacity + after - 1], _BIGRAM, pair_stop, number)
        pair_before = pair_stop
        place, stop = stop, after
