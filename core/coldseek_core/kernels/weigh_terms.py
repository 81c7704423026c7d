# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""From a question's tokens to the terms that score it and the weights that measure its coverage."""

import numpy as np

from .find_term import find_term
from .options import helper
from .rarest_terms import choose_rarest, rank_of, span_of
from .token_layout import (
    ALIAS,
    BIGRAM,
    DFS,
    DISTINCT,
    GRAM,
    LOOSE_NAME,
    NAME,
    NUMBER,
    ONLY_SCORED,
    ONLY_WEIGHED,
    PART,
    QUESTION_COUNTS,
    RANK,
    STARTS,
    STATE,
    STOP_TOKEN,
    TERM_ID,
    TOTAL_WEIGHT,
    TRIMMED,
    UNKNOWN_WORDS,
    WEIGHTS,
    WORD,
)

# A term's state, as bits: it is one of those taken; it scores; it weighs.
_CHOSEN, _SCORED, _WEIGHED = 1, 2, 4


@helper
def _number(tokens, order):
    """The number of a token's term in the vocabulary, -1 for none."""
    entries, _, _, _, _, _, numbers, entry_count, _, term_count = tokens
    entry = np.int64(entries[order])
    number = numbers[entry] if entry < entry_count else np.int64(-1)
    return number if 0 <= number < term_count else np.int64(-1)


@helper
def _kind(tokens, order):
    return np.int64(tokens[3][order]) & ~STOP_TOKEN


@helper
def _kept_term(tokens, terms, order):
    """The place of a token's term among the question's, -1 where the token is left out."""
    kinds, totals = tokens[3], tokens[8]
    scratch, room, found, with_stops = terms
    number = _number(tokens, order)
    if number < 0 or (kinds[order] >= STOP_TOKEN and not with_stops):
        return np.int64(-1)
    term = np.int64(totals[number]) - 1
    return term if 0 <= term < found and scratch[STATE * room + term] & _CHOSEN else np.int64(-1)


@helper
def _is_known(terms, term):
    scratch, room, _, _ = terms
    return scratch[TERM_ID * room + term] >= 0


@helper
def _pair_at(tokens, terms, order, near):
    """The term of a pair that the character at `order` is in, if there is one at `near`; else -1."""
    words, count = tokens[4], tokens[5]
    if 0 <= near < count and _kind(tokens, near) == BIGRAM and words[near] == words[order]:
        return _kept_term(tokens, terms, near)
    return np.int64(-1)


@helper
def _is_covered(tokens, terms, order):
    """Whether a character stands in known pairs only, which say it better. The analyser puts a pair between its
    characters.
    """
    if _kind(tokens, order) != GRAM:
        return False
    before = _pair_at(tokens, terms, order, order - 1)
    after = _pair_at(tokens, terms, order, order + 1)
    if before < 0 and after < 0:
        return False
    return (before < 0 or _is_known(terms, before)) and (after < 0 or _is_known(terms, after))


@helper
def _weigh(tokens, terms, weighing, order, is_told):
    """Let a token stand for the question, if its term does not yet. Returns whether it is an unknown word; that is
    noted if it `is_told`.
    """
    scratch, room, _, _ = terms
    idfs, unknown_idf, unknown, counts = weighing
    term = _kept_term(tokens, terms, order)
    if scratch[STATE * room + term] & _WEIGHED:
        return False
    scratch[STATE * room + term] |= _WEIGHED
    if _is_known(terms, term):
        counts[TOTAL_WEIGHT] += np.int64(idfs[scratch[TERM_ID * room + term]])
        return False
    counts[TOTAL_WEIGHT] += unknown_idf
    if is_told:
        place = 2 * counts[UNKNOWN_WORDS]
        unknown[place] = tokens[1][order]
        unknown[place + 1] = tokens[2][order]
        counts[UNKNOWN_WORDS] += 1
    return True


