"""Columns read in place: a row costs the same however long the column is, and nothing is read out of bounds.

All classes have `len(column)`, and `column[row]`, which raises IndexError for a row out of range (also a
negative one) and gives None where the column is null. Reading after the index was closed raises
ClosedIndexError. What `column[row]` returned stays good after that; addresses and views do not, so they are
for use inside `IndexFiles.in_use()`.
"""

from coldseek_core.columns.mapping import MappedFile, damaged, release_view
from coldseek_core.columns.schema import BOOLEAN, BYTES, CODES, NUMBERS, TEXT, TEXTS
from coldseek_core.errors import ClosedIndexError, CorruptIndexError
from coldseek_core.kernels.memory import address_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from coldseek_core.columns.layout import ColumnPlace

_NO_OFFSETS = bytes(8)


def _closed() -> ClosedIndexError:
    """A view that was released under a reader raises ValueError; the caller is to get this instead."""
    return ClosedIndexError("a column was used after its index was closed; open the index again")


class Column:
    """What all columns share.

    `name` is `file.column`, for messages; `type` the Arrow type; `copied` how many bytes had to be copied
    because the file holds them unaligned, 0 in any index that coldseek wrote. `validity_address` is where the
    bits of the Arrow validity bitmap are (bit 1: there is a value), 0 if nothing is null.
    """

    __slots__ = ("_length", "_mapped", "copied", "name", "type", "validity", "validity_address")

    def __init__(self, name: str, mapped: MappedFile, place: "ColumnPlace") -> None:
        self.name = name
        self.type = place.type
        self.copied = 0
        self._length = place.length
        self._mapped = mapped
        self.validity: memoryview | None = None
        self.validity_address = 0
        if place.nulls:
            self.validity = self._bytes(place, "validity", (place.length + 7) // 8)
            self.validity_address = mapped.address + place.buffers["validity"][0]

    def __len__(self) -> int:
        return self._length

    if not TYPE_CHECKING:  # A type checker would take every attribute to be there.

        def __getattr__(self, name):
            # Reached only for what is not there: `release` took the attributes away.
            if any(name in getattr(owner, "__slots__", ()) for owner in type(self).__mro__):
                raise _closed()
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def is_null(self, row: int) -> bool:
        """Whether `row` holds nothing."""
        if not 0 <= row < self._length:
            raise self._no_row(row)
        validity = self.validity
        try:
            return validity is not None and not validity[row >> 3] >> (row & 7) & 1
        except ValueError as error:
            raise _closed() from error

    def release(self) -> None:
        """Let go of all views of the file; every later use raises ClosedIndexError."""
        for owner in type(self).__mro__:
            for slot in getattr(owner, "__slots__", ()):
                try:
                    value = object.__getattribute__(self, slot)
                except AttributeError:
                    continue
                delattr(self, slot)
                if isinstance(value, memoryview):
                    release_view(value)  # pyright: ignore

    def _bytes(self, place: "ColumnPlace", buffer: str, length: int) -> memoryview:
        offset = place.buffers[buffer][0]
        return self._mapped.view[offset : offset + length]

    def _aligned(
        self, place: "ColumnPlace", buffer: str, length: int, letter: str, size: int
    ) -> "tuple[memoryview, int]":
        """(view cast to `letter`, address) of the first `length` bytes of a buffer, copied only if it is not
        aligned to `size`.
        """
        view = self._bytes(place, buffer, length)
        address = self._mapped.address + place.buffers[buffer][0]
        if address % size:
            with view:
                # The allocator aligns a bytearray's memory to 16 bytes, and nobody can resize it under a
                # view.
                copy = bytearray(view)
            self.copied += length
            view = memoryview(copy).toreadonly()
            address = address_of(copy)
        return view.cast(letter), address  # pyright: ignore

    def _offsets(self, place: "ColumnPlace", buffer: str, count: int) -> "tuple[memoryview, int]":
        """Like `_aligned` for so many 64-bit offsets; where an empty column stores none, a single 0."""
        if count == 0 or place.buffers[buffer][1] == 0:
            return memoryview(_NO_OFFSETS).cast("q"), address_of(_NO_OFFSETS)
        return self._aligned(place, buffer, 8 * count, "q", 8)

    def _no_row(self, row: int) -> IndexError:
        return IndexError(f"row {row} of {self.name}: there are rows 0 to {self._length - 1}")

    def _bad_offsets(self, row: int) -> CorruptIndexError:
        what = f"the offsets of {self.name} at row {row} are out of order or out of range"
        return damaged(self._mapped.path, what)

    def _not_text(self, row: int) -> CorruptIndexError:
        return damaged(self._mapped.path, f"{self.name} at row {row} is not UTF-8")


class Numbers(Column):
    """Numbers of one type. `address` is where the values begin, aligned to their size; `view` a memoryview of
    them.
    """

    __slots__ = ("address", "view")

    def __init__(self, name: str, mapped: MappedFile, place: "ColumnPlace") -> None:
        super().__init__(name, mapped, place)
        letter, size = NUMBERS[place.type]
        self.view, self.address = self._aligned(place, "values", place.length * size, letter, size)

    def __iter__(self) -> "Iterator[int | float | None]":
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, row: int) -> "int | float | None":
        if self.validity is not None and self.is_null(row):
            return None
        try:
            if not 0 <= row < self._length:
                raise self._no_row(row)
            return self.view[row]
        except ValueError as error:
            raise _closed() from error


