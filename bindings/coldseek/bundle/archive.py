"""A zip that has the same bytes whenever the same folder is packed."""

import os
import shutil
import stat
import zipfile
from pathlib import Path

_EARLIEST = (1980, 1, 1, 0, 0, 0)  # of the times that a zip can hold
_UNIX = 3


def normalise_modes(folder: Path) -> None:
    """Let everybody read, and nobody but the owner write: a function runs as another user than the one who packed."""
    for path in (folder, *folder.rglob("*")):
        executable = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
        path.chmod(0o755 if executable else 0o644)


def write_zip(folder: Path, target: Path) -> int:
    """Pack all of `folder`, in the order of names, with modes and without times; returns the zip's size in bytes."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).parts):
            name = path.relative_to(folder).as_posix()
            mode = path.stat().st_mode
            if path.is_dir():
                info = zipfile.ZipInfo(f"{name}/", _EARLIEST)
                info.external_attr = mode << 16 | 0x10  # MS-DOS's bit of a folder
                info.create_system = _UNIX
                archive.writestr(info, b"")
                continue
            info = zipfile.ZipInfo(name, _EARLIEST)
            info.external_attr = mode << 16
            info.create_system = _UNIX
            info.compress_type = zipfile.ZIP_DEFLATED
            info.file_size = os.path.getsize(path)
            with path.open("rb") as source, archive.open(info, "w") as packed:
                shutil.copyfileobj(source, packed, 1 << 20)
    return target.stat().st_size
