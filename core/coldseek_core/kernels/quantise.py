# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Float vectors to integer codes: `floor(v * limit / max|v| + 0.5)`, clamped, in float64."""

import numpy as np

from .options import helper

CODE_LIMIT = 127.0
QUERY_LIMIT = 16383.0


@helper
def _largest(values, base, dimensions):
    """Largest magnitude, or -1.0 if a value is NaN or infinite."""
    largest = 0.0
    for place in range(dimensions):
        value = values[base + place]
        if value < 0.0:
            value = -value
        if not value <= 1.7976931348623157e308:
            return -1.0
        if value > largest:
            largest = value
    return largest


@helper
def _code(value, largest, limit):
    """One rounded and clamped code; half rounds toward plus infinity."""
    if largest < 1e-290:  # value * limit / largest would lose bits among subnormal numbers: scale both up first
        value = value * 1.3407807929942597e154
        largest = largest * 1.3407807929942597e154
    if largest > 1e290:  # and would overflow here: scale both down
        value = value * 7.458340731200207e-155
        largest = largest * 7.458340731200207e-155
    scaled = (value * limit) / largest + 0.5
    code = np.int64(scaled)
    if np.float64(code) > scaled:
        code -= 1
    if code > np.int64(limit):
        code = np.int64(limit)
    if code < -np.int64(limit):
        code = -np.int64(limit)
    return code


def quantise_query(values, dimensions, query, square):
    """15-bit codes of one vector (f64[dimensions]) to `query` (i16), their exact square to `square` (i64[1]).

    Returns 0, or -1 if a value is NaN or infinite. A zero vector stays zero. Square: int64, below
    2**28 * dimensions. Naive twin: `quantise`.
    """
    largest = _largest(values, 0, dimensions)
    square[0] = 0
    if largest < 0.0:
        return -1
    for place in range(dimensions):
        code = np.int64(0)
        if largest > 0.0:
            code = _code(values[place], largest, QUERY_LIMIT)
        query[place] = np.int16(code)
        square[0] += code * code
    return 0


def quantise_rows(values, row_count, dimensions, codes, largest_values, squares):
    """8-bit codes of `row_count` vectors (f64[rows * dimensions]): `codes` (i8), `largest_values` (f64[rows], max|v|)
    and exact `squares` (i64[rows]).

    Returns -1, or the first row that holds NaN or infinity (then nothing after it is written). Naive twin: `quantise`.
    """
    for row in range(row_count):
        base = row * dimensions
        largest = _largest(values, base, dimensions)
        if largest < 0.0:
            return row
        total = np.int64(0)
        for place in range(dimensions):
            code = np.int64(0)
            if largest > 0.0:
                code = _code(values[base + place], largest, CODE_LIMIT)
            codes[base + place] = np.int8(code)
            total += code * code
        largest_values[row] = largest
        squares[row] = total
    return -1
