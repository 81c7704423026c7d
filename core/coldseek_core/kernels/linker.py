"""Which linker makes shared libraries for an architecture, and how: GNU ld, LLVM's lld, or the lld in ziglang."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from ..errors import KernelError

_EMULATION = {"x86_64": "elf_x86_64", "aarch64": "aarch64linux"}
_PAGE = {"x86_64": 4096, "aarch64": 65536}  # the largest that such machines have

# Nothing but the objects goes in; symbols are stripped but for the exported ones, and nothing names the build.
_OPTIONS = ("-shared", "-nostdlib", "-s", "--gc-sections", "--build-id=none", "--hash-style=gnu", "--no-dynamic-linker")
_KEYWORDS = ("noexecstack", "relro", "now", "noseparate-code")


def find_linker(machine: str) -> list[str] | None:
    """The command of a linker for an architecture (as `uname` names it), or None."""
    native = machine == os.uname().machine
    for name in (f"{machine}-linux-gnu-ld", "ld" if native else "", "ld.lld"):
        path = shutil.which(name) if name else None
        if path:
            return [path]
    if find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "ld.lld"]
    return None


def linker_to_install(machine: str) -> str:
    """What to do where there is no linker for an architecture."""
    package = "binutils" if machine == os.uname().machine else f"binutils-{machine.replace('_', '-')}-linux-gnu"
    return f"install a linker (Debian: apt install {package}; anywhere: pip install ziglang)"


def link(machine: str, objects: list[Path], library: Path) -> None:
    """Make `library` of `objects`. Raises KernelError where no linker is found, or where it fails."""
    linker = find_linker(machine)
    if linker is None:
        raise KernelError(f"no linker for {machine} is at hand; {linker_to_install(machine)}")
    keywords = [part for keyword in (*_KEYWORDS, f"max-page-size={_PAGE[machine]}") for part in ("-z", keyword)]
    command = [*linker, "-m", _EMULATION[machine], *_OPTIONS, *keywords, "-o", str(library), *map(str, objects)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not library.is_file():
        raise KernelError(f"the linker {' '.join(linker)} failed: {' '.join(done.stderr.split())[-500:]}")
