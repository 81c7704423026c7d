# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Exact dot products of int8 codes and a 15-bit query, with the best multiply-add instruction of the CPU.

A row is read from its first byte to its last, STEP codes at a time: that is what the hardware fetches best (several
rows in flight were half as fast). The query is laid out for the instruction once for all rows, two bytes a value: as
it is, for 16-bit multiplication; for 8-bit multiplication as two planes, value = 256 * high + low, both signed bytes.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from . import target
from .options import helper


class Instruction(NamedTuple):
    """What multiplies `codes` codes at a time and adds the products to 32-bit lanes, exactly."""

    machine: str
    feature: str
    name: str
    codes: int
    planes: bool = False  # bytes by bytes, so once for each plane
    unsigned: bool = False  # takes codes as 0 to 255: 128 is added to each, and what that adds is taken off the sum

    @property
    def lanes(self) -> int:
        return self.codes // (4 if self.planes else 2) if self.name else self.codes


# The first that the CPU has is taken. Not pmaddubsw: it saturates.
_INSTRUCTIONS = (
    Instruction("x86_64", "avx512vnni", "llvm.x86.avx512.vpdpbusd.512", 64, planes=True, unsigned=True),
    Instruction("x86_64", "avx512bw", "llvm.x86.avx512.pmaddw.d.512", 32),
    Instruction("x86_64", "avx2", "llvm.x86.avx2.pmadd.wd", 16),
    Instruction("x86_64", "sse2", "llvm.x86.sse2.pmadd.wd", 8),
    Instruction("aarch64", "dotprod", "llvm.aarch64.neon.sdot.v4i32.v16i8", 16, planes=True),
)
# Elsewhere LLVM finds instructions for a multiplication of vectors and an addition.
_GENERAL = Instruction("", "", "", 8)


def _instruction() -> Instruction:
    machine, features = target.machine(), target.features()
    for instruction in _INSTRUCTIONS:
        if instruction.machine == machine and instruction.feature in features:
            return instruction
    return _GENERAL


INSTRUCTION = _instruction()

# Codes of one step: a cache line.
STEP = 64

# Longest stretch for one sum: its 4,096 products, each at most 128 * 16,383, are together 4 * 2,147,352,576 and are
# added in four 32-bit lanes or more. What overflows on the way to a lane's sum does no harm: it wraps.
LONGEST = 4096

