"""Fuzz the kernels, guided by which lines of their source the inputs reach.

    python tests/fuzz/fuzz_kernels.py [--seconds N] [--runs N] [--kernel NAME] [--sealed FOLDER] [--corpus FOLDER]

Atheris (pip install atheris) makes inputs and instruments the kernels' Python source, which runs uncompiled on arrays
whose bounds are checked. The sealed kernel of the best level here then gets the same input twice, every buffer flush
with a page that nobody may touch, behind it and before it; results and memory must be the same. Kernels share the
seconds. Prints runs, coverage at the beginning and at the end; ends with status 0 if nothing was found, else with 1,
and keeps the input in the folder `fuzz-findings`, for `--input FILE --kernel NAME`.
"""

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

for _folder in ("core", "tests"):  # behind PYTHONPATH, which may name another copy of the core
    sys.path.append(str(Path(__file__).resolve().parents[2] / _folder))

# Its parts are made by C++ and have no types.
atheris: Any = import_module("atheris")

from fuzz.plain import DTYPES, call_plain, plain_kernels  # noqa: E402

SOURCES = plain_kernels(lambda: atheris.instrument_imports(include=["coldseek_core.kernels"]))

import numpy as np  # noqa: E402

from coldseek_core.kernels.levels import levels_of, machine, offered_levels  # noqa: E402
from coldseek_core.kernels.loader import Kernels  # noqa: E402
from coldseek_core.kernels.sealed_files import (  # noqa: E402
    UnusableLibraryError,
    open_library,
    read_table,
    sealed_folder,
)
from coldseek_core.kernels.sealing import seal  # noqa: E402
from coldseek_core.kernels.signatures import SIGNATURES  # noqa: E402
from fuzz.cases import CASES  # noqa: E402
from fuzz.draw import TABLES, Draw  # noqa: E402
from kernels.guarded import GuardedBuffer  # noqa: E402

FINDINGS = Path("fuzz-findings")
BUFFER_BYTES = max(1 << 18, TABLES.nbytes)
# An input may take minutes where others use the machine too; that is no finding.
OPTIONS = (
    *("-max_len=1024", "-len_control=20", "-print_final_stats=1", "-rss_limit_mb=3000"),
    *("-timeout=600", "-report_slow_units=600"),
)


class Comparison:
    """One kernel's source and the compiled kernel, on the same input."""

    def __init__(self, kernel: str, compiled: Callable[..., int]) -> None:
        self.kernel = kernel
        self.compiled = compiled
        result, kinds = SIGNATURES[kernel]
        self.bits = 64 if result == "u64" else 0
        self.buffers = [GuardedBuffer(BUFFER_BYTES) if kind in DTYPES else None for kind in kinds]
        self.dtypes = [DTYPES.get(kind) for kind in kinds]

    def __call__(self, data: bytes) -> None:
        """Raises AssertionError where they differ, OutOfBoundsError where the source leaves an array; where compiled
        code does, the process ends.
        """
        arguments = CASES[self.kernel](Draw(atheris.FuzzedDataProvider(data)))
        for dtype, value in zip(self.dtypes, arguments, strict=True):
            sound = type(value) is int if dtype is None else value is None or getattr(value, "dtype", None) == dtype
            assert sound, f"{self.kernel}: the case gives {value!r} for {dtype}"
        after: list[Any] = [value.copy() if isinstance(value, np.ndarray) else value for value in arguments]
        result = call_plain(SOURCES[self.kernel], after)
        for at_end in (True, False):
            placed: list[Any] = [
                buffer.place(value, at_end) if buffer is not None and isinstance(value, np.ndarray) else value
                for buffer, value in zip(self.buffers, arguments, strict=True)
            ]
            found = self.compiled(
                *[value.ctypes.data if isinstance(value, np.ndarray) else value or 0 for value in placed]
            )
            if found != (result % 2**64 if self.bits else result):
                raise AssertionError(f"{self.kernel} gives {found} compiled, {result} as plain Python")
            for order, (left, right) in enumerate(zip(placed, after, strict=True)):
                if isinstance(left, np.ndarray) and left.tobytes() != right.tobytes():
                    raise AssertionError(f"{self.kernel} leaves {left} in argument {order} compiled, {right} as Python")


