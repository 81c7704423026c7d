"""Memory that kernels read and write, as numbers."""

import ctypes
from struct import calcsize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal


class Numbers:
    """Zeros at first: `view` is a memoryview of `count` numbers in a format of `struct`, `address` where they begin.

    An array of ctypes would do, too, but each length is a new type, which takes longer to make than a short array.
    """

    __slots__ = ("_data", "address", "view")

    def __init__(self, format: "Literal['B', 'I', 'Q', 'q']", count: int) -> None:
        self._data = bytearray(max(count, 1) * calcsize(format))
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._data))
        self.view: memoryview[int] = memoryview(self._data).cast(format)


def address_of(data: bytes) -> int:
    """Where some bytes are, for as long as they are kept."""
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0
