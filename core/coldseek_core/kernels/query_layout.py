# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""A query as the multiply-add instruction takes it, laid out once for all rows: two bytes a value, STEP values a step.

For 16-bit multiplication they are the values as they are; for 8-bit multiplication a step's low bytes stand before its
high ones, both signed: value = 256 * high + low. A last step that is not full begins earlier, with zeros for what the
step before it has, too.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .multiply_add import BYTE, INT, LONG, PLANES, SHIFT, SHORT, STEP, equal_lanes, load, long_constant
from .options import helper

# Longest query that is laid out once for all rows: its room is 16 KB of the stack.
ROOM = 8192


@intrinsic
def query_room(typing_context: Any) -> Any:
    """Room for a query of ROOM values as `lay_out` writes it, on the stack of the function that calls this."""
    del typing_context

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature, arguments
        with builder.goto_entry_block():  # not cgutils.alloca_once, which would fill it with zeros
            room = builder.alloca(ir.ArrayType(BYTE, 2 * ROOM))
        room.align = STEP
        return builder.bitcast(room, BYTE.as_pointer())

    return types.CPointer(types.int8)(), generate


@intrinsic
def lay_out_step(typing_context: Any, query: Any, first: Any, counted: Any, room: Any, step: Any) -> Any:
    """Write `query[first : first + STEP]` (i16*) as a step's values to `room` (i8*), zeros for the first `counted` of
    them. Returns their sum where SHIFT needs it, int64.
    """
    del typing_context, query, first, counted, room, step
    signature = types.int64(
        *(types.CPointer(types.int16), types.int64, types.int64, types.CPointer(types.int8), types.int64)
    )

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        query, first, counted, room, step = arguments
        shorts, bytes_, ints = (ir.VectorType(element, STEP) for element in (SHORT, BYTE, INT))
        values = load(builder, builder.gep(query, [first]), 0, shorts, 2)
        places = ir.Constant(shorts, list(range(STEP)))
        single = builder.insert_element(ir.Constant(shorts, ir.Undefined), builder.trunc(counted, SHORT), INT(0))
        bound = builder.shuffle_vector(single, single, ir.Constant(ints, None))
        values = builder.select(builder.icmp_signed(">=", places, bound), values, ir.Constant(shorts, None))
        written = builder.gep(room, [builder.mul(step, long_constant(2 * STEP))])
        parts = [values]
        if PLANES:
            high = builder.ashr(builder.add(values, equal_lanes(shorts, 128)), equal_lanes(shorts, 8))
            parts = [builder.trunc(values, bytes_), builder.trunc(high, bytes_)]
        for number, part in enumerate(parts):
            place = builder.bitcast(builder.gep(written, [long_constant(number * STEP)]), part.type.as_pointer())
            builder.store(part, place, align=STEP)
        if not SHIFT:
            return long_constant(0)
        function = ir.FunctionType(INT, [ints])
        reduce = cgutils.get_or_insert_function(builder.module, function, f"llvm.vector.reduce.add.v{STEP}i32")
        return builder.sext(builder.call(reduce, [builder.sext(values, ints)]), LONG)

    return signature, generate


@helper
def fits(dimensions):
    """Whether a query of so many values can be laid out once for all rows."""
    return STEP <= dimensions <= ROOM


@helper
def steps_of(count):
    """How many steps a query of so many values takes; each takes 2 * STEP bytes of room."""
    return (count + STEP - 1) // STEP


@helper
def lay_out(query, first, count, room):
    """Write `query[first : first + count]`, STEP to ROOM values, to `room`; returns what SHIFT adds to a sum."""
    total = np.int64(0)
    for step in range(steps_of(count)):
        start = min(step * STEP, count - STEP)
        counted = step * STEP - start  # values of the last step that are in the one before, too
        total += lay_out_step(query, first + start, counted, room, step)  # pyright: ignore[reportCallIssue]
    return SHIFT * total
