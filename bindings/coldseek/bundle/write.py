"""Write a bundle: all of it, or nothing."""

import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coldseek_core.columns.mapping import shown
from coldseek_core.embed.known import speaks_http
from coldseek_core.errors import BundleError, UsageError

from .archive import normalise_modes, write_zip
from .parts import add_index, add_kernels, add_runtime
from .python_files import compile_python
from .wheels import add_packages, pinned_requirements

HANDLER = "coldseek.aws_lambda.handler"
ZIP = ".zip"

# What Lambda takes: unzipped with all layers, and zipped where it is not uploaded by way of S3.
LAMBDA_FOLDER_BYTES = 250 * 2**20
LAMBDA_UPLOAD_BYTES = 50 * 2**20

# Lambda's names of platforms beside those of `uname`.
PLATFORMS = {"x86_64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
_OLDEST_PYTHON = (3, 11)


@dataclass(frozen=True)
class BundleReport:
    """What was written. `parts`: name and bytes of each part, unzipped. `zip_bytes`: None for a folder."""

    path: str
    python: str
    platform: str
    index: str
    generation: str
    parts: tuple[tuple[str, int], ...]
    zip_bytes: int | None
    warnings: tuple[str, ...]

    @property
    def folder_bytes(self) -> int:
        return sum(size for _, size in self.parts)

    def to_dict(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "python": self.python,
            "platform": self.platform,
            "handler": HANDLER,
            "index": self.index,
            "generation": self.generation,
            "parts": [{"name": name, "bytes": size} for name, size in self.parts],
            "folderBytes": self.folder_bytes,
            "zipBytes": self.zip_bytes,
            "warnings": list(self.warnings),
        }


def write_bundle(
    index: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    python: str | None = None,
    platform: str | None = None,
) -> BundleReport:
    """Write a folder, or a zip if `output` ends with .zip, that answers from an index where it is unpacked.

    In it are coldseek's runtime, the sealed kernels of one kind of machine, the packages that the runtime needs, as
    pip fetches them for the target, and the index's current generation, which is verified first.

    `python`: the target's version, such as "3.12" (this one's). `platform`: "x86_64", "aarch64" or "arm64" (this
    machine's).

    Raises UsageError for an `output` that is there already and not an empty folder, and for a bad option;
    CorruptIndexError and what opening the index raises; BundleError where sealed kernels, pip or a package cannot be
    had, or the bundle cannot be written.
    """
    version = _checked_python(python)
    machine = _checked_platform(platform)
    place = _checked_output(output)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".coldseek-bundle-", dir=place.parent) as scratch:
            folder = Path(scratch) / "bundle"
            folder.mkdir()
            report = _filled(folder, index, place, version, machine)
            if report.zip_bytes is None:
                folder.rename(place)
            else:
                folder.with_suffix(ZIP).rename(place)
    except OSError as error:
        named = f" ({error.filename})" if error.filename else ""
        raise BundleError(
            f"the bundle {place} cannot be written: {error.strerror or error}{named}; check the path, its permissions "
            "and the free space"
        ) from error
    return report


def _filled(folder: Path, index: str | os.PathLike[str], place: Path, python: str, machine: str) -> BundleReport:
    """Fill the empty `folder`, and write the zip beside it if `place` asks for one."""
    parts: list[tuple[str, int]] = []

    def measured(name: str) -> None:
        parts.append((name, _size(folder) - sum(size for _, size in parts)))

    levels = add_kernels(folder, machine)
    measured(f"sealed kernels: {', '.join(levels)}")
    added = add_index(folder, index)
    measured(f"index: {added.name}")
    add_runtime(folder)
    measured("coldseek")
    http = added.embedder is not None and speaks_http(added.embedder)
    requirements = pinned_requirements(http)
    add_packages(folder, requirements, python, machine)
    measured(f"packages: {', '.join(requirements)}")
    warnings: list[str] = []
    if python == _running_python():
        compile_python(folder)
        measured("compiled Python files")
    else:
        warnings.append(
            f"the Python files are not compiled, so a cold start takes longer; run this with Python {python}"
        )
    if http:
        warnings.append(f"questions are embedded by {added.embedder}; its key must be in the function's environment")
    normalise_modes(folder)
    zip_bytes = write_zip(folder, folder.with_suffix(ZIP)) if place.suffix == ZIP else None
    warnings += _too_large(sum(size for _, size in parts), zip_bytes)
    return BundleReport(
        str(place), python, machine, added.name, added.generation, tuple(parts), zip_bytes, tuple(warnings)
    )


def _too_large(folder_bytes: int, zip_bytes: int | None) -> list[str]:
    warnings: list[str] = []
    if folder_bytes > LAMBDA_FOLDER_BYTES:
        warnings.append(
            f"AWS Lambda takes at most {LAMBDA_FOLDER_BYTES:,} bytes unzipped, and this has {folder_bytes:,}; put the "
            "index on a file system that the function mounts, or use a container image"
        )
    if zip_bytes is not None and zip_bytes > LAMBDA_UPLOAD_BYTES:
        warnings.append(
            f"AWS Lambda takes at most {LAMBDA_UPLOAD_BYTES:,} bytes uploaded directly, and this has {zip_bytes:,}; "
            "upload it to S3 and name it there"
        )
    return warnings


def _checked_output(output: str | os.PathLike[str]) -> Path:
    if not os.fspath(output) or "\0" in os.fspath(output):
        raise UsageError(f"{os.fspath(output)!r} is no path; name a new folder, or a file that ends with .zip")
    place = Path(os.path.abspath(output))
    try:
        taken = os.path.lexists(place) and (place.suffix == ZIP or not place.is_dir() or any(place.iterdir()))
    except OSError as error:
        raise BundleError(f"{place} cannot be read: {error.strerror or error}; name another folder") from error
    if taken:
        raise UsageError(f"{place} is there already; remove it, or name a new folder, an empty one, or a new .zip")
    return place


def _checked_python(python: str | None) -> str:
    if python is None:
        return _running_python()
    major, _, minor = python.partition(".")
    if not (major.isdecimal() and minor.isdecimal() and python.isascii() and len(python) < 10):
        raise UsageError(f"python must be a version such as 3.12, not {shown(python)}")
    if not _OLDEST_PYTHON <= (int(major), int(minor)) < (4, 0):
        raise UsageError(f"python must be 3.11 or later, not {shown(python)}")
    return python


def _checked_platform(platform: str | None) -> str:
    wanted = platform or os.uname().machine
    if wanted not in PLATFORMS:
        raise UsageError(f"platform must be one of {', '.join(PLATFORMS)}, not {shown(wanted)}")
    return PLATFORMS[wanted]


def _running_python() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
