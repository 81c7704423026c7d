# pyright: basic, reportMissingTypeStubs=false
# Numba comes without types.
"""Rows of a stretch that are stored as their low bytes, many at once."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

SPREAD_BYTES = 32  # that `spread_bytes` reads
COMPARED_BYTES = 64  # that `equal_bytes` reads

_BYTE, _WORD, _INT, _LONG = (ir.IntType(bits) for bits in (8, 16, 32, 64))
_WORDS = types.CPointer(types.uint16)


def _bytes_at(builder: Any, words: Any, first: Any, order: Any, count: int) -> Any:
    """`count` bytes from byte `order` of `words[first:]` on, as a vector."""
    pointer = builder.gep(builder.bitcast(builder.gep(words, [first]), _BYTE.as_pointer()), [order])
    return builder.load(builder.bitcast(pointer, ir.VectorType(_BYTE, count).as_pointer()), align=1)


def _lanes(builder: Any, number: Any, lane: Any, count: int) -> Any:
    """A vector of `count` times the low bits of `number` (i64)."""
    none = ir.Constant(ir.VectorType(lane, count), ir.Undefined)
    first = builder.insert_element(none, builder.trunc(number, lane), ir.Constant(_LONG, 0))
    return builder.shuffle_vector(first, none, ir.Constant(ir.VectorType(_INT, count), None))


@intrinsic
def equal_bytes(typing_context: Any, words: Any, first: Any, order: Any, value: Any) -> Any:
    """A bit (u64, the lowest first) for each of COMPARED_BYTES bytes from byte `order` of `words[first:]` (u16*) on:
    whether it is the low byte of `value` (i64)."""
    del typing_context, words, first, order, value

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        words, first, order, value = arguments
        found = _bytes_at(builder, words, first, order, COMPARED_BYTES)
        wanted = _lanes(builder, value, _BYTE, COMPARED_BYTES)
        return builder.bitcast(builder.icmp_unsigned("==", found, wanted), _LONG)

    return types.uint64(_WORDS, types.int64, types.int64, types.int64), generate


@intrinsic
def spread_bytes(typing_context: Any, words: Any, first: Any, order: Any, base: Any, rows: Any) -> Any:
    """Write `base` (i64) plus each of SPREAD_BYTES bytes, from byte `order` of `words[first:]` (u16*) on, to `rows`
    (u16*) from `order` on."""
    del typing_context, words, first, order, base, rows

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del signature
        words, first, order, base, rows = arguments
        vector = ir.VectorType(_WORD, SPREAD_BYTES)
        low = builder.zext(_bytes_at(builder, words, first, order, SPREAD_BYTES), vector)
        target = builder.bitcast(builder.gep(rows, [order]), vector.as_pointer())
        builder.store(builder.add(low, _lanes(builder, base, _WORD, SPREAD_BYTES)), target, align=2)
        return context.get_dummy_value()

    return types.none(_WORDS, types.int64, types.int64, types.int64, _WORDS), generate
