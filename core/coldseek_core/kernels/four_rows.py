# pyright: basic, reportMissingTypeStubs=false
# Numba comes without types.
"""Four rows of codes at once against the bound of the scan.

The rows are read one after the other; adding up their lanes and comparing them is done together, which counts where
rows are short (50,000 x 100 from cache: 0.20 ms in place of 0.27).
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .multiply_add import INSTRUCTION, row_sums

ROWS = 4

# Longest rows whose product fits 32 bits: 1,024 * 128 * 16,383 = 2,147,352,576 < 2**31. Sums on the way may wrap.
LONGEST_OF_FOUR = 1024

_INT, _LONG, _DOUBLE = ir.IntType(32), ir.IntType(64), ir.DoubleType()
_INTS, _LONGS, _DOUBLES = (ir.VectorType(element, ROWS) for element in (_INT, _LONG, _DOUBLE))


@intrinsic
def lanes_room(typing_context: Any) -> Any:
    """Room for four lanes of each of four rows, on the stack of the function that calls this."""
    del typing_context

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature, arguments
        with builder.goto_entry_block():
            room = builder.alloca(ir.ArrayType(_INTS, ROWS))
        return builder.bitcast(room, _INT.as_pointer())

    return types.CPointer(types.int32)(), generate


@intrinsic
def keep_lanes(typing_context: Any, codes: Any, base: Any, room: Any, count: Any, lanes: Any, place: Any) -> Any:
    """Write what `dot_laid_out` sums, modulo 2**32 and in four lanes, to place 0 to 3 of `lanes`."""
    del typing_context, codes, base, room, count, lanes, place
    signature = types.void(
        *(types.CPointer(types.int8), types.int64, types.CPointer(types.int8), types.int64),
        *(types.CPointer(types.int32), types.int64),
    )

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        *row, lanes, place = arguments
        codes, base, room, count = row
        (sums,) = row_sums(builder, codes, base, [room], count)
        sums = _four_lanes(builder, sums)
        builder.store(sums, builder.gep(builder.bitcast(lanes, _INTS.as_pointer()), [place]))
        return context.get_constant_null(signature.return_type)

    return signature, generate


@intrinsic
def any_promising(typing_context: Any, lanes: Any, squares: Any, row: Any, shifted: Any, bound: Any, limit: Any) -> Any:
    """Whether one of four rows from `row` on has `16 * dot + bound >= limit * sqrt(square)`, or no square above 0.

    `lanes` i32* as `keep_lanes` writes them of rows of LONGEST_OF_FOUR dimensions at most, squares i64*; `shifted` is
    what `lay_out` returned. The four dot products take the first place of `lanes`.
    """
    del typing_context, lanes, squares, row, shifted, bound, limit
    signature = types.boolean(
        *(types.CPointer(types.int32), types.CPointer(types.int64), types.int64),
        *(types.int64, types.float64, types.float64),
    )

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        lanes, squares, row, shifted, bound, limit = arguments
        first = builder.bitcast(lanes, _INTS.as_pointer())
        rows = [builder.load(builder.gep(first, [_LONG(place)])) for place in range(ROWS)]
        dots = builder.sub(_sums_of_each(builder, rows), _four_times(builder, builder.trunc(shifted, _INT)))
        builder.store(dots, first)
        products = builder.fmul(builder.sitofp(dots, _DOUBLES), ir.Constant(_DOUBLES, [16.0] * ROWS))
        pointer = builder.bitcast(builder.gep(squares, [row]), _LONGS.as_pointer())
        held = builder.load(pointer, align=8)
        function = ir.FunctionType(_DOUBLES, [_DOUBLES])
        root = cgutils.get_or_insert_function(builder.module, function, f"llvm.sqrt.v{ROWS}f64")
        needed = builder.fmul(_four_times(builder, limit), builder.call(root, [builder.sitofp(held, _DOUBLES)]))
        # Unordered: a bound that is no number rules nothing out.
        near = builder.fcmp_unordered(">=", builder.fadd(products, _four_times(builder, bound)), needed)
        promising = builder.or_(near, builder.icmp_signed("<=", held, ir.Constant(_LONGS, None)))
        return builder.icmp_unsigned("!=", builder.bitcast(promising, ir.IntType(ROWS)), ir.IntType(ROWS)(0))

    return signature, generate


def _four_times(builder: Any, value: Any) -> Any:
    vector = ir.VectorType(value.type, ROWS)
    single = builder.insert_element(ir.Constant(vector, ir.Undefined), value, _INT(0))
    return builder.shuffle_vector(single, single, ir.Constant(_INTS, [0] * ROWS))


def _shuffled(builder: Any, one: Any, other: Any, lanes: list[int]) -> Any:
    return builder.shuffle_vector(one, other, ir.Constant(ir.VectorType(_INT, len(lanes)), lanes))


def _four_lanes(builder: Any, sums: Any) -> Any:
    """Add halves until there are four lanes."""
    lanes = INSTRUCTION.lanes
    while lanes > ROWS:
        lanes //= 2
        low, high = (list(range(first, first + lanes)) for first in (0, lanes))
        sums = builder.add(_shuffled(builder, sums, sums, low), _shuffled(builder, sums, sums, high))
    return sums


def _sums_of_each(builder: Any, rows: list[Any]) -> Any:
    """One vector with the sum of each of four vectors of four lanes."""
    first, second = (
        builder.add(_shuffled(builder, one, other, [0, 1, 4, 5]), _shuffled(builder, one, other, [2, 3, 6, 7]))
        for one, other in (rows[:2], rows[2:])
    )
    even, odd = [0, 2, 4, 6], [1, 3, 5, 7]
    return builder.add(_shuffled(builder, first, second, even), _shuffled(builder, first, second, odd))
