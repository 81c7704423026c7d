"""The core as a wheel installs it, in fresh processes without Numba: which library is taken, which passed over."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from coldseek_core.kernels.levels import LEVELS, levels_of, machine
from kernels.fresh_process import ANSWER, USE_KERNELS, environment, finish, run, start
from kernels.offered import offered_here

USE = f"import warnings; warnings.simplefilter('always')\n{USE_KERNELS}print(kernels.load().level)\n"
FAIL = """
import warnings; warnings.simplefilter("always")
from coldseek_core import errors, kernels
try:
    kernels.load()
except errors.KernelError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def offered(sealed_libraries: Path) -> list[str]:
    return offered_here(sealed_libraries)


@pytest.fixture
def without_numba(installed: Path, tmp_path: Path) -> Callable[..., dict[str, str]]:
    """Variables of a process that has the installed copy, and a Numba that cannot be imported."""
    stub = tmp_path / "stub" / "numba"
    stub.mkdir(parents=True)
    (stub / "__init__.py").write_text("raise ImportError('Numba needs an older NumPy')")
    path = f"{installed}{os.pathsep}{stub.parent}"

    def variables(level: str | None = None, **changes: str | None) -> dict[str, str]:
        return environment(tmp_path, **{"PYTHONPATH": path, "COLDSEEK_CPU_LEVEL": level, **changes})

    return variables


def sealed(installed: Path) -> Path:
    return installed / "coldseek_core" / "kernels" / "sealed"


def library(installed: Path, level: str) -> Path:
    (path,) = [path for path in sealed(installed).glob("*.so") if path.name.rpartition("-")[0] == level]
    return path


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_best_level_is_taken_and_nothing_written(
    without_numba: Callable[..., dict[str, str]], offered: list[str], tmp_path: Path
) -> None:
    before = files_below(tmp_path)
    assert run(USE, without_numba(), tmp_path) == (0, f"{ANSWER}{offered[0]}\n", "")
    assert files_below(tmp_path) == before


def test_nothing_heavy_is_imported(without_numba: Callable[..., dict[str, str]], tmp_path: Path) -> None:
    code = """
import sys, ctypes
before = set(sys.modules)
from coldseek_core import kernels
from coldseek_core.kernels.signatures import SIGNATURES
loaded = kernels.load()
for name in SIGNATURES:
    getattr(loaded, name)
kernels.digest(b"foobar")
print(*sorted(name for name in set(sys.modules) - before if not name.startswith("coldseek_core")))
"""
    status, output, errors = run(code, without_numba(), tmp_path)
    assert (status, errors) == (0, "")
    assert set(output.split()) <= {"_blake2"}


