# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Exact similarity of 12-bit vectors and a 15-bit query: the whole scan, and given rows.

A vector is 16 * code + remainder in each dimension. The scan reads the 8-bit codes of every row; they bound its
similarity, and only a row whose bound reaches the best so far is worth a look at its remainders. So the result is that
of all 12 bits, for little more than 8 bits' reading.
"""

import math

import numpy as np

from .four_rows import LONGEST_OF_FOUR, ROWS, any_promising, keep_lanes, lanes_room
from .multiply_add import LONGEST, STEP, dot_laid_out
from .options import helper, inlined_helper
from .query_layout import fits, lay_out, query_room
from .row_filter import is_kept
from .top_heap import is_worse, offer, sort_best_first

# As many bytes of remainders as can be summed in int32: each adds at most 2 * 8 * 16,383, together 1,073,676,288.
REMAINDER_STRETCH = 4096


@helper
def remainder_dot(remainders, base, query, dimensions):
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
            low = np.int32(np.int32(((packed & 15) ^ 8) - 8) * np.int32(query[place]))
            high = np.int32(np.int32(packed >> 4) * np.int32(query[place + width]))
            partial = np.int32(np.int32(partial + low) + high)  # not +=: Numba would add and multiply 64 bits
        for place in range(max(first, paired), stop):  # the last byte of an odd number of dimensions is half empty
            packed = np.int32(remainders[base + place])
            partial = np.int32(partial + np.int32(((packed & 15) ^ 8) - 8) * np.int32(query[place]))
        total += np.int64(partial)
        first = stop
    return total


@helper
def remainder_bound(dimensions, query_norm):
    """No remainders' dot product is larger: |r| <= 8 * sqrt(dimensions), and |r . q| <= |r| |q| (Cauchy and Schwarz).

    One is added for rounding: the numbers compared with it are below 2**43, where an operation's error is below
    2**-10.
    """
    return 8.0 * math.sqrt(np.float64(dimensions)) * query_norm + 1.0


@helper
def similarity_of(product, query_square, square):
    """`product / (sqrt(qq) * sqrt(cc))`, each operation rounded once, clamped to -1 and 1; 0.0 where either vector is
    zero.
    """
    if query_square <= 0 or square <= 0:
        return 0.0
    cosine = np.float64(product) / (math.sqrt(np.float64(query_square)) * math.sqrt(np.float64(square)))
    if cosine > 1.0:
        return 1.0
    if cosine < -1.0:
        return -1.0
    return cosine


@helper
def _stretch(left):
    """How many of the last `left` dimensions to sum next, so that none or a step at least remains."""
    if left <= LONGEST:
        return left
    return LONGEST - STEP if left < LONGEST + STEP else LONGEST


@helper
def _dot_in_stretches(codes, base, query, dimensions, room, whole):
    """Exact dot product of a row and a query of any length, int64, with what SHIFT adds if the `whole` query is laid
    out, else without; then `room` is overwritten, which takes its time.
    """
    if dimensions < STEP:
        partial = np.int32(0)
        for place in range(dimensions):
            product = np.int32(np.int32(codes[base + place]) * np.int32(query[place]))
            partial = np.int32(partial + product)  # not +=: Numba would add 64 bits
        return np.int64(partial)
    total = np.int64(0)
    first = 0
    while first < dimensions:
        count = _stretch(dimensions - first)
        if whole:
            total += dot_laid_out(codes, base, room, first, count)  # pyright: ignore[reportCallIssue]
        else:
            total -= lay_out(query, first, count, room)
            total += dot_laid_out(codes, base + first, room, 0, count)  # pyright: ignore[reportCallIssue]
        first += count
    return total


@inlined_helper
def _dot(codes, base, query, dimensions, room, whole, shifted):
    """Exact dot product of the row at `base` and the query, int64; `whole`: the query is laid out in `room`."""
    if whole and dimensions <= LONGEST:
        return dot_laid_out(codes, base, room, 0, dimensions) - shifted  # pyright: ignore[reportCallIssue]
    return _dot_in_stretches(codes, base, query, dimensions, room, whole) - shifted


@inlined_helper
def _next_promising_four(codes, squares, dimensions, row, row_stop, room, lanes, shifted, bound, limit):
    """As `_next_promising`, but gives the first of four rows of which one is promising, and their dot products are in
    `lanes`. All rows go through the same instructions, since the hardware fetches ahead of an instruction whose
    addresses are a constant way apart. `row_stop` - `row`: a multiple of four.
    """
    place = 0
    while row < row_stop:
        keep_lanes(codes, row * dimensions, room, dimensions, lanes, place)  # pyright: ignore[reportCallIssue]
        row += 1
        place = (place + 1) & (ROWS - 1)
        if place == 0 and any_promising(lanes, squares, row - ROWS, shifted, bound, limit):
            return row - ROWS
    return row


@inlined_helper
def _next_promising(
    codes, squares, dimensions, first, fours_stop, row, row_stop, query, bitmap, filtered, room, lanes, whole, shifted,
    bound, limit,
):  # fmt: skip
    """The first row from `row` on whose similarity may be `limit` / |query| or more, and the dot product of its codes;
    `row_stop` if there is none. Rows from `first` to before `fours_stop` are looked at four at a time.
    """
    while row < row_stop:
        if filtered == 0 or is_kept(bitmap, row):
            if row >= fours_stop:
                dot = _dot(codes, row * dimensions, query, dimensions, room, whole, shifted)
            else:
                if (row - first) & (ROWS - 1) == 0:
                    row = _next_promising_four(
                        codes, squares, dimensions, row, fours_stop, room, lanes, shifted, bound, limit
                    )
                    if row == fours_stop:
                        continue
                dot = np.int64(lanes[(row - first) & (ROWS - 1)])
            square = squares[row]
            if square <= 0 or not np.float64(16 * dot) + bound < limit * math.sqrt(np.float64(square)):
                return row, dot
        row += 1
    return row_stop, np.int64(0)


@helper
def scan_rows(
    codes, remainders, squares, dimensions, row_start, row_stop, query, query_square, bitmap, filtered,
    top_rows, top_similarities, top_length, count,
):  # fmt: skip
    """As `scan_top`, but the best so far are a heap of `count`, which is not sorted; returns its new length."""
    width = (dimensions + 1) // 2
    query_norm = math.sqrt(np.float64(max(query_square, 0)))
    bound = remainder_bound(dimensions, query_norm)
    room, lanes = query_room(), lanes_room()  # pyright: ignore[reportCallIssue]
    whole = fits(dimensions)
    shifted = lay_out(query, 0, dimensions, room) if whole else np.int64(0)
    fours_stop = row_start
    if whole and dimensions <= LONGEST_OF_FOUR and filtered == 0 and row_start < row_stop:
        fours_stop = row_stop - (row_stop - row_start) % ROWS
    row = row_start
    limit = top_similarities[0] * query_norm if count == top_length else -math.inf
    while True:
        row, dot = _next_promising(
            *(codes, squares, dimensions, row_start, fours_stop, row, row_stop, query, bitmap, filtered),
            *(room, lanes, whole, shifted, bound, limit),
        )
        if row >= row_stop:
            break
        product = 16 * dot + remainder_dot(remainders, row * width, query, dimensions)
        similarity = similarity_of(product, query_square, squares[row])
        if count < top_length or is_worse(top_similarities[0], top_rows[0], similarity, row):
            count = offer(top_rows, top_similarities, count, top_length, similarity, row)
        if count == top_length:
            limit = top_similarities[0] * query_norm
        row += 1
    return count


def scan_top(
    codes, remainders, squares, dimensions, row_start, row_stop, query, query_square, bitmap, filtered,
    top_rows, top_similarities, top_length,
):  # fmt: skip
    """Write the best `top_length` of rows `row_start:row_stop` and their similarities, best first; returns how many.

    `codes` i8[rows * dimensions], `remainders` i8[rows * ((dimensions + 1) // 2)] as `quantise_rows` packs them,
    `squares` i64[rows] (sums of (16 * code + remainder)**2), `query` i16[dimensions] within ±16,383 with its exact
    square `query_square`; `bitmap` keeps rows if `filtered`. Order: similarity descending, row ascending, so the
    best of two row ranges merge to the best of both.

    Accumulators: int32 within stretches (multiply_add.LONGEST), int64 beyond; exact to 131,071 dimensions and more,
    also for codes of -128. Naive twin: `scan_top`.
    """
    if top_length <= 0:
        return 0
    count = scan_rows(
        *(codes, remainders, squares, dimensions, row_start, row_stop, query, query_square, bitmap, filtered),
        *(top_rows, top_similarities, top_length, 0),
    )
    sort_best_first(top_rows, top_similarities, count)
    return count


def similarity_rows(
    codes, remainders, squares, dimensions, row_count, query, query_square, wanted, wanted_count, similarities
):  # fmt: skip
    """Similarity of each wanted row (i64[wanted_count]) to `similarities` (f64); 0.0 for rows out of range.

    Arguments as in `scan_top`. Returns 0. Naive twin: `similarity_rows`.
    """
    room = query_room()  # pyright: ignore[reportCallIssue]
    whole = fits(dimensions)
    shifted = lay_out(query, 0, dimensions, room) if whole else np.int64(0)
    for order in range(wanted_count):
        row = wanted[order]
        if row < 0 or row >= row_count:
            similarities[order] = 0.0
            continue
        product = 16 * _dot(codes, row * dimensions, query, dimensions, room, whole, shifted)
        product += remainder_dot(remainders, row * ((dimensions + 1) // 2), query, dimensions)
        similarities[order] = similarity_of(product, query_square, squares[row])
    return 0
