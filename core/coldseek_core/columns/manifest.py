"""The manifest: one msgpack map that names every file of an index, every column, and where its buffers lie.

    {"format": "coldseek", "version": FORMAT_VERSION, "digest": 8 bytes, "body": bytes}

`digest` is the FNV-1a-64 hash of `body`, big-endian; `body` is the msgpack of

    {"settings": {...}, "counts": {"chunks", "documents", "terms", "postings"}, "generation": 16 hex digits,
    "files": {file: {"size": bytes, "sha256": hex, "columns": {column: {"type": str, "length": rows, "nulls":
    rows, "width": dimensions of codes or 0, "buffers": {name: [offset, length]}}}}}}

Keys are sorted, so equal contents give equal bytes.
"""

import os

from coldseek_core.columns.mapping import damaged, open_regular_file, shown
from coldseek_core.columns.schema import FORMAT, FORMAT_VERSION
from coldseek_core.columns.unpacking import unpack
from coldseek_core.errors import (
    CorruptIndexError,
    FormatVersionError,
    IndexFileError,
    NotAnIndexError,
    UsageError,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MANIFEST_NAME = "manifest.msgpack"
MAX_MANIFEST_BYTES = 64 * 2**20
_HEX = frozenset("0123456789abcdef")


def is_generation(name: object) -> bool:
    """Whether `name` can be a generation's: 16 lower-case hexadecimal digits, so that it is safe paths."""
    return isinstance(name, str) and len(name) == 16 and _HEX.issuperset(name)


def pack_body(body: "dict[str, Any]") -> bytes:
    """The msgpack of `body` with every map's keys sorted; equal bodies give equal bytes.

    Raises UsageError for a value that is not None, bool, int of 64 bits, finite float, str, bytes, list,
    tuple or a dict with str keys.
    """
    try:
        return _pack(_canonical(body, "body"))
    except (ValueError, OverflowError, TypeError, RecursionError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"a manifest cannot hold this value: {error}") from error


def pack_manifest(body: "dict[str, Any]") -> bytes:
    """The bytes of a manifest file for `body`. Raises UsageError as `pack_body` does."""
    from coldseek_core.kernels import digest

    packed = pack_body(body)
    if len(packed) > MAX_MANIFEST_BYTES // 2:
        raise UsageError(
            f"the manifest would have {len(packed)} bytes, at most {MAX_MANIFEST_BYTES // 2} are read; "
            "use fewer metadata keys or smaller settings"
        )
    outer = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "digest": digest(packed).to_bytes(8, "big"),
        "body": packed,
    }
    return _pack(outer)


def unpack_manifest(data: bytes, path: str) -> "dict[str, Any]":
    """The body of a manifest; `path` is for messages only.

    Raises CorruptIndexError (not msgpack, wrong digest, not the shape above), NotAnIndexError (another
    program's file) and FormatVersionError (a version that this code does not read). What the files' entries
    say is checked by `layout`.
    """
    from coldseek_core.kernels import digest

    outer = _unpack(data, path)
    if not _is_map(outer) or "format" not in outer:
        raise damaged(path, "it is not a map with a 'format'")
    if outer["format"] != FORMAT:
        raise NotAnIndexError(f"{path} says format {shown(outer['format'])}, expected {FORMAT!r}; it is not an index")
    version = outer.get("version")
    if type(version) is not int or version < 1:
        raise damaged(path, f"version is {shown(version)}, expected a number from 1")
    if version != FORMAT_VERSION:
        newer = "upgrade coldseek, or " if version > FORMAT_VERSION else ""
        raise FormatVersionError(
            f"{path} has format version {version}, this version of coldseek reads {FORMAT_VERSION}; "
            f"{newer}build the index again with this version"
        )
    packed, stored = outer.get("body"), outer.get("digest")
    if not isinstance(packed, bytes) or not isinstance(stored, bytes) or len(stored) != 8:
        raise damaged(path, "body or digest is missing")
    if digest(packed) != int.from_bytes(stored, "big"):
        raise damaged(path, "its digest does not match its contents")
    body = _unpack(packed, path)
    if not _is_map(body):
        raise damaged(path, "its body is not a map")
    for key in ("settings", "counts", "files"):
        if not _is_map(body.get(key)):
            raise damaged(path, f"{key} is {shown(body.get(key))}, expected a map")
    if not is_generation(body.get("generation")):
        raise damaged(path, f"generation is {shown(body.get('generation'))}, expected 16 hexadecimal digits")
    return body