class Booleans(Column):
    """Truth values. `address` is where they begin, one bit each, lowest bit first; `view` a memoryview of
    those bytes.
    """

    __slots__ = ("address", "view")

    def __init__(self, name: str, mapped: MappedFile, place: "ColumnPlace") -> None:
        super().__init__(name, mapped, place)
        self.view, self.address = self._aligned(place, "values", (place.length + 7) // 8, "B", 1)

    def __iter__(self) -> "Iterator[bool | None]":
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, row: int) -> "bool | None":
        if self.is_null(row):
            return None
        try:
            return bool(self.view[row >> 3] >> (row & 7) & 1)
        except ValueError as error:
            raise _closed() from error


class ByteStrings(Column):
    """Byte strings: row i has the bytes from offset i to offset i + 1.

    `offsets_address`: len + 1 offsets, int64, aligned. `values_address`: `values_length` bytes. The offsets
    are whatever the file holds: whoever follows them checks them against `values_length`.
    """

    __slots__ = ("offsets", "offsets_address", "values", "values_address", "values_length")

    def __init__(self, name: str, mapped: MappedFile, place: "ColumnPlace") -> None:
        super().__init__(name, mapped, place)
        self.offsets, self.offsets_address = self._offsets(place, "offsets", place.length + 1)
        self.values_length = place.buffers["values"][1]
        self.values = self._bytes(place, "values", self.values_length)
        self.values_address = mapped.address + place.buffers["values"][0]

    def bytes_at(self, row: int) -> bytes:
        """The bytes of a row, empty where it is null."""
        try:
            return bytes(self._span(row))
        except ValueError as error:
            raise _closed() from error

    def _span(self, row: int) -> memoryview:
        if not 0 <= row < self._length:
            raise self._no_row(row)
        start, end = self.offsets[row], self.offsets[row + 1]
        if not 0 <= start <= end <= self.values_length:
            raise self._bad_offsets(row)
        return self.values[start:end]

    def __iter__(self) -> "Iterator[bytes | str | None]":
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, row: int) -> "bytes | str | None":
        return None if self.is_null(row) else self.bytes_at(row)


class Texts(ByteStrings):
    """Texts, the bytes of a row being their UTF-8."""

    __slots__ = ()

    def __iter__(self) -> "Iterator[str | None]":
        return map(self.__getitem__, range(len(self)))

    def text_at(self, row: int) -> str:
        """The text of a row, empty where it is null."""
        try:
            return str(self._span(row), "utf-8")
        except UnicodeDecodeError as error:
            raise self._not_text(row) from error
        except ValueError as error:
            raise _closed() from error

    def __getitem__(self, row: int) -> "str | None":
        return None if self.validity is not None and self.is_null(row) else self.text_at(row)


class TextLists(Column):
    """Lists of texts: row i has the texts from offset i to offset i + 1, and each of those texts has offsets
    of its own.
    """

    __slots__ = ("child_offsets", "child_values", "offsets")

    def __init__(self, name: str, mapped: MappedFile, place: "ColumnPlace") -> None:
        super().__init__(name, mapped, place)
        self.offsets = self._offsets(place, "offsets", place.length + 1)[0]
        self.child_offsets = self._offsets(place, "child_offsets", place.buffers["child_offsets"][1] // 8)[0]
        self.child_values = self._bytes(place, "child_values", place.buffers["child_values"][1])

    def __iter__(self) -> "Iterator[list[str] | None]":
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, row: int) -> "list[str] | None":
        if self.validity is not None and self.is_null(row):
            return None
        if not 0 <= row < self._length:
            raise self._no_row(row)
        try:
            first, last = self.offsets[row], self.offsets[row + 1]
            if not 0 <= first <= last < len(self.child_offsets):
                raise self._bad_offsets(row)
            texts: list[str] = []
            for item in range(first, last):
                start, end = self.child_offsets[item], self.child_offsets[item + 1]
                if not 0 <= start <= end <= len(self.child_values):
                    raise self._bad_offsets(row)
                texts.append(str(self.child_values[start:end], "utf-8"))
            return texts
        except UnicodeDecodeError as error:
            raise self._not_text(row) from error
        except ValueError as error:
            raise _closed() from error


class Codes(Column):
    """Vectors of int8: `width` codes a row, row after row from `address` on."""

    __slots__ = ("address", "values", "width")

    def __init__(self, name: str, mapped: MappedFile, place: "ColumnPlace") -> None:
        super().__init__(name, mapped, place)
        self.width = place.width
        self.values = self._bytes(place, "values", place.length * place.width)
        self.address = mapped.address + place.buffers["values"][0]

    def __iter__(self) -> "Iterator[memoryview | None]":
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, row: int) -> "memoryview | None":
        """The codes of a row, a copy: `width` items of format "b"."""
        if self.is_null(row):
            return None
        try:
            return memoryview(bytes(self.values[row * self.width : (row + 1) * self.width])).cast("b")
        except ValueError as error:
            raise _closed() from error


_CLASSES: "dict[str, type[Numbers | Booleans | ByteStrings | TextLists | Codes]]" = {
    **dict.fromkeys(NUMBERS, Numbers),
    BOOLEAN: Booleans,
    BYTES: ByteStrings,
    TEXT: Texts,
    TEXTS: TextLists,
    CODES: Codes,
}


def column_at(
    name: str, mapped: MappedFile, place: "ColumnPlace"
) -> "Numbers | Booleans | ByteStrings | TextLists | Codes":
    """The column that lies at `place` of a mapped file; `name` is `file.column`."""
    return _CLASSES[place.type](name, mapped, place)
