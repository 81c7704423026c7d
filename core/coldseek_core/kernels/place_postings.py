# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Postings from the order of chunks to that of terms, with their impacts."""

import numpy as np


def place_postings(
    terms, frequencies, count, chunk_ends, chunk_count, first_row,
    idf, term_count, weights, norms, row_count, field_count, saturation,
    cursors, rows, impacts, posting_count,
):  # fmt: skip
    """Put the postings of `chunk_count` chunks, whose rows begin with `first_row`, where their terms' are.

    `terms` (u32[count]) with the frequency of each in field i at `frequencies[i * count:]` (u32), those of a chunk up
    to `chunk_ends` (i64[chunk_count]). A posting of term t goes to place `cursors[t]` (i64[term_count]), which is
    counted up, of `rows` (u32[posting_count]) and `impacts` (f64[posting_count]). Its impact is that of BM25F
    (Robertson, Zaragoza and Taylor 2004), each operation rounded once in this order: `idf` (f64[term_count]), `weights`
    (f64[field_count]), `norms` of a field's length by row (f64[field_count * row_count]), k1 in `saturation[0]`.

    Returns how many were placed; what is out of range is left out. Naive twin: `place_postings` in
    tests/kernels/naive_count.py.
    """
    k1 = saturation[0]
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
                rows[place] = row
                impacts[place] = idf[term] * ((w * (k1 + 1.0)) / (w + k1))
                cursors[term] = place + 1
                placed += 1
            order += 1
    return placed
