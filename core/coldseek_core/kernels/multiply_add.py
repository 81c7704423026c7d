# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Dot product of int8 codes and 15-bit query values with 16-bit multiply-add instructions, by CPU."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from . import target
from .options import helper

# (feature, instruction, 16-bit lanes): the widest that the CPU has is taken.
_INSTRUCTIONS = (
    ("avx512bw", "llvm.x86.avx512.pmaddw.d.512", 32),
    ("avx2", "llvm.x86.avx2.pmadd.wd", 16),
    ("sse2", "llvm.x86.sse2.pmadd.wd", 8),
)


def _instruction() -> "tuple[str, int] | None":
    if target.machine() != "x86_64":
        return None
    features = target.features()
    for feature, name, lanes in _INSTRUCTIONS:
        if feature in features:
            return name, lanes
    return None


INSTRUCTION = _instruction()

# Codes and query values that one step multiplies; 1 where the CPU has no such instruction that we know.
LANES = INSTRUCTION[1] if INSTRUCTION else 1

# Longest stretch for one call: each 32-bit lane adds at most LONGEST / LANES pairs, each at most
# 2 * 128 * 16,383 = 4,194,048; 512 of them are 2,147,352,576 < 2**31. 512 * 8 lanes is the narrowest case.
LONGEST = 4096


# Bytes that are fetched ahead of the multiplication: a page, since the hardware's own prefetch stops at its end.
# Measured on 50,000 x 512, from memory: 1.6 ms in place of 2.4 (2,048 bytes: 1.8); from cache: 1.04 in place of 1.27.
AHEAD = 4096


@intrinsic
def dot_stretch(typing_context: Any, codes: Any, base: Any, query: Any, first: Any, steps: Any) -> Any:
    """Sum of `codes[base + first + i] * query[first + i]` for i below `steps * LANES`, int64.

    codes i8*, query i16*; `steps * LANES` must not exceed LONGEST. Each step sign-extends LANES codes to 16 bits and
    adds LANES / 2 exact pair sums to 32-bit lanes (pmaddwd: never the saturating byte form).
    """
    del typing_context, codes, base, query, first, steps
    signature = types.int64(
        types.CPointer(types.int8), types.int64, types.CPointer(types.int16), types.int64, types.int64
    )

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        codes, base, query, first, steps = arguments
        name, lanes = INSTRUCTION or ("", 1)
        narrow = ir.VectorType(ir.IntType(8), lanes)
        wide = ir.VectorType(ir.IntType(16), lanes)
        sums = ir.VectorType(ir.IntType(32), lanes // 2)
        multiply_add = cgutils.get_or_insert_function(builder.module, ir.FunctionType(sums, [wide, wide]), name)
        total = cgutils.alloca_once_value(builder, ir.Constant(sums, None))
        with cgutils.for_range(builder, steps) as loop:
            place = builder.add(first, builder.mul(loop.index, ir.Constant(ir.IntType(64), lanes)))
            code_pointer = builder.gep(codes, [builder.add(base, place)])
            query_pointer = builder.gep(query, [place])
            _prefetch(builder, builder.gep(code_pointer, [ir.Constant(ir.IntType(64), AHEAD)]))
            packed = builder.load(builder.bitcast(code_pointer, narrow.as_pointer()), align=1)
            factors = builder.load(builder.bitcast(query_pointer, wide.as_pointer()), align=2)
            pairs = builder.call(multiply_add, [builder.sext(packed, wide), factors])
            builder.store(builder.add(builder.load(total), pairs), total)
        # The lanes' sum can be 16 times a lane's: it needs 64 bits.
        wide_sums = ir.VectorType(ir.IntType(64), lanes // 2)
        reduce = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.IntType(64), [wide_sums]), f"llvm.vector.reduce.add.v{lanes // 2}i64"
        )
        return builder.call(reduce, [builder.sext(builder.load(total), wide_sums)])

    return signature, generate


def _prefetch(builder: Any, pointer: Any) -> None:
    """Ask for the line at `pointer`, to be read, kept in all caches. An address out of bounds is no access."""
    number = ir.IntType(32)
    arguments = [ir.IntType(8).as_pointer(), number, number, number]
    function = ir.FunctionType(ir.VoidType(), arguments)
    prefetch = cgutils.get_or_insert_function(builder.module, function, "llvm.prefetch")
    builder.call(prefetch, [pointer, *(ir.Constant(number, value) for value in (0, 3, 1))])


if INSTRUCTION is None:

    @helper
    def whole_steps(dimensions):
        """How many of `dimensions` the instruction covers: none, a plain loop does it all."""
        return 0 * dimensions

    @helper
    def dot_of_steps(codes, base, query, count):  # noqa: ARG001 - one shape with the other
        """Nothing to add where `whole_steps` is 0."""
        return np.int64(0)

else:

    @helper
    def whole_steps(dimensions):
        """How many of `dimensions` the instruction covers: a multiple of LANES; a plain loop does the rest."""
        return dimensions - dimensions % LANES

    @helper
    def dot_of_steps(codes, base, query, count):
        """Exact sum, int64, over the first `count` dimensions (a multiple of LANES)."""
        total = np.int64(0)
        first = 0
        while first < count:
            steps = min(count - first, LONGEST) // LANES
            total += dot_stretch(codes, base, query, first, steps)  # pyright: ignore[reportCallIssue]
            first += steps * LANES
        return total
