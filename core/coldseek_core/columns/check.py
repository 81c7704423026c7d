"""Verifies a whole index: every byte against its checksum, every offset, row and term against its target.

It needs nothing beyond what a search needs, so an index can be verified where it is served.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from coldseek_core.columns.column_faults import column_faults
from coldseek_core.columns.layout import check_layout
from coldseek_core.columns.manifest import MANIFEST_NAME, read_manifest
from coldseek_core.columns.mapping import damaged
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.columns.reference_faults import reference_checks
from coldseek_core.columns.schema import file_name
from coldseek_core.errors import CorruptIndexError, IndexFileError

MAX_FAULTS_PER_STEP = 20
_PART_BYTES = 2**24

# Called with a step's name, its number from 0 and the number of steps; at the end with that number twice.
Progress = Callable[[str, int, int], object]
Step = tuple[str, Iterator[str]]


def check_files(path: str | os.PathLike[str], on_progress: Progress | None = None) -> list[str]:
    """Verify the index in the folder `path` and return the faults found: lines that name the file's path, the column
    and the row, and say what to do.

    An empty list means that the index is whole. At most 20 faults of a kind are listed, and the time is
    linear in the size of the index, whatever the files hold.

    Raises NotAnIndexError, FormatVersionError and IndexFileError as `IndexFiles.open` does; damage is a fault
    in the list.
    """
    root = os.fsdecode(path)
    try:
        files = IndexFiles.open(root)
    except CorruptIndexError as error:
        # The other files may be damaged too, which is good to know at once.
        others = _run(_checksum_steps(root, _readable_manifest(root)), on_progress)
        return list(dict.fromkeys((str(error), *others)))
    with files:
        return check_generation(files, on_progress)


def check_generation(files: IndexFiles, on_progress: Progress | None = None) -> list[str]:
    """Verify the generation that `files` has opened, as `check_files` does an index.

    What is read are the files as they are mapped, so what was verified is what answers, whatever is built beside it
    meanwhile. `close` waits for the end. Raises ClosedIndexError.
    """
    with files.in_use():
        steps = [("manifest", _manifest_faults(files))]
        for file, entry in files.manifest["files"].items():
            steps.append((f"checksum of {file}", _mapped_checksum_faults(files, file, entry["sha256"])))
        for file, entry in files.manifest["files"].items():
            for name, place in entry["columns"].items():
                column = files.column(file, name)
                steps.append((f"{file}.{name}", column_faults(_path(files, file), column, place["nulls"])))
        steps += [(name, _located(files, found)) for name, found in reference_checks(files)]
        return _run(steps, on_progress)


def _run(steps: list[Step], on_progress: Progress | None) -> list[str]:
    faults: list[str] = []
    for number, (name, found) in enumerate(steps):
        if on_progress is not None:
            on_progress(name, number, len(steps))
        try:
            # The steps are generators: the limit bounds the work too, not only the list.
            faults += islice(found, MAX_FAULTS_PER_STEP)
        except CorruptIndexError as error:
            faults.append(str(error))
    if on_progress is not None:
        on_progress("done", len(steps), len(steps))
    return list(dict.fromkeys(faults))


def _readable_manifest(root: str) -> dict[str, Any]:
    """The manifest's body if it is sound, else one without files."""
    try:
        body = read_manifest(root)
        check_layout(body, os.path.join(root, MANIFEST_NAME))
    except CorruptIndexError:
        return {"generation": "", "files": {}}
    return body


def _checksum_steps(root: str, body: dict[str, Any]) -> list[Step]:
    folder = os.path.join(root, body["generation"])
    return [
        (f"checksum of {file}", _checksum_faults(os.path.join(folder, file_name(file)), entry["sha256"]))
        for file, entry in body["files"].items()
    ]


def _checksum_faults(path: str, expected: str) -> Iterator[str]:
    try:
        with open(path, "rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        told = "is missing" if missing else f"cannot be read: {error.strerror or error}"
        yield f"{path} {told}; build the index again or restore it from a copy"
        return
    if found != expected:
        yield str(_wrong_checksum(path, found, expected))


def _located(files: IndexFiles, found: Iterator[str]) -> Iterator[str]:
    """Faults that begin with `file.column`, told as all others are."""
    for what in found:
        yield str(damaged(_path(files, what.partition(".")[0]), what))


def _path(files: IndexFiles, file: str) -> str:
    return os.path.join(files.path, files.generation, file_name(file))


def _mapped_checksum_faults(files: IndexFiles, file: str, expected: str) -> Iterator[str]:
    view = files.file_view(file)
    checksum = hashlib.sha256()
    # In parts, because a signal such as Ctrl-C is looked at only between them.
    for start in range(0, len(view), _PART_BYTES):
        checksum.update(view[start : start + _PART_BYTES])
    found = checksum.hexdigest()
    if found != expected:
        yield str(_wrong_checksum(_path(files, file), found, expected))


def _wrong_checksum(path: str, found: str, expected: str) -> CorruptIndexError:
    return damaged(path, f"its SHA-256 is {found}, the manifest says {expected}")


def _manifest_faults(files: IndexFiles) -> Iterator[str]:
    folder = os.path.join(files.path, files.generation)
    if not os.path.isdir(folder):
        # Later publications removed it whole; what is mapped stays.
        return
    try:
        if read_manifest(folder) != files.manifest:
            yield str(damaged(os.path.join(folder, MANIFEST_NAME), "it differs from the manifest of the index"))
    except IndexFileError as error:
        yield str(error)
