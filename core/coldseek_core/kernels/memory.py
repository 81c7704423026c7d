"""Memory that kernels read and write, as numbers with an address."""

import sys

from .loader import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    import mmap
    from collections.abc import Sequence
    from typing import Any, Literal

    Format = Literal["b", "B", "h", "H", "I", "Q", "q", "d"]

# A term's postings lie in groups, one for each block of rows that holds some, behind a header of words of 16 bits
# (see posting_groups.py). As many accumulators are passed to `postings_top` as a block has rows.
BLOCK_BITS = 16
BLOCK_ROWS = 1 << BLOCK_BITS
HEADER_WORDS = 3
# Terms are front-coded in blocks (see front_code.py): so many in a block, what in half a tag says that a number goes
# on, and how many bytes of a block's first term are its key.
TERMS_A_BLOCK = 32
LENGTH_ESCAPE = 15
KEY_BYTES = 8
# Up to so many rows of a group are words. More are bytes behind a directory, which says how many of them come before
# each stretch of a block. From 513 on that takes less; in groups that are not much larger it is slower to add.
LARGEST_LIST = 1024
STRETCH_BITS = 8
STRETCHES = 1 << (BLOCK_BITS - STRETCH_BITS)
# A build places an impact in units of 2**-PLACED_BITS, in 32 bits: an IDF is below 23 and k1 at most 10, so it is less
# than 256.
PLACED_BITS = 24
# Room for the rows of a group as words, and for what is written behind them because vectors are written whole.
UNPACKED_ROWS = BLOCK_ROWS + 32
# How many rows of a block `postings_top` keeps a list of.
LISTED_ROWS = 8192

# Less is quicker had from the allocator.
_LARGE = 1 << 22

_SIZES = {"b": 1, "B": 1, "h": 2, "H": 2, "I": 4, "Q": 8, "q": 8, "d": 8}


class Numbers:
    """Zeros at first: `view` is a memoryview of `count` numbers, at least one, in a format of `struct`, `address` where
    they begin.

    Arrays of ctypes or of `array` would do, too, but a cold process pays for each import.
    """

    __slots__ = ("_data", "address", "view")

    view: "memoryview[Any]"

    def __init__(self, format: "Format", count: int) -> None:
        self._data = _zeros(max(count, 1) * _SIZES[format])
        self.address: int = load().address(self._data)
        self.view = memoryview(self._data).cast(format)

    @classmethod
    def of(cls, format: "Format", values: "Sequence[int | float]") -> "Numbers":
        """Raises TypeError or ValueError for what is no such number."""
        numbers = cls(format, len(values))
        numbers.put(0, values)
        return numbers

    @classmethod
    def of_floats(cls, values: "Sequence[int | float]") -> "Numbers":
        """As `of("d", values)`, and quicker for what offers its memory, such as an array of NumPy."""
        try:
            given = memoryview(values)  # pyright: ignore[reportArgumentType]
        except TypeError:
            return cls.of("d", values)
        if given.ndim != 1 or not given.c_contiguous or given.format not in ("d", "f"):
            return cls.of("d", values)
        numbers = cls("d", len(given))
        if given.format == "f":
            kernels = load()
            kernels.widen_floats(kernels.address(given), len(given), numbers.address)
        elif len(given):
            numbers.view[:] = given
        return numbers

    def put(self, first: int, values: "Sequence[int | float]") -> None:
        """Write `values` from place `first` on."""
        view = self.view
        for place, value in enumerate(values, first):
            view[place] = value


def _zeros(size: int) -> "bytearray | mmap.mmap":
    """So many bytes. Of large memory only what is used is made, in huge pages where the system has them, because hash
    tables are read and written all over. Raises MemoryError."""
    if size < _LARGE or sys.platform == "win32":
        return bytearray(size)
    import mmap
    from contextlib import suppress

    try:
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise MemoryError(f"no memory for {size:,} bytes: {error.strerror}") from error
    if sys.platform == "linux":
        with suppress(OSError):  # a kernel without huge pages
            memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


def address_of(data: "bytes | bytearray | memoryview | mmap.mmap") -> int:
    """Where the bytes of a buffer are, for as long as they are kept in place; it may be read-only."""
    return load().address(data)
