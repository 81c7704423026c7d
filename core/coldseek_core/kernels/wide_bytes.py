# pyright: basic, reportMissingTypeStubs=false
# Numba comes without types.
"""Many bytes of a text at once."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

WINDOW = 64  # bytes that `break_bits` looks at

# ASCII that no word, name or stretch of folding goes over, first and last of each range: white space, and the symbols
# that are neither joiners nor belong to a name.
SPACES = ((9, 13), (28, 32))
BREAKING_SYMBOLS = tuple((ord(first), ord(last)) for first, last in ('!"', "%%", "(*", ",,", ";?", "[^", "``", "{~"))

_BYTE, _BIT, _INT, _LONG = (ir.IntType(bits) for bits in (8, 1, 32, 64))


def _loaded(builder: Any, text: Any, place: Any, kind: Any) -> Any:
    return builder.load(builder.bitcast(builder.gep(text, [place]), kind.as_pointer()), align=1)


@intrinsic
def break_bits(typing_context: Any, text: Any, place: Any) -> Any:
    """A bit (u64, the lowest first) for each of the WINDOW bytes of `text` (u8*) from `place` on: whether it is a
    space, or a breaking symbol before another byte of ASCII within the window.
    """
    del typing_context, text, place
    signature = types.uint64(types.CPointer(types.uint8), types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        wide = ir.VectorType(_BYTE, WINDOW)
        text, place = arguments
        codes = _loaded(builder, text, place, wide)

        def all_of(value: int) -> Any:
            return ir.Constant(wide, [value] * WINDOW)

        def among(ranges: Any) -> Any:
            found = ir.Constant(ir.VectorType(_BIT, WINDOW), None)
            for first, last in ranges:
                moved = builder.sub(codes, all_of(first))
                found = builder.or_(found, builder.icmp_unsigned("<=", moved, all_of(last - first)))
            return builder.bitcast(found, _LONG)

        high = builder.bitcast(builder.icmp_unsigned(">=", codes, all_of(0x80)), _LONG)
        behind = builder.or_(builder.lshr(high, ir.Constant(_LONG, 1)), ir.Constant(_LONG, 1 << WINDOW - 1))
        return builder.or_(among(SPACES), builder.and_(among(BREAKING_SYMBOLS), builder.not_(behind)))

    return signature, generate


@intrinsic
def zeros_below(typing_context: Any, bits: Any) -> Any:
    """How many zeros are below the lowest one of `bits` (u64), i64; 64 of zero."""
    del typing_context, bits

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        count = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_LONG, [_LONG, _BIT]), "llvm.cttz.i64")
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
