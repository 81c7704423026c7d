# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Float vectors to integer codes: `floor(v * limit / max|v| + 0.5)`, clamped, in float64.

A row's codes are of 8 bits, and what rounding took from them is kept in 4 more, in sixteenths: its *remainders*. The
scan reads the codes of every row, and the remainders of the few that may be among the best.
"""

import numpy as np

from .options import helper

CODE_LIMIT = 127.0
QUERY_LIMIT = 16383.0
# A remainder is a number of these parts of a code, from -8 to 7.
PARTS = 16.0


@helper
def _largest(values, base, dimensions):
    """Largest magnitude, or -1.0 if a value is NaN or infinite."""
    largest, finite = 0.0, True
    for place in range(dimensions):
        value = abs(values[base + place])
        finite &= value <= 1.7976931348623157e308
        largest = value if value > largest else largest
    return largest if finite else -1.0


@helper
def _scaled(value, largest, limit):
    """value * limit / largest, unrounded."""
    if largest < 1e-290:  # value * limit / largest would lose bits among subnormal numbers: scale both up first
        value = value * 1.3407807929942597e154
        largest = largest * 1.3407807929942597e154
    if largest > 1e290:  # and would overflow here: scale both down
        value = value * 7.458340731200207e-155
        largest = largest * 7.458340731200207e-155
    return (value * limit) / largest


@helper
def _rounded(scaled, lowest, highest):
    """The nearest whole number, clamped; half rounds toward plus infinity."""
    shifted = scaled + 0.5
    code = np.int64(shifted)
    if np.float64(code) > shifted:
        code -= 1
    return min(max(code, lowest), highest)


def widen_floats(values, count, wide):
    """Each of `count` numbers (f32) as it is, in float64 (f64). Returns 0. Naive twin: `widen_floats`."""
    for place in range(count):
        wide[place] = np.float64(values[place])
    return 0


def quantise_query(values, dimensions, query, square):
    """15-bit codes of one vector (f64[dimensions]) to `query` (i16), their exact square to `square` (i64[1]).

    Returns 0, or -1 if a value is NaN or infinite. A zero vector stays zero. Square: int64, below
    2**28 * dimensions. Naive twin: `quantise`.
    """
    largest = _largest(values, 0, dimensions)
    square[0] = 0
    if largest < 0.0:
        return -1
    total = np.int64(0)
    for place in range(dimensions):
        code = np.int64(0)
        if largest > 0.0:
            code = _rounded(_scaled(values[place], largest, QUERY_LIMIT), -16383, 16383)
        query[place] = np.int16(code)
        total += code * code
    square[0] = total
    return 0


def quantise_rows(values, row_count, dimensions, codes, remainders, largest_values, squares):
    """12-bit codes of `row_count` vectors (f64[rows * dimensions]).

    `codes` (i8[rows * dimensions]) has the 8-bit codes, `remainders` (i8[rows * width], width the half of
    `dimensions`, rounded up) what they lack: the low four bits of byte i for dimension i, the high ones for
    dimension i + width, each a two's complement number of sixteenths of a code. `largest_values` (f64[rows]) is
    max|v|, `squares` (i64[rows]) the exact sum of (16 * code + remainder)**2.

    Returns -1, or the first row that holds NaN or infinity (then nothing after it is written). Naive twin: `quantise`.
    """
    width = (dimensions + 1) // 2
    for row in range(row_count):
        base = row * dimensions
        largest = _largest(values, base, dimensions)
        if largest < 0.0:
            return row
        total = np.int64(0)
        for place in range(width):
            remainders[row * width + place] = np.int8(0)
        for place in range(dimensions):
            code = np.int64(0)
            remainder = np.int64(0)
            if largest > 0.0:
                scaled = _scaled(values[base + place], largest, CODE_LIMIT)
                code = _rounded(scaled, -127, 127)
                remainder = _rounded((scaled - np.float64(code)) * PARTS, -8, 7)
            codes[base + place] = np.int8(code)
            if place < width:
                remainders[row * width + place] = np.int8(remainder & 15)
            else:
                low = np.int64(remainders[row * width + place - width])
                remainders[row * width + place - width] = np.int8(low | (remainder << 4))
            fine = 16 * code + remainder
            total += fine * fine
        largest_values[row] = largest
        squares[row] = total
    return -1
