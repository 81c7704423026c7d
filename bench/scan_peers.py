"""The scan beside FAISS and usearch: from a question in memory to the row numbers and scores of its 40 nearest.

    python bench/scan_peers.py [--json FILE] [--rows N[,N...]]

1,000 to 4,000,000 random unit vectors of 384 dimensions, one thread each, everything in memory. All are given a
question as a float32 array, turn it into what they compare with, and return rows and scores:

- coldseek: the engine's retriever (`DenseLeg.prepare` and `top`), 8-bit codes with 4-bit remainders, lists. No chunk is
  read and no hit is made, as the others have none.
- FAISS: IndexScalarQuantizer, QT_8bit, inner product.
- usearch, index: the exact search of its index of int8, up to LARGEST_GRAPH rows, since it builds a graph, too.
- usearch, array: the exact search of an array of int8 codes, each vector rounded with a scale of its own, and the
  question's rounding.

Medians over rounds, in each of which all have their turn, in another order each time, and answer some questions in a
row. Two tables: of the first question of a turn, when the caches are full of others' vectors and all come from memory,
and of the next ones, when vectors that fit a cache are there. The recall is that of the 40 nearest by float32, to show
that none is quick by leaving out more. 4,000,000 rows take some 13 GB of memory. COLDSEEK_BENCH_CHUNKS: that many rows.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coldseek_core import kernels
from coldseek_core.search.legs import DenseLeg
from machine import machine, print_table, smoke_chunks, write_figures
from peers.vectors import int8_codes
from workload import unit_vectors

ROWS = (1_000, 2_000, 5_000, 10_000, 50_000, 100_000, 200_000, 1_000_000, 4_000_000)
DIMENSIONS = 384
BEST = 40
QUESTIONS = 5
BLOCK = 50_000
LARGEST_GRAPH = 200_000
# Rounds: so many rows in all, but within these numbers.
TOTAL, LEAST, MOST = 20_000_000, 9, 101
TURNS = {"first": "the first question of a turn", "next": "the next ones"}

Search = Callable[[NDArray[np.float32]], Any]
Blocks = list[NDArray[np.float32]]


class Columns:
    """Quantised vectors in memory, as `DenseLeg` takes them from an index's files."""

    def __init__(self, blocks: Blocks) -> None:
        rows, width = sum(map(len, blocks)), (DIMENSIONS + 1) // 2
        self._held: dict[str, NDArray[Any]] = {
            "codes": np.empty((rows, DIMENSIONS), np.int8),
            "remainders": np.empty((rows, width), np.int8),
            "square": np.empty(rows, np.int64),
        }
        first = 0
        for block in blocks:
            parts = [self._held[name][first:] for name in ("codes", "remainders", "square")]
            largest, values = np.empty(len(block)), block.astype(np.float64)
            kernels.load().quantise_rows(
                *(values.ctypes.data, len(block), DIMENSIONS, parts[0].ctypes.data, parts[1].ctypes.data),
                *(largest.ctypes.data, parts[2].ctypes.data),
            )
            first += len(block)

    def codes(self, _: str, name: str) -> Any:
        held = self._held[name]
        return SimpleNamespace(address=held.ctypes.data, width=held.shape[-1])

    numbers = codes


def coldseek_search(blocks: Blocks) -> Search:
    columns: Any = Columns(blocks)
    leg = DenseLeg(columns, kernels.load(), sum(map(len, blocks)))

    def search(question: Any, _held: Any = columns) -> Any:
        return leg.top(leg.prepare(question), BEST, None)

    return search


def faiss_search(blocks: Blocks) -> Search:
    faiss: Any = import_module("faiss")
    faiss.omp_set_num_threads(1)
    index = faiss.IndexScalarQuantizer(DIMENSIONS, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT)
    index.train(blocks[0])
    for block in blocks:
        index.add(block)

    def search(question: NDArray[np.float32]) -> Any:
        scores, rows = index.search(question[np.newaxis], BEST)
        return rows[0], scores[0]

    return search


