"""Fuzzing of the kernels finds nothing in a short time, and finds the faults that are planted here."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from coldseek_core.kernels.levels import machine
from coldseek_core.kernels.sealing import seal
from coldseek_core.kernels.signatures import SIGNATURES
from fuzz.cases import CASES
from kernels.fresh_process import CORE

SCRIPT = Path(__file__).with_name("fuzz_kernels.py")

# Kernel: (file, what stands there, what takes its place). Each is a fault of the source alone, not of compiled code.
FAULTS = {
    "weigh_terms": ("find_term.py", "if size > stop - place or common < shared:", "if common < shared:"),
    "postings_top": ("top_heap.py", "and row > other_row)", "and row >= other_row + 3)"),
    "mark_rows": ("row_filter.py", "if row < row_count:", "if row <= row_count:"),
    "score_rows": (
        "posting_groups.py",
        "group_words(size) > word_count - place:",
        "group_words(size) > word_count - place + 1:",
    ),
    "tokenise": ("code_points.py", "if size == 1 or place + size > length:", "if size == 1:"),
    "enter_terms": ("code_points.py", "if code > 0x10FFFF:", "if code > 0x11FFFF:"),
}
QUICK = ("weigh_terms", "postings_top")  # one that leaves an array, one that gives another result


@pytest.fixture
def fuzz(sealed_libraries: Path, tmp_path: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run the script for some seconds, with a core that may be a copy."""
    if find_spec("atheris") is None:
        pytest.skip("Atheris is not installed: pip install atheris")

    def run(seconds: int, *arguments: str, core: Path = CORE) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, str(SCRIPT), "--seconds", str(seconds), "--sealed", str(sealed_libraries)]
        variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(core), *sys.path])}
        return subprocess.run(
            [*command, *arguments],
            env=variables,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=1200,
            check=False,
        )

    return run


def test_every_kernel_has_a_case() -> None:
    assert set(CASES) == set(SIGNATURES)


def test_nothing_is_found_in_a_short_time(
    fuzz: Callable[..., "subprocess.CompletedProcess[str]"], tmp_path: Path
) -> None:
    done = fuzz(300, "--runs", "400")
    assert done.returncode == 0, done.stdout[-5000:]
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == [*SIGNATURES]
    assert all(" runs, coverage " in line for line in lines)
    assert not (tmp_path / "fuzz-findings").exists()


@pytest.mark.slow
def test_nothing_is_found_in_longer_time(fuzz: Callable[..., "subprocess.CompletedProcess[str]"]) -> None:
    done = fuzz(20 * len(SIGNATURES))
    assert done.returncode == 0, done.stdout[-5000:]


@pytest.mark.parametrize(
    "kernel", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in FAULTS]
)
def test_a_planted_fault_is_found(
    kernel: str, fuzz: Callable[..., "subprocess.CompletedProcess[str]"], tmp_path: Path
) -> None:
    """And the input that was kept shows it again."""
    core = tmp_path / "core"
    shutil.copytree(CORE, core, ignore=shutil.ignore_patterns("__pycache__", "sealed"))
    file, before, after = FAULTS[kernel]
    path = core / "coldseek_core" / "kernels" / file
    source = path.read_text()
    assert source.count(before) == 1
    path.write_text(source.replace(before, after))
    done = fuzz(60, "--kernel", kernel, core=core)
    assert done.returncode == 1, done.stdout
    assert f"{kernel}: found" in done.stdout
    (kept,) = (tmp_path / "fuzz-findings").iterdir()
    assert fuzz(1, "--kernel", kernel, "--input", str(kept), core=core).returncode != 0
    assert fuzz(1, "--kernel", kernel, "--input", str(kept)).returncode == 0


@pytest.mark.slow
def test_a_fault_of_compiled_code_alone_is_found(
    fuzz: Callable[..., "subprocess.CompletedProcess[str]"], tmp_path: Path
) -> None:
    """A kernel that is sealed so that it reads before it checks, with right results, reads a page that nobody may
    touch, and ends the process.
    """
    core = tmp_path / "core"
    shutil.copytree(CORE, core, ignore=shutil.ignore_patterns("__pycache__", "sealed"))
    path = core / "coldseek_core" / "kernels" / "find_term.py"
    source = path.read_text()
    before = "while same < most and left[left_start + same] == right[right_start + same]:"
    after = "while left[left_start + same] == right[right_start + same] and same < most:"
    assert source.count(before) == 1
    path.write_text(source.replace(before, after))
    code = f"from pathlib import Path; from {seal.__module__} import seal; seal({machine()!r}, Path('bad'), True)"
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(core), *sys.path])}
    subprocess.run([sys.executable, "-c", code], env=variables, cwd=tmp_path, check=True)
    done = fuzz(120, "--kernel", "weigh_terms", "--sealed", str(tmp_path / "bad"))
    assert done.returncode == 1, done.stdout
    assert "OutOfBoundsError" not in done.stdout
    assert "deadly signal" in done.stdout
