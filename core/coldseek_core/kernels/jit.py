# pyright: basic, reportMissingTypeStubs=false
# Numba comes without types.
"""Compile the kernels with Numba in this process; compiled code is kept in the user's cache folder where it can be."""

import hashlib
import os
import shutil
import stat
import warnings
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core import config

from ..errors import KernelError
from . import fill_slots, find_terms, fnv1a, postings_top, quantise, row_filter, scan, score_rows
from .options import OPTIONS
from .signatures import SIGNATURES

_SOURCES = {
    "digest": fnv1a.digest,
    "fill_slots": fill_slots.fill_slots,
    "find_terms": find_terms.find_terms,
    "postings_top": postings_top.postings_top,
    "score_rows": score_rows.score_rows,
    "mark_rows": row_filter.mark_rows,
    "scan_top": scan.scan_top,
    "similarity_rows": scan.similarity_rows,
    "quantise_query": quantise.quantise_query,
    "quantise_rows": quantise.quantise_rows,
}

_NUMBA_TYPES = {
    "i8": types.int8,
    "u8": types.uint8,
    "i16": types.int16,
    "u32": types.uint32,
    "i64": types.int64,
    "u64": types.uint64,
    "f64": types.float64,
}


def _numba_type(name: str) -> Any:
    base = _NUMBA_TYPES[name.rstrip("*")]
    return types.CPointer(base) if name.endswith("*") else base


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
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    folder = Path(base) / "coldseek" / f"kernels-{digest.hexdigest()[:16]}"
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


def compile_kernels() -> tuple[dict[str, int], list[Any]]:
    """Addresses of all kernels, and the objects that keep their code alive.

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


def _compile(folder: Path | None) -> tuple[dict[str, int], list[Any]]:
    before = config.CACHE_DIR  # pyright: ignore
    addresses: dict[str, int] = {}
    alive: list[Any] = []
    try:
        if folder is not None:
            config.CACHE_DIR = str(folder)  # pyright: ignore
        for name, (result, arguments) in SIGNATURES.items():
            signature = _numba_type(result)(*[_numba_type(argument) for argument in arguments])
            compiled = numba.cfunc(signature, cache=folder is not None, **OPTIONS)(_SOURCES[name])
            addresses[name] = int(compiled.address or 0)
            alive.append(compiled)
    finally:
        config.CACHE_DIR = before  # pyright: ignore
    return addresses, alive
