"""What rounding vectors costs: the scan's best ten beside those of float32, and the error of the similarity.

    python bench/recall.py [--json FILE]

1,000, 10,000 and 50,000 vectors of 512 dimensions (COLDSEEK_BENCH_CHUNKS: that size only), clustered as in the other
benchmarks and in all directions alike, 200 questions of the same kind. The truth is numpy's float32 product of unit
vectors. Codes, remainders, question and scan are what an index uses. Widest swap: how far, in true similarity, a row
that came in lies below the true tenth at most. Codes alone: recall without the 4 bits of remainders.
Question alone: recall if only the question is rounded. Gap: median distance between the true tenth and eleventh.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coldseek_core import kernels
from coldseek_core.embed.quantise import QuantisedVectors, Quantiser
from coldseek_core.search.legs import QueryVector
from machine import machine, print_table, smoke_chunks, write_figures
from workload import Rows, clustered_vectors, unit_vectors

SIZES = (1_000, 10_000, 50_000)
DIMENSIONS = 512
QUESTIONS = 200
BEST = 10
BATCH = 1_000
KINDS = {"clustered": clustered_vectors, "all directions alike": unit_vectors}


def quantised(vectors: NDArray[np.float32]) -> QuantisedVectors:
    quantiser = Quantiser(len(vectors), vectors.shape[1])
    rows = Rows(vectors)
    for first in range(0, len(vectors), BATCH):
        quantiser.add(rows[first : first + BATCH])
    return quantiser.finish()


def scan_best(made: QuantisedVectors, query: QueryVector) -> NDArray[np.int64]:
    """The rows that the scan puts first."""
    rows = np.empty(BEST, np.int64)
    similarities = np.empty(BEST, np.float64)
    count, dimensions = made.codes.shape
    found = kernels.load().scan_top(
        *(made.codes.ctypes.data, made.remainders.ctypes.data, made.squares.ctypes.data, dimensions, 0, count),
        *(query.codes.address, query.square, 0, 0),
        *(rows.ctypes.data, similarities.ctypes.data, BEST),
    )
    return rows[:found]


def scan_similarities(made: QuantisedVectors, query: QueryVector) -> NDArray[np.float64]:
    """The similarity of every row."""
    count, dimensions = made.codes.shape
    rows = np.arange(count, dtype=np.int64)
    similarities = np.empty(count, np.float64)
    kernels.load().similarity_rows(
        *(made.codes.ctypes.data, made.remainders.ctypes.data, made.squares.ctypes.data, dimensions, count),
        *(query.codes.address, query.square, rows.ctypes.data, count, similarities.ctypes.data),
    )
    return similarities


def measure(kind: str, count: int) -> dict[str, Any]:
    vectors = KINDS[kind](np.random.default_rng(1), count + QUESTIONS, DIMENSIONS)
    vectors, questions = vectors[:count], vectors[count:]
    made = quantised(vectors)
    unit_codes = made.codes / np.linalg.norm(made.codes.astype(np.float32), axis=1, keepdims=True)
    overlaps: list[float] = []
    code_overlaps: list[float] = []
    question_overlaps: list[float] = []
    gaps: list[float] = []
    mean_errors: list[float] = []
    largest_error = widest_swap = 0.0
    for question in questions:
        truth = vectors @ question
        best = np.argsort(-truth, kind="stable")[:BEST]
        query = QueryVector(question.tolist(), DIMENSIONS, kernels.load())
        found = scan_best(made, query)
        overlaps.append(len(np.intersect1d(best, found)) / len(best))
        widest_swap = max(widest_swap, float(truth[best].min() - truth[found].min()))
        codes = np.array(query.codes.view, np.float32)
        by_question = np.argsort(-(vectors @ (codes / np.linalg.norm(codes))), kind="stable")[:BEST]
        question_overlaps.append(len(np.intersect1d(best, by_question)) / len(best))
        by_codes = np.argsort(-(unit_codes @ question), kind="stable")[:BEST]
        code_overlaps.append(len(np.intersect1d(best, by_codes)) / len(best))
        nearest = -np.sort(-truth)
        gaps.append(float(nearest[BEST - 1] - nearest[BEST]))
        errors = np.abs(scan_similarities(made, query) - truth)
        mean_errors.append(float(errors.mean()))
        largest_error = max(largest_error, float(errors.max()))
    return {
        "vectors": count,
        "dimensions": DIMENSIONS,
        "kind": kind,
        "questions": QUESTIONS,
        "recallAt10": float(np.mean(overlaps)),
        "lowestRecallAt10": min(overlaps),
        "codesAloneRecallAt10": float(np.mean(code_overlaps)),
        "questionAloneRecallAt10": float(np.mean(question_overlaps)),
        "widestSwap": widest_swap,
        "medianGap": float(np.median(gaps)),
        "meanError": float(np.mean(mean_errors)),
        "largestError": largest_error,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the raw figures there")
    options = parser.parse_args()
    began = machine()
    chunks = smoke_chunks()
    figures = [measure(kind, count) for kind in KINDS for count in ((chunks,) if chunks else SIZES)]
    write_figures(options.json, began, figures)
    print_table(
        [
            "vectors",
            "kind",
            "recall@10",
            "lowest of a question",
            "codes alone",
            "question alone",
            "widest swap",
            "gap",
            "error, mean",
            "error, largest",
        ],
        [
            [
                f"{one['vectors']:,}",
                one["kind"],
                f"{one['recallAt10']:.2%}",
                f"{one['lowestRecallAt10']:.0%}",
                f"{one['codesAloneRecallAt10']:.2%}",
                f"{one['questionAloneRecallAt10']:.2%}",
                f"{one['widestSwap']:.4f}",
                f"{one['medianGap']:.6f}",
                f"{one['meanError']:.6f}",
                f"{one['largestError']:.6f}",
            ]
            for one in figures
        ],
    )


if __name__ == "__main__":
    main()
