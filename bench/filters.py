"""Filtered questions beside unfiltered ones, in one run.

    python bench/filters.py [--json FILE]

200,000 chunks of 384 dimensions and 60 words, and 1,000,000 of 32 and 10 (COLDSEEK_BENCH_CHUNKS: that size and a
tenth), each a document of its own; hybrid, vectors given, one thread. 20 questions, medians in milliseconds: the first
question of an opened index with a filter (five openings), which finds the rows that it keeps, and later questions with
the same filter. Filters that keep 1 % do so by a number, a text, a date, words; `three` keeps three documents by id,
and the run fails unless exactly these are found.
"""

import argparse
import statistics
import tempfile
import time
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import coldseek
from machine import machine, print_table, smoke_chunks, write_figures
from workload import Workload, make_workload, write_workload

SIZES = ((200_000, 384, 60), (1_000_000, 32, 10))  # chunks, dimensions, words a chunk
OPENINGS = 5
QUESTIONS = 20
FIRST_DAY = date(2000, 1, 1)


def build(chunks: int, dimensions: int, words: int, folder: Path) -> Workload:
    """An index of which each hundredth chunk is of one group, and as many in turn are of one day."""
    made = make_workload(chunks, dimensions, QUESTIONS, words_a_chunk=words)
    documents = [
        replace(
            document,
            metadata={
                "order": order,
                "group": f"group {order * 7919 % 100}",
                "updated": (FIRST_DAY + timedelta(days=order * 100 // chunks)).isoformat(),
            },
        )
        for order, document in enumerate(made.documents)
    ]
    made = Workload(documents, made.vectors, made.queries)
    write_workload(made, folder)
    return made


def filters_of(made: Workload) -> dict[str, dict[str, Any] | None]:
    chunks = len(made.documents)
    words = made.documents[0].chunks[0].text.split()
    day = (FIRST_DAY + timedelta(days=50)).isoformat()
    return {
        "none": None,
        "number": {"metadata": {"order": {"gte": chunks // 2, "lt": chunks // 2 + chunks // 100}}},
        "text": {"metadata": {"group": "group 7"}},
        "date": {"metadata": {"updated": {"gte": day, "lte": day}}},
        "three": {"document_ids": [f"d{row}" for row in three_rows(chunks)]},
        "contains": {"contains": words[0]},
        "phrase": {"phrase": " ".join(words[:2])},
    }


def three_rows(chunks: int) -> list[int]:
    return [0, chunks // 3, chunks - 1]


def ask(index: coldseek.Index, query: tuple[str, list[float]], conditions: dict[str, Any] | None) -> float:
    """Seconds that one question takes."""
    begin = time.perf_counter()
    index.search(query[0], vector=query[1], filter=conditions)
    return time.perf_counter() - begin


def measure(folder: Path, made: Workload) -> list[dict[str, Any]]:
    figures: list[dict[str, Any]] = []
    for name, conditions in filters_of(made).items():
        first: list[float] = []
        later: list[float] = []
        kept = 0
        for _ in range(OPENINGS):
            with coldseek.open(folder) as index:
                index.search(made.queries[0][0], vector=made.queries[0][1])
                first.append(ask(index, made.queries[0], conditions))
                later += [ask(index, query, conditions) for query in made.queries]
                kept = len(made.documents) if conditions is None else kept_rows(index)
        figures.append(
            {
                "chunks": len(made.documents),
                "dimensions": made.dimensions,
                "filter": name,
                "kept": kept,
                "first": statistics.median(first),
                "later": statistics.median(later),
            }
        )
    with coldseek.open(folder) as index:
        check_three(index, made)
    return figures


def kept_rows(index: coldseek.Index) -> int:
    """How many rows the filter that was asked for last keeps."""
    [(_, kept), *_] = index._engine._filters._recent  # pyright: ignore
    return sum(byte.bit_count() for byte in kept.bitmap.view)  # pyright: ignore


def check_three(index: coldseek.Index, made: Workload) -> None:
    """Raises SystemExit unless a filter that keeps three chunks finds these for every question."""
    wanted = three_rows(len(made.documents))
    for text, vector in made.queries:
        hits = index.search(text, vector=vector, mode="semantic", filter=filters_of(made)["three"]).hits
        if sorted(hit.row for hit in hits) != wanted:
            raise SystemExit(f"expected the rows {wanted}, found {[hit.row for hit in hits]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the raw figures (seconds) there")
    options = parser.parse_args()
    began = machine()
    chunks = smoke_chunks()
    sizes = ((max(3, chunks // 10), 32, 10), (max(3, chunks), 32, 10)) if chunks else SIZES
    figures: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="coldseek-filters-") as scratch:
        for order, size in enumerate(sizes):
            folder = Path(scratch) / f"{order}.coldseek"
            figures += measure(folder, build(*size, folder))
    write_figures(options.json, began, figures)
    print_table(
        ["chunks", "dimensions", "filter", "kept", "first question", "later ones"],
        [
            [
                f"{one['chunks']:,}",
                str(one["dimensions"]),
                one["filter"],
                f"{one['kept']:,}",
                f"{one['first'] * 1000:.2f} ms",
                f"{one['later'] * 1000:.2f} ms",
            ]
            for one in figures
        ],
    )


if __name__ == "__main__":
    main()
