# pyright: basic, reportMissingTypeStubs=false
# Numba comes without types.
"""Compile the kernels with Numba in this process; compiled code is kept in the user's cache folder where it can be."""

import os
import shutil
import stat
import warnings
from pathlib import Path
from typing import Any

import numba
from numba.core import config

from ..errors import KernelError
from .options import OPTIONS
from .sealed_files import digest_of, source_digest
from .signatures import SIGNATURES
from .sources import SOURCES, numba_signature


def cache_folder() -> Path | None:
    """Where compiled kernels are kept, or None if no folder there is ours alone and can be written.

    The folder is named by the digest of the kernels' source, so that a kernel is never taken from code that has
    changed (Numba looks at one file's time only). It must belong to this user and be closed to others, because what
    is cached there is code.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # the XDG specification says to ignore a relative one
        base = os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(base):
        return None  # a user without a home
    digest = digest_of(f"{numba.__version__} {source_digest()}".encode())
    folder = Path(base) / "coldseek" / f"kernels-{digest[:16]}"
    try:
        for place in (folder.parent, folder):  # who may write the one may replace the other
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            status = place.stat()
            if status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                return None
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except (OSError, RuntimeError):
        return None
    return folder


def compile_kernels() -> dict[str, Any]:
    """All kernels by name; each keeps its code alive and has its `address`.

    Raises KernelError where Numba is told not to compile.
    """
    if getattr(config, "DISABLE_JIT", False):
        raise KernelError("NUMBA_DISABLE_JIT is set, so the kernels cannot be compiled; unset it")
    folder = cache_folder()
    if folder is not None:
        for attempt in range(2):
            try:
                return _compile(folder)
            except Exception as error:
                # A damaged or clashing cache must never cost an answer: empty it once, then do without.
                if attempt == 0:
                    shutil.rmtree(folder, ignore_errors=True)
                    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                else:
                    warnings.warn(f"kernels are compiled without a cache: {error}", RuntimeWarning, stacklevel=2)
    return _compile(None)


def _compile(folder: Path | None) -> dict[str, Any]:
    before = config.CACHE_DIR  # pyright: ignore
    try:
        if folder is not None:
            config.CACHE_DIR = str(folder)  # pyright: ignore
        return {
            name: numba.cfunc(numba_signature(name), cache=folder is not None, **OPTIONS)(SOURCES[name])
            for name in SIGNATURES
        }
    finally:
        config.CACHE_DIR = before  # pyright: ignore