@helper
def _weigh_characters(tokens, terms, weighing, first, stop):
    """Of a run of characters: each known pair, and the characters of unknown pairs or of none."""
    for order in range(first, stop):
        term = _kept_term(tokens, terms, order)
        if term < 0:
            continue
        if _kind(tokens, order) == BIGRAM:
            weighs = _is_known(terms, term)
        else:
            weighs = not _is_covered(tokens, terms, order)
        if weighs:
            _weigh(tokens, terms, weighing, order, True)


@helper
def _name_of(tokens, terms, first, stop):
    """The name of a compound and its alias (the same where there is none), -1 without a name; whether it has parts."""
    starts, ends = tokens[1], tokens[2]
    name = np.int64(-1)
    alias = np.int64(-1)
    has_parts = False
    for order in range(first, stop):
        if _kept_term(tokens, terms, order) >= 0:
            kind = _kind(tokens, order)
            has_parts = has_parts or kind == PART
            if name < 0 and NAME <= kind <= LOOSE_NAME:
                name = np.int64(order)
    for order in range(first, stop if name >= 0 else first):
        same = starts[order] == starts[name] and ends[order] == ends[name]
        if same and _kind(tokens, order) == ALIAS and _kept_term(tokens, terms, order) >= 0:
            alias = np.int64(order)
            break
    return name, alias if alias >= 0 else name, has_parts


@helper
def _weigh_word(tokens, terms, weighing, first, stop):
    """A plain word counts as it is. A compound counts once, by its most general name, if a chunk has that; else by
    its parts, and, unless it is mere punctuation of plain words, by its name as well: a word that no chunk contains.
    Parts of a name that is told as unknown are not told again.
    """
    name, alias, has_parts = _name_of(tokens, terms, first, stop)
    named = False
    if name >= 0:
        if _is_known(terms, _kept_term(tokens, terms, alias)):
            _weigh(tokens, terms, weighing, alias, True)
            return
        if _kind(tokens, name) == NAME or not has_parts:
            named = _weigh(tokens, terms, weighing, name, True)
    for order in range(first, stop):
        kind = _kind(tokens, order)
        if (kind == PART or (kind == WORD and name < 0)) and _kept_term(tokens, terms, order) >= 0:
            _weigh(tokens, terms, weighing, order, not (named and kind == PART))


@helper
def _weigh_all(tokens, terms, weighing):
    """Word by word: the tokens of one are next to each other."""
    words, count = tokens[4], tokens[5]
    first = np.int64(0)
    while first < count:
        stop = first + 1
        while stop < count and words[stop] == words[first]:
            stop += 1
        while first < stop and _kept_term(tokens, terms, first) < 0:
            first += 1
        if first < stop:
            kind = _kind(tokens, first)
            if GRAM <= kind <= BIGRAM:
                _weigh_characters(tokens, terms, weighing, first, stop)
            else:
                _weigh_word(tokens, terms, weighing, first, stop)
        first = stop


@helper
def _has_others_than_stop_words(tokens):
    for order in range(tokens[5]):  # noqa: SIM110 - Numba has no any() over a generator
        if tokens[3][order] < STOP_TOKEN and _number(tokens, order) >= 0:
            return True
    return False


@helper
def _gather(tokens, texts, index, unknown_idf, scratch, most, with_stops):
    """Look up each distinct term of the tokens. Returns how many there are."""
    kinds, count, totals = tokens[3], tokens[5], tokens[8]
    keys, blocks, block_count, known_count, idfs = index
    found = np.int64(0)
    for order in range(count):
        number = _number(tokens, order)
        if number < 0 or totals[number] != 0 or (kinds[order] >= STOP_TOKEN and not with_stops):
            continue
        start, stop = span_of(texts, number)
        term_id = find_term(texts[1], start, stop, keys, blocks, block_count, known_count)
        scratch[NUMBER * most + found] = number
        scratch[TERM_ID * most + found] = term_id
        scratch[STATE * most + found] = 0
        scratch[RANK * most + found] = rank_of(np.int64(idfs[term_id]) if term_id >= 0 else unknown_idf, term_id >= 0)
        found += 1
        totals[number] = found
    return found


