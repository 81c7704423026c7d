"""Compiling and caching in fresh processes: at once, without a cache, with a damaged one; and the first call.

Each cold compilation takes seconds, so there are few of them, and one cache is copied where that will do.
"""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kernels.fresh_process import ANSWER, CORE, FIRST_CALLS, USE_KERNELS, environment, finish, run, start


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_processes_that_compile_at_once_fill_one_cache_and_write_nowhere_else(compiled_home: Path) -> None:
    files = files_below(compiled_home)
    folders = {tuple(Path(name).parts[:3]) for name in files}
    assert len(folders) == 1
    (parts,) = folders
    assert parts[:2] == (".cache", "coldseek")
    assert parts[2].startswith("kernels-")
    assert {Path(name).suffix for name in files} == {".nbi", ".nbc"}
    assert not [path for suffix in ("nbi", "nbc") for path in CORE.rglob(f"*.{suffix}")]


def test_warm_cache_is_used_and_left_alone(home_copy: Callable[[], Path]) -> None:
    home = home_copy()
    before = files_below(home)
    started = time.monotonic()
    assert run(USE_KERNELS, environment(home), home) == (0, ANSWER, "")
    assert time.monotonic() - started < 10
    assert files_below(home) == before


def damage(home: Path, content: Callable[[bytes], bytes]) -> None:
    for name, data in files_below(home).items():
        (home / name).write_bytes(content(data))


def check_recovery(home: Path) -> None:
    damaged = files_below(home)
    assert run(USE_KERNELS, environment(home), home) == (0, ANSWER, "")
    mended = files_below(home)
    assert mended.keys()
    assert not [name for name, data in mended.items() if damaged.get(name) == data]


@pytest.mark.slow
def test_files_cut_to_ten_bytes_are_replaced(home_copy: Callable[[], Path]) -> None:
    home = home_copy()
    damage(home, lambda data: data[:10])
    check_recovery(home)


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"", b"\0" * 4000, b"not a cache"])
def test_files_of_garbage_are_replaced(home_copy: Callable[[], Path], content: bytes) -> None:
    home = home_copy()
    damage(home, lambda _: content)
    check_recovery(home)


@pytest.mark.slow
def test_processes_that_meet_damaged_files_at_once_all_answer(home_copy: Callable[[], Path]) -> None:
    home = home_copy()
    damage(home, lambda data: data[:10])
    processes = [start(USE_KERNELS, environment(home), home) for _ in range(4)]  # each compiles all kernels
    assert [finish(process) for process in processes] == [(0, ANSWER, "")] * 4


@pytest.mark.slow
def test_data_files_cut_in_half_are_replaced(home_copy: Callable[[], Path]) -> None:
    home = home_copy()
    for name, data in files_below(home).items():
        if name.endswith(".nbc"):
            (home / name).write_bytes(data[: len(data) // 2])
    assert run(USE_KERNELS, environment(home), home) == (0, ANSWER, "")


@pytest.mark.slow
def test_no_place_for_a_cache_is_no_error(tmp_path: Path) -> None:
    variables = environment(tmp_path, HOME="/dev/null", TMPDIR="/dev/null")
    assert run(USE_KERNELS, variables, tmp_path) == (0, ANSWER, "")
    assert files_below(tmp_path) == {}


@pytest.mark.slow
def test_planted_pickle_in_a_folder_that_others_may_write_is_not_read(home_copy: Callable[[], Path]) -> None:
    home = home_copy()
    planted = b"cbuiltins\nprint\n(S'planted'\ntR."
    damage(home, lambda _: planted)
    next((home / ".cache" / "coldseek").iterdir()).chmod(0o777)
    assert run(USE_KERNELS, environment(home), home) == (0, ANSWER, "")
    assert set(files_below(home).values()) == {planted}


@pytest.mark.slow
def test_compiling_for_a_generic_cpu_does_not_end_the_process(tmp_path: Path) -> None:
    """A Numba variable that users set where one image serves several kinds of machines."""
    variables = environment(tmp_path, NUMBA_CPU_NAME="generic")
    status, output, errors = run(USE_KERNELS, variables, tmp_path)
    assert (status, output) == (0, ANSWER), errors[-500:]


def test_importing_neither_compiles_nor_writes(tmp_path: Path) -> None:
    code = """
import sys
from coldseek_core import kernels
print(sorted({"numba", "llvmlite", "numpy"} & set(sys.modules)))
"""
    assert run(code, environment(tmp_path), tmp_path) == (0, "[]\n", "")
    assert list(tmp_path.iterdir()) == []


def test_without_a_compiler_the_error_names_the_extra(tmp_path: Path) -> None:
    stub = tmp_path / "stub" / "numba"
    stub.mkdir(parents=True)
    (stub / "__init__.py").write_text("raise ImportError('Numba needs an older NumPy')")
    code = """
from coldseek_core import errors, kernels
for attempt in range(2):
    try:
        kernels.load()
    except errors.KernelError as error:
        print(error)
"""
    variables = environment(tmp_path, PYTHONPATH=f"{stub.parent}:{CORE}")
    status, output, errors = run(code, variables, tmp_path)
    assert (status, errors) == (0, "")
    lines = output.splitlines()
    assert len(lines) == 2
    assert all("Numba needs an older NumPy" in line and "coldseek[build]" in line for line in lines)


def test_32_threads_that_call_first_get_equal_answers(home_copy: Callable[[], Path]) -> None:
    home = home_copy()
    assert run(FIRST_CALLS, environment(home), home) == (0, ANSWER, "")


def test_child_of_a_fork_after_the_first_call_answers(home_copy: Callable[[], Path]) -> None:
    code = """
import os
from coldseek_core import kernels
first = kernels.digest(b"foobar")
child = os.fork()
if child == 0:
    os._exit(0 if kernels.digest(b"foobar") == first else 1)
assert os.waitpid(child, 0)[1] == 0
print(first)
"""
    home = home_copy()
    assert run(code, environment(home), home) == (0, ANSWER, "")


@pytest.mark.slow
def test_cache_removed_while_the_process_runs(home_copy: Callable[[], Path]) -> None:
    home = home_copy()
    code = f"{USE_KERNELS}\nimport shutil; shutil.rmtree({str(home / '.cache')!r}); print(kernels.digest(b'foobar'))"
    assert run(code, environment(home), home) == (0, ANSWER * 2, "")
    shutil.rmtree(home)
