"""Opening and reading an index loads nothing heavy, and takes as long for a long index as for a short one."""

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import types
kernels = types.ModuleType("coldseek_core.kernels")
def digest(data):
    value = 14695981039346656037
    for byte in data:
        value = (value ^ byte) * 1099511628211 % 2**64
    return value
kernels.digest = digest
sys.modules["coldseek_core.kernels"] = kernels
import ctypes, mmap, os, struct, msgpack, _thread
before = set(sys.modules)
from coldseek_core.columns.reader import IndexFiles
with IndexFiles.open(sys.argv[2]) as files:
    for file in files.manifest["files"]:
        for name in files.columns(file):
            list(files.column(file, name))
print(*sorted(set(sys.modules) - before))
"""


def test_opening_imports_only_our_own_modules(index: Path) -> None:
    import coldseek_core

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
