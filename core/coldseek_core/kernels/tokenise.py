# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Text to tokens: pieces between white space are folded and cut, and what they say is entered in a vocabulary."""

import numpy as np

from .code_points import decode, field_of, is_space
from .compounds import read_compound, read_prefix, script_at, starts_word
from .emit_tokens import emit_compound, emit_grams
from .fold_text import fold_stretch, folded_ascii, folded_inert
from .options import helper, inlined_helper
from .plain_words import emit_plain
from .run_memo import begin_memo, emit_run, find_run, is_memo, keep_run
from .runs import find_runs, noted_run
from .token_layout import ENTRY_COUNT, ERROR, NO_ROOM_FOR_ENTRIES, NO_ROOM_FOR_PIECE, STRETCH_LIMIT, TOKEN_COUNT
from .unicode_layout import (
    CLASS_MASK,
    CLASS_SHIFT,
    IGNORABLE,
    INERT,
    LAST_GRAM_SCRIPT,
    PROPERTIES,
    SAFE,
)
from .wide_bytes import eight_bytes

_ONES = np.uint64(0x0101010101010101)


@helper
def _flush(piece, spans, capacity, count, scratch, stretch, first, last, tables, tables_length):
    """Fold the pending code points (`scratch[:stretch]`, from source places `first` to `last`) and append the result.
    Returns the number of characters then, -1 where they do not fit.
    """
    code = np.int64(scratch[0])
    properties = np.int64(INERT) if code < 0x80 else field_of(tables, tables_length, code, PROPERTIES)
    if stretch == 1 and properties & INERT:
        if count >= capacity:
            return np.int64(-1)
        piece[count] = folded_ascii(code) if code < 0x80 else folded_inert(code, properties)
        spans[count] = first
        spans[capacity + count] = last + 1
        return count + 1
    made = fold_stretch(scratch, stretch, tables, tables_length)
    if count + made > capacity:
        return np.int64(-1)
    for order in range(made):
        piece[count + order] = scratch[order]
        spans[count + order] = first
        spans[capacity + count + order] = last + 1
    return np.int64(count + made)


@inlined_helper
def _are_eight_visible(text, place):
    """Whether eight bytes are ASCII but white space and controls, before another byte of ASCII."""
    codes = eight_bytes(text, place)  # pyright: ignore[reportCallIssue]
    low = (codes - _ONES * np.uint64(33)) | codes
    return low & (_ONES << np.uint64(7)) == 0 and text[place + 8] < 0x80


@helper
def _read_piece(text, length, place, source, tables, tables_length, piece, spans, capacity, scratch):
    """Fold the piece at `place`, code point `source`. Returns the number of its characters (-1 where they do not fit),
    and the place and the code point behind it.
    """
    count = np.int64(0)
    stretch = np.int64(0)
    first = source
    last = source
    while place < length:
        if stretch == 0 and place + 9 <= length and count + 8 <= capacity and _are_eight_visible(text, place):
            for order in range(8):
                piece[count + order] = folded_ascii(np.int64(text[place + order]))
                spans[count + order] = source + order
                spans[capacity + count + order] = source + order + 1
            count += 8
            place += 8
            source += 8
            continue
        code = np.int64(text[place])
        size = 1
        if code < 0x80:
            if is_space(code):
                break
            if stretch == 0 and (place + 1 == length or text[place + 1] < 0x80):
                if count >= capacity:
                    return np.int64(-1), place, source
                piece[count] = folded_ascii(code)
                spans[count] = source
                spans[capacity + count] = source + 1
                count += 1
                place += 1
                source += 1
                continue
            safe = True
        else:
            code, size = decode(text, length, place)
            if is_space(code):
                break
            properties = field_of(tables, tables_length, code, PROPERTIES)
            if properties >> CLASS_SHIFT & CLASS_MASK == IGNORABLE:
                place += size
                source += 1
                continue
            safe = properties & SAFE != 0
        if stretch and (safe or stretch == STRETCH_LIMIT):
            count = _flush(piece, spans, capacity, count, scratch, stretch, first, last, tables, tables_length)
            if count < 0:
                return count, place, source
            stretch = np.int64(0)
        if stretch == 0:
            first = source
        last = source
        scratch[stretch] = code
        stretch += 1
        place += size
        source += 1
    if stretch:
        count = _flush(piece, spans, capacity, count, scratch, stretch, first, last, tables, tables_length)
    return count, place, source


@helper
def _tokenise_piece(vocabulary, tokens, text, length, place, source, number, ways, unicode, room):
    """Write the tokens of the piece at `place`, code point `source`. Returns the place, the code point and the number
    of the word behind it; what had no room is told in `counts`.
    """
    stems, apostrophe_breaks = ways
    tables, tables_length = unicode
    piece, spans, capacity, scratch = room
    _, _, _, _, _, _, _, counts = vocabulary
    after, found = emit_plain(vocabulary, tokens, text, length, place, source, stems, number)
    if after >= 0:
        return after, source + after - place, number + found
    count, place, source = _read_piece(
        text, length, place, source, tables, tables_length, piece, spans, capacity, scratch
    )
    if count < 0:
        counts[ERROR] = NO_ROOM_FOR_PIECE
    at = np.int64(0)
    while at < count and counts[ERROR] == 0:
        if 1 <= script_at(piece, count, at) <= LAST_GRAM_SCRIPT:
            at = emit_grams(vocabulary, tokens, piece, spans, capacity, count, at, number)
        elif starts_word(piece, count, at):
            prefix = read_prefix(piece, count, at)
            found, suffix, at = read_compound(piece, capacity, count, at, apostrophe_breaks)
            emit_compound(vocabulary, tokens, piece, spans, capacity, found, prefix, suffix, stems, number)
        else:
            at += 1
            continue
        number += 1
    return place, source, number


