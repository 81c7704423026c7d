"""What options of a search add to its time: highlights, explanations, neighbours, a cap for each document, a floor.

    python bench/hit_details.py [--json FILE]

1,000 and 50,000 chunks of 512 dimensions and 150 words (COLDSEEK_BENCH_CHUNKS: that size alone), 10 hits, in memory and
warm; the options take turns at each question. Medians over 20 questions of 6 words, 20 times each.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import coldseek
from machine import machine, print_table, smoke_chunks, write_figures
from workload import make_workload, write_workload

SIZES = (1_000, 50_000)
DIMENSIONS, WORDS_A_CHUNK, ROUNDS = 512, 150, 20
OPTIONS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "highlight": {"highlight": True},
    "explain": {"explain": True},
    "expand 2": {"expand": 2},
    "max_per_document 1": {"max_per_document": 1},
    "score_threshold 0.5": {"score_threshold": 0.5},
}
MODES = ("hybrid", "lexical")


def measure(chunks: int, scratch: Path) -> list[dict[str, Any]]:
    workload = make_workload(chunks, DIMENSIONS, words_a_chunk=WORDS_A_CHUNK)
    write_workload(workload, scratch)
    seconds: dict[tuple[str, str], list[float]] = {(mode, name): [] for mode in MODES for name in OPTIONS}
    with coldseek.open(scratch) as index:
        for order in range(ROUNDS + 1):
            for text, vector in workload.queries:
                for mode, name in seconds:
                    begin = time.perf_counter()
                    index.search(text, vector=vector, mode=mode, top_k=10, **OPTIONS[name])
                    taken = time.perf_counter() - begin
                    if order:
                        seconds[mode, name].append(taken)
    return [
        {"chunks": chunks, "mode": mode, "options": name, "seconds": statistics.median(values)}
        for (mode, name), values in seconds.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the raw figures (seconds) there")
    options = parser.parse_args()
    began = machine()
    chunks = smoke_chunks()
    figures: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="coldseek-details-") as scratch:
        for size in (chunks,) if chunks else SIZES:
            figures += measure(size, Path(scratch) / str(size))
    write_figures(options.json, began, figures)
    plain = {(one["chunks"], one["mode"]): one["seconds"] for one in figures if one["options"] == "nothing"}
    print_table(
        ["chunks", "mode", "options", "search", "more than without"],
        [
            [
                f"{one['chunks']:,}",
                one["mode"],
                one["options"],
                f"{one['seconds'] * 1000:.3f} ms",
                f"{(one['seconds'] - plain[one['chunks'], one['mode']]) * 1000:.3f} ms",
            ]
            for one in figures
        ],
    )


if __name__ == "__main__":
    main()
