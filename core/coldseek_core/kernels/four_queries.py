# pyright: basic, reportMissingTypeStubs=false
# Numba comes without types.
"""One row of codes against the bounds of four queries at once: the codes are read and widened once for all four.

Where one query waits for memory (1,000,000 x 384: 8.8 ns a row), four take little more than one; and their sums are
added up and compared together, as four_rows.py does it for four rows of one query.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .multiply_add import INSTRUCTION, row_sums

QUERIES = 4

_INT, _LONG, _DOUBLE = ir.IntType(32), ir.IntType(64), ir.DoubleType()
_INTS, _DOUBLES = ir.VectorType(_INT, QUERIES), ir.VectorType(_DOUBLE, QUERIES)
_INT_POINTER, _DOUBLE_POINTER = types.CPointer(types.int32), types.CPointer(types.float64)


def _room(vector: Any, element: Any, context_pointer: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature, arguments
        with builder.goto_entry_block():
            room = builder.alloca(vector)
        return builder.bitcast(room, element.as_pointer())

    return context_pointer(), generate


@intrinsic
def four_ints(typing_context: Any) -> Any:
    """Room for an int32 of each query, on the stack of the function that calls this."""
    del typing_context
    return _room(_INTS, _INT, _INT_POINTER)


@intrinsic
def four_doubles(typing_context: Any) -> Any:
    """Room for a float64 of each query, on the stack of the function that calls this."""
    del typing_context
    return _room(_DOUBLES, _DOUBLE, _DOUBLE_POINTER)


@intrinsic
def behind(typing_context: Any, pointer: Any, count: Any) -> Any:
    """The pointer to what stands `count` elements behind `pointer`."""
    del typing_context, count
    signature = pointer(pointer, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        return builder.gep(arguments[0], [arguments[1]])

    return signature, generate


@intrinsic
def any_near(
    typing_context: Any, codes: Any, base: Any, room: Any, stride: Any, count: Any, square: Any, shifted: Any,
    bounds: Any, limits: Any, dots: Any,
) -> Any:  # fmt: skip
    """Whether for one of four queries `16 * dot + bound >= limit * sqrt(square)`, or `square` is not above 0; `dot` is
    that of the row of `count` codes at `base`. Writes the four dot products to `dots`.

    codes i8*; room i8*: four queries as `lay_out` writes them, `stride` bytes apart, of LONGEST_OF_FOUR dimensions at
    most; square i64 of the row; shifted i32*: what `lay_out` returned for each; bounds, limits f64*; dots i32*.
    """
    del typing_context, codes, base, room, stride, count, square, shifted, bounds, limits, dots
    bytes_ = types.CPointer(types.int8)
    signature = types.boolean(
        *(bytes_, types.int64, bytes_, types.int64, types.int64, types.int64, _INT_POINTER),
        *(_DOUBLE_POINTER, _DOUBLE_POINTER, _INT_POINTER),
    )

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        codes, base, room, stride, count, square, *held = arguments
        rooms = [builder.gep(room, [builder.mul(stride, _LONG(number))]) for number in range(QUERIES)]
        sums = _sum_of_each(builder, row_sums(builder, codes, base, rooms, count))
        shifted, bounds, limits, dots = (
            builder.bitcast(pointer, vector.as_pointer())
            for pointer, vector in zip(held, (_INTS, _DOUBLES, _DOUBLES, _INTS), strict=True)
        )
        found = builder.sub(sums, builder.load(shifted))
        builder.store(found, dots)
        products = builder.fmul(builder.sitofp(found, _DOUBLES), ir.Constant(_DOUBLES, [16.0] * QUERIES))
        function = ir.FunctionType(_DOUBLE, [_DOUBLE])
        square_root = cgutils.get_or_insert_function(builder.module, function, "llvm.sqrt.f64")
        length = builder.call(square_root, [builder.sitofp(square, _DOUBLE)])
        needed = builder.fmul(builder.load(limits), _four_times(builder, length))
        # Unordered: a bound that is no number rules nothing out.
        near = builder.fcmp_unordered(">=", builder.fadd(products, builder.load(bounds)), needed)
        some = builder.icmp_unsigned("!=", builder.bitcast(near, ir.IntType(QUERIES)), ir.IntType(QUERIES)(0))
        return builder.or_(some, builder.icmp_signed("<=", square, _LONG(0)))

    return signature, generate


def _four_times(builder: Any, value: Any) -> Any:
    single = builder.insert_element(ir.Constant(_DOUBLES, ir.Undefined), value, _INT(0))
    return builder.shuffle_vector(single, single, ir.Constant(_INTS, [0] * QUERIES))


def _sum_of_each(builder: Any, vectors: list[Any]) -> Any:
    """One vector with the sum of each of four vectors, modulo 2**32."""
    first, second = (_merged(builder, *vectors[place : place + 2], width=1) for place in (0, 2))
    total = _merged(builder, first, second, width=2)
    lanes = INSTRUCTION.lanes
    while lanes > QUERIES:
        lanes //= 2
        low, high = (_chosen(builder, total, total, range(place, place + lanes)) for place in (0, lanes))
        total = builder.add(low, high)
    return total


def _merged(builder: Any, one: Any, other: Any, width: int) -> Any:
    """Of every four lanes, the lower two of both vectors plus the higher two, `width` lanes of each vector in turn."""
    lanes = INSTRUCTION.lanes
    low = [
        source + part + turn + lane
        for part in range(0, lanes, QUERIES)
        for turn in range(0, 2, width)
        for source in (0, lanes)
        for lane in range(width)
    ]
    return builder.add(_chosen(builder, one, other, low), _chosen(builder, one, other, [lane + 2 for lane in low]))


def _chosen(builder: Any, one: Any, other: Any, lanes: Any) -> Any:
    listed = list(lanes)
    return builder.shuffle_vector(one, other, ir.Constant(ir.VectorType(_INT, len(listed)), listed))
