"""The packages that the runtime needs, fetched by pip for the target, which may be another kind of machine."""

import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from coldseek_core.errors import BundleError

RUNTIME = ("msgpack", "PyStemmer")
HTTP = ("httpx",)

_LAST_LINES = 4


def pinned_requirements(http: bool) -> list[str]:
    """The versions that are installed here: what the index was verified with is what answers.

    `http`: whether questions are embedded over HTTP. Raises BundleError for a package that is not installed.
    """
    try:
        return [f"{name}=={version(name)}" for name in (*RUNTIME, *(HTTP if http else ()))]
    except PackageNotFoundError as error:
        extra = "[http]" if error.name in HTTP else ""
        raise BundleError(
            f"the package {error.name!r} is not installed, and the bundle needs it in the same version; install it "
            f'with: pip install "coldseek{extra}"'
        ) from error


def add_packages(folder: Path, requirements: list[str], python: str, machine: str) -> None:
    """Install wheels for that Python and machine into `folder`. Raises BundleError that ends with pip's last lines."""
    if find_spec("pip") is None:
        raise BundleError(
            f"pip, which fetches packages for the bundle, is not installed for {sys.executable}; install it with: "
            f"{sys.executable} -m ensurepip"
        )
    command = [
        *(sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"),
        *("--target", str(folder), "--no-compile", "--only-binary=:all:"),
        *("--platform", f"manylinux2014_{machine}", "--implementation", "cp", "--python-version", python),
        *requirements,
    ]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        lines = (done.stderr.strip() or done.stdout.strip()).splitlines()[-_LAST_LINES:]
        raise BundleError(
            f"pip cannot fetch {', '.join(requirements)} for Python {python} on {machine} (status {done.returncode}): "
            f"{' | '.join(lines)}"
        )
    shutil.rmtree(folder / "bin", ignore_errors=True)  # commands for people, which name this machine's Python
