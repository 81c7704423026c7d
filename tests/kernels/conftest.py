"""Folders of compiled kernels that tests copy and damage: a cache of the JIT's, and sealed libraries."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from coldseek_core.kernels.levels import levels_of, machine
from coldseek_core.kernels.linker import find_linker, linker_to_install
from coldseek_core.kernels.sealed_files import (
    SOURCE,
    UnusableLibraryError,
    library_name,
    read_table,
    sealed_folder,
    write_table,
)
from coldseek_core.kernels.sealing import seal
from kernels.fresh_process import ANSWER, CORE, USE_KERNELS, environment, finish, start

# Time limits of single examples say nothing on a machine that others use too.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


@pytest.fixture(scope="session")
def compiled_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose cache two processes filled at once."""
    home = tmp_path_factory.mktemp("home")
    processes = [start(USE_KERNELS, environment(home), home) for _ in range(2)]
    assert [finish(process) for process in processes] == [(0, ANSWER, "")] * 2
    return home


@pytest.fixture
def home_copy(compiled_home: Path, tmp_path: Path) -> Callable[[], Path]:
    """Makes a copy of that home to damage."""
    return lambda: Path(shutil.copytree(compiled_home, tmp_path / "home", symlinks=True))


@pytest.fixture(scope="session")
def sealed_libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sealed libraries of this machine's levels with an installed copy's table: the checkout's, or made here."""
    folder = tmp_path_factory.mktemp("sealed")
    if find_linker(machine()) is None:
        pytest.skip(f"there is no linker for {machine() or 'this kind of machine'}; {linker_to_install(machine())}")
    try:
        table = read_table(sealed_folder())
        table.pop(SOURCE)
        for level in levels_of(machine()):
            shutil.copy(Path(sealed_folder(), library_name(level, table[level])), folder)
        write_table(str(folder), {level: table[level] for level in levels_of(machine())})
    except (UnusableLibraryError, KeyError):
        seal(machine(), folder, installed=True)
    return folder


@pytest.fixture
def installed(sealed_libraries: Path, tmp_path: Path) -> Path:
    """The core as a wheel installs it: a folder with the package and its sealed libraries."""
    package = tmp_path / "site" / "coldseek_core"
    shutil.copytree(CORE / "coldseek_core", package, ignore=shutil.ignore_patterns("__pycache__", "sealed"))
    shutil.copytree(sealed_libraries, package / "kernels" / "sealed")
    return package.parent
