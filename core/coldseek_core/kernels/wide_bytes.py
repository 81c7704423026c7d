# pyright: basic, reportMissingTypeStubs=false
# Numba comes without types.
"""Many bytes of a text at once."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

WINDOW = 64  # bytes that are told apart at once

_BYTE, _BIT, _INT, _LONG = (ir.IntType(bits) for bits in (8, 1, 32, 64))
_BITS = ir.FunctionType(_LONG, [_LONG, _BIT])


def _loaded(builder: Any, text: Any, place: Any, kind: Any) -> Any:
    return builder.load(builder.bitcast(builder.gep(text, [place]), kind.as_pointer()), align=1)


def bits_among(*ranges: str) -> Any:
    """A helper (text u8*, place) that gives a bit (u64, the lowest first) for each of the WINDOW bytes from a place on:
    whether it is in one of the ranges, each its first and last byte as Latin-1.
    """

    @intrinsic
    def bits(typing_context: Any, text: Any, place: Any) -> Any:
        del typing_context, text, place

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            del context, signature
            wide = ir.VectorType(_BYTE, WINDOW)
            text, place = arguments
            codes = _loaded(builder, text, place, wide)
            found = ir.Constant(ir.VectorType(_BIT, WINDOW), None)
            for first, last in ranges:
                moved = builder.sub(codes, ir.Constant(wide, [ord(first)] * WINDOW))
                below = ir.Constant(wide, [ord(last) - ord(first)] * WINDOW)
                found = builder.or_(found, builder.icmp_unsigned("<=", moved, below))
            return builder.bitcast(found, _LONG)

        return types.uint64(types.CPointer(types.uint8), types.int64), generate

    return bits


@intrinsic
def zeros_below(typing_context: Any, bits: Any) -> Any:
    """How many zeros are below the lowest one of `bits` (u64), i64; 64 of zero."""
    del typing_context, bits

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        count = cgutils.get_or_insert_function(builder.module, _BITS, "llvm.cttz.i64")
        return builder.call(count, [*arguments, ir.Constant(_BIT, 0)])

    return types.int64(types.uint64), generate


@intrinsic
def zeros_above(typing_context: Any, bits: Any) -> Any:
    """How many zeros are above the highest one of `bits` (u64), i64; 64 of zero."""
    del typing_context, bits

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        count = cgutils.get_or_insert_function(builder.module, _BITS, "llvm.ctlz.i64")
        return builder.call(count, [*arguments, ir.Constant(_BIT, 0)])

    return types.int64(types.uint64), generate


@intrinsic
def eight_bytes(typing_context: Any, text: Any, place: Any) -> Any:
    """The eight bytes of `text` (u8*) from `place` on as a number (u64), the first in its low bits."""
    del typing_context, text, place

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        text, place = arguments
        return _loaded(builder, text, place, _LONG)

    return types.uint64(types.CPointer(types.uint8), types.int64), generate


@intrinsic
def fetch(typing_context: Any, numbers: Any, place: Any) -> Any:
    """Ask for the cache line of `numbers[place]`, to be read soon. An address out of bounds is no access."""
    del typing_context, place

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del signature
        numbers, place = arguments
        pointer = builder.bitcast(builder.gep(numbers, [place]), _BYTE.as_pointer())
        function = ir.FunctionType(ir.VoidType(), [_BYTE.as_pointer(), _INT, _INT, _INT])
        prefetch = cgutils.get_or_insert_function(builder.module, function, "llvm.prefetch")
        builder.call(prefetch, [pointer, *(ir.Constant(_INT, value) for value in (0, 3, 1))])
        return context.get_dummy_value()

    return types.none(numbers, types.int64), generate
