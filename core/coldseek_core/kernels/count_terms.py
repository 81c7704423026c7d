# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Count the terms of texts that were tokenised as one."""

import numpy as np

from .token_layout import GRAM, PART, STOP_TOKEN, WORD

# Kinds that count in a field's length, as bits: others are second readings of text that is counted.
_COUNTED = 1 << WORD | 1 << PART | 1 << GRAM


def count_terms(
    entries, starts, kinds, count, terms, entry_count, totals, term_count, text_ends, text_count,
    found, frequencies, found_ends, lengths,
):  # fmt: skip
    """From `count` tokens, each with its text in the vocabulary (`entries`, u32), its place (`starts`, i64) and its
    kind (u8): for each text, whose tokens start before `text_ends` (i64[text_count]), the distinct terms in the order
    of their first tokens (`found`, u32) and how often each comes (`frequencies`, u32), up to `found_ends` (i64). To
    `lengths` (i64) goes the number of its words that are no stop words.

    `terms` (i64[entry_count]) has each entry's term, -1 for none. `totals` (u32[term_count]) is zeros before and after.
    `found` and `frequencies` have room for `count` numbers. Returns how many were written. What is out of range counts
    as no term. Naive twin: `count_terms` in tests/kernels/naive_count.py.
    """
    size = np.int64(0)
    order = np.int64(0)
    for text in range(text_count):
        first = size
        words = np.int64(0)
        while order < count and starts[order] < text_ends[text]:
            entry = np.int64(entries[order])
            kind = np.int64(kinds[order])
            order += 1
            term = terms[entry] if entry < entry_count else np.int64(-1)
            if 0 <= term < term_count:
                if totals[term] == 0:
                    found[size] = term
                    size += 1
                totals[term] += 1
                words += kind < STOP_TOKEN and _COUNTED >> kind & 1 != 0
        for place in range(first, size):
            frequencies[place] = totals[found[place]]
            totals[found[place]] = 0
        found_ends[text] = size
        lengths[text] = words
    return size
