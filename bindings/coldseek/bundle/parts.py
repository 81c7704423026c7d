"""What of coldseek goes into a bundle: its runtime, sealed kernels, and an index."""

import os
import shutil
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import coldseek_core
from coldseek_core.columns.check import check_generation
from coldseek_core.columns.manifest import MANIFEST_NAME, pack_manifest
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.columns.schema import file_name
from coldseek_core.errors import BundleError, CorruptIndexError
from coldseek_core.kernels.levels import levels_of
from coldseek_core.kernels.sealed_files import (
    UnusableLibraryError,
    digest_of,
    library_name,
    read_table,
    sealed_folder,
    write_table,
)
from coldseek_core.linking import FILE, linked_source

INDEX_SUFFIX = ".coldseek"

# Folders that only building, evaluating and bundling need, and `sealed`, which has a part of its own.
_LEFT_OUT = {"coldseek": ("bundle", "docs"), "coldseek_core": ("ingest", "quality"), "kernels": ("sealed",)}


@dataclass(frozen=True)
class AddedIndex:
    """`name` of its folder in the bundle; `embedder`: the id of what it was embedded with, if anything."""

    name: str
    generation: str
    embedder: str | None


def add_runtime(folder: Path) -> None:
    """Copy the packages `coldseek` and `coldseek_core`, without what no question needs, and their licence; and put the
    modules that a cold process needs into one file.
    """
    packages: dict[str, Path] = {}
    for package in (Path(__file__).parent.parent, Path(coldseek_core.__file__).parent):
        packages[package.name] = folder / package.name
        shutil.copytree(package, folder / package.name, ignore=_left_out, dirs_exist_ok=True)
    (packages["coldseek_core"] / FILE).write_text(linked_source(packages), encoding="utf-8")
    try:
        installed = distribution("coldseek").files or ()
    except PackageNotFoundError:  # run from a folder that was never installed
        return
    for file in installed:
        if file.name == "LICENSE":
            shutil.copyfile(file.locate(), folder / "coldseek" / "LICENSE")


def _left_out(folder: str, names: list[str]) -> set[str]:
    left_out = {"__pycache__", *_LEFT_OUT.get(os.path.basename(folder), ())}
    return {name for name in names if name in left_out}


def add_kernels(folder: Path, machine: str) -> list[str]:
    """Copy the sealed libraries of one architecture; returns their levels. Raises BundleError if they are not there."""
    source = Path(sealed_folder())
    levels = levels_of(machine)
    mend = f"to seal them: coldseek kernels --seal (needs the build extra), or do this on a machine of {machine}"
    try:
        table = read_table(str(source))
    except UnusableLibraryError as error:
        raise BundleError(f"there are no sealed kernels to take along: {error}; {mend}") from error
    missing = [level for level in levels if level not in table]
    if missing:
        raise BundleError(f"there are no sealed kernels of {', '.join(missing)}, which {machine} needs; {mend}")
    target = folder / "coldseek_core" / "kernels" / "sealed"
    target.mkdir(parents=True)
    for level in levels:
        name = library_name(level, table[level])
        try:
            data = (source / name).read_bytes()
        except OSError as error:
            raise BundleError(f"{source / name} cannot be read: {error.strerror}; {mend}") from error
        if digest_of(data) != table[level]:
            raise BundleError(f"the sealed kernels {source / name} are damaged; {mend}")
        (target / name).write_bytes(data)
    # Without the digest of the source: what is in a bundle changes no more.
    write_table(str(target), {level: table[level] for level in levels})
    return levels


def add_index(folder: Path, index: str | os.PathLike[str]) -> AddedIndex:
    """Copy the current generation of an index, once all of it is verified.

    What is written are the bytes that were verified, whatever is built beside them meanwhile. Raises CorruptIndexError
    for a damaged index, and what `IndexFiles.open` raises.
    """
    with IndexFiles.open(index) as files:
        faults = check_generation(files)
        if faults:
            more = f" ({len(faults) - 1} more: see `coldseek verify`)" if len(faults) > 1 else ""
            raise CorruptIndexError(faults[0] + more)
        target = folder / _index_name(files.path)
        generation = target / files.generation
        generation.mkdir(parents=True)
        with files.in_use():
            for name in files.manifest["files"]:
                (generation / file_name(name)).write_bytes(files.file_view(name))
        manifest = pack_manifest(files.manifest)
        (generation / MANIFEST_NAME).write_bytes(manifest)
        (target / MANIFEST_NAME).write_bytes(manifest)
        embedder = files.manifest["settings"]["embedder"]
        return AddedIndex(target.name, files.generation, embedder["id"] if embedder else None)


def _index_name(path: str) -> str:
    """The folder's own name, with the suffix by which the handler finds it."""
    name = os.path.basename(os.path.abspath(path))
    try:
        name.encode()
    except UnicodeEncodeError:
        name = ""  # a zip names files by text
    return (name.removesuffix(INDEX_SUFFIX) or "index") + INDEX_SUFFIX