@pytest.mark.parametrize("level", levels_of(machine()))
def test_level_can_be_forced(
    level: str, without_numba: Callable[..., dict[str, str]], offered: list[str], tmp_path: Path
) -> None:
    code = f"""{USE}
from coldseek_core.kernels.known_answers import wrong_answers
print(wrong_answers(kernels.load()))
"""
    if level in offered:
        assert run(code, without_numba(level), tmp_path) == (0, f"{ANSWER}{level}\n[]\n", "")
    else:
        status, output, _ = run(FAIL, without_numba(level), tmp_path)
        assert status == 0
        assert "this machine does not offer it" in output


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ("x86-64-v9", "there is no CPU level 'x86-64-v9'"),
        ("x86-64-V3", "x86-64-v3"),
        (" ", "there is no CPU level"),
        ("../../etc/passwd", "there is no CPU level"),
        ("jit", "coldseek[build]"),
        *((level, "another kind of machine") for level in LEVELS if level not in levels_of(machine())),
    ],
)
def test_level_that_cannot_be_had_is_one_clear_error(
    level: str, said: str, without_numba: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    status, output, errors = run(FAIL, without_numba(level), tmp_path)
    assert (status, errors) == (0, "")
    assert output.startswith(f"COLDSEEK_CPU_LEVEL is {level!r}: ")
    assert said in output
    assert len(output.splitlines()) == 1


def test_empty_variable_forces_nothing(
    without_numba: Callable[..., dict[str, str]], offered: list[str], tmp_path: Path
) -> None:
    assert run(USE, without_numba(""), tmp_path) == (0, f"{ANSWER}{offered[0]}\n", "")


DAMAGE: dict[str, Callable[[Path], object]] = {
    "cut to ten bytes": lambda path: path.write_bytes(path.read_bytes()[:10]),
    "cut in half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "empty": lambda path: path.write_bytes(b""),
    "one bit": lambda path: path.write_bytes(flipped(path.read_bytes())),
    "garbage behind a good header": lambda path: path.write_bytes(path.read_bytes()[:64] + os.urandom(8000)),
    "a pickle": lambda path: path.write_bytes(b"cbuiltins\nprint\n(S'planted'\ntR."),
    "not there": lambda path: path.unlink(),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
    "a link to nowhere": lambda path: (path.unlink(), path.symlink_to("nowhere")),
}


def flipped(data: bytes) -> bytes:
    place = len(data) // 3
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_library_is_passed_over_with_a_warning(
    damage: str, installed: Path, without_numba: Callable[..., dict[str, str]], offered: list[str], tmp_path: Path
) -> None:
    path = library(installed, offered[0])
    DAMAGE[damage](path)
    status, output, errors = run(USE, without_numba(), tmp_path)
    assert str(path) in errors
    assert "RuntimeWarning" in errors
    if len(offered) > 1:
        assert (status, output) == (0, f"{ANSWER}{offered[1]}\n")
    status, output, errors = run(FAIL, without_numba(offered[0]), tmp_path)
    assert (status, errors) == (0, "")  # a level that is asked for is never replaced
    assert str(path) in output


def test_all_libraries_cut_and_eight_processes_at_once(
    installed: Path, without_numba: Callable[..., dict[str, str]], offered: list[str], tmp_path: Path
) -> None:
    for path in sealed(installed).glob("*.so"):
        path.write_bytes(path.read_bytes()[:10])
    processes = [start(FAIL, without_numba(), tmp_path) for _ in range(8)]
    for status, output, errors in map(finish, processes):
        assert status == 0
        assert all(level in output for level in offered)
        assert "coldseek[build]" in output
        assert "RuntimeWarning" in errors


@pytest.mark.parametrize(
    ("content", "warned"),
    [(None, False), (b"", True), (b"\xff\xfe\0", True), (b"no digest here\n", True), (b"x" * 100_000, True)],
)
def test_damaged_or_missing_table_is_a_clear_error(
    content: bytes | None, warned: bool, installed: Path, without_numba: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    table = sealed(installed) / "table.txt"
    table.unlink() if content is None else table.write_bytes(content)
    status, output, errors = run(FAIL, without_numba(), tmp_path)
    assert status == 0
    assert "coldseek[build]" in output
    assert ("RuntimeWarning" in errors) == warned
    assert ("table.txt is damaged" in output) == warned


def test_read_only_copy_without_home_answers(
    installed: Path, without_numba: Callable[..., dict[str, str]], offered: list[str], tmp_path: Path
) -> None:
    for path in (*installed.rglob("*"), installed):
        path.chmod(0o555 if path.is_dir() else 0o444)
    variables = without_numba(HOME=None, TMPDIR="/dev/null", XDG_CACHE_HOME="/dev/null")
    assert run(USE, variables, tmp_path) == (0, f"{ANSWER}{offered[0]}\n", "")
    for path in (installed, *installed.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def test_packed_copy_is_a_clear_error(
    installed: Path, without_numba: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    """A package inside a zip file has no files that could be loaded as libraries."""
    archive = shutil.make_archive(str(tmp_path / "packed"), "zip", installed)
    path = f"{archive}{os.pathsep}{tmp_path / 'stub'}"
    status, output, errors = run(FAIL, without_numba(PYTHONPATH=path), tmp_path)
    assert (status, errors) == (0, "")
    assert "coldseek[build]" in output
