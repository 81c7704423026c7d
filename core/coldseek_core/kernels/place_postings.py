# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Postings from the order of chunks to that of terms, with their impacts."""

import numpy as np

from .memory import PLACED_BITS

_UNITS = float(1 << PLACED_BITS)
_ROW_SHIFT = 32
_MOST = float((1 << _ROW_SHIFT) - 1)


def place_postings(
    terms, frequencies, count, chunk_ends, chunk_count, first_row,
    idf, term_count, weights, norms, row_count, field_count, saturation,
    cursors, postings, posting_count,
):  # fmt: skip
    """Put the postings of `chunk_count` chunks, whose rows begin with `first_row`, where their terms' are.

    `terms` (u32[count]) with the frequency of each in field i at `frequencies[i * count:]` (u32), those of a chunk up
    to `chunk_ends` (i64[chunk_count]). A posting of term t goes to place `cursors[t]` (i64[term_count]), which is
    counted up, of `postings` (u64[posting_count]): the row in the upper half, in the lower one the impact in units of
    2**-PLACED_BITS, rounded down, so that rounding it again to coarser units is as rounding the impact itself. That is
    the impact of BM25F (Robertson, Zaragoza and Taylor 2004), each operation rounded once in this order: `idf`
    (f64[term_count]), `weights` (f64[field_count]), `norms` of a field's length by row (f64[field_count * row_count]),
    k1 in `saturation[0]`.

    Returns the largest impact that was placed; what is out of range is left out. Naive twin: `place_postings` in
    tests/kernels/naive_count.py.
    """
    k1 = saturation[0]
    largest = np.int64(0)
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
                # A power of two: the product is exact.
                scaled = (idf[term] * ((w * (k1 + 1.0)) / (w + k1))) * _UNITS
                impact = np.int64(0)
                if scaled >= 1.0:
                    impact = np.int64(scaled) if scaled < _MOST else np.int64(_MOST)
                postings[place] = row << _ROW_SHIFT | impact
                cursors[term] = place + 1
                largest = max(largest, impact)
            order += 1
    return largest