def usearch_index(blocks: Blocks) -> Search:
    usearch: Any = import_module("usearch.index")
    index = usearch.Index(ndim=DIMENSIONS, metric=usearch.MetricKind.Cos, dtype="i8", connectivity=2, expansion_add=1)
    first = 0
    for block in blocks:
        index.add(np.arange(first, first + len(block)), block)
        first += len(block)

    def search(question: NDArray[np.float32]) -> Any:
        found = index.search(question, BEST, exact=True, threads=1)
        return found.keys, found.distances

    return search


def usearch_array(blocks: Blocks) -> Search:
    usearch: Any = import_module("usearch.index")
    codes = np.concatenate([int8_codes(block) for block in blocks])

    def search(question: NDArray[np.float32]) -> Any:
        found = usearch.search(codes, int8_codes(question), BEST, usearch.MetricKind.Cos, exact=True, threads=1)
        return found.keys, found.distances

    return search


CONTENDERS: dict[str, Callable[[Blocks], Search]] = {
    "coldseek": coldseek_search,
    "FAISS": faiss_search,
    "usearch, index": usearch_index,
    "usearch, array": usearch_array,
}


def nearest(blocks: Blocks, question: NDArray[np.float32]) -> set[int]:
    products = np.concatenate([block @ question for block in blocks])
    return set(np.argpartition(-products, BEST)[:BEST].tolist())


def measure(rows: int) -> dict[str, Any]:
    """Median seconds of each contender by TURNS, and its recall."""
    random = np.random.default_rng(rows)
    blocks = [unit_vectors(random, min(BLOCK, rows - first), DIMENSIONS) for first in range(0, rows, BLOCK)]
    questions = unit_vectors(random, QUESTIONS, DIMENSIONS)
    expected = [nearest(blocks, question) for question in questions]
    searches = {
        name: make(blocks) for name, make in CONTENDERS.items() if make is not usearch_index or rows <= LARGEST_GRAPH
    }
    blocks.clear()
    recalls = {
        name: statistics.mean(
            len(wanted & {int(row) for row in search(question)[0]}) / BEST
            for question, wanted in zip(questions, expected, strict=True)
        )
        for name, search in searches.items()
    }
    taken: dict[str, dict[str, list[float]]] = {turn: {name: [] for name in searches} for turn in TURNS}
    for _ in range(min(max(TOTAL // rows, LEAST), MOST)):
        for name in random.permutation(list(searches)).tolist():
            for order, question in enumerate(questions):
                begin = time.perf_counter()
                searches[name](question)
                taken["next" if order else "first"][name].append(time.perf_counter() - begin)
    medians = {turn: {name: statistics.median(times[name]) for name in searches} for turn, times in taken.items()}
    return {"rows": rows, "dimensions": DIMENSIONS, "seconds": medians, "recall": recalls}


def print_turn(turn: str, figures: list[dict[str, Any]]) -> None:
    ours, *others = CONTENDERS
    lines: list[list[str]] = []
    for found in figures:
        seconds: dict[str, float] = found["seconds"][turn]
        ratios = (f"{seconds[name] / seconds[ours]:.2f}" if name in seconds else "" for name in others)
        times = (f"{seconds[name] * 1000:.3f} ms" if name in seconds else "" for name in CONTENDERS)
        recalls = ", ".join(f"{recall:.3f}" for recall in found["recall"].values())
        lines.append([f"{found['rows']:,}", *times, *ratios, recalls])
    print(f"\n{TURNS[turn].capitalize()}:\n")
    head = [f"rows x {DIMENSIONS}", *CONTENDERS, *(f"{name} / {ours}" for name in others), "recalls"]
    print_table(head, lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the raw figures (seconds) there")
    parser.add_argument("--rows", metavar="N[,N...]", help=f"default {','.join(map(str, ROWS))}")
    options = parser.parse_args()
    began = machine()
    smoke = smoke_chunks()
    sizes = [int(size) for size in options.rows.split(",")] if options.rows else [smoke] if smoke else ROWS
    if min(sizes) <= BEST:
        parser.error(f"expected more than {BEST} rows; got {min(sizes)}")
    figures: list[dict[str, Any]] = []
    for size in sizes:
        figures.append(measure(size))
        write_figures(options.json, began, figures)  # a long run keeps what it has
    for turn in TURNS:
        print_turn(turn, figures)


if __name__ == "__main__":
    main()