def weigh_terms(
    entries, starts, ends, kinds, words, count, numbers, entry_count, totals, term_count,
    term_offsets, term_bytes, term_bytes_length,
    keys, block_offsets, coded, coded_length, block_count, known_count, dfs, idfs, posting_starts,
    unknown_idf, limit, scratch, found_terms, scored, unknown, room, counts,
):  # fmt: skip
    """Of `count` tokens, as `tokenise` writes them, with their terms as `enter_terms` numbers them: the known terms
    that score or weigh, the words that no chunk contains, and the weight of all.

    Stop words are left out unless there is nothing else. Of more than `limit` distinct terms the rarest are taken.
    `totals` (u32[term_count]) is zeros before and after. The index's terms: keys and blocks as `find_term` takes them,
    and `dfs`, `idfs` (u32), `posting_starts` (i64), all [known_count]; a term's weight is its IDF, `unknown_idf` where
    it is unknown. `scratch`: i64[SCRATCH_SECTIONS * min(count, term_count) + BUCKETS], sections as in token_layout.py.

    Written, with `room` for `limit` terms or, if that is less, for all: the starts of the terms' postings, their
    numbers, and their weights to `found_terms` (i64[TERM_SECTIONS * room]); whether they score to `scored` (u8[room]).
    Those that only score come first, then those that do both, then those that only weigh. Start and end of each unknown
    word in code points go to `unknown` (i64[2 * room]), and how many there are of everything to `counts`
    (i64[QUESTION_COUNTS]). Returns the number of known terms. Arrays may hold anything: nothing is read or written
    outside of them. Naive twin: `resolve_query` in tests/search/naive_query.py.
    """
    tokens = (entries, starts, ends, kinds, words, count, numbers, entry_count, totals, term_count)
    texts = (term_offsets, term_bytes, term_bytes_length)
    index = (keys, (block_offsets, coded, coded_length), block_count, known_count, idfs)
    for place in range(QUESTION_COUNTS):
        counts[place] = 0
    most = min(count, term_count)  # so many distinct terms there may be
    with_stops = not _has_others_than_stop_words(tokens)
    found = _gather(tokens, texts, index, unknown_idf, scratch, most, with_stops)
    wanted = min(found, limit, room)
    counts[DISTINCT] = found
    counts[TRIMMED] = found - wanted
    if wanted < found:
        choose_rarest(scratch, most, texts, found, wanted, _CHOSEN)
    else:
        for term in range(found):
            scratch[STATE * most + term] = _CHOSEN
    terms = (scratch, most, found, with_stops)
    for order in range(count):
        term = _kept_term(tokens, terms, order)
        if term >= 0 and _is_known(terms, term) and not _is_covered(tokens, terms, order):
            scratch[STATE * most + term] |= _SCORED
    _weigh_all(tokens, terms, (idfs, unknown_idf, unknown, counts))
    size = np.int64(0)
    for group in range(ONLY_SCORED, ONLY_WEIGHED + 1):
        wanted_state = _CHOSEN
        if group != ONLY_WEIGHED:
            wanted_state |= _SCORED
        if group != ONLY_SCORED:
            wanted_state |= _WEIGHED
        for term in range(found):
            term_id = scratch[TERM_ID * most + term]
            if term_id < 0 or scratch[STATE * most + term] != wanted_state:
                continue
            found_terms[STARTS * room + size] = posting_starts[term_id]
            found_terms[DFS * room + size] = np.int64(dfs[term_id])
            found_terms[WEIGHTS * room + size] = np.int64(idfs[term_id]) if group != ONLY_SCORED else np.int64(0)
            scored[size] = group != ONLY_WEIGHED
            counts[group] += 1
            size += 1
    for term in range(found):
        totals[scratch[NUMBER * most + term]] = 0
    return size
