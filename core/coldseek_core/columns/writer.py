"""Writes columns as Arrow files, and describes the files for the manifest.

pyarrow comes without types, so the checker is told less about this one file:
"""
# pyright: basic

import hashlib
import mmap
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from coldseek_core.columns.durable import flush
from coldseek_core.columns.schema import (
    BOOLEAN,
    BYTES,
    CODES,
    COLUMNS,
    NUMBERS,
    TEXT,
    TEXTS,
    column_type,
    file_name,
    may_be_null,
)
from coldseek_core.columns.texts import ByteStrings, TextLists, Texts
from coldseek_core.errors import IndexFileError, UsageError

# A column to write: numbers as an array of one dimension, codes as an int8 array of two, all else as a list, or texts,
# byte strings and lists of texts as columns.
ColumnData = (
    np.ndarray
    | ByteStrings
    | TextLists
    | Sequence[bytes]
    | Sequence[str | None]
    | Sequence[Sequence[str] | None]
    | Sequence[int | None]
    | Sequence[float | None]
    | Sequence[bool | None]
)

# The order of the buffers of each Arrow array; None stands for the validity of what is inside lists, which
# has no nulls.
_ARROW_BUFFERS = {
    BYTES: ("validity", "offsets", "values"),
    TEXT: ("validity", "offsets", "values"),
    TEXTS: ("validity", "offsets", None, "child_offsets", "child_values"),
    CODES: ("validity", None, "values"),
    BOOLEAN: ("validity", "values"),
    **dict.fromkeys(NUMBERS, ("validity", "values")),
}
# What may be given as a column already.
_COLUMNS: dict[str, type[ByteStrings] | type[TextLists]] = {BYTES: ByteStrings, TEXT: Texts, TEXTS: TextLists}
_NUMBER_TYPES = {name: pa.type_for_alias(name) for name in NUMBERS}


def write_file(folder: Path, file: str, columns: Mapping[str, ColumnData]) -> dict[str, Any]:
    """Write `columns` as `folder/file.arrow` and return the manifest's entry for it.

    The types of the format's own columns are fixed (see schema). A further column gets its type from its
    values: an array keeps its dtype, an int8 array of shape (rows, dimensions) becomes codes, a list of str
    texts, a list of bytes byte strings, a list of lists of str lists of texts. None is a null, which metadata columns
    alone may hold. Equal columns give equal bytes. The file is on the disk (fsync) on return.

    Raises UsageError for columns that are missing, of unequal lengths or that do not fit their type,
    IndexFileError if the file cannot be written.
    """
    missing = [column for column in COLUMNS.get(file, ()) if column not in columns]
    if missing or not columns:
        raise UsageError(f"the file {file} needs the columns {', '.join(missing) or 'that it is to hold'}")
    # The format's own columns first, then all others by name, whatever order they came in.
    names = [*COLUMNS.get(file, ()), *sorted(set(columns) - set(COLUMNS.get(file, ())))]
    arrays = {name: _array(file, name, columns[name]) for name in names}
    lengths = {column: len(array) for column, array in arrays.items()}
    if len(set(lengths.values())) != 1:
        raise UsageError(f"the columns of {file} have unequal lengths: {lengths}")
    schema = pa.schema([pa.field(name, array.type, nullable=array.null_count > 0) for name, array in arrays.items()])
    path = folder / file_name(file)
    options = pa.ipc.IpcWriteOptions(compression=None, use_threads=False)
    try:
        # Python opens the file, because pyarrow takes no path that is not UTF-8.
        with path.open("wb") as stream, pa.ipc.new_file(stream, schema, options=options) as writer:
            writer.write_batch(pa.record_batch(list(arrays.values()), schema=schema))
        flush(path)
        return describe_file(path)
    except OSError as error:
        raise IndexFileError(
            f"{path} cannot be written: {error.strerror or error}; check the permissions and the free space"
        ) from error


def describe_file(path: Path) -> dict[str, Any]:
    """The manifest's entry for an Arrow IPC file: its size, SHA-256 and the places of its columns' buffers.

    Raises UsageError for what cannot be read in place: several record batches, compressed buffers, a type
    that is not in schema.
    """
    try:
        with path.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            if size == 0:
                raise pa.ArrowInvalid("it is empty")
            mapped = pa.py_buffer(mmap.mmap(stream.fileno(), size, access=mmap.ACCESS_READ))
            start = mapped.address
            batches = pa.ipc.open_file(mapped)
            if batches.num_record_batches != 1:
                raise UsageError(f"{path} has {batches.num_record_batches} record batches, expected 1; write it as one")
            batch = batches.get_batch(0)
            columns = {
                name: _entry(f"{path}: column {name!r}", array, start, size)
                for name, array in zip(batch.schema.names, batch.columns, strict=True)
            }
    except pa.ArrowInvalid as error:
        raise UsageError(f"{path} is no Arrow IPC file: {error}") from error
    with path.open("rb") as stream:
        checksum = hashlib.file_digest(stream, "sha256").hexdigest()
    return {"size": size, "sha256": checksum, "columns": columns}


