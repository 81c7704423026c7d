"""The scan gives the same similarities whichever instruction it is compiled to, or with none."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import llvmlite.binding as llvm
import pytest

PROCESS = Path(__file__).with_name("other_instruction.py")


@pytest.mark.parametrize(
    "feature", ["none", "sse2", *(pytest.param(name, marks=pytest.mark.slow) for name in ("avx2", "avx512bw"))]
)
def test_scan_equals_twin_with_this_feature_alone(feature: str, tmp_path: Path) -> None:
    if feature != "none" and platform.machine() != "x86_64":
        pytest.skip(f"{feature} is a feature of x86-64")
    if feature != "none" and not dict(llvm.get_host_cpu_features()).get(feature):
        pytest.skip(f"this CPU has no {feature}")
    done = subprocess.run(
        [sys.executable, str(PROCESS), feature],
        env=os.environ | {"XDG_CACHE_HOME": str(tmp_path), "COLDSEEK_CPU_LEVEL": "jit"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "equal\n"), done.stderr[-2000:]
