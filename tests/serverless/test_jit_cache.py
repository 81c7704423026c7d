"""The JIT's cache, where kernels are not sealed: settings that change, and code that somebody planted.

The cache is Numba's and holds pickles, so it is used only where nobody else can have written. Each test compiles.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import coldseek
import coldseek_core
from serverless.asking import __file__ as asking

PICKLE = b"cbuiltins\nprint\n(S'planted'\ntR."
CODE = """
import coldseek
from asking import answers
from coldseek_core.kernels import jit, load
print(jit.cache_folder())
with coldseek.open({index!r}) as index:
    print(answers(index))
assert load().level == "jit"
"""

pytestmark = pytest.mark.slow


def run(index: Path, home: Path, **settings: str) -> list[str]:
    """The cache folder and the answers of a new process."""
    home.mkdir(exist_ok=True)
    folders = [Path(str(one.__file__)).parents[1] for one in (coldseek, coldseek_core)] + [Path(asking).parent]
    variables = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join([*map(str, folders), *sys.path]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "COLDSEEK_CPU_LEVEL": "jit",
        **settings,
    }
    command = [sys.executable, "-W", "error", "-c", CODE.format(index=str(index))]
    done = subprocess.run(command, env=variables, cwd=home, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def files_below(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_other_settings_than_those_that_filled_the_cache(small_index: Path, expected: str, tmp_path: Path) -> None:
    """Kernels call no vector mathematics and have no parallel loops, so these settings change no code of theirs."""
    home = tmp_path / "home"
    folder, *output = run(small_index, home, NUMBA_DISABLE_INTEL_SVML="0", NUMBA_NUM_THREADS="8")
    assert output == [expected]
    before = files_below(Path(folder))
    assert before
    assert run(small_index, home, NUMBA_DISABLE_INTEL_SVML="1", NUMBA_NUM_THREADS="2") == [folder, expected]
    assert files_below(Path(folder)) == before  # nothing was compiled again
    # Of another CPU's code none is taken: it is compiled again, beside the other or in its place.
    assert run(small_index, home, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="") == [folder, expected]
    assert run(small_index, home) == [folder, expected]


def test_planted_cache_that_belongs_to_somebody_else_is_not_read(
    small_index: Path, expected: str, tmp_path: Path
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder to another user")
    home = tmp_path / "home"
    folder, *output = run(small_index, home)
    assert output == [expected]
    for path in (Path(folder), *Path(folder).rglob("*")):
        if path.is_file():
            path.write_bytes(PICKLE)
        os.chown(path, 65534, 65534)
    planted = files_below(Path(folder))
    assert set(planted.values()) == {PICKLE}
    assert run(small_index, home) == ["None", expected]
    assert files_below(Path(folder)) == planted
