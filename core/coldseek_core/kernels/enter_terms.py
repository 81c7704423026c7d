# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""From the texts of a vocabulary to the distinct terms that they become: stemmed, marks stripped, cut."""

import numpy as np

from .fnv1a import fnv1a_64
from .options import helper
from .strip_marks import put_stripped
from .token_layout import (
    AS_IS,
    ENTRY_COUNT,
    ERROR,
    NO_ROOM_FOR_BYTES,
    STEMS_READ,
    TERM_LIMIT,
    TEXTS_READ,
    TO_ALIAS,
    TO_STEM,
)
from .vocabulary import enter_text

_NEWLINE = ord("\n")


@helper
def _put_term(text, start, stop, mode, tables, tables_length, terms, place, capacity):
    """Write a text as the term that it is, but for its length. Returns the place after it, or -1: no room."""
    is_ascii = True
    for source in range(start, stop):
        is_ascii = is_ascii and text[source] < 0x80
    if mode != AS_IS and not is_ascii:
        return put_stripped(text, start, stop, tables, tables_length, terms, place, capacity)
    if stop - start > capacity - place:
        return np.int64(-1)
    for source in range(start, stop):
        terms[place] = text[source]
        place += 1
    return np.int64(place)


@helper
def _is_same(data, first, stop, second, second_stop):
    if stop - first != second_stop - second:
        return False
    for order in range(stop - first):  # noqa: SIM110 - Numba has no all() over a generator
        if data[first + order] != data[second + order]:
            return False
    return True


@helper
def _cut(terms, place, stop):
    """The place after the first TERM_LIMIT code points."""
    points = 0
    while place < stop:
        points += terms[place] & 0xC0 != 0x80
        if points > TERM_LIMIT:
            break
        place += 1
    return place


@helper
def _line_end(lines, place, length):
    while place < length and lines[place] != _NEWLINE:
        place += 1
    return place


def enter_terms(
    offsets, texts, texts_length, text_count, stemmed, stems, stems_length, tables, tables_length,
    slots, slot_count, term_offsets, term_capacity, terms, terms_capacity, numbers, counts,
):  # fmt: skip
    """Give each text of a vocabulary, from `counts[TEXTS_READ]` up to `text_count`, its number among the distinct terms
    (`numbers`, i64[text_count]), -1 where nothing is left of it or its tokens are dropped.

    Text i is a byte that says what becomes of it (see token_layout.py) and UTF-8 (NFKC), at `offsets[i]:offsets[i + 1]`
    (i64[text_count + 1]) of `texts` (u8[texts_length]). If `stemmed`, `stems` (u8[stems_length]) has a line, ended by a
    newline, for each text that is stemmed, read from `counts[STEMS_READ]` on, which is 0 at
    first and in the end. `tables`: see unicode_layout.py. Terms
    are a table as texts are in `tokenise`, without the first byte: `slots` (u32[slot_count], a power of two, zeros at
    first), `term_offsets` (i64[term_capacity + 1]), `terms` (u8[terms_capacity]), of `counts[ENTRY_COUNT]` terms
    (`counts` is i64[5]).

    Returns the number of terms, or NO_ROOM_FOR_BYTES: call again with more room, and it goes on where it was. All
    arrays may hold anything: nothing is read or written outside of them. Naive twin: tests/text/naive.
    """
    no_stops = (tables, np.int64(0), offsets, texts, np.int64(0), np.int64(0))
    known = (slots, slot_count, term_offsets, term_capacity, terms, terms_capacity, no_stops, counts)
    first = counts[TEXTS_READ]
    if first < 0 or not 0 <= counts[ENTRY_COUNT] <= term_capacity or not 0 <= counts[STEMS_READ] <= stems_length:
        return counts[ENTRY_COUNT]
    for text in range(first, text_count):
        numbers[text] = -1
        begin, stop = offsets[text], offsets[text + 1]
        place = term_offsets[counts[ENTRY_COUNT]]
        if not 0 <= begin < stop <= texts_length or not 0 <= place <= terms_capacity:
            continue
        mode = np.int64(texts[begin])
        stems_read = counts[STEMS_READ]
        if stemmed != 0 and TO_STEM <= mode <= TO_ALIAS:
            end = _line_end(stems, stems_read, stems_length)
            after = _put_term(stems, stems_read, end, mode, tables, tables_length, terms, place, terms_capacity)
            stems_read = min(end + 1, stems_length)
        else:
            after = _put_term(texts, begin + 1, stop, mode, tables, tables_length, terms, place, terms_capacity)
        if after < 0:
            return NO_ROOM_FOR_BYTES
        dropped = False
        if mode == TO_ALIAS:
            end = _put_term(texts, begin + 1, stop, mode, tables, tables_length, terms, after, terms_capacity)
            if end < 0:
                return NO_ROOM_FOR_BYTES
            dropped = _is_same(terms, place, after, after, end)
        after = _cut(terms, place, after)
        if after > place and not dropped:
            numbers[text] = enter_text(known, after, fnv1a_64(terms, place, after))
        counts[STEMS_READ] = stems_read
        counts[TEXTS_READ] = text + 1
    counts[STEMS_READ] = 0
    counts[ERROR] = 0
    return counts[ENTRY_COUNT]
