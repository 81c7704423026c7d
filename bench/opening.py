"""Time to open small and large indexes in turn, with the page faults of opening and the bytes mapped.

    python bench/opening.py [--json FILE]

1,000, 200,000 and 1,000,000 chunks of 32 dimensions and 10 words (COLDSEEK_BENCH_CHUNKS: that size and a tenth). The
kernels are loaded and the files are in the page cache; medians of 200 openings. A process of its own then opens each
index and asks one question: by how much its private memory (RssAnon), its mapped files (RssFile) and its page faults
grew over those of the bare interpreter that it began as.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import coldseek
from coldseek_core import kernels
from machine import machine, print_table, smoke_chunks, write_figures
from workload import make_workload, write_workload

SIZES = (1_000, 200_000, 1_000_000)
DIMENSIONS = 32
WORDS_A_CHUNK = 10
OPENINGS = 200

WHOLE_PROCESS = """
import sys
def grown(before=(0, 0, 0)):
    with open("/proc/self/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    with open("/proc/self/stat") as status:
        faults = int(status.read().rsplit(")", 1)[1].split()[7])
    now = *(int(fields[name].split()[0]) * 1024 for name in ("RssAnon", "RssFile")), faults
    return tuple(after - one for after, one in zip(now, before))
before = grown()
import coldseek
index = coldseek.open(sys.argv[1])
index.retrieve(sys.argv[2], vector=[float(value) for value in sys.argv[3:]])
print(*grown(before))
"""


def open_once(folder: Path) -> tuple[float, int]:
    """(seconds, page faults that read nothing from a disk) of one opening."""
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    begin = time.perf_counter()
    index = coldseek.open(folder)
    seconds = time.perf_counter() - begin
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults
    index.close()
    return seconds, faults


def build(chunks: int, scratch: Path) -> tuple[Path, list[str]]:
    """The index, and a question with its vector as arguments of a process."""
    folder = scratch / f"{chunks}.coldseek"
    workload = make_workload(chunks, DIMENSIONS, queries=1, words_a_chunk=WORDS_A_CHUNK)
    write_workload(workload, folder)
    text, vector = workload.queries[0]
    return folder, [text, *map(str, vector)]


def whole_process(folder: Path, question: list[str]) -> dict[str, int]:
    """Bytes and page faults that opening and asking took in a new process, over the bare interpreter's."""
    command = [sys.executable, "-I", "-c", WHOLE_PROCESS, str(folder), *question]
    grown = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return dict(zip(("privateBytes", "fileBytes", "processFaults"), map(int, grown), strict=True))


def measure(sizes: tuple[int, ...], scratch: Path) -> list[dict[str, Any]]:
    built = [build(chunks, scratch) for chunks in sizes]
    folders = [folder for folder, _ in built]
    for folder in folders:
        open_once(folder)
    taken: list[list[tuple[float, int]]] = [[] for _ in folders]
    for _ in range(OPENINGS):
        for times, folder in zip(taken, folders, strict=True):
            times.append(open_once(folder))
    figures: list[dict[str, Any]] = []
    for chunks, (folder, question), times in zip(sizes, built, taken, strict=True):
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
                **whole_process(folder, question),
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
        [
            "chunks",
            "open, median",
            "99th percentile",
            "page faults",
            "mapped",
            "copied",
            "process: private memory",
            "process: mapped files in memory",
            "process: page faults",
        ],
        [
            [
                f"{one['chunks']:,}",
                f"{one['median'] * 1000:.3f} ms",
                f"{one['percentile99'] * 1000:.3f} ms",
                f"{one['minorFaults']:g}",
                f"{one['mappedBytes'] / 1e6:.2f} MB",
                f"{one['copiedBytes']:,} bytes",
                f"{one['privateBytes'] / 1e6:.2f} MB",
                f"{one['fileBytes'] / 1e6:.2f} MB",
                f"{one['processFaults']:,}",
            ]
            for one in figures
        ],
    )


if __name__ == "__main__":
    main()
