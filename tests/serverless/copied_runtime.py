"""A copy of what a cold process needs and nothing else: no Numba, no NumPy, no Arrow, no compiler."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

Variables: TypeAlias = Mapping[str, str]
Process: TypeAlias = "subprocess.Popen[str]"
NONE: Variables = {}
_NO_MOUNT = 97

# A mount namespace of its own, in which nothing below /tmp can be written; then another user's rights.
_READ_ONLY_TMP = f"mount --bind /tmp /tmp && mount -o remount,bind,ro /tmp || exit {_NO_MOUNT}; exec setpriv " + (
    '--reuid 65534 --regid 65534 --clear-groups --inh-caps=-all "$@"'
)


@dataclass
class Runtime:
    """`site`: the packages. `index`: an index beside them. `python`: one that any user may run.

    Its processes see the copy alone, with `paths` before it; warnings are errors, unless `options` of Python's say
    otherwise; `variables` are the whole environment, so there is no HOME and no PATH.
    """

    site: Path
    index: Path
    python: str

    def start(self, code: str, *options: str, paths: Sequence[Path] = (), variables: Variables = NONE) -> Process:
        return _start(self._command(code, options, paths), variables, self.site)

    def run(
        self, code: str, *options: str, paths: Sequence[Path] = (), variables: Variables = NONE, said: str = ""
    ) -> tuple[int, str, str]:
        """Status, output and errors; `said`: what the process can read."""
        return finish(self.start(code, *options, paths=paths, variables=variables), said)

    def run_as_nobody(
        self, code: str, *, paths: Sequence[Path] = (), variables: Variables = NONE
    ) -> tuple[int, str, str]:
        """The same as user 65534 with /tmp read-only, where these tests may change users; else with our own rights."""
        command = self._command(code, (), paths)
        if os.geteuid() == 0:
            command = ["unshare", "-m", "/bin/sh", "-c", _READ_ONLY_TMP, "sh", *command]
            if not all(map(shutil.which, ("unshare", "setpriv", "mount"))):
                pytest.skip("unshare, setpriv or mount is not here (Debian: util-linux, mount)")
            variables = {"PATH": os.environ["PATH"], **variables}
        done = finish(_start(command, variables, self.site))
        if done[0] == _NO_MOUNT or done[2].startswith("unshare:"):
            pytest.skip(f"mounts cannot be changed here: {done[2]}")
        return done

    def sealed(self) -> Path:
        return self.site / "coldseek_core" / "kernels" / "sealed"

    def library(self, level: str) -> Path:
        (path,) = [path for path in self.sealed().glob("*.so") if path.name.rpartition("-")[0] == level]
        return path

    def _command(self, code: str, options: Sequence[str], paths: Sequence[Path]) -> list[str]:
        before = f"import sys; sys.path[:0] = {[*map(str, paths), str(self.site)]!r}\n"
        return [self.python, "-I", "-S", "-B", *(options or ("-W", "error")), "-c", before + code]


def _start(command: list[str], variables: Variables, folder: Path) -> Process:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, env=dict(variables), cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, text=True, encoding="utf-8"
    )


def finish(process: Process, said: str = "") -> tuple[int, str, str]:
    output, errors = process.communicate(said, timeout=300)
    return process.returncode, output, errors


def public_python() -> str:
    """A Python of this version that another user may run."""
    nobody: dict[str, Any] = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    code = "import ctypes, json, sys; print(*sys.version_info[:2])"
    candidates = (sys._base_executable, shutil.which("python3", path="/usr/local/bin:/usr/bin"))  # pyright: ignore
    for python in filter(None, candidates):
        try:
            done = subprocess.run(
                [python, "-I", "-S", "-c", code], capture_output=True, text=True, check=False, **nobody
            )
        except PermissionError:
            continue
        if done.stdout.split() == [str(part) for part in sys.version_info[:2]]:
            return python
    pytest.skip(f"no Python {sys.version_info.major}.{sys.version_info.minor} is there that another user may run")


def copy_packages(site: Path, sealed: Path) -> None:
    """The core with sealed kernels and its modules in one file, the bindings, msgpack, Stemmer, and the questions."""
    import msgpack
    import Stemmer

    import coldseek
    import coldseek_core
    from coldseek_core.linking import FILE, linked_source

    unwanted = shutil.ignore_patterns("__pycache__", "sealed")
    for module in (coldseek, coldseek_core, msgpack):
        folder = Path(str(module.__file__)).parent
        shutil.copytree(folder, site / folder.name, ignore=unwanted)
    shutil.copy(Path(Stemmer.__file__), site)
    shutil.copy(Path(__file__).with_name("asking.py"), site)
    shutil.copytree(sealed, site / "coldseek_core" / "kernels" / "sealed")
    packages = {name: site / name for name in ("coldseek", "coldseek_core")}
    (site / "coldseek_core" / FILE).write_text(linked_source(packages))