# Vectors of sums that are added to in turn, so that an addition need not wait for the one before it.
_SUMS = min(STEP // INSTRUCTION.codes, 4)

# Bytes that are fetched ahead of the multiplication: a page, since the hardware's own prefetch stops at its end.
AHEAD = 4096

PLANES = INSTRUCTION.planes
# Added to each code for an instruction that takes unsigned bytes.
SHIFT = 128 if INSTRUCTION.unsigned else 0

_BYTE, _INT, _LONG = ir.IntType(8), ir.IntType(32), ir.IntType(64)


@intrinsic
def query_room(typing_context: Any) -> Any:
    """Room for a query of LONGEST values as `lay_out` writes it, on the stack of the function that calls this."""
    del typing_context

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature, arguments
        with builder.goto_entry_block():  # not cgutils.alloca_once, which would fill it with zeros
            room = builder.alloca(ir.ArrayType(_BYTE, 2 * LONGEST))
        room.align = STEP
        return builder.bitcast(room, _BYTE.as_pointer())

    return types.CPointer(types.int8)(), generate


@intrinsic
def dot_laid_out(typing_context: Any, codes: Any, base: Any, room: Any, count: Any) -> Any:
    """Sum, int64, of `(codes[base + i] + SHIFT) * query[i]` for i below `count`, from STEP to LONGEST.

    codes i8*, room i8* as `lay_out` writes it. The last step ends at the last code: it may begin among the codes
    of the step before, whose values are zeros in it.
    """
    del typing_context, codes, base, room, count
    signature = types.int64(types.CPointer(types.int8), types.int64, types.CPointer(types.int8), types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        total = row_sums(builder, *arguments)
        wide = ir.VectorType(_LONG, INSTRUCTION.lanes)  # the lanes' sum needs 64 bits
        function, name = ir.FunctionType(_LONG, [wide]), f"llvm.vector.reduce.add.v{INSTRUCTION.lanes}i64"
        reduce = cgutils.get_or_insert_function(builder.module, function, name)
        return builder.call(reduce, [builder.sext(total, wide)])

    return signature, generate


def row_sums(builder: Any, codes: Any, base: Any, room: Any, count: Any) -> Any:
    """What `dot_laid_out` sums, as LLVM's vector of INSTRUCTION.lanes 32-bit sums."""
    sums = ir.VectorType(_INT, INSTRUCTION.lanes)
    count_of_sums = 2 * _SUMS if PLANES else _SUMS  # the low planes' first
    totals = [cgutils.alloca_once_value(builder, ir.Constant(sums, None)) for _ in range(count_of_sums)]
    row = builder.gep(codes, [base])
    steps = builder.udiv(count, _long(STEP))

    def add(first: Any, how_many: int) -> None:
        for step in range(how_many):
            number = builder.add(first, _long(step))
            place = builder.gep(row, [builder.mul(number, _long(STEP))])
            _prefetch(builder, builder.gep(place, [_long(AHEAD)]))
            _add_step(builder, totals, place, builder.gep(room, [builder.mul(number, _long(2 * STEP))]))

    # One step and two where the number of steps is no multiple of four: branches that go the same way for each row.
    for size in (1, 2):
        with builder.if_then(builder.icmp_unsigned("!=", builder.and_(steps, _long(size)), _long(0))):
            add(builder.and_(steps, _long(size - 1)), size)
    with _fours(builder, builder.and_(steps, _long(3)), steps) as first:
        add(first, 4)
    with builder.if_then(builder.icmp_unsigned("!=", builder.urem(count, _long(STEP)), _long(0))):
        last = builder.gep(row, [builder.sub(count, _long(STEP))])
        _add_step(builder, totals, last, builder.gep(room, [builder.mul(steps, _long(2 * STEP))]))
    total = _added(builder, totals[:_SUMS])
    if PLANES:
        total = builder.add(total, builder.shl(_added(builder, totals[_SUMS:]), _all(sums, 8)))
    return total


@contextmanager
def _fours(builder: Any, first: Any, stop: Any) -> Iterator[Any]:
    """A loop over every fourth number from `first` to before `stop`, which LLVM is told not to unroll any further."""
    with builder.if_then(builder.icmp_unsigned("<", first, stop)):
        before, body = builder.basic_block, builder.append_basic_block("four_steps")
        after = builder.append_basic_block("steps_done")
        builder.branch(body)
        builder.position_at_end(body)
        number = builder.phi(_LONG)
        yield number
        following = builder.add(number, _long(4))
        number.add_incoming(first, before)
        number.add_incoming(following, builder.basic_block)
        branch = builder.cbranch(builder.icmp_unsigned("<", following, stop), body, after)
        told = builder.module.add_metadata([builder.module.add_metadata(["llvm.loop.unroll.disable"])])
        told.operands = (told, *told.operands[-1:])  # what is told of a loop begins with itself
        branch.set_metadata("llvm.loop", told)
        builder.position_at_end(after)


def _long(value: int) -> Any:
    return ir.Constant(_LONG, value)


def _all(vector: Any, value: int) -> Any:
    """A vector of equal numbers."""
    return ir.Constant(vector, [value] * vector.count)


def _added(builder: Any, totals: list[Any]) -> Any:
    vectors = [builder.load(total) for total in totals]
    while len(vectors) > 1:
        vectors = [builder.add(*vectors[:2]), *vectors[2:]]
    return vectors[0]


def _add_step(builder: Any, totals: list[Any], code_pointer: Any, query_pointer: Any) -> None:
    """Add STEP products."""
    packed = ir.VectorType(_BYTE, INSTRUCTION.codes)
    wide = ir.VectorType(ir.IntType(16), INSTRUCTION.codes)
    for number, first in enumerate(range(0, STEP, INSTRUCTION.codes)):
        codes = _load(builder, code_pointer, first, packed, 1)
        total = totals[number % _SUMS]
        if not PLANES:
            factors = _load(builder, query_pointer, 2 * first, wide, 2 * INSTRUCTION.codes)
            _multiply_add(builder, total, builder.sext(codes, wide), factors)
            continue
        if SHIFT:
            codes = builder.xor(codes, _all(packed, -128))  # turning the top bit adds 128
        for plane, sums in enumerate((total, totals[number % _SUMS + _SUMS])):
            factors = _load(builder, query_pointer, plane * STEP + first, packed, INSTRUCTION.codes)
            _multiply_add(builder, sums, codes, factors)


def _load(builder: Any, pointer: Any, place: int, vector: Any, align: int) -> Any:
    found = builder.gep(pointer, [_long(place)])
    return builder.load(builder.bitcast(found, vector.as_pointer()), align=align)


def _multiply_add(builder: Any, total: Any, codes: Any, factors: Any) -> None:
    before = builder.load(total)
    sums = before.type
    if not INSTRUCTION.name:
        after = builder.add(before, builder.mul(builder.sext(codes, sums), builder.sext(factors, sums)))
    elif not PLANES:
        function = ir.FunctionType(sums, [codes.type, codes.type])
        multiply = cgutils.get_or_insert_function(builder.module, function, INSTRUCTION.name)
        after = builder.add(before, builder.call(multiply, [codes, factors]))
    else:
        # On x86-64 the type is that of LLVM before version 22, which later ones take too: four bytes to a number.
        operand = sums if INSTRUCTION.machine == "x86_64" else codes.type
        function = ir.FunctionType(sums, [sums, operand, operand])
        multiply = cgutils.get_or_insert_function(builder.module, function, INSTRUCTION.name)
        after = builder.call(multiply, [before, builder.bitcast(codes, operand), builder.bitcast(factors, operand)])
    builder.store(after, total)


def _prefetch(builder: Any, pointer: Any) -> None:
    """Ask for the line at `pointer`, to be read, kept in all caches. An address out of bounds is no access."""
    function = ir.FunctionType(ir.VoidType(), [_BYTE.as_pointer(), _INT, _INT, _INT])
    prefetch = cgutils.get_or_insert_function(builder.module, function, "llvm.prefetch")
    builder.call(prefetch, [pointer, *(ir.Constant(_INT, value) for value in (0, 3, 1))])


@helper
def lay_out(query, first, count, room):
    """Write `query[first : first + count]`, STEP to LONGEST values, to `room`; returns what SHIFT adds to a sum."""
    total = np.int64(0)
    for step in range((count + STEP - 1) // STEP):
        start = min(step * STEP, count - STEP)
        counted = step * STEP - start  # values of the last step that are in the one before, too
        written = 2 * STEP * step
        for place in range(STEP):
            value = np.int32(query[first + start + place])
            if place < counted:
                value = np.int32(0)
            total += value
            low = ((value + 128) & 255) - 128
            if PLANES:
                room[written + place] = np.int8(low)
                room[written + STEP + place] = np.int8((value - low) >> 8)
            else:
                room[written + 2 * place] = np.int8(low)
                room[written + 2 * place + 1] = np.int8(value >> 8)
    return SHIFT * total


@helper
def fits(dimensions):
    """Whether a query of so many values can be laid out once for all rows."""
    return STEP <= dimensions <= LONGEST


@helper
def dot_in_parts(codes, base, query, dimensions, room):
    """Exact dot product, int64, of a row and a query of any length; overwrites `room`. Slower than `dot_laid_out`."""
    total = np.int64(0)
    first = 0
    while dimensions - first >= STEP:
        count = min(dimensions - first, LONGEST)
        shifted = lay_out(query, first, count, room)
        total += dot_laid_out(codes, base + first, room, count) - shifted  # pyright: ignore[reportCallIssue]
        first += count
    for place in range(first, dimensions):
        total += np.int64(codes[base + place]) * np.int64(query[place])
    return total
