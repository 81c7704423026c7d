"""The exact scan beside a plain streaming read of the same codes: how near it comes to the speed of memory.

    python bench/scan_speed.py [--beside FOLDER] [--json FILE]

One thread, every CPU level that this machine offers, codes in a mapped file that is in the page cache, the best 40 of
all rows. The read adds up nothing: it combines 64-bit words with "or", and the quickest of numpy's and a compiled loop
counts. Medians over rounds, in each of which every candidate reads the codes once. `--beside`: a folder of sealed
libraries of other kernels (of another checkout), measured in the same rounds; their answers must be equal.
COLDSEEK_BENCH_CHUNKS: that many rows of each number of dimensions.
"""

import argparse
import ctypes
import mmap
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from coldseek_core.errors import KernelError
from coldseek_core.kernels import Kernels
from coldseek_core.kernels.levels import levels_of
from coldseek_core.kernels.levels import machine as architecture
from coldseek_core.kernels.loader import open_level
from machine import machine, print_table, smoke_chunks, write_figures

SIZES = (
    *((10_000, 384), (50_000, 512), (50_000, 100), (50_000, 771), (200_000, 256)),
    *((1_000_000, 128), (1_000_000, 512), (4_000_000, 128)),
)
CANDIDATES = 40
BATCH = 10_000
# Rounds: so many bytes in all, but within these numbers.
TOTAL, LEAST, MOST = 6_000_000_000, 11, 101

# Rows and similarities.
Found = tuple[ctypes.Array[ctypes.c_int64], ctypes.Array[ctypes.c_double]]


@numba.njit
def combined(words: Any) -> Any:
    total = words[0]
    for place in range(len(words)):
        total |= words[place]
    return total


class Columns:
    """Random codes in a mapped file, remainders of zero, the squares of both, and a question."""

    def __init__(self, rows: int, dimensions: int, folder: Path) -> None:
        random = np.random.default_rng(dimensions)
        path = folder / f"{rows}x{dimensions}"
        squares: list[NDArray[np.int64]] = []
        with path.open("wb") as file:
            for first in range(0, rows, BATCH):
                shape = (min(BATCH, rows - first), dimensions)
                codes = random.integers(-127, 128, shape, np.int8)
                squares.append(256 * np.einsum("ij,ij->i", codes, codes, dtype=np.int64))
                codes.tofile(file)
        with path.open("rb") as file:
            self.codes = np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.int8)
        path.unlink()
        self.rows, self.dimensions = rows, dimensions
        self.remainders = np.zeros(rows * ((dimensions + 1) // 2), np.int8)
        self.squares = np.concatenate(squares)
        self.query = random.integers(-16383, 16384, dimensions).astype(np.int16)
        self.query_square = int(np.square(self.query.astype(np.int64)).sum())
        self.words = self.codes[: self.codes.size // 8 * 8].view(np.int64)

    def scan_with(self, kernels: Kernels) -> Callable[[], Found]:
        """A scan whose arguments are ready, so that hardly more than the kernel is timed."""
        best, similarities = (ctypes.c_int64 * CANDIDATES)(), (ctypes.c_double * CANDIDATES)()
        scan_top = kernels.scan_top
        arguments = (
            *(self.codes.ctypes.data, self.remainders.ctypes.data, self.squares.ctypes.data, self.dimensions),
            *(0, self.rows, self.query.ctypes.data, self.query_square, 0, 0),
            *(ctypes.addressof(best), ctypes.addressof(similarities), CANDIDATES),
        )

        def scan() -> Found:
            scan_top(*arguments)
            return best, similarities

        return scan


def offered(beside: Path | None) -> dict[str, Kernels]:
    """Kernels by level, and those of the other folder by level and `beside`."""
    found: dict[str, Kernels] = {}
    for level in levels_of(architecture()):
        with suppress(KernelError):
            found[level] = open_level(level)
        if level in found and beside is not None:
            library = ctypes.CDLL(str(next(beside.glob(f"{level}-" + "[0-9a-f]" * 16 + ".so"))))
            found[f"{level}, beside"] = Kernels(level, lambda name, held=library: held[f"coldseek_{name}"], "beside")
    return found


def measure(rows: int, dimensions: int, folder: Path, levels: dict[str, Kernels]) -> dict[str, Any]:
    """Seconds of the read, and of each level's scan."""
    columns = Columns(rows, dimensions, folder)
    scans = {name: columns.scan_with(kernels) for name, kernels in levels.items()}
    answers = [tuple(map(list, scan())) for scan in scans.values()]
    if any(answer != answers[0] for answer in answers):
        raise SystemExit(f"levels differ over {rows} rows of {dimensions} dimensions")
    candidates: dict[str, Callable[[], object]] = {
        "compiled": lambda: combined(columns.words),
        "numpy": lambda: np.bitwise_or.reduce(columns.words),
        **scans,
    }
    for call in candidates.values():
        call()
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(min(max(TOTAL // (len(candidates) * columns.codes.nbytes), LEAST), MOST)):
        for name, call in candidates.items():
            begin = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - begin)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    read = min(medians.pop("compiled"), medians.pop("numpy"))
    return {"rows": rows, "dimensions": dimensions, "bytes": columns.codes.nbytes, "read": read, "scan": medians}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beside", type=Path, help="a folder of sealed libraries to measure in the same rounds")
    parser.add_argument("--json", type=Path, help="where to keep the raw figures")
    given = parser.parse_args()
    began = machine()
    levels = offered(given.beside)
    sizes = {(smoke_chunks() or rows, dimensions): None for rows, dimensions in SIZES}
    with tempfile.TemporaryDirectory() as folder:
        figures = [measure(rows, dimensions, Path(folder), levels) for rows, dimensions in sizes]
    write_figures(given.json, began, figures)
    print_table(
        ["rows x dimensions", "read", *levels],
        [
            [
                f"{found['rows']:,} x {found['dimensions']}",
                f"{found['read'] * 1000:.3f} ms, {found['bytes'] / found['read'] / 1e9:.1f} GB/s",
                *(f"{taken * 1000:.3f} ms, {found['read'] / taken:.0%}" for taken in found["scan"].values()),
            ]
            for found in figures
        ],
    )


if __name__ == "__main__":
    main()
