"""Many queries at once, and two threads: how much a shared pass over the vectors and a second thread bring.

    python bench/bulk.py [--json FILE]

Two indexes: 50,000 chunks of 512 dimensions, 60 words a chunk, and 1,000,000 of 384, 20 words (384 MB of codes).
Measured are

- one scan, best 40, from a question's codes to rows and similarities, by one thread and by two that share its rows;
- a query of `search_many` (hybrid, vectors as float32 arrays, best 5 as hits with their texts), by one thread and by
  two, with a pass over the vectors for each query and with one for QUERIES_A_PASS;
- a single hybrid `retrieve`, and how many times as long as its two retrievers' kernels it takes (kernel_share.py).

Warm, files in the page cache; medians over ROUNDS rounds, in each of which everything has its turn. Of a machine that
others use, those rounds count in which they worked least: up to MOST_ROUNDS are made until there are enough quiet ones.
`cores`: processor time by wall-clock time; well below 2 for two threads, others had a core all the same, and the gain
says little. Answers must be equal throughout, or the run fails.
COLDSEEK_BENCH_CHUNKS: that many chunks of each number of dimensions.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import coldseek
from coldseek_core import kernels
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.search.legs import DenseLeg
from coldseek_core.search.results import SearchResult
from coldseek_core.search.settings import QUERIES_A_PASS
from kernel_share import whole_by_kernels
from machine import machine, print_table, smoke_chunks, work_of_others, write_figures
from workload import make_workload, write_workload

# Chunks, dimensions, words a chunk, queries of a batch.
SIZES = ((50_000, 512, 60, 192), (1_000_000, 384, 20, 64))
ROUNDS = 11
MOST_ROUNDS = 60
QUIET = 0.1  # processors that others keep busy
THREADS = (1, 2)
CANDIDATES = 40


def rounds_of(calls: dict[str, Callable[[], object]]) -> dict[str, dict[str, float]]:
    """Median seconds of each call, and of the processor's work by wall-clock time, over rounds in which all have their
    turn, after one that does not count.
    """
    for call in calls.values():
        call()
    rounds: list[tuple[float, dict[str, tuple[float, float]]]] = []
    while len(rounds) < ROUNDS or (len(rounds) < MOST_ROUNDS and sorted(rounds, key=by_others)[ROUNDS - 1][0] > QUIET):
        taken: dict[str, tuple[float, float]] = {}
        began, others = time.perf_counter(), work_of_others()
        for name, call in calls.items():
            begin, worked = time.perf_counter(), time.process_time()
            call()
            seconds = time.perf_counter() - begin
            taken[name] = seconds, (time.process_time() - worked) / seconds
        rounds.append(((work_of_others() - others) / (time.perf_counter() - began), taken))
    counted = [taken for _, taken in sorted(rounds, key=by_others)[:ROUNDS]]
    return {
        name: {
            "seconds": statistics.median(taken[name][0] for taken in counted),
            "cores": statistics.median(taken[name][1] for taken in counted),
        }
        for name in calls
    }


def by_others(one: tuple[float, dict[str, tuple[float, float]]]) -> float:
    return one[0]


def scans(folder: Path, vectors: list[Any]) -> dict[str, dict[str, float]]:
    """Of one scan by the number of threads."""
    loaded = kernels.load()
    with IndexFiles.open(folder) as files, files.in_use():
        rows = len(files.column("vectors", "codes"))
        legs = {threads: DenseLeg(files, loaded, rows, threads) for threads in THREADS}
        asked = [legs[1].prepare(vector) for vector in vectors[:4]]

        def scan(threads: int) -> list[Any]:
            return [legs[threads].top(query, CANDIDATES, None) for query in asked]

        if scan(1) != scan(2):
            raise SystemExit(f"threads change the answers of {folder.name}")
        found = rounds_of({str(threads): lambda threads=threads: scan(threads) for threads in THREADS})
        return {name: {**one, "seconds": one["seconds"] / len(asked)} for name, one in found.items()}


def plain(results: list[SearchResult]) -> list[list[tuple[int, float]]]:
    return [[(hit.row, hit.score) for hit in result.hits] for result in results]


def batches(folder: Path, texts: list[str], vectors: list[Any]) -> dict[str, dict[str, float]]:
    """Of one query of a batch, by how many share a pass and the number of threads."""
    indexes = {shared: coldseek.open(folder, queries_a_pass=shared) for shared in (1, QUERIES_A_PASS)}

    def search(shared: int, threads: int) -> list[SearchResult]:
        return indexes[shared].search_many(texts, vectors=vectors, workers=threads)

    ways = [(shared, threads) for shared in indexes for threads in THREADS]
    answers = [plain(search(*way)) for way in ways]
    if any(answer != answers[0] for answer in answers) or not all(answers[0]):
        raise SystemExit(f"the answers of {folder.name} depend on passes or threads")
    found = rounds_of({f"{way[0]} a pass, {way[1]}": lambda way=way: search(*way) for way in ways})
    for index in indexes.values():
        index.close()
    return {name: {**one, "seconds": one["seconds"] / len(texts)} for name, one in found.items()}


def single_questions(folder: Path, texts: list[str], vectors: list[Any]) -> dict[str, float]:
    with coldseek.open(folder) as index:
        return whole_by_kernels(index, list(zip(texts, vectors, strict=True)), 3)


def measure(chunks: int, dimensions: int, words: int, queries: int, scratch: Path) -> dict[str, Any]:
    """Seconds of one scan and of one query of a batch."""
    folder = scratch / f"{chunks}x{dimensions}"
    workload = make_workload(chunks, dimensions, queries=queries, words_a_chunk=words)
    write_workload(workload, folder)
    texts = [text for text, _ in workload.queries]
    vectors = [np.array(vector, np.float32) for _, vector in workload.queries]
    del workload
    return {
        "chunks": chunks,
        "dimensions": dimensions,
        "queries": queries,
        "scan": scans(folder, vectors),
        "batch": batches(folder, texts, vectors),
        "wholeByKernels": single_questions(folder, texts, vectors),
    }


def shown(figures: dict[str, Any]) -> list[str]:
    scan, batch = figures["scan"], figures["batch"]
    each, shared = ([batch[f"{number} a pass, {threads}"] for threads in THREADS] for number in (1, QUERIES_A_PASS))
    cells: list[str] = []
    for one, two in ((scan["1"], scan["2"]), each, shared):
        cells += [f"{one['seconds'] * 1000:.3f} ms", f"{two['seconds'] * 1000:.3f} ms ({two['cores']:.2f} cores)"]
        cells.append(f"{one['seconds'] / two['seconds']:.2f}")
    gains = [f"{mine['seconds'] / theirs['seconds']:.2f}" for mine, theirs in zip(each, shared, strict=True)]
    single = figures["wholeByKernels"]
    whole = [f"{single['whole'] * 1000:.3f} ms", f"{single['ratio']:.2f}"]
    return [f"{figures['chunks'] * figures['dimensions'] / 1e6:,.0f} MB", *cells, *gains, *whole]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the raw figures (seconds) there")
    options = parser.parse_args()
    began = machine()
    with tempfile.TemporaryDirectory(prefix="coldseek-bulk-") as scratch:
        figures = [
            measure(smoke_chunks() or chunks, dimensions, words, queries, Path(scratch))
            for chunks, dimensions, words, queries in SIZES
        ]
    write_figures(options.json, began, figures)
    names = ["codes"]
    for what in ("scan", "query of a batch, a pass each", f"query of a batch, {QUERIES_A_PASS} a pass"):
        names += [f"{what}: one thread", "- two threads", "- gain of the second thread"]
    names += [
        "gain of the shared pass, one thread",
        "- two threads",
        "a single `retrieve`",
        "- by its two kernels' time",
    ]
    head = ["", *(f"{one['chunks']:,} x {one['dimensions']}" for one in figures)]
    print_table(head, [list(row) for row in zip(names, *map(shown, figures), strict=True)])


if __name__ == "__main__":
    main()
