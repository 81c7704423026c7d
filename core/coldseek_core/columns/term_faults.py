"""What can be wrong with the blocks of terms: they are decoded as docs/index-format.md says."""

from collections.abc import Iterator

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.columns.schema import blocks_for
from coldseek_core.kernels.memory import KEY_BYTES, LENGTH_ESCAPE, TERMS_A_BLOCK


def term_faults(files: IndexFiles) -> Iterator[str]:
    """Blocks must hold all terms, each in UTF-8 and behind the one before, coded with as few bytes cut off as can be;
    keys must be those of the first terms.
    """
    blocks = files.byte_strings("term_blocks", "terms")
    keys = files.numbers("term_blocks", "key").view
    terms = files.manifest["counts"]["terms"]
    last: bytes | None = None  # of the terms so far
    for block in range(blocks_for(terms)):
        row = f"at row {block}"
        data = blocks.bytes_at(block)
        count = min(TERMS_A_BLOCK, terms - block * TERMS_A_BLOCK)
        place, before, first = 0, b"", b""
        for order in range(count):
            where = f"term_blocks.terms {row}"
            try:
                cut, size, place = _read_tag(data, place)
            except IndexError:
                yield f"{where} ends before its term {order}, expected {count}"
                break
            if cut > len(before) or size > len(data) - place:
                what = f"cuts {cut} bytes off {len(before)}" if cut > len(before) else f"goes on for {size} bytes"
                yield f"{where} is no block: its term {order} {what}, {len(data) - place} are left"
                break
            shared, rest = len(before) - cut, data[place : place + size]
            term = before[:shared] + rest
            place += size
            if last is not None and term <= last:
                yield f"{where} has a term {order} that does not come after the term before"
            elif cut and before[shared : shared + 1] == rest[:1]:
                yield f"{where} cuts off more than it need for its term {order}"
            if not _is_utf_8(term):
                yield f"{where} has a term {order} that is not UTF-8"
            before = last = term
            first = first if order else term
        else:
            if place < len(data):
                yield f"term_blocks.terms {row} has {len(data) - place} bytes behind its last term"
        key = int.from_bytes(first[:KEY_BYTES].ljust(KEY_BYTES, b"\0"), "big")
        if keys[block] != key:
            yield f"term_blocks.key {row} is {keys[block]}, its first term's is {key}"


def _read_tag(data: bytes, place: int) -> tuple[int, int, int]:
    """How many bytes are cut off, how many are appended, and where these are. Raises IndexError where `data` ends."""
    tag = data[place]
    cut, place = _read_length(data, place + 1, tag >> 4)
    size, place = _read_length(data, place, tag & LENGTH_ESCAPE)
    return cut, size, place


def _read_length(data: bytes, place: int, length: int) -> tuple[int, int]:
    more = 255 if length == LENGTH_ESCAPE else 0
    while more == 255:
        more = data[place]
        length += more
        place += 1
    return length, place


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
