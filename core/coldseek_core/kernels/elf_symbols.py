"""Which symbols a shared library exports and which it takes from others (ELF, 64 bits, little-endian: elf(5))."""

import struct

_SECTION_HEADERS_OFFSET = 40
_SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_DYNAMIC_SYMBOLS = 11
_LOCAL = 0


def dynamic_symbols(data: bytes) -> tuple[set[str], set[str]]:
    """Exported and undefined symbols of a library that a linker has just written."""
    (headers,) = struct.unpack_from("<Q", data, _SECTION_HEADERS_OFFSET)
    (count,) = struct.unpack_from("<H", data, 60)
    sections: list[tuple[int, ...]] = [
        _SECTION_HEADER.unpack_from(data, headers + place * _SECTION_HEADER.size) for place in range(count)
    ]
    exported: set[str] = set()
    undefined: set[str] = set()
    for _, kind, _, _, offset, size, link, _, _, _ in sections:
        if kind != _DYNAMIC_SYMBOLS:
            continue
        names = sections[link][4]
        for place in range(offset + _SYMBOL.size, offset + size, _SYMBOL.size):  # the first is none
            name, binding_and_type, _, section, _, _ = _SYMBOL.unpack_from(data, place)
            if binding_and_type >> 4 == _LOCAL:  # of use to the linker alone
                continue
            text = data[names + name : data.index(b"\0", names + name)].decode("ascii")
            (exported if section else undefined).add(text)
    return exported, undefined
