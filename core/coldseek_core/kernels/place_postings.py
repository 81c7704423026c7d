# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Postings from the order of chunks to that of terms, with their impacts."""

import numpy as np


def place_postings(
    terms, frequencies, count, chunk_ends, chunk_count, first_row,
    idf, term_count, weights, norms, row_count, field_count, saturation, unit, limit,
    cursors, rows, impacts, posting_count, highest,
):  # fmt: skip
    """Put the postings of `chunk_count` chunks, whose rows begin with `first_row`, where their terms' are.

    `terms` (u32[count]) with the frequency of each in field i at `frequencies[i * count:]` (u32), those of a chunk up
    to `chunk_ends` (i64[chunk_count]). A posting of term t goes to place `cursors[t]` (i64[term_count]), which is
    counted up, of `rows` and `impacts` (u32[posting_count]). Its impact is that of BM25F (Robertson, Zaragoza and
    Taylor 2004), each operation rounded once in this order, times `unit[0]`, rounded and at least 1: `idf`
    (f64[term_count]), `weights` (f64[field_count]), `norms` of a field's length by row (f64[field_count * row_count]),
    k1 in `saturation[0]`. `highest[0]` is raised to the highest impact before its rounding; one of `limit` or above
    does not fit and becomes `limit`.

    Returns how many were placed; what is out of range is left out. Naive twin: `place_postings` in
    tests/kernels/naive_count.py.
    """
    k1 = saturation[0]
    scale = unit[0]
    ceiling = np.float64(limit)
    most = highest[0]
    placed = np.int64(0)
    order = np.int64(0)
    for chunk in range(chunk_count):
        row = first_row + chunk
        if not 0 <= row < row_count:
            break
        stop = min(chunk_ends[chunk], count)
        while order < stop:
            term = np.int64(terms[order])
            place = cursors[term] if term < term_count else np.int64(-1)
            if 0 <= place < posting_count:
                w = 0.0
                for field in range(field_count):
                    frequency = frequencies[field * count + order]
                    if frequency:
                        w += (weights[field] * np.float64(frequency)) / norms[field * row_count + row]
                value = idf[term] * ((w * (k1 + 1.0)) / (w + k1)) * scale + 0.5
                if value > most:
                    most = value
                rows[place] = row
                if value < 1.0:
                    impacts[place] = 1
                elif value < ceiling:
                    impacts[place] = np.int64(value)
                else:
                    impacts[place] = limit
                cursors[term] = place + 1
                placed += 1
            order += 1
    highest[0] = most
    return placed
