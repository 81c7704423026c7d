"""Checks what a manifest says about files and columns, before anything of them is mapped.

After these checks a kernel may trust the length of every buffer: it lies inside its file, and holds all the
rows that the column has. What the buffers hold (offsets, row numbers) is not looked at: opening would take as
long as the index is large.
"""

from coldseek_core.columns.mapping import damaged, shown
from coldseek_core.columns.schema import (
    BOOLEAN,
    BUFFERS,
    BYTES,
    CODES,
    COLUMNS,
    COUNT_OF_FILE,
    COUNTS,
    MAX_DIMENSIONS,
    MAX_POSTINGS,
    MAX_ROWS,
    METADATA_TYPES,
    NUMBERS,
    OPTIONAL_FILES,
    TEXT,
    TEXTS,
    blocks_for,
    column_type,
    may_be_null,
    metadata_parts,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NAME_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")
_MAX_FILE_BYTES = 2**63 - 1


class ColumnPlace:
    """Where a column lies: `type` (see schema), `length` in rows, `nulls`, `width` (dimensions of codes, else
    0) and `buffers`, a dict from the buffer's name to (offset in the file, length), both in bytes."""

    __slots__ = ("buffers", "length", "nulls", "type", "width")

    def __init__(self, type: str, length: int, nulls: int, width: int, buffers: "dict[str, tuple[int, int]]") -> None:
        self.type = type
        self.length = length
        self.nulls = nulls
        self.width = width
        self.buffers = buffers


class FilePlace:
    """A file: `size` in bytes and `columns`, a dict from name to ColumnPlace."""

    __slots__ = ("columns", "size")

    def __init__(self, size: int, columns: "dict[str, ColumnPlace]") -> None:
        self.size = size
        self.columns = columns


def check_layout(body: "dict[str, Any]", path: str) -> "dict[str, FilePlace]":
    """The places of all columns of all files that a manifest's `body` names, checked; `path` is for messages.

    Raises CorruptIndexError where an entry is missing, has another type than the format fixes, is negative,
    does not fit in its file, is too short for its column's rows, or contradicts another.
    """
    counts = _counts(_map(body.get("counts"), "counts", path), path)
    entries = _map(body.get("files"), "files", path)
    for name in COLUMNS:
        if name not in entries and name not in OPTIONAL_FILES:
            raise damaged(path, f"it does not name the file {name}")
    files = {name: _file(name, entry, path) for name, entry in entries.items()}
    for name, file in files.items():
        _check_against_format(name, file, counts, path)
    return files


def _counts(entry: "dict[str, Any]", path: str) -> "dict[str, int]":
    counts = {
        name: _integer(entry.get(name), f"counts.{name}", MAX_ROWS, path) for name in COUNTS if name != "postings"
    }
    counts["postings"] = _integer(entry.get("postings"), "counts.postings", MAX_POSTINGS, path)
    return counts


def _check_against_format(name: str, file: FilePlace, counts: "dict[str, int]", path: str) -> None:
    for column in COLUMNS.get(name, ()):
        if column not in file.columns:
            raise damaged(path, f"it does not name the column {name}.{column}")
    expected = counts[COUNT_OF_FILE[name]] if name in COUNT_OF_FILE else None
    if name == "term_blocks":
        expected = blocks_for(counts["terms"])
    for column, place in file.columns.items():
        where = f"{name}.{_named(column)}"
        fixed = column_type(name, column)
        if fixed is not None and place.type != fixed:
            raise damaged(path, f"{where} has the type {place.type}, expected {fixed}")
        if fixed is None and name == "documents" and column.startswith("metadata.") and not metadata_parts(column):
            raise damaged(path, f"{where} is no metadata column; kinds are {', '.join(METADATA_TYPES)}")
        if place.nulls and fixed is not None and not may_be_null(name, column):
            raise damaged(path, f"{where} has {place.nulls} nulls, expected none")
        if expected is not None and place.length != expected:
            raise damaged(path, f"{where} has {place.length} rows, counts say {expected}")


def _file(name: "Any", entry: "Any", path: str) -> FilePlace:
    if type(name) is not str or not name or len(name) > 64 or not _NAME_LETTERS.issuperset(name):
        raise damaged(path, f"{shown(name)} is no name for a file: lower-case letters, digits and _ only")
    entry = _map(entry, f"files.{name}", path)
    size = _integer(entry.get("size"), f"files.{name}.size", _MAX_FILE_BYTES, path)
    if type(entry.get("sha256")) is not str:
        raise damaged(path, f"files.{name}.sha256 is {shown(entry.get('sha256'))}, expected text")
    columns = _map(entry.get("columns"), f"files.{name}.columns", path)
    return FilePlace(size, {column: _column(name, column, place, size, path) for column, place in columns.items()})


def _column(file: str, column: "Any", entry: "Any", size: int, path: str) -> ColumnPlace:
    if type(column) is not str:
        raise damaged(path, f"{shown(column)} is no name for a column of {file}")
    where = f"{file}.{_named(column)}"
    entry = _map(entry, where, path)
    kind = entry.get("type")
    if type(kind) is not str or kind not in BUFFERS:
        expected = column_type(file, column) or f"one of {', '.join(BUFFERS)}"
        raise damaged(path, f"{where} has the type {shown(kind)}, expected {expected}")
    length = _integer(entry.get("length"), f"{where}.length", MAX_POSTINGS, path)
    nulls = _integer(entry.get("nulls"), f"{where}.nulls", length, path)
    width = _integer(entry.get("width"), f"{where}.width", MAX_DIMENSIONS, path)
    if (width > 0) != (kind == CODES):
        raise damaged(path, f"{where}.width is {width}; only {CODES} has a width, from 1")
    stored = _map(entry.get("buffers"), f"{where}.buffers", path)
    needed = _least_lengths(kind, length, width)
    if nulls:
        needed["validity"] = (length + 7) // 8
    buffers: dict[str, tuple[int, int]] = {}
    for name, least in needed.items():
        offset, count = _span(stored.get(name), f"{where}.buffers.{name}", size, path)
        if count < least:
            raise damaged(path, f"{where}.buffers.{name} has {count} bytes, {length} rows need {least}")
        buffers[name] = (offset, count)
    if kind == TEXTS and buffers["child_offsets"][1] % 8:
        raise damaged(path, f"{where}.buffers.child_offsets is not a whole number of 64-bit offsets")
    return ColumnPlace(kind, length, nulls, width, buffers)


def _least_lengths(kind: str, length: int, width: int) -> "dict[str, int]":
    """How many bytes each buffer must have at least. Python integers cannot overflow, so neither can this."""
    offsets = 8 * (length + 1) if length else 0
    if kind in (BYTES, TEXT):
        return {"offsets": offsets, "values": 0}
    if kind == TEXTS:
        return {"offsets": offsets, "child_offsets": 0, "child_values": 0}
    if kind == CODES:
        return {"values": length * width}
    if kind == BOOLEAN:
        return {"values": (length + 7) // 8}
    return {"values": length * NUMBERS[kind][1]}


def _span(value: "Any", where: str, size: int, path: str) -> "tuple[int, int]":
    if not _is(value, list) or len(value) != 2:
        raise damaged(path, f"{where} is {shown(value)}, expected [offset, length]")
    offset = _integer(value[0], f"{where}'s offset", size, path)
    return offset, _integer(value[1], f"{where}'s length", size - offset, path)


def _integer(value: "Any", where: str, most: int, path: str) -> int:
    # `type is`, because True is an int too.
    if type(value) is not int or not 0 <= value <= most:
        raise damaged(path, f"{where} is {shown(value)}, expected a whole number from 0 to {most}")
    return value


def _map(value: "Any", where: str, path: str) -> "dict[Any, Any]":
    if not _is(value, dict):
        raise damaged(path, f"{where} is {shown(value)}, expected a map")
    return value


def _is(value: object, kind: type) -> bool:
    # Kept apart from the callers so that a type checker does not narrow their Any to a map of unknowns.
    return type(value) is kind


def _named(column: str) -> str:
    """The name of a column for a message. That of a metadata column is whatever a document's author wrote."""
    return column if column.isprintable() and len(column) <= 80 else shown(column)
