"""Makes indexes whose manifest is sound by its digest but lies about the files, or whose files lie."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack

from coldseek_core.columns.manifest import MANIFEST_NAME, pack_manifest, read_manifest
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.columns.schema import FORMAT_VERSION
from coldseek_core.errors import CorruptIndexError
from columns.small_index import fnv1a


def seal(body: Any, version: Any = FORMAT_VERSION, form: Any = "coldseek") -> bytes:
    """A manifest of any body whatever, with a right digest."""
    packed: Any = msgpack.packb(body)
    outer = {"format": form, "version": version, "digest": fnv1a(packed).to_bytes(8, "big"), "body": packed}
    sealed: Any = msgpack.packb(outer)
    return sealed


def forge(root: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Let `change` edit the body of the root's manifest, and sign it again."""
    body = copy.deepcopy(read_manifest(str(root)))
    change(body)
    (root / MANIFEST_NAME).write_bytes(pack_manifest(body))


def place_of(root: Path, file: str, column: str, buffer: str) -> tuple[Path, int, int]:
    """(path of the file, offset, length) of a buffer."""
    body = read_manifest(str(root))
    offset, length = body["files"][file]["columns"][column]["buffers"][buffer]
    return root / body["generation"] / f"{file}.arrow", offset, length


def overwrite(root: Path, file: str, column: str, buffer: str, at: int, data: bytes) -> None:
    """Write `data` into a buffer, from its byte `at` on."""
    path, offset, length = place_of(root, file, column, buffer)
    assert at + len(data) <= length
    with path.open("r+b") as stream:
        stream.seek(offset + at)
        stream.write(data)


def read_everything(root: Path) -> list[CorruptIndexError]:
    """Open an index and read every row of every column; the errors that rows raised."""
    errors: list[CorruptIndexError] = []
    with IndexFiles.open(root) as files:
        for file in files.manifest["files"]:
            for name in files.columns(file):
                column = files.column(file, name)
                for row in range(min(len(column), 50)):
                    try:
                        column[row]
                    except CorruptIndexError as error:
                        errors.append(error)
    return errors
