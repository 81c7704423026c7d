"""Decodes msgpack (https://github.com/msgpack/msgpack/blob/master/spec.md): what a manifest holds, nothing else.

The msgpack package does it too, but to import it costs a cold process more than the rest of opening an index: it brings
`datetime` and `collections`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

MOST_NESTED = 64

# First byte: bytes of the big-endian number that follows it.
_UNSIGNED = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}
_SIGNED = {0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}
_FLOATS: "dict[int, tuple[Literal['f', 'd'], int]]" = {0xCA: ("f", 4), 0xCB: ("d", 8)}
_TEXTS = {0xD9: 1, 0xDA: 2, 0xDB: 4}
_BYTES = {0xC4: 1, 0xC5: 2, 0xC6: 4}
_LISTS = {0xDC: 2, 0xDD: 4}
_MAPS = {0xDE: 2, 0xDF: 4}
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}


def unpack(data: bytes) -> "Any":
    """The one value that `data` encodes: None, bool, int, float, str, bytes, list, or dict with str keys.

    Raises ValueError for anything else, for bytes behind it, and for more than 64 levels. The time is linear in the
    length of `data`, whatever lengths it claims.
    """
    reader = _Reader(data)
    try:
        value = reader.value(0)
    except IndexError as error:
        raise ValueError("it ends within a value") from error
    if reader.place != len(data):
        raise ValueError(f"{len(data) - reader.place} bytes follow the value")
    return value


class _Reader:
    """`place`: the next byte of `data`. Short texts, small numbers and maps come first: a manifest is made of them."""

    __slots__ = ("data", "place")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0

    def value(self, depth: int) -> "Any":
        """Raises IndexError where the data ends before a value's first byte."""
        first = self.data[self.place]
        self.place += 1
        if first < 0x80:
            return first
        if first < 0x90:
            return self.entries(first & 15, depth)
        if first < 0xA0:
            return self.items(first & 15, depth)
        if first < 0xC0:
            return str(self.take(first & 31), "utf-8")
        if first in _UNSIGNED:
            return self.number(_UNSIGNED[first])
        if first >= 0xE0:
            return first - 256
        if first in _CONSTANTS:
            return _CONSTANTS[first]
        if first in _TEXTS:
            return str(self.take(self.number(_TEXTS[first])), "utf-8")
        if first in _BYTES:
            return self.take(self.number(_BYTES[first]))
        if first in _SIGNED:
            return int.from_bytes(self.take(_SIGNED[first]), "big", signed=True)
        if first in _FLOATS:
            form, size = _FLOATS[first]
            return memoryview(self.take(size)[::-1]).cast(form)[0]  # only little-endian machines open an index
        if first in _LISTS:
            return self.items(self.number(_LISTS[first]), depth)
        if first in _MAPS:
            return self.entries(self.number(_MAPS[first]), depth)
        raise ValueError(f"a value begins with the byte {first:#x}")

    def take(self, count: int) -> bytes:
        start = self.place
        self.place = stop = start + count
        if stop > len(self.data):
            raise ValueError("it ends within a value")
        return self.data[start:stop]

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")

    def items(self, count: int, depth: int) -> "list[Any]":
        if depth == MOST_NESTED:
            raise ValueError(f"values are nested more than {MOST_NESTED} deep")
        return [self.value(depth + 1) for _ in range(count)]

    def entries(self, count: int, depth: int) -> "dict[str, Any]":
        if depth == MOST_NESTED:
            raise ValueError(f"values are nested more than {MOST_NESTED} deep")
        found: dict[str, Any] = {}
        for _ in range(count):
            first = self.data[self.place]
            if 0xA0 <= first < 0xC0:
                start = self.place + 1
                self.place = stop = start + (first & 31)
                key = str(self.data[start:stop], "utf-8")
            else:
                key = self.value(depth + 1)
                if type(key) is not str:
                    raise ValueError("a key is not text")
            # A number below 128 needs no more than a look; a key that ended early is noticed here, too.
            value = self.data[self.place]
            if value < 0x80:
                self.place += 1
                found[key] = value
            else:
                found[key] = self.value(depth + 1)
        return found
