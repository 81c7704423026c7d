"""Run Python code in a new process with a cache folder, a home and a working folder of its own."""

import os
import subprocess
import sys
from pathlib import Path

CORE = Path(__file__).resolve().parents[2] / "core"

# Compiles or loads the kernels and says what they make of fixed input.
USE_KERNELS = """
from coldseek_core import kernels
print(kernels.digest(b"foobar"))
"""
ANSWER = f"{0x85944171F73967E8}\n"


def environment(home: Path, **changes: str | None) -> dict[str, str]:
    """A small environment for compiling, whose every folder is below `home`; None takes a variable away."""
    variables: dict[str, str | None] = {
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": str(CORE),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(home),
        "TMPDIR": str(home),
        "COLDSEEK_CPU_LEVEL": "jit",
        **changes,
    }
    return {name: value for name, value in variables.items() if value is not None}


def start(code: str, variables: dict[str, str], folder: Path) -> "subprocess.Popen[str]":
    """Warnings are errors there, as they are in these tests."""
    command = [sys.executable, "-W", "error", "-c", code]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=variables, cwd=folder, **pipes)


def finish(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    """Status, output and errors."""
    output, errors = process.communicate(timeout=300)
    return process.returncode, output, errors


def run(code: str, variables: dict[str, str], folder: Path) -> tuple[int, str, str]:
    return finish(start(code, variables, folder))


# Prints the digest that all of 32 threads got, which all had the same kernels.
FIRST_CALLS = """
import threading
from coldseek_core import kernels
barrier = threading.Barrier(32)
answers = []
def first_call():
    barrier.wait()
    loaded = kernels.load()
    answers.append((id(loaded), kernels.digest(b"foobar")))
threads = [threading.Thread(target=first_call) for _ in range(32)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert len(answers) == 32 and len(set(answers)) == 1, answers
print(answers[0][1])
"""
