"""Columns of texts in memory, as Arrow lays them out: many texts without an object for each.

pyarrow comes without types, so the checker is told less about this one file:
"""
# pyright: basic

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from ..errors import UsageError

_compute: Any = pyarrow.compute  # its functions are made when it is imported
_AT_ONCE = 4096
# Of fewer texts side by side Arrow copies each in less time.
_LEAST_TOGETHER = 4


class ByteStrings:
    """Byte strings, one after the other: string i is `data[offsets[i]:offsets[i + 1]]` (u8; i64[strings + 1], the first
    0)."""

    __slots__ = ("data", "offsets")

    def __init__(self, offsets: NDArray[np.int64], data: NDArray[np.uint8]) -> None:
        self.offsets = offsets
        self.data = data

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[bytes | str]:
        yield from self.to_arrow().to_pylist()

    def to_arrow(self) -> pa.Array:
        """Not copied."""
        buffers = [None, pa.py_buffer(self.offsets), pa.py_buffer(self.data)]
        return pa.Array.from_buffers(pa.large_binary(), len(self), buffers)


class Texts(ByteStrings):
    """Texts, each in UTF-8."""

    __slots__ = ()

    @classmethod
    def of(cls, texts: Sequence[str]) -> Self:
        """Raises UsageError for half of a surrogate pair."""
        data = bytearray()
        offsets = np.zeros(len(texts) + 1, np.int64)
        # Their bytes grow in place: what is joined first may be most of an index, and would be copied again.
        for first in range(0, len(texts), _AT_ONCE):
            block = texts[first : first + _AT_ONCE]
            try:
                encoded = "".join(block).encode()
            except UnicodeEncodeError as error:
                half = error.object[error.start]
                raise UsageError(
                    f"a text holds {half!r}, half of a surrogate pair; write the character whole"
                ) from None
            sizes = map(len, block if len(encoded) == sum(map(len, block)) else [text.encode() for text in block])
            offsets[first + 1 : first + 1 + len(block)] = np.fromiter(sizes, np.int64, len(block))
            data += encoded
        np.cumsum(offsets, out=offsets)
        return cls(offsets, np.frombuffer(data, np.uint8))

    @classmethod
    def of_arrow(cls, array: pa.Array) -> Self:
        """An Arrow array of strings of either size; nulls become empty texts."""
        large = array.type == pa.large_string()
        kind = np.int64 if large else np.int32
        if not len(array):
            return cls(np.zeros(1, np.int64), np.empty(0, np.uint8))
        _, places, values = array.buffers()
        offsets = np.frombuffer(places, kind)[array.offset : array.offset + len(array) + 1].astype(np.int64)
        data = np.frombuffer(values, np.uint8) if values is not None else np.empty(0, np.uint8)
        data = data[offsets[0] : offsets[-1]]
        return cls(offsets - offsets[0] if offsets[0] else offsets, data)

    @classmethod
    def joined(cls, parts: "Sequence[Texts]") -> Self:
        if len(parts) == 1:
            return cls(parts[0].offsets, parts[0].data)
        begins = np.cumsum([0, *(len(part.data) for part in parts)])
        offsets = [part.offsets[1:] + begin for part, begin in zip(parts, begins, strict=False)]
        data = [part.data for part in parts]
        return cls(np.concatenate([np.zeros(1, np.int64), *offsets]), np.concatenate([np.empty(0, np.uint8), *data]))

    @classmethod
    def gathered(cls, parts: "Sequence[Texts]", order: NDArray[np.int64]) -> "Texts":
        """Text `order[i]` of all parts, one part after the other, as text i. Each is copied once: the parts may be most
        of what memory holds."""
        starts = np.cumsum([0, *map(len, parts)])
        # Texts that stay side by side, in one part, are copied together.
        breaks = np.diff(order, prepend=-2) != 1
        breaks[np.isin(order, starts)] = True
        firsts = np.flatnonzero(breaks)
        if len(firsts) * _LEAST_TOGETHER > len(order):
            return cls.joined(parts).take(order)
        sizes = np.concatenate([np.zeros(0, np.int64), *(part.sizes for part in parts)])
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes[order])])
        data = np.empty(offsets[-1], np.uint8)
        part_of = np.searchsorted(starts, order[firsts], side="right") - 1
        texts = order[firsts] - starts[part_of]
        bounds = np.append(offsets[firsts], offsets[-1])
        for part, text, (start, stop) in zip(part_of.tolist(), texts.tolist(), pairwise(bounds.tolist()), strict=True):
            place = int(parts[part].offsets[text])
            data[start:stop] = parts[part].data[place : place + stop - start]
        return cls(offsets, data)

    @classmethod
    def repeated(cls, text: str, count: int) -> Self:
        data = np.frombuffer(text.encode(), np.uint8)
        return cls(len(data) * np.arange(count + 1, dtype=np.int64), np.tile(data, count))

    def __getitem__(self, order: int) -> str:
        return self.data[self.offsets[order] : self.offsets[order + 1]].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), _AT_ONCE):
            yield from self.cut(first, first + _AT_ONCE).to_arrow().to_pylist()

    def cut(self, start: int, stop: int) -> "Texts":
        """The texts from `start` up to `stop`, not copied."""
        offsets = self.offsets[start : stop + 1]
        return Texts(offsets - offsets[0], self.data[offsets[0] : offsets[-1]])

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Bytes of each."""
        return np.diff(self.offsets)

    def to_arrow(self) -> pa.Array:
        """Not copied."""
        return pa.LargeStringArray.from_buffers(len(self), pa.py_buffer(self.offsets), pa.py_buffer(self.data))

    def take(self, order: NDArray[np.int64]) -> "Texts":
        """Text `order[i]` as text i; an empty one where it is below 0."""
        return Texts.of_arrow(self.to_arrow().take(pa.array(order, mask=order < 0)))

    def numbered(self) -> tuple[NDArray[np.int64], int]:
        """Numbers of equal texts, from 0 in the order of their first appearance, and how many there are."""
        if not len(self.data):
            return np.zeros(len(self), np.int64), min(len(self), 1)
        encoded = _compute.dictionary_encode(self.to_arrow())
        return encoded.indices.to_numpy().astype(np.int64), len(encoded.dictionary)


class TextLists:
    """Lists of texts: list i is texts `offsets[i]` up to `offsets[i + 1]` (i64[lists + 1], from 0) of `texts`."""

    __slots__ = ("offsets", "texts")

    def __init__(self, offsets: NDArray[np.int64], texts: Texts) -> None:
        self.offsets = offsets
        self.texts = texts

    @classmethod
    def of(cls, lists: Sequence[Sequence[str]]) -> Self:
        offsets = np.zeros(len(lists) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, lists), np.int64, len(lists)), out=offsets[1:])
        return cls(offsets, Texts.of([text for texts in lists for text in texts]))

    @classmethod
    def of_arrow(cls, array: pa.Array) -> Self:
        """An Arrow array of lists of strings of either size; nulls become empty lists."""
        offsets = array.offsets.to_numpy().astype(np.int64)
        texts = Texts.of_arrow(array.values).cut(int(offsets[0]), int(offsets[-1]))
        return cls(offsets - offsets[0], texts)

    @classmethod
    def joined(cls, parts: "Sequence[TextLists]") -> Self:
        begins = np.cumsum([0, *(len(part.texts) for part in parts)])
        offsets = [part.offsets[1:] + begin for part, begin in zip(parts, begins, strict=False)]
        return cls(np.concatenate([np.zeros(1, np.int64), *offsets]), Texts.joined([part.texts for part in parts]))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[list[str]]:
        for first in range(0, len(self), _AT_ONCE):
            offsets = self.offsets[first : first + _AT_ONCE + 1]
            texts = list(self.texts.cut(int(offsets[0]), int(offsets[-1])))
            places = (offsets - offsets[0]).tolist()
            yield from (texts[start:stop] for start, stop in zip(places, places[1:], strict=False))

    def cut(self, start: int, stop: int) -> "TextLists":
        """The lists from `start` up to `stop`, not copied."""
        offsets = self.offsets[start : stop + 1]
        return TextLists(offsets - offsets[0], self.texts.cut(int(offsets[0]), int(offsets[-1])))

    def to_arrow(self) -> pa.Array:
        return pa.LargeListArray.from_arrays(self.offsets, self.texts.to_arrow())

    def take(self, order: NDArray[np.int64]) -> "TextLists":
        """List `order[i]` as list i."""
        return TextLists.of_arrow(self.to_arrow().take(pa.array(order)))

    def numbered(self) -> tuple[NDArray[np.int64], int]:
        """Numbers of equal lists, from 0, and how many there are."""
        sizes = np.diff(self.offsets)
        numbers = np.zeros(len(self), np.int64)
        texts, count = self.texts.numbered()
        for depth in range(int(sizes.max(initial=0))):
            longer = np.flatnonzero(sizes > depth)
            deeper = np.zeros(len(self), np.int64)
            deeper[longer] = texts[self.offsets[longer] + depth] + 1
            # Lists that are equal so far, told apart by their next text.
            distinct, numbers = np.unique(numbers * (count + 1) + deeper, return_inverse=True)
            del distinct
        return numbers, int(numbers.max(initial=-1)) + 1


def sort_order(*columns: Texts) -> NDArray[np.int64]:
    """The order that sorts by the bytes of the first column, then of the next and so on. Equals stay in order."""
    table = pa.table({str(place): column.to_arrow() for place, column in enumerate(columns)})
    keys = [(str(place), "ascending") for place in range(len(columns))]
    return _compute.sort_indices(table, sort_keys=keys).to_numpy().astype(np.int64)
