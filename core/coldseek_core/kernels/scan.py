# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Exact similarity of int8 vectors and a 15-bit query: the whole scan, and given rows."""

import math

import numpy as np

from .multiply_add import dot_of_steps, whole_steps
from .options import helper
from .row_filter import is_kept
from .top_heap import is_worse, offer, sort_best_first

# Longest stretch whose products fit int32: 1,024 * 128 * 16,383 = 2,147,352,576 < 2**31.
STRETCH = 1024


@helper
def _dot(codes, base, query, dimensions):
    """Exact dot product, int64: int32 within stretches, so that vector units multiply 16-bit lanes."""
    first = whole_steps(dimensions)
    total = dot_of_steps(codes, base, query, first)
    while first < dimensions:
        stop = min(first + STRETCH, dimensions)
        partial = np.int32(0)
        for place in range(first, stop):
            partial += np.int32(codes[base + place]) * np.int32(query[place])
        total += np.int64(partial)
        first = stop
    return total


@helper
def _similarity(dot, query_square, square):
    """`dot / (sqrt(qq) * sqrt(cc))`, each operation rounded once, clamped to -1 and 1; 0.0 where either vector is
    zero.
    """
    if query_square <= 0 or square <= 0:
        return 0.0
    cosine = np.float64(dot) / (math.sqrt(np.float64(query_square)) * math.sqrt(np.float64(square)))
    if cosine > 1.0:
        return 1.0
    if cosine < -1.0:
        return -1.0
    return cosine


def scan_top(
    codes, squares, dimensions, row_start, row_stop, query, query_square, bitmap, filtered,
    top_rows, top_similarities, top_length,
):  # fmt: skip
    """Write the best `top_length` of rows `row_start:row_stop` and their similarities, best first; returns how many.

    `codes` i8[rows * dimensions], `squares` i64[rows] (sums of squared codes), `query` i16[dimensions] within
    ±16,383 with its exact square `query_square`; `bitmap` keeps rows if `filtered`. Order: similarity descending,
    row ascending, so the best of two row ranges merge to the best of both.

    Accumulators: int32 for 1,024 dimensions (see STRETCH), int64 beyond; exact to 131,071 dimensions and more,
    also for codes of -128. Naive twin: `scan_top`.
    """
    if top_length <= 0:
        return 0
    count = 0
    for row in range(row_start, row_stop):
        if filtered != 0 and not is_kept(bitmap, row):
            continue
        dot = _dot(codes, row * dimensions, query, dimensions)
        similarity = _similarity(dot, query_square, squares[row])
        if count == top_length and not is_worse(top_similarities[0], top_rows[0], similarity, row):
            continue
        count = offer(top_rows, top_similarities, count, top_length, similarity, row)
    sort_best_first(top_rows, top_similarities, count)
    return count


def similarity_rows(codes, squares, dimensions, row_count, query, query_square, wanted, wanted_count, similarities):
    """Similarity of each wanted row (i64[wanted_count]) to `similarities` (f64); 0.0 for rows out of range.

    Arguments as in `scan_top`. Returns 0. Naive twin: `similarity_rows`.
    """
    for order in range(wanted_count):
        row = wanted[order]
        if row < 0 or row >= row_count:
            similarities[order] = 0.0
            continue
        dot = _dot(codes, row * dimensions, query, dimensions)
        similarities[order] = _similarity(dot, query_square, squares[row])
    return 0
