# pyright: basic, reportMissingTypeStubs=false
# Numba compiles these functions by the types of signatures.py; Python types would say nothing.
"""Exact dot products of int8 codes and a 15-bit query, with the best multiply-add instruction of the CPU.

A row is read from its first byte to its last, STEP codes at a time: that is what the hardware fetches best (several
rows in flight were half as fast). query_layout.py says how the query is laid out for the instruction.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from . import target


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
# added in four 32-bit lanes or more (SHIFT doubles them, in sixteen). What overflows on the way to a lane's sum does
# no harm: it wraps.
LONGEST = 4096

# Vectors of sums that are added to in turn, so that an addition need not wait for the one before it.
_SUMS = min(STEP // INSTRUCTION.codes, 4)

# Bytes that are fetched ahead of the multiplication: a page, since the hardware's own prefetch stops at its end.
AHEAD = 4096

PLANES = INSTRUCTION.planes
# Added to each code for an instruction that takes unsigned bytes.
SHIFT = 128 if INSTRUCTION.unsigned else 0

BYTE, SHORT, INT, LONG = (ir.IntType(width) for width in (8, 16, 32, 64))


@intrinsic
def dot_laid_out(typing_context: Any, codes: Any, base: Any, room: Any, first: Any, count: Any) -> Any:
    """Sum, int64, of `(codes[base + i] + SHIFT) * query[i]` for `count` numbers i from `first` on.

    codes i8*, room i8* as `lay_out` writes it; `first` a multiple of STEP, `count` from STEP to LONGEST. The last step
    ends at the last code: it may begin among the codes of the step before, whose values are zeros in it.
    """
    del typing_context, codes, base, room, first, count
    bytes_ = types.CPointer(types.int8)
    signature = types.int64(bytes_, types.int64, bytes_, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        codes, base, room, first, count = arguments
        room = builder.gep(room, [builder.mul(first, long_constant(2))])
        (total,) = row_sums(builder, codes, builder.add(base, first), [room], count)
        wide = ir.VectorType(LONG, INSTRUCTION.lanes)  # the lanes' sum needs 64 bits
        function, name = ir.FunctionType(LONG, [wide]), f"llvm.vector.reduce.add.v{INSTRUCTION.lanes}i64"
        reduce = cgutils.get_or_insert_function(builder.module, function, name)
        return builder.call(reduce, [builder.sext(total, wide)])

    return signature, generate


def row_sums(builder: Any, codes: Any, base: Any, rooms: list[Any], count: Any) -> list[Any]:
    """For the query in each of `rooms`, what `dot_laid_out` sums, as LLVM's vector of INSTRUCTION.lanes 32-bit sums.

    The codes are read and widened once for all queries. Of several queries each has one vector of sums, since they take
    turns with each other; of so many lanes that LONGEST fits.
    """
    sums = ir.VectorType(INT, INSTRUCTION.lanes)
    in_turn = _SUMS if len(rooms) == 1 else 1
    count_of_sums = 2 * in_turn if PLANES else in_turn  # the low planes' first
    totals = [
        [cgutils.alloca_once_value(builder, ir.Constant(sums, None)) for _ in range(count_of_sums)] for _ in rooms
    ]
    row = builder.gep(codes, [base])
    steps = builder.udiv(count, long_constant(STEP))

    def add_step(place: Any, step: Any) -> None:
        begin = builder.mul(step, long_constant(2 * STEP))
        _add_step(builder, totals, place, [builder.gep(room, [begin]) for room in rooms])

    def add(first: Any, how_many: int) -> None:
        for step in range(how_many):
            number = builder.add(first, long_constant(step))
            place = builder.gep(row, [builder.mul(number, long_constant(STEP))])
            _prefetch(builder, builder.gep(place, [long_constant(AHEAD)]))
            add_step(place, number)

    # One step and two where the number of steps is no multiple of four, then fours: few branches, nearly all of which
    # go the same way for each row. With a loop of single steps, 1,000,000 x 512 came to 60 to 90 % of a plain read's
    # speed, by where in memory the loop happened to lie; so it is 92 to 96 %.
    for size in (1, 2):
        with builder.if_then(builder.icmp_unsigned("!=", builder.and_(steps, long_constant(size)), long_constant(0))):
            add(builder.and_(steps, long_constant(size - 1)), size)
    with _fours(builder, builder.and_(steps, long_constant(3)), steps) as first:
        add(first, 4)
    with builder.if_then(builder.icmp_unsigned("!=", builder.urem(count, long_constant(STEP)), long_constant(0))):
        add_step(builder.gep(row, [builder.sub(count, long_constant(STEP))]), steps)
    return [_joined_planes(builder, held, in_turn) for held in totals]


def _joined_planes(builder: Any, totals: list[Any], in_turn: int) -> Any:
    total = _added(builder, totals[:in_turn])
    if PLANES:
        total = builder.add(total, builder.shl(_added(builder, totals[in_turn:]), equal_lanes(total.type, 8)))
    return total


@contextmanager
def _fours(builder: Any, first: Any, stop: Any) -> Iterator[Any]:
    """A loop over every fourth number from `first` to before `stop`, which LLVM is told not to unroll any further."""
    with builder.if_then(builder.icmp_unsigned("<", first, stop)):
        before, body = builder.basic_block, builder.append_basic_block("four_steps")
        after = builder.append_basic_block("steps_done")
        builder.branch(body)
        builder.position_at_end(body)
        number = builder.phi(LONG)
        yield number
        following = builder.add(number, long_constant(4))
        number.add_incoming(first, before)
        number.add_incoming(following, builder.basic_block)
        branch = builder.cbranch(builder.icmp_unsigned("<", following, stop), body, after)
        told = builder.module.add_metadata([builder.module.add_metadata(["llvm.loop.unroll.disable"])])
        told.operands = (told, *told.operands[-1:])  # what is told of a loop begins with itself
        branch.set_metadata("llvm.loop", told)
        builder.position_at_end(after)


def long_constant(value: int) -> Any:
    return ir.Constant(LONG, value)


def equal_lanes(vector: Any, value: int) -> Any:
    """A vector of equal numbers."""
    return ir.Constant(vector, [value] * vector.count)


def _added(builder: Any, totals: list[Any]) -> Any:
    vectors = [builder.load(total) for total in totals]
    while len(vectors) > 1:
        vectors = [builder.add(*vectors[:2]), *vectors[2:]]
    return vectors[0]


def _add_step(builder: Any, totals: list[list[Any]], code_pointer: Any, query_pointers: list[Any]) -> None:
    """Add STEP products for each query."""
    packed = ir.VectorType(BYTE, INSTRUCTION.codes)
    wide = ir.VectorType(SHORT, INSTRUCTION.codes)
    in_turn = len(totals[0]) // 2 if PLANES else len(totals[0])
    for number, first in enumerate(range(0, STEP, INSTRUCTION.codes)):
        codes = load(builder, code_pointer, first, packed, 1)
        if not PLANES:
            codes = builder.sext(codes, wide)
        elif SHIFT:
            codes = builder.xor(codes, equal_lanes(packed, -128))  # turning the top bit adds 128
        for held, query_pointer in zip(totals, query_pointers, strict=True):
            if not PLANES:
                factors = load(builder, query_pointer, 2 * first, wide, 2 * INSTRUCTION.codes)
                _multiply_add(builder, held[number % in_turn], codes, factors)
                continue
            for plane in range(2):
                factors = load(builder, query_pointer, plane * STEP + first, packed, INSTRUCTION.codes)
                _multiply_add(builder, held[number % in_turn + plane * in_turn], codes, factors)


def load(builder: Any, pointer: Any, place: int, vector: Any, align: int) -> Any:
    found = builder.gep(pointer, [long_constant(place)])
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
    function = ir.FunctionType(ir.VoidType(), [BYTE.as_pointer(), INT, INT, INT])
    prefetch = cgutils.get_or_insert_function(builder.module, function, "llvm.prefetch")
    builder.call(prefetch, [pointer, *(ir.Constant(INT, value) for value in (0, 3, 1))])
