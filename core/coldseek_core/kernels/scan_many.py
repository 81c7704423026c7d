# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""The exact scan for many queries that share one pass over the codes: what `scan_top` finds for each.

The rows are cut in tiles that stay in the second-level cache while the queries go over them, four queries at a time
where vectors are short enough.
"""

import math

import numpy as np

from .four_queries import QUERIES, any_near, behind, four_doubles, four_ints
from .four_rows import LONGEST_OF_FOUR, ROWS
from .multiply_add import STEP
from .options import helper
from .query_layout import fits, lay_out, query_room, steps_of
from .row_filter import is_kept
from .scan import remainder_bound, remainder_dot, scan_rows, similarity_of
from .top_heap import is_worse, offer, sort_best_first

# Bytes of codes in a tile: half of a small second-level cache (512 KB), so that the queries find room, too.
TILE = 1 << 18


@helper
def _next_near(
    codes, squares, dimensions, row, row_stop, bitmap, filtered, room, stride, shifted, bounds, limits, dots
):  # fmt: skip
    """The first row from `row` on that one of four queries must look at, whose products are in `dots`; `row_stop` if
    there is none.
    """
    while row < row_stop:
        if (filtered == 0 or is_kept(bitmap, row)) and any_near(  # pyright: ignore[reportCallIssue]
            codes, row * dimensions, room, stride, dimensions, squares[row], shifted, bounds, limits, dots
        ):
            return row
        row += 1
    return row_stop


@helper
def _scan_four(
    codes, remainders, squares, dimensions, row_start, row_stop, queries, query_squares, bitmap, filtered,
    top_rows, top_similarities, top_length, counts,
):  # fmt: skip
    """As `scan_rows`, for four queries, their heaps, and the heaps' lengths in `counts`."""
    width = (dimensions + 1) // 2
    room = query_room()  # pyright: ignore[reportCallIssue]
    shifted, dots = four_ints(), four_ints()  # pyright: ignore[reportCallIssue]
    bounds, limits = four_doubles(), four_doubles()  # pyright: ignore[reportCallIssue]
    stride = 2 * STEP * steps_of(dimensions)
    for order in range(QUERIES):
        norm = math.sqrt(np.float64(max(query_squares[order], 0)))
        bounds[order] = remainder_bound(dimensions, norm)
        limits[order] = top_similarities[order * top_length] * norm if counts[order] == top_length else -math.inf
        place = behind(room, order * stride)  # pyright: ignore[reportCallIssue]
        shifted[order] = np.int32(lay_out(queries, order * dimensions, dimensions, place))
    row = row_start
    while True:
        row = _next_near(
            *(codes, squares, dimensions, row, row_stop, bitmap, filtered),
            *(room, stride, shifted, bounds, limits, dots),
        )
        if row >= row_stop:
            return
        square = squares[row]
        length = math.sqrt(np.float64(max(square, 0)))
        for order in range(QUERIES):
            dot = np.int64(dots[order])
            if square > 0 and np.float64(16 * dot) + bounds[order] < limits[order] * length:
                continue
            query = behind(queries, order * dimensions)  # pyright: ignore[reportCallIssue]
            rows = behind(top_rows, order * top_length)  # pyright: ignore[reportCallIssue]
            similarities = behind(top_similarities, order * top_length)  # pyright: ignore[reportCallIssue]
            product = 16 * dot + remainder_dot(remainders, row * width, query, dimensions)
            similarity = similarity_of(product, query_squares[order], square)
            if counts[order] < top_length or is_worse(similarities[0], rows[0], similarity, row):
                counts[order] = offer(rows, similarities, counts[order], top_length, similarity, row)
            if counts[order] == top_length:
                limits[order] = similarities[0] * math.sqrt(np.float64(max(query_squares[order], 0)))
        row += 1


def scan_many_top(
    codes, remainders, squares, dimensions, row_start, row_stop, queries, query_squares, query_count, bitmap,
    filtered, top_rows, top_similarities, top_length, counts,
):  # fmt: skip
    """What `scan_top` writes for each of `query_count` queries, one behind the other; returns 0.

    `queries` i16[query_count * dimensions], `query_squares` i64[query_count], `top_rows` and `top_similarities`
    [query_count * top_length], `counts` i64[query_count]: how many were found for each. Other arguments as in
    `scan_top`; the bitmap is that of all queries. Naive twin: `scan_top`, for each query.

    Accumulators: int32 up to LONGEST_OF_FOUR dimensions, as in four_rows.py; beyond as in `scan_top`.
    """
    for order in range(query_count):
        counts[order] = 0
    if top_length <= 0:
        return 0
    fours = query_count - query_count % QUERIES if fits(dimensions) and dimensions <= LONGEST_OF_FOUR else 0
    tile_rows = max(TILE // max(dimensions, 1) // ROWS, 1) * ROWS
    first = row_start
    while first < row_stop:
        stop = min(first + tile_rows, row_stop)
        for order in range(0, query_count, QUERIES):
            if order < fours:
                _scan_four(
                    *(codes, remainders, squares, dimensions, first, stop),
                    *(behind(queries, order * dimensions), behind(query_squares, order), bitmap, filtered),  # pyright: ignore[reportCallIssue]
                    *(behind(top_rows, order * top_length), behind(top_similarities, order * top_length)),  # pyright: ignore[reportCallIssue]
                    *(top_length, behind(counts, order)),  # pyright: ignore[reportCallIssue]
                )
                continue
            for single in range(order, min(order + QUERIES, query_count)):
                counts[single] = scan_rows(
                    *(codes, remainders, squares, dimensions, first, stop),
                    *(behind(queries, single * dimensions), query_squares[single], bitmap, filtered),  # pyright: ignore[reportCallIssue]
                    *(behind(top_rows, single * top_length), behind(top_similarities, single * top_length)),  # pyright: ignore[reportCallIssue]
                    *(top_length, counts[single]),
                )
        first = stop
    for order in range(query_count):
        sort_best_first(
            *(behind(top_rows, order * top_length), behind(top_similarities, order * top_length), counts[order]),  # pyright: ignore[reportCallIssue]
        )
    return 0
