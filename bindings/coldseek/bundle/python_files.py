"""Compile a bundle's Python files: where it runs nothing can be written, so each cold start would compile them."""

import os
import subprocess
import sys
from pathlib import Path

from coldseek_core.errors import BundleError


def compile_python(folder: Path) -> None:
    """Put compiled code beside every Python file, for the Python that runs this. It is used whatever the files' times.

    Equal files give equal bytes: in a process of its own, because what marshal writes depends on what else lives in it.
    """
    command = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
    variables = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [*command, "-s", str(folder), str(folder)], env=variables, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise BundleError(f"the Python files cannot be compiled: {' '.join(done.stdout.split())[-500:]}")
