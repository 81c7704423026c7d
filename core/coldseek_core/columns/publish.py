"""Makes a new generation of an index the current one: all of it or, whatever happens on the way, nothing."""

import errno
import fcntl
import hashlib
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from coldseek_core.columns.durable import flush, write_new_file
from coldseek_core.columns.layout import check_layout
from coldseek_core.columns.manifest import (
    MANIFEST_NAME,
    pack_body,
    pack_manifest,
    read_manifest,
    read_manifest_bytes,
    unpack_manifest,
)
from coldseek_core.columns.output_folder import (
    check_output_folder,
    holds_only,
    path_aside,
    remove_generations,
    remove_temporaries,
    temporary_path,
    writing,
)
from coldseek_core.columns.schema import file_name
from coldseek_core.errors import IndexFileError, IndexLockedError, UsageError


def publish(root: Path, write: Callable[[Path], dict[str, Any]]) -> str:
    """Write a generation and make it the index's current one; returns its name.

    `write(folder)` writes files into a fresh folder and returns the manifest's body without "generation";
    whatever it raises is passed on, and the index stays as it was. The name is the start of the SHA-256 of
    the body, which holds the checksum of every file: equal contents give an equal name and equal bytes.
    Readers see the old generation until the root's manifest is renamed into place, which is the last step
    that matters, and the generation that was replaced stays until the next publication. Nothing is removed
    that a publication did not write.

    Raises UsageError, before `write` is called, for a `root` that holds something else than an index (see
    `check_output_folder`), and for a body that does not fit the files that were written; IndexLockedError at
    once if somebody else is publishing; IndexFileError if the folder cannot be written.
    """
    if "\0" in str(root):
        raise UsageError(f"{str(root)!r} is no path: it holds a null character")
    with writing(root):
        missing = [path for path in (root, *root.parents) if not path.is_dir()]
        if missing:
            root.mkdir(parents=True, exist_ok=True)  # another writer may make it now, too
        for path in missing:
            flush(path.parent)
    with _locked(root):
        check_output_folder(root)
        with writing(root):
            # Whoever holds the lock is alone, so these are of processes that died.
            remove_temporaries(root)
            folder = temporary_path(root)
            folder.mkdir()
        try:
            body = write(folder)
            with writing(root):
                return _commit(root, folder, body)
        finally:
            with suppress(OSError):
                remove_temporaries(root)


def _commit(root: Path, folder: Path, body: dict[str, Any]) -> str:
    if type(body) is not dict or "generation" in body:
        raise UsageError("write() must return the body of a manifest, a dict without a generation")
    generation = hashlib.sha256(pack_body(body)).hexdigest()[:16]
    manifest = pack_manifest({**body, "generation": generation})
    _check_files(folder, manifest)
    write_new_file(folder / MANIFEST_NAME, manifest)
    for path in sorted(folder.iterdir()):
        flush(path)
    flush(folder)
    previous = _current_generation(root)
    place = root / generation
    if os.path.lexists(place) and not _is_whole(place, manifest, body):
        # Damaged since it was written. Readers that have it open keep it, and so do people who put files there.
        os.rename(place, temporary_path(root) if holds_only(place, body) else path_aside(place))
    moved = not place.exists()
    if moved:
        os.rename(folder, place)
    try:
        flush(root)
        if not _has_manifest(root, manifest):
            temporary = temporary_path(root)
            write_new_file(temporary, manifest)
            os.rename(temporary, root / MANIFEST_NAME)
            flush(root)
    except OSError:
        if moved and not _has_manifest(root, manifest):
            # Nobody was pointed to it, and it takes up space that may be what is wanting.
            os.rename(place, folder)
        raise
    if previous is not None:
        remove_generations(root, keep={generation, previous})
    return generation


def _check_files(folder: Path, manifest: bytes) -> None:
    """Raise UsageError unless a reader accepts the manifest and `folder` holds just the files it names."""
    label = "the manifest to publish"
    try:
        layout = check_layout(unpack_manifest(manifest, label), label)
    except IndexFileError as error:
        raise UsageError(f"this body of a manifest cannot be published: {error}") from error
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    expected = {file_name(file): place.size for file, place in layout.items()}
    if sizes != expected:
        raise UsageError(f"the folder holds files and sizes {sizes}, the manifest names {expected}")


def _is_whole(place: Path, manifest: bytes, body: dict[str, Any]) -> bool:
    """Whether a generation is as it was written, to the byte."""
    if not _has_manifest(place, manifest):
        return False
    try:
        for file, entry in body["files"].items():
            with (place / file_name(file)).open("rb") as stream:
                if hashlib.file_digest(stream, "sha256").hexdigest() != entry["sha256"]:
                    return False
    except OSError:
        return False
    return True


def _has_manifest(folder: Path, manifest: bytes) -> bool:
    try:
        return read_manifest_bytes(str(folder)) == manifest
    except IndexFileError:
        return False


def _current_generation(root: Path) -> str | None:
    try:
        return read_manifest(str(root))["generation"]
    except IndexFileError:
        return None


@contextmanager
def _locked(root: Path) -> Generator[None]:
    """Hold the writers' lock, which is on the folder itself: a process that is killed leaves none behind."""
    with writing(root):
        descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                raise IndexLockedError(
                    f"another process is writing {root}; wait until it is done, or write to another folder"
                ) from error
            raise IndexFileError(f"{root} cannot be locked: {error.strerror}; use a local file system") from error
        try:
            yield
        finally:
            # Said outright, because a child process that was forked meanwhile shares the lock.
            fcntl.flock(descriptor, fcntl.LOCK_UN)
    finally:
        os.close(descriptor)
