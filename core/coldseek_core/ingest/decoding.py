"""Bytes to text: UTF-8, UTF-16 or UTF-32 by byte order mark, and a clear refusal of everything else."""

import codecs
from pathlib import Path

from coldseek_core.errors import SourceError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
BYTE_ORDER_MARKS = tuple(mark for mark, _ in _MARKS)


def decode(data: bytes) -> str:
    """The text of `data`, without a byte order mark, with every line ending as `\\n`.

    Raises SourceError that names the offset of the first byte that is not text.
    """
    start, encoding = 0, "utf-8"
    for mark, name in _MARKS:
        if data.startswith(mark):
            start, encoding = len(mark), name
            break
    try:
        text = data[start:].decode(encoding)
    except UnicodeDecodeError as error:
        raise SourceError(
            f"not {encoding.upper()}: byte {start + error.start} (0x{data[start + error.start]:02x}) cannot be decoded;"
            " save the file as UTF-8"
        ) from None
    if "\0" in text:
        offset = start + len(text[: text.index("\0")].encode(encoding))
        raise SourceError(
            f"looks like a binary file: a NUL byte at offset {offset}; leave the file out, or save it as UTF-8"
        )
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(path: Path) -> bytes:
    """The content of a file; there is no limit on its size. Raises SourceError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(error) from None


def unreadable(error: OSError) -> SourceError:
    """What to say where a file cannot be read."""
    return SourceError(f"cannot be read: {error.strerror or error}; check the path and its permissions")


def read_text(path: Path | str) -> str:
    """`decode(read_bytes(path))`."""
    return decode(read_bytes(Path(path)))
