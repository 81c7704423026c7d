# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""From terms counted by text to terms counted by chunk, whose fields are texts."""

import numpy as np


def join_fields(
    found, frequencies, found_count, found_ends, text_count, fields, chunk_count, field_count,
    places, term_count, terms, joined, capacity, chunk_ends,
):  # fmt: skip
    """From the terms of `text_count` texts as `count_terms` writes them (`found` and `frequencies`, u32[found_count],
    `found_ends`, i64): for each chunk, whose fields are the texts `fields` (i64[chunk_count * field_count]), its
    distinct terms (`terms`, u32[capacity]) in the order in which the fields bring them, and the frequency of each in
    field i (`joined[i * capacity:]`, u32[field_count * capacity]), up to `chunk_ends` (i64[chunk_count]).

    `places` (u32[term_count]) is zeros before and after. Returns how many terms were written; what has no room is left
    out, and what is out of range counts as nothing. Naive twin: `join_fields` in tests/kernels/naive_count.py.
    """
    size = np.int64(0)
    for chunk in range(chunk_count):
        first = size
        for field in range(field_count):
            text = fields[chunk * field_count + field]
            if not 0 <= text < text_count:
                continue
            order = max(found_ends[text - 1], np.int64(0)) if text else np.int64(0)
            stop = min(found_ends[text], found_count)
            while order < stop:
                term = np.int64(found[order])
                frequency = frequencies[order]
                order += 1
                if term >= term_count:
                    continue
                place = np.int64(places[term]) - 1
                if not 0 <= place < size - first:
                    if size >= capacity:
                        continue
                    place = size - first
                    places[term] = place + 1
                    terms[size] = term
                    for other in range(field_count):
                        joined[other * capacity + size] = 0
                    size += 1
                joined[field * capacity + first + place] = frequency
        for written in range(first, size):
            places[terms[written]] = 0
        chunk_ends[chunk] = size
    return size