@helper
def _tokenise_runs(vocabulary, tokens, text, length, place, source, number, ways, unicode, room, memo):
    """Write the tokens of the next runs from `place` on, code point `source`; of the next piece where there are none
    (see `find_runs`), and of all pieces where there is no memo. Returns how many bytes are done with, the code point
    and the number of the word behind them; what had no room is told in `counts`.
    """
    _, _, _, _, _, _, counts = tokens
    runs = done = np.int64(0)
    has_memo = is_memo(memo)
    if has_memo:
        runs, done = find_runs(memo, text, length, place)
    are_runs = done > 0
    at = np.int64(0)
    for run in range(runs if are_runs else 1):
        first, stop, value = np.int64(0), length - place, np.uint64(0)
        if are_runs:
            first, stop, value, pair = noted_run(memo, run)
            source += first - at
            at = stop
            record = find_run(memo, text, place + first, stop - first, value, pair)
            if record:
                points, found = emit_run(memo, tokens, record, source, number)
                source += points
                number += found
                if counts[ERROR]:
                    break
                continue
        before = (counts[TOKEN_COUNT], source, number)
        begin, end = place + first, place + stop
        while begin < end and counts[ERROR] == 0:
            code, size = decode(text, end, begin)
            if is_space(code):
                begin += size
                source += 1
                continue
            begin, source, number = _tokenise_piece(
                vocabulary, tokens, text, end, begin, source, number, ways, unicode, room
            )
            if has_memo and not are_runs:
                break
        if counts[ERROR]:
            break
        if are_runs:
            after = (counts[TOKEN_COUNT], source, number)
            keep_run(memo, tokens, text, place + first, stop - first, value, before, after)
        else:
            at = done = begin - place
    return done, source + done - at, number


def tokenise(
    text, length, tables, tables_length, stems, apostrophe_breaks,
    stop_slots, stop_slot_count, stop_offsets, stop_bytes, stop_length, stop_count,
    slots, slot_count, offsets, entry_capacity, arena, arena_capacity,
    piece, spans, capacity, scratch, memo_slots, memo_slot_count, memo_log, memo_length,
    entries, starts, ends, kinds, words, token_capacity, counts,
):  # fmt: skip
    """Write the tokens of `text` (u8[length], UTF-8) and enter their texts in the vocabulary.

    `tables` (u32[tables_length]): see unicode_layout.py; text that is ASCII needs none. `stems`: whether plain words
    are stemmed afterwards. `apostrophe_breaks`: whether an apostrophe ends a word. Stop words are a table as
    `is_stop_word` takes it.

    The vocabulary: `slots` (u32[slot_count], a power of two, zeros at first), text i at `offsets[i]:offsets[i + 1]`
    (i64[entry_capacity + 1], below 2**31) of `arena` (u8[arena_capacity]); `counts[ENTRY_COUNT]` (i64[3]) texts are
    there already. `piece` (u32[PIECE_SECTIONS * capacity]), `spans` (i64[SPAN_SECTIONS * capacity]) and `scratch`
    (u32[STRETCH_SCRATCH]) are working memory for a piece of `capacity` folded characters (below 2**31). The memo of the
    runs that became texts of this vocabulary: `memo_slots` (u32[memo_slot_count], a power of two) and `memo_log`
    (u64[memo_length]), zeros at first; without slots, or below LEAST_LOG, there is none, and the tokens are the same. A
    token's text, its span in code points, its kind (with STOP_TOKEN) and the number of its source word go to `entries`
    (u32), `starts`, `ends` (i64), `kinds` (u8), `words` (i64), all [token_capacity].

    Returns the number of tokens, also in `counts[TOKEN_COUNT]`; if something did not fit, NO_ROOM_FOR_..., with the
    vocabulary still sound: call again with more room. Text, tables, stop words, vocabulary and memo may hold anything:
    nothing is read or written outside the arrays. Naive twin: tests/text/naive.
    """
    stops = (stop_slots, stop_slot_count, stop_offsets, stop_bytes, stop_length, stop_count)
    vocabulary = (slots, slot_count, offsets, entry_capacity, arena, arena_capacity, stops, counts)
    tokens = (entries, starts, ends, kinds, words, token_capacity, counts)
    counts[TOKEN_COUNT] = 0
    counts[ERROR] = 0
    if not 0 <= counts[ENTRY_COUNT] <= entry_capacity:
        return NO_ROOM_FOR_ENTRIES
    memo = (memo_slots, memo_slot_count, memo_log, memo_length)
    if is_memo(memo) and counts[ENTRY_COUNT] == 0:
        begin_memo(memo)
    ways, unicode, room = (stems, apostrophe_breaks), (tables, tables_length), (piece, spans, capacity, scratch)
    place = np.int64(0)
    source = np.int64(0)
    number = np.int64(0)
    while place < length:
        done, source, number = _tokenise_runs(
            vocabulary, tokens, text, length, place, source, number, ways, unicode, room, memo
        )
        place += done
        if counts[ERROR]:
            return counts[ERROR]
    return counts[TOKEN_COUNT]
