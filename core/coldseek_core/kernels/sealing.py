"""Seal the kernels: compile each CPU level ahead of time to one shared library, with a table of their digests.

Each level is compiled by a process of its own (emit.py) in an empty folder, with no variable of Numba's but those
named here, so that the same source and the same versions of Numba and LLVM give the same bytes.
"""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from ..errors import KernelError
from .elf_symbols import dynamic_symbols
from .levels import CPU_QUESTIONS, LEVELS, levels_of
from .linker import link
from .sealed_files import (
    MODULE,
    SOURCE,
    UnusableLibraryError,
    digest_of,
    library_name,
    read_table,
    source_digest,
    write_table,
)
from .signatures import SIGNATURES

# What a library may take from others: from the C library, which every Python process has, and from Python itself.
_ALLOWED = frozenset(("memset", "memcpy", "memmove", "getauxval"))
_ALLOWED_BEGINNING = "Py"

# Not by PYTHONPATH: pip's isolated builds take away every folder that an editable installation has put on the path.
_EMIT = f"""
import runpy, sys
sys.path.insert(0, sys.argv.pop(1))
runpy.run_module("{__package__}.emit", run_name="__main__", alter_sys=True)
"""


def seal(machine: str, folder: Path, installed: bool = False) -> list[Path]:
    """Make the libraries of all levels of an architecture in `folder`, and their table; returns the libraries.

    Libraries of other architectures that are there already stay, unless the source has changed since. `installed`: the
    source will not change any more, so the table leaves its digest out and reading it is quicker.

    Raises KernelError where there is no Numba or no linker for the architecture, or a level does not come out right.
    """
    levels = levels_of(machine)
    if not levels:
        raise KernelError(
            f"there are no CPU levels of {machine or 'this kind of machine'}; there are {', '.join(LEVELS)}"
        )
    folder = folder.resolve()  # each level is compiled in another working folder
    folder.mkdir(parents=True, exist_ok=True)
    source = source_digest()
    table = _kept(folder) | {SOURCE: source}
    with tempfile.TemporaryDirectory(prefix=".sealing-", dir=folder) as scratch:
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:  # each waits for a process
            libraries = list(pool.map(partial(_make_library, scratch=Path(scratch)), levels))
        for level, library in zip(levels, libraries, strict=True):
            table[level] = digest_of(library.read_bytes())
            os.replace(library, folder / library_name(level, table[level]))
    if source_digest() != source:
        raise KernelError("the kernels' source was changed while they were sealed; seal them again")
    if installed:
        del table[SOURCE]
    write_table(str(folder), table)
    named = {level: folder / library_name(level, table[level]) for level in LEVELS if level in table}
    for path in folder.glob("*.so"):
        if path not in named.values():
            path.unlink()  # a process that runs it keeps it
    return [named[level] for level in levels]


def is_sealed(machine: str, folder: Path) -> bool:
    """Whether the libraries of all levels of an architecture are in `folder`, whole, and of the source as it is."""
    table = _kept(folder)
    for level in levels_of(machine):
        try:
            if digest_of((folder / library_name(level, table[level])).read_bytes()) != table[level]:
                return False
        except (KeyError, OSError):
            return False
    return True


def _kept(folder: Path) -> dict[str, str]:
    """What the table says of libraries that are still right."""
    try:
        return read_table(str(folder))
    except UnusableLibraryError:
        return {}


def _make_library(level: str, scratch: Path) -> Path:
    machine = LEVELS[level][0]
    objects = [scratch / f"{level}.o", scratch / f"{level}.python.o"]
    library = scratch / f"{level}.so"
    _emit(level, objects, scratch)
    link(machine, objects, library)
    library.chmod(0o644)
    exported, undefined = dynamic_symbols(library.read_bytes())
    wanted = {f"PyInit_{MODULE}", *(f"coldseek_{name}" for name in SIGNATURES)}
    wanted |= {symbol for symbol, _, _ in CPU_QUESTIONS[machine].values() if symbol.startswith("coldseek_")}
    foreign = {name for name in undefined - _ALLOWED if not name.startswith(_ALLOWED_BEGINNING)}
    if exported != wanted or foreign:
        raise KernelError(
            f"the library of {level} came out wrong: it exports {sorted(exported ^ wanted)} too much or too little, "
            f"and takes {sorted(foreign)} from others"
        )
    return library


def _emit(level: str, objects: list[Path], scratch: Path) -> None:
    package = Path(__file__).resolve().parents[2]
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "COLDSEEK_"))}
    variables |= {
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "NUMBA_OPT": "0",  # LLVM optimises once, for the level
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_DISABLE_INTEL_SVML": "1",
    }
    command = [sys.executable, "-c", _EMIT, str(package), level, *map(str, objects)]
    done = subprocess.run(command, env=variables, cwd=scratch, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        hint = '; Numba is needed: pip install "coldseek[build]"' if "ModuleNotFoundError" in last else ""
        raise KernelError(f"compiling the kernels for {level} failed: {last}{hint}")