def best_kernels(sealed: Path) -> Kernels:
    """The sealed kernels of the best level that this machine offers."""
    table = read_table(str(sealed))
    level = offered_levels(open_library(str(sealed), levels_of(machine())[-1], table))[0]
    library = open_library(str(sealed), level, table)
    return Kernels(level, library, "fuzzed")


def sealed_here(scratch: Path) -> Path:
    """The checkout's sealed kernels, or some made now."""
    try:
        if set(levels_of(machine())) <= set(read_table(sealed_folder())):
            return Path(sealed_folder())
    except UnusableLibraryError:
        pass
    seal(machine(), scratch, installed=True)
    return scratch


def run_atheris(kernel: str, kernels: Kernels, arguments: list[str]) -> NoReturn:
    """Fuzz one kernel, or run an input; Atheris ends the process."""
    atheris.Setup([sys.argv[0], *arguments], Comparison(kernel, getattr(kernels, kernel)))
    atheris.Fuzz()
    sys.exit(0)


def fuzz(kernel: str, kernels: Kernels, limits: list[str], corpus: Path) -> bool:
    """Fuzz one kernel in a child of this process and say how it went; whether nothing was found."""
    corpus.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile("w+", errors="replace") as file:
        child = os.fork()
        if child == 0:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
            places = [f"-artifact_prefix={FINDINGS}/{kernel}-", str(corpus)]
            run_atheris(kernel, kernels, [*OPTIONS, *limits, *places])
        status = os.waitpid(child, 0)[1]
        file.seek(0)
        log = file.read()
    covered, features = re.findall(r"\bcov: (\d+)", log), re.findall(r"\bft: (\d+)", log)
    runs = re.search(r"stat::number_of_executed_units:\s*(\d+)", log)
    said = f"{kernel:<16} {runs[1] if runs else 0:>9} runs"
    if covered:
        said += f", coverage {covered[0]} to {covered[-1]}, features {features[0]} to {features[-1]}"
    print(said, flush=True)
    sound = status == 0 and runs is not None
    if not sound:
        print(f"{kernel}: found with status {status}\n{log[-3000:]}", flush=True)
    return sound


def main() -> int:
    parser = argparse.ArgumentParser(description="Fuzz the kernels.")
    parser.add_argument("--seconds", type=int, default=60, help="for all kernels together")
    parser.add_argument("--runs", type=int, default=-1, help="at most so many for each kernel")
    parser.add_argument("--kernel", choices=SIGNATURES, help="this one alone")
    parser.add_argument("--sealed", type=Path, help="folder of sealed kernels; else the checkout's, or some made now")
    parser.add_argument("--corpus", type=Path, help="keep inputs there, a folder for each kernel, and begin with them")
    parser.add_argument("--input", type=Path, help="run this input alone; needs --kernel")
    options = parser.parse_args()
    names: list[str] = [options.kernel] if options.kernel else [*SIGNATURES]
    with tempfile.TemporaryDirectory() as place:
        kernels = best_kernels(options.sealed or sealed_here(Path(place, "sealed")))
        if options.input:
            if not options.kernel:
                parser.error("--input needs --kernel")
            run_atheris(options.kernel, kernels, [str(options.input)])
        FINDINGS.mkdir(exist_ok=True)
        corpus = options.corpus or Path(place, "corpus")
        limits = [f"-max_total_time={max(1, options.seconds // len(names))}", f"-runs={options.runs}"]
        sound = [fuzz(name, kernels, limits, corpus / name) for name in names]
    if not any(FINDINGS.iterdir()):
        FINDINGS.rmdir()
    return 0 if all(sound) else 1


if __name__ == "__main__":
    sys.exit(main())