def _entry(where: str, array: pa.Array, start: int, size: int) -> dict[str, Any]:
    kind = _type_name(array.type)
    if kind is None:
        raise UsageError(f"{where} has the type {array.type}, expected one of {', '.join(_ARROW_BUFFERS)}")
    buffers: dict[str, list[int]] = {}
    for name, buffer in zip(_ARROW_BUFFERS[kind], array.buffers(), strict=True):
        if name is None:
            if buffer is not None:
                raise UsageError(f"{where} has nulls inside its lists; leave them out")
        elif buffer is None or buffer.size == 0:
            if name != "validity":
                buffers[name] = [0, 0]
        elif not start <= buffer.address <= start + size - buffer.size:
            raise UsageError(f"{where} is compressed, so it cannot be read in place; write it uncompressed")
        else:
            buffers[name] = [buffer.address - start, buffer.size]
    width = array.type.list_size if kind == CODES else 0
    return {"type": kind, "length": len(array), "nulls": array.null_count, "width": width, "buffers": buffers}


def _type_name(kind: pa.DataType) -> str | None:
    if kind == pa.large_binary():
        return BYTES
    if kind == pa.large_string():
        return TEXT
    if pa.types.is_large_list(kind) and kind.value_type == pa.large_string():
        return TEXTS
    if pa.types.is_fixed_size_list(kind) and kind.value_type == pa.int8():
        return CODES
    if kind == pa.bool_():
        return BOOLEAN
    return next((name for name, number in _NUMBER_TYPES.items() if kind == number), None)


def _array(file: str, column: str, values: ColumnData) -> pa.Array:
    where = f"{file}.{column}"
    kind = column_type(file, column) or _guessed_type(where, values)
    try:
        array = _converted(kind, values)
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
        raise UsageError(f"{where} cannot be written as {kind}: {error}") from error
    if pa.types.is_floating(array.type) and not np.isfinite(array.drop_null().to_numpy()).all():
        raise UsageError(f"{where} holds NaN or infinity; only finite numbers are kept")
    if array.null_count and not may_be_null(file, column):
        raise UsageError(f"{where} has {array.null_count} nulls; only metadata columns may have any")
    return array


def _converted(kind: str, values: ColumnData) -> pa.Array:
    if kind == CODES:
        codes = np.asarray(values)
        if codes.dtype != np.int8 or codes.ndim != 2 or codes.shape[1] == 0:
            raise ValueError(f"expected int8 of shape (rows, dimensions), got {codes.dtype} of shape {codes.shape}")
        return pa.FixedSizeListArray.from_arrays(pa.array(np.ascontiguousarray(codes).ravel()), codes.shape[1])
    if isinstance(values, _COLUMNS.get(kind, ())):
        return values.to_arrow()
    if kind == TEXTS:
        kept: Any = values
        if any(isinstance(texts, str) or (texts is not None and None in texts) for texts in kept):
            raise ValueError("expected lists of str")
        if None in kept:
            return pa.array(kept, type=pa.large_list(pa.large_string()))
        return TextLists.of(kept).to_arrow()
    if kind == TEXT:
        return _texts(values)
    if kind == BYTES:
        return pa.array(values, type=pa.large_binary())
    wanted = pa.bool_() if kind == BOOLEAN else _NUMBER_TYPES[kind]
    if isinstance(values, np.ndarray):
        # From NumPy's own type first, and then only to one that holds every value.
        return pa.array(np.ascontiguousarray(values)).cast(wanted, safe=True)
    return pa.array(values, type=wanted)


def _texts(values: Any) -> pa.Array:
    texts: Any = values if isinstance(values, list) else list(values)
    if not texts or None in texts:
        return pa.array(texts, type=pa.large_string())
    return Texts.of(texts).to_arrow()


def _guessed_type(where: str, values: ColumnData) -> str:
    if isinstance(values, np.ndarray):
        if values.ndim == 2 and values.dtype == np.int8:
            return CODES
        name = str(values.dtype)
        if values.ndim == 1 and (name in NUMBERS or name == BOOLEAN):
            return name
    else:
        first = next((value for value in values if value is not None), None)
        if isinstance(first, bytes):
            return BYTES
        if isinstance(first, str):
            return TEXT
        if isinstance(first, (list, tuple)):
            return TEXTS
    raise UsageError(f"{where}: give a NumPy array of numbers, a list of str or a list of lists of str")
