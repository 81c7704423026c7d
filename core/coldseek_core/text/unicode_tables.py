"""The tables of code points that come with the package, pinned to Unicode 14.0, as kernels read them."""

import os

from ..errors import ColdseekError
from ..kernels import digest
from ..kernels.memory import address_of

TABLE_FILE = "unicode_14_0.bin"  # written by scripts/make_unicode_tables.py
MAGIC = b"CSUNI14\0"  # then the digest of what follows (u64), then numbers (u32), all little-endian
_HEADER = len(MAGIC) + 8


class UnicodeTables:
    """An array of u32 as `kernels.unicode_layout` describes it: `address`, and `length` in numbers."""

    __slots__ = ("_data", "address", "length")

    def __init__(self, data: bytes) -> None:
        """Takes what the file holds. Raises ColdseekError where it is not the whole file that was written."""
        body = data[_HEADER:]
        if data[: len(MAGIC)] != MAGIC or int.from_bytes(data[len(MAGIC) : _HEADER], "little") != digest(body):
            raise ColdseekError(f"the package's file {TABLE_FILE} is damaged; install coldseek again")
        self._data = body
        self.address = address_of(body)
        self.length = len(body) // 4


_read: list[UnicodeTables] = []


def unicode_tables() -> UnicodeTables:
    """The tables, read at the first text that is not ASCII. Raises ColdseekError where they are not there."""
    if not _read:
        try:
            with open(os.path.join(os.path.dirname(__file__), TABLE_FILE), "rb") as file:
                data = file.read()
        except OSError as error:
            raise ColdseekError(
                f"the package's file {TABLE_FILE} cannot be read ({error}); install coldseek again"
            ) from error
        # No lock, which a fork could leave locked: threads that come here at once read equal tables.
        _read.append(UnicodeTables(data))
    return _read[0]
