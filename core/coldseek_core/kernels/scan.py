# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Exact similarity of 12-bit vectors and a 15-bit query: the whole scan, and given rows.

A vector is 16 * code + remainder in each dimension. The scan reads the 8-bit codes of every row; they bound its
similarity, and only a row whose bound reaches the best so far is worth a look at its remainders. So the result is that
of all 12 bits, for little more than 8 bits' reading.
"""

import math

import numpy as np

from .multiply_add import dot_of_steps, whole_steps
from .options import helper
from .row_filter import is_kept
from .top_heap import is_worse, offer, sort_best_first

# Longest stretch whose products fit int32: 1,024 * 128 * 16,383 = 2,147,352,576 < 2**31.
STRETCH = 1024

# As many bytes of remainders as can be summed in int32: each adds at most 2 * 8 * 16,383, together 1,073,676,288.
REMAINDER_STRETCH = 4096


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
def _remainder_dot(remainders, base, query, dimensions):
    """Exact dot product of a row's remainders, int64. Two to a byte: dimensions i and i + width."""
    width = (dimensions + 1) // 2
    total = np.int64(0)
    first = 0
    while first < width:
        stop = min(first + REMAINDER_STRETCH, width)
        partial = np.int32(0)
        paired = min(stop, dimensions - width)
        for place in range(first, paired):
            packed = np.int32(remainders[base + place])
            partial += (((packed & 15) ^ 8) - 8) * np.int32(query[place]) + (packed >> 4) * np.int32(
                query[place + width]
            )
        for place in range(max(first, paired), stop):  # the last byte of an odd number of dimensions is half empty
            partial += (((np.int32(remainders[base + place]) & 15) ^ 8) - 8) * np.int32(query[place])
        total += np.int64(partial)
        first = stop
    return total


@helper
def _remainder_bound(dimensions, query_norm):
    """No remainders' dot product is larger: |r| <= 8 * sqrt(dimensions), and |r . q| <= |r| |q| (Cauchy and Schwarz).

    One is added for rounding: the numbers compared with it are below 2**43, where an operation's error is below
    2**-10.
    """
    return 8.0 * math.sqrt(np.float64(dimensions)) * query_norm + 1.0


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
    codes, remainders, squares, dimensions, row_start, row_stop, query, query_square, bitmap, filtered,
    top_rows, top_similarities, top_length,
):  # fmt: skip
    """Write the best `top_length` of rows `row_start:row_stop` and their similarities, best first; returns how many.

    `codes` i8[rows * dimensions], `remainders` i8[rows * ((dimensions + 1) // 2)] as `quantise_rows` packs them,
    `squares` i64[rows] (sums of (16 * code + remainder)**2), `query` i16[dimensions] within ±16,383 with its exact
    square `query_square`; `bitmap` keeps rows if `filtered`. Order: similarity descending, row ascending, so the
    best of two row ranges merge to the best of both.

    Accumulators: int32 for 1,024 dimensions (see STRETCH), int64 beyond; exact to 131,071 dimensions and more,
    also for codes of -128. Naive twin: `scan_top`.
    """
    if top_length <= 0:
        return 0
    width = (dimensions + 1) // 2
    query_norm = math.sqrt(np.float64(max(query_square, 0)))
    bound = _remainder_bound(dimensions, query_norm)
    count = 0
    for row in range(row_start, row_stop):
        if filtered != 0 and not is_kept(bitmap, row):
            continue
        dot = 16 * _dot(codes, row * dimensions, query, dimensions)
        if count == top_length and squares[row] > 0:
            needed = top_similarities[0] * query_norm * math.sqrt(np.float64(squares[row]))
            if np.float64(dot) + bound < needed:
                continue
        dot += _remainder_dot(remainders, row * width, query, dimensions)
        similarity = _similarity(dot, query_square, squares[row])
        if count == top_length and not is_worse(top_similarities[0], top_rows[0], similarity, row):
            continue
        count = offer(top_rows, top_similarities, count, top_length, similarity, row)
    sort_best_first(top_rows, top_similarities, count)
    return count


def similarity_rows(
    codes, remainders, squares, dimensions, row_count, query, query_square, wanted, wanted_count, similarities
):  # fmt: skip
    """Similarity of each wanted row (i64[wanted_count]) to `similarities` (f64); 0.0 for rows out of range.

    Arguments as in `scan_top`. Returns 0. Naive twin: `similarity_rows`.
    """
    for order in range(wanted_count):
        row = wanted[order]
        if row < 0 or row >= row_count:
            similarities[order] = 0.0
            continue
        dot = 16 * _dot(codes, row * dimensions, query, dimensions)
        dot += _remainder_dot(remainders, row * ((dimensions + 1) // 2), query, dimensions)
        similarities[order] = _similarity(dot, query_square, squares[row])
    return 0