def read_manifest_bytes(folder: str) -> bytes:
    """The bytes of the manifest file in `folder`, at most MAX_MANIFEST_BYTES.

    Raises NotAnIndexError if there is none, CorruptIndexError if it is too large or was lost (generations are there),
    IndexFileError if it cannot be read.
    """
    path = os.path.join(folder, MANIFEST_NAME)
    try:
        if not folder:
            raise FileNotFoundError("the path is empty")
        descriptor, size = open_regular_file(path)
        try:
            if size > MAX_MANIFEST_BYTES:
                raise damaged(path, f"it has {size} bytes, at most {MAX_MANIFEST_BYTES} are read")
            parts: list[bytes] = []
            while part := os.read(descriptor, size + 1):
                parts.append(part)
        finally:
            os.close(descriptor)
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        if _holds_generation(folder):
            raise CorruptIndexError(f"{path} is missing; build the index again or restore it from a copy") from error
        raise NotAnIndexError(
            f"there is no index at {folder!r}: expected a folder with a {MANIFEST_NAME}; "
            "check the path, or build an index with `coldseek build`"
        ) from error
    except OSError as error:
        raise IndexFileError(f"{path} cannot be read: {error.strerror or error}") from error
    return b"".join(parts)


def _holds_generation(folder: str) -> bool:
    try:
        names = os.listdir(folder)
    except (OSError, ValueError):
        return False
    return any(is_generation(name) and os.path.exists(os.path.join(folder, name, MANIFEST_NAME)) for name in names)


def read_manifest(folder: str) -> "dict[str, Any]":
    """The body of the manifest in `folder`. Raises as `read_manifest_bytes` and `unpack_manifest` do."""
    return unpack_manifest(read_manifest_bytes(folder), os.path.join(folder, MANIFEST_NAME))


def _pack(value: "Any") -> bytes:
    import msgpack  # pyright: ignore - only to write: see `unpacking`

    return msgpack.packb(value, use_bin_type=True)  # pyright: ignore


def _unpack(data: bytes, path: str) -> "Any":
    try:
        return unpack(data)
    except ValueError as error:
        raise damaged(path, f"its {len(data)} bytes are not msgpack") from error


def _is_map(value: object) -> bool:
    return type(value) is dict


def _canonical(value: "Any", where: str) -> "Any":
    """`value` with every dict's keys in order, and nothing in it that would not come back as it was."""
    if value is None or isinstance(value, (bool, str, bytes)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        if value - value != 0.0:
            raise UsageError(f"{where} is {value!r}; a manifest holds finite numbers only")
        return float(value)
    if isinstance(value, (list, tuple)):
        items: list[Any] | tuple[Any, ...] = value  # pyright: ignore
        return [_canonical(item, f"{where}[{place}]") for place, item in enumerate(items)]
    if isinstance(value, dict):
        entries: dict[Any, Any] = value  # pyright: ignore
        for key in entries:
            if not isinstance(key, str):
                raise UsageError(f"{where} has the key {key!r}; keys of a manifest are str")
        return {key: _canonical(entries[key], f"{where}.{key}") for key in sorted(entries)}
    raise UsageError(
        f"{where} is of type {type(value).__name__}; "
        "a manifest holds None, bool, int, float, str, bytes, lists and maps"
    )
