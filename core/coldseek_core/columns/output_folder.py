"""Which parts of the folder that an index is written to are the index's own, and so may be replaced or removed."""

import os
import re
import secrets
import shutil
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from coldseek_core.columns.layout import check_layout
from coldseek_core.columns.manifest import MANIFEST_NAME, is_generation, read_manifest
from coldseek_core.columns.mapping import shown
from coldseek_core.columns.schema import file_name
from coldseek_core.errors import CorruptIndexError, FormatVersionError, IndexFileError, NotAnIndexError, UsageError

_TEMPORARY = re.compile(r"\.tmp-[0-9]+-[0-9a-f]{16}")


def check_output_folder(root: Path) -> None:
    """Raise UsageError unless an index may be published to `root`: it is not there yet, it is empty but for what
    killed publications left, or it is the folder of an index. Nothing is written.

    What shows that it is an index: a manifest in it, or in a generation below it, whose digest is right. Raises
    IndexFileError for a folder that cannot be read.
    """
    with writing(root):
        try:
            others = [path for path in sorted(root.iterdir()) if not is_temporary(path)]
        except FileNotFoundError:
            return
    if not others:
        return
    try:
        generation = read_manifest(str(root))["generation"]
    except FormatVersionError:
        return
    except (NotAnIndexError, CorruptIndexError):
        if any(own_manifest(path) is not None for path in others):
            return
        raise UsageError(
            f"{str(root)!r} is no index and not empty (it holds {shown(others[0].name)}); "
            "name a new folder, an empty one, or an index"
        ) from None
    folder = Path(os.path.abspath(root))
    if folder.name == generation and not (root / generation).exists():
        raise UsageError(
            f"{str(root)!r} is one generation of an index; name the folder above it, {str(folder.parent)!r}"
        )


def own_manifest(path: Path) -> dict[str, Any] | None:
    """The manifest's body if `path` is a generation of an index: a folder that is named as its manifest says."""
    if not is_generation(path.name) or not _is(path, stat.S_ISDIR):
        return None
    try:
        body = read_manifest(str(path))
        check_layout(body, str(path))
    except IndexFileError:
        return None
    return body if body["generation"] == path.name else None


def holds_only(path: Path, body: dict[str, Any]) -> bool:
    """Whether `path` is a folder in which there is nothing but files that the manifest's `body` names."""
    names = {MANIFEST_NAME, *map(file_name, body["files"])}
    try:
        return _is(path, stat.S_ISDIR) and all(
            entry.name in names and _is(entry, stat.S_ISREG) for entry in path.iterdir()
        )
    except OSError:
        return False


def remove_generations(root: Path, keep: set[str]) -> None:
    """Remove the generations of an index but for those to `keep`. One to which files were added stays.

    Raises OSError.
    """
    for path in sorted(root.iterdir()):
        if path.name in keep:
            continue
        body = own_manifest(path)
        if body is not None and holds_only(path, body):
            # Renamed first, so that no reader ever meets half of it.
            os.rename(path, temporary_path(root))
    remove_temporaries(root)


def remove_temporaries(root: Path) -> None:
    """Remove what killed publications left behind. What cannot be removed only takes up space.

    Call it with the writers' lock held. Raises OSError if the folder cannot be read.
    """
    for path in sorted(root.iterdir()):
        if not is_temporary(path):
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()


def is_temporary(path: Path) -> bool:
    """Whether `path` is a folder or file that `temporary_path` named."""
    return _TEMPORARY.fullmatch(path.name) is not None and (_is(path, stat.S_ISDIR) or _is(path, stat.S_ISREG))


def temporary_path(root: Path) -> Path:
    """A name in `root` that nothing has."""
    return root / f".tmp-{os.getpid()}-{secrets.token_hex(8)}"


def path_aside(place: Path) -> Path:
    """A name beside `place` that nothing has and that is never removed."""
    return place.with_name(f"{place.name}.aside-{secrets.token_hex(8)}")


@contextmanager
def writing(root: Path) -> Generator[None]:
    """Turns an OSError into an IndexFileError that says that the index `root` cannot be written."""
    try:
        yield
    except OSError as error:
        raise IndexFileError(
            f"the index {root} cannot be written: {error.strerror or error}; "
            "check the path, its permissions and the free space"
        ) from error


def _is(path: Path, kind: Callable[[int], bool]) -> bool:
    """Whether `path` itself, not what a link points to, is of the kind (a test of its mode)."""
    try:
        return kind(path.lstat().st_mode)
    except OSError:
        return False
