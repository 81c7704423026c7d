"""Which level is taken on CPUs that this machine is not, emulated: by their features, and never one too high."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from coldseek_core.kernels.levels import machine
from kernels.fresh_process import environment

EMULATOR = "qemu-x86_64"

CODE = """
from coldseek_core import errors, kernels
from coldseek_core.kernels.known_answers import wrong_answers
try:
    print(kernels.load().level, wrong_answers(kernels.load()))
except errors.KernelError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cpu", "said"),
    [
        ("core2duo", "x86-64-v2: this machine does not offer it"),
        ("Nehalem", "x86-64-v2 []\n"),
        ("Haswell", "x86-64-v3 []\n"),
        ("Skylake-Server", "x86-64-v3 []\n"),  # the emulator has no AVX-512
    ],
)
def test_level_of_an_emulated_cpu(cpu: str, said: str, installed: Path, tmp_path: Path) -> None:
    if machine() != "x86_64" or shutil.which(EMULATOR) is None:
        pytest.skip(f"{EMULATOR} is not at hand (Debian: qemu-user), or this machine is no x86-64")
    stub = tmp_path / "stub" / "numba"
    stub.mkdir(parents=True)
    (stub / "__init__.py").write_text("raise ImportError('no Numba here')")
    variables = environment(tmp_path, PYTHONPATH=f"{installed}:{stub.parent}", COLDSEEK_CPU_LEVEL=None)
    command = [EMULATOR, "-cpu", cpu, sys.executable, "-c", CODE]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout
