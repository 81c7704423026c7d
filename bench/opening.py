"""Time to open a small and a large index in turn, with the page faults of opening and the bytes mapped.

    python bench/opening.py [--json FILE]

1,000 and 200,000 chunks of 32 dimensions and 10 words (COLDSEEK_BENCH_CHUNKS: that size and a tenth). The kernels are
loaded and the files are in the page cache; medians of 200 openings.
"""

import argparse
import resource
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import coldseek
from coldseek_core import kernels
from machine import machine, print_table, smoke_chunks, write_figures
from workload import make_workload, write_workload

SIZES = (1_000, 200_000)
DIMENSIONS = 32
WORDS_A_CHUNK = 10
OPENINGS = 200


def open_once(folder: Path) -> tuple[float, int]:
    """(seconds, page faults that read nothing from a disk) of one opening."""
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    begin = time.perf_counter()
    index = coldseek.open(folder)
    seconds = time.perf_counter() - begin
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults
    index.close()
    return seconds, faults


def build(chunks: int, scratch: Path) -> Path:
    folder = scratch / f"{chunks}.coldseek"
    write_workload(make_workload(chunks, DIMENSIONS, words_a_chunk=WORDS_A_CHUNK), folder)
    return folder


def measure(sizes: tuple[int, ...], scratch: Path) -> list[dict[str, Any]]:
    folders = [build(chunks, scratch) for chunks in sizes]
    for folder in folders:
        open_once(folder)
    taken: list[list[tuple[float, int]]] = [[] for _ in folders]
    for _ in range(OPENINGS):
        for times, folder in zip(taken, folders, strict=True):
            times.append(open_once(folder))
    figures: list[dict[str, Any]] = []
    for chunks, folder, times in zip(sizes, folders, taken, strict=True):
        with coldseek.open(folder) as index:
            mapped, copied = index.info()["mappedBytes"], index.info()["copiedBytes"]
        seconds = sorted(one for one, _ in times)
        figures.append(
            {
                "chunks": chunks,
                "dimensions": DIMENSIONS,
                "openings": OPENINGS,
                "median": statistics.median(seconds),
                "percentile99": statistics.quantiles(seconds, n=100)[98],
                "minorFaults": statistics.median(faults for _, faults in times),
                "mappedBytes": mapped,
                "copiedBytes": copied,
            }
        )
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the raw figures (seconds and bytes) there")
    options = parser.parse_args()
    began = machine()
    kernels.load()
    chunks = smoke_chunks()
    with tempfile.TemporaryDirectory(prefix="coldseek-opening-") as scratch:
        figures = measure((max(1, chunks // 10), chunks) if chunks else SIZES, Path(scratch))
    write_figures(options.json, began, figures)
    print_table(
        ["chunks", "open, median", "99th percentile", "page faults", "mapped", "copied"],
        [
            [
                f"{one['chunks']:,}",
                f"{one['median'] * 1000:.3f} ms",
                f"{one['percentile99'] * 1000:.3f} ms",
                f"{one['minorFaults']:g}",
                f"{one['mappedBytes'] / 1e6:.2f} MB",
                f"{one['copiedBytes']:,} bytes",
            ]
            for one in figures
        ],
    )


if __name__ == "__main__":
    main()
