"""Sealed kernels that are written while others write or read them, or cut off anywhere."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import coldseek_core
from coldseek_core.kernels import sealed_files
from coldseek_core.kernels.levels import levels_of, machine
from coldseek_core.kernels.linker import find_linker, linker_to_install
from coldseek_core.kernels.sealed_files import TABLE, library_name, read_table, write_table
from serverless.copied_runtime import Runtime, finish

SEAL = """
import sys
from pathlib import Path
from coldseek_core.kernels.levels import machine
from coldseek_core.kernels.sealing import seal
seal(machine(), Path(sys.argv[1]), installed=True)
"""
# Until the file `done` is there: whatever the table names can be loaded.
READ = """
import sys, time
from pathlib import Path
from coldseek_core.kernels.sealed_files import digest_of, library_name, read_table
folder = Path(sys.argv[1])
while not (folder / "done").exists():
    for level, digest in read_table(str(folder)).items():
        assert digest_of((folder / library_name(level, digest)).read_bytes()) == digest
    time.sleep(0.01)  # leaves the processor to those that seal
"""
USE = """
from coldseek_core import errors, kernels
try:
    print(kernels.load().level)
except errors.KernelError:
    print("KernelError")
"""


def test_a_table_that_two_write_at_once_is_one_of_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second writes its whole table between the first one's writing and renaming."""
    replace = os.replace

    def second_comes_between(source: str, target: str) -> None:
        monkeypatch.setattr(sealed_files.os, "replace", replace)
        write_table(str(tmp_path), {"second": "2"})
        replace(source, target)

    monkeypatch.setattr(sealed_files.os, "replace", second_comes_between)
    write_table(str(tmp_path), {"first": "1"})
    assert read_table(str(tmp_path)) in ({"first": "1"}, {"second": "2"})
    assert [path.name for path in tmp_path.iterdir()] == [TABLE]


@pytest.mark.parametrize("part", ["line", "table"])
def test_a_table_that_was_cut_is_warned_of(part: str, runtime_copy: Callable[[], Runtime], offered: list[str]) -> None:
    """Within a line, or behind one but the last; what is left may be used."""
    runtime = runtime_copy()
    table = runtime.sealed() / TABLE
    whole = table.read_text()
    ends = [place for place, character in enumerate(whole) if character == "\n"]
    cuts = [0, *(place + 1 for place in ends[:-1])]
    if part == "line":
        cuts = [place for place in range(1, len(whole) - 1, 9) if not {place, place - 1} & set(ends)]
    for cut in cuts:
        table.write_text(whole[:cut])
        status, output, errors = runtime.run(USE, "-W", "always")
        assert status == 0
        assert output in (*(f"{level}\n" for level in offered), "KernelError\n")
        assert "RuntimeWarning: sealed kernels are passed over" in errors, (cut, output)


@pytest.mark.slow
def test_two_seal_and_eight_read_at_once(tmp_path: Path) -> None:
    """Readers find no table, or a table all of whose libraries are right; then the folder is as one would leave it."""
    if find_linker(machine()) is None:
        pytest.skip(f"there is no linker for {machine()}; {linker_to_install(machine())}")
    core, folder = str(Path(str(coldseek_core.__file__)).parents[1]), tmp_path / "sealed"
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([core, *sys.path]), "PYTHONWARNINGS": "error"}

    def start(code: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-c", code, str(folder)]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, env=variables, cwd=tmp_path, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    sealing = [start(SEAL) for _ in range(2)]
    reading = [start(READ) for _ in range(8)]
    results = [finish(process) for process in sealing]
    (folder / "done").touch()
    assert [finish(process)[::2] for process in reading] == [(0, "")] * 8
    assert [(status, errors) for status, _, errors in results] == [(0, "")] * 2
    (folder / "done").unlink()
    table = read_table(str(folder))
    assert set(table) == set(levels_of(machine()))
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [TABLE, *(library_name(level, digest) for level, digest in table.items())]
    )
