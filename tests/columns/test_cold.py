"""Opening and reading an index loads nothing heavy, and takes as long for a long index as for a short one."""

import subprocess
import sys
from pathlib import Path

import pytest

import coldseek_core
from coldseek_core.kernels import load
from coldseek_core.kernels.levels import JIT

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import mmap, os, _thread, _blake2
before = set(sys.modules)
from coldseek_core.columns.reader import IndexFiles
with IndexFiles.open(sys.argv[2]) as files:
    for file in files.manifest["files"]:
        for name in files.columns(file):
            list(files.column(file, name))
print(*sorted(set(sys.modules) - before))
"""


def test_opening_imports_only_our_own_modules(index: Path) -> None:
    if load().level == JIT:
        pytest.skip("the kernels are not sealed here, so Numba is loaded: coldseek kernels --seal")
    core = Path(coldseek_core.__file__).parent.parent
    run = subprocess.run(
        [sys.executable, "-I", "-c", SCRIPT, str(core), str(index)],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = run.stdout.split()
    assert "coldseek_core.columns.reader" in loaded
    assert [name for name in loaded if not name.startswith("coldseek_core")] == []
    for heavy in ("writer", "publish", "check", "durable"):
        assert f"coldseek_core.columns.{heavy}" not in loaded
