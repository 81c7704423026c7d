"""One initialisation per process: threads, forks, machines that change, source that changes."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from coldseek_core.kernels.sealed_files import SOURCE, read_table, write_table
from kernels.fresh_process import ANSWER, FIRST_CALLS, environment, run
from kernels.offered import offered_here


@pytest.fixture
def variables(installed: Path, tmp_path: Path) -> dict[str, str]:
    return environment(tmp_path, PYTHONPATH=str(installed), COLDSEEK_CPU_LEVEL=None)


def test_32_threads_that_call_first_get_one_choice(variables: dict[str, str], tmp_path: Path) -> None:
    assert run(FIRST_CALLS, variables, tmp_path) == (0, ANSWER, "")


def test_children_of_a_fork_answer_before_and_after_the_first_call(variables: dict[str, str], tmp_path: Path) -> None:
    code = """
import os
from coldseek_core import kernels
def child_answers(expected):
    child = os.fork()
    if child == 0:
        os._exit(0 if kernels.digest(b"foobar") == expected else 1)
    return os.waitpid(child, 0)[1] == 0
assert child_answers(0x85944171F73967E8)
first = kernels.digest(b"foobar")
assert child_answers(first)
print(first)
"""
    assert run(code, variables, tmp_path) == (0, ANSWER, "")


def test_child_of_a_fork_during_the_first_call_does_not_wait_for_ever(
    variables: dict[str, str], tmp_path: Path
) -> None:
    code = """
import os, signal, threading
from coldseek_core import kernels
from coldseek_core.kernels import loader
choose, inside, go_on = loader._choose, threading.Event(), threading.Event()
def slow():
    inside.set()
    go_on.wait()
    return choose()
loader._choose = slow
thread = threading.Thread(target=kernels.load)
thread.start()
inside.wait()
child = os.fork()
if child == 0:
    signal.alarm(20)
    loader._choose = choose
    os._exit(0 if kernels.digest(b"foobar") == 0x85944171F73967E8 else 1)
assert os.waitpid(child, 0)[1] == 0
go_on.set()
thread.join()
print(kernels.digest(b"foobar"))
"""
    assert run(f"import warnings; warnings.simplefilter('ignore')\n{code}", variables, tmp_path) == (0, ANSWER, "")


RECHECK = """
from coldseek_core import errors, kernels
from coldseek_core.kernels import loader
held = kernels.load()
held.digest, held.scan_top  # made for the first machine
before, level = kernels.digest(b"foobar"), held.level
loader.offered_levels = lambda library: {offered!r}
try:
    kernels.recheck()
except errors.KernelError as error:
    print(error)
else:
    assert kernels.load() is held and kernels.digest(b"foobar") == before
    print(level, held.level)
"""


def test_lesser_machine_after_a_restore_takes_a_lesser_level(
    variables: dict[str, str], sealed_libraries: Path, tmp_path: Path
) -> None:
    offered = offered_here(sealed_libraries)
    code = RECHECK.format(offered=offered[-1:])
    assert run(code, variables, tmp_path) == (0, f"{offered[0]} {offered[-1]}\n", "")


def test_lesser_machine_after_a_restore_is_an_error_where_the_level_is_forced(
    variables: dict[str, str], sealed_libraries: Path, tmp_path: Path
) -> None:
    best = offered_here(sealed_libraries)[0]
    forced = variables | {"COLDSEEK_CPU_LEVEL": best}
    status, output, errors = run(RECHECK.format(offered=[]), forced, tmp_path)
    assert (status, errors) == (0, "")
    assert "this machine does not offer it" in output
    assert best in output


def test_recheck_before_the_first_call_does_nothing(variables: dict[str, str], tmp_path: Path) -> None:
    code = "from coldseek_core import kernels; kernels.recheck(); print(kernels.digest(b'foobar'))"
    assert run(code, variables, tmp_path) == (0, ANSWER, "")


@pytest.fixture
def checkout(installed: Path) -> Callable[[], str]:
    """The copy as a checkout: its table holds the source's digest. Gives which level is there now, or why none."""
    kernels = installed / "coldseek_core" / "kernels"
    variables = environment(installed, PYTHONPATH=str(installed))
    code = "from coldseek_core.kernels.sealed_files import source_digest; print(source_digest())"
    digest = run(code, variables, installed)[1].strip()
    sealed = str(kernels / "sealed")
    write_table(sealed, read_table(sealed) | {SOURCE: digest})

    def now() -> str:
        code = """
from coldseek_core.kernels.sealed_files import *
try:
    print(sorted(read_table(sealed_folder())))
except UnusableLibraryError as error:
    print(error)
"""
        status, output, errors = run(code, variables, installed)
        assert (status, errors) == (0, "")
        return output

    return now


def test_stale_libraries_are_known_by_the_source_and_not_by_times(checkout: Callable[[], str], installed: Path) -> None:
    kernels = installed / "coldseek_core" / "kernels"
    assert SOURCE in checkout()
    for path in kernels.glob("*.py"):
        os.utime(path, (2_000_000_000, 2_000_000_000))
    assert SOURCE in checkout()
    source = kernels / "top_heap.py"
    before, times = source.read_bytes(), source.stat()
    source.write_bytes(before.replace(b"row > other_row", b"row < other_row"))
    os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert source.stat().st_size == len(before)
    assert "source has changed" in checkout()
    source.write_bytes(before)
    assert SOURCE in checkout()
    (kernels / "new_kernel.py").write_text("")
    assert "source has changed" in checkout()
    (kernels / "new_kernel.py").unlink()
    source.rename(kernels / "heap.py")
    assert "source has changed" in checkout()
