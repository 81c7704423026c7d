"""A whole hybrid question and its parts, against the same in pure Python, in one run.

`test_ratio` prints the claim: the ratio of medians over all questions, with equal answers. The groups show both sides
alone. `test_hostile_questions` prints what long questions of every kind cost, and how that grows.
"""

import statistics
import time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from conftest import CHUNKS, Bench
from hostile_questions import HOSTILE

HOSTILE_SIZES = (50_000, 100_000, 200_000, 400_000)  # bytes
HOSTILE_ROUNDS = 5


@pytest.mark.benchmark(group="retrieve, hybrid")
def test_retrieve(benchmark: BenchmarkFixture, bench: Bench) -> None:
    text, vector = bench.workload.queries[0]
    result = benchmark(lambda: bench.index.retrieve(text, vector=vector))
    assert result.hits


@pytest.mark.benchmark(group="retrieve, hybrid")
def test_retrieve_pure_python(benchmark: BenchmarkFixture, bench: Bench) -> None:
    text, vector = bench.workload.queries[0]
    result = benchmark.pedantic(
        lambda: bench.oracle.retrieve(bench.analyser.analyse(text), vector), rounds=3, iterations=1
    )
    assert result.hits


@pytest.mark.benchmark(group="retrieve, keywords")
def test_retrieve_keywords(benchmark: BenchmarkFixture, bench: Bench) -> None:
    text, _ = bench.workload.queries[0]
    benchmark(lambda: bench.index.retrieve(text, mode="lexical", min_keyword_coverage=0.0))


@pytest.mark.benchmark(group="retrieve, keywords")
def test_retrieve_keywords_pure_python(benchmark: BenchmarkFixture, bench: Bench) -> None:
    text, _ = bench.workload.queries[0]
    benchmark.pedantic(
        lambda: bench.oracle.retrieve(bench.analyser.analyse(text), mode="lexical", min_keyword_coverage=0.0),
        rounds=3,
        iterations=1,
    )


def test_ratio(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """Median over all queries of both sides, asked in turn; equal answers are part of the claim."""
    ours: list[float] = []
    theirs: list[float] = []
    for text, vector in bench.workload.queries:
        bench.index.retrieve(text, vector=vector)
        begin = time.perf_counter()
        answer = bench.index.retrieve(text, vector=vector)
        middle = time.perf_counter()
        other = bench.oracle.retrieve(bench.analyser.analyse(text), vector)
        ours.append(middle - begin)
        theirs.append(time.perf_counter() - middle)
        assert [hit.row for hit in answer.hits] == [hit.row for hit in other.hits]
    ratio = statistics.median(theirs) / statistics.median(ours)
    with capsys.disabled():
        print(
            f"\nhybrid retrieve, {CHUNKS:,} chunks x {bench.workload.dimensions}: "
            f"{statistics.median(ours) * 1000:.2f} ms, pure Python {statistics.median(theirs) * 1000:.0f} ms, "
            f"{ratio:.0f} times"
        )


def test_hostile_questions(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """Medians of keyword searches and retrievals, as many of each: analysis, and the ranking of what is left of it."""
    lines = [f"\nms of a hostile question of {', '.join(f'{size:,}' for size in HOSTILE_SIZES)} bytes"]
    for name, make in HOSTILE.items():
        medians: list[str] = []
        for text in map(make, HOSTILE_SIZES):
            times: list[float] = []
            for _ in range(HOSTILE_ROUNDS):
                begin = time.perf_counter()
                bench.index.search(text, mode="lexical")
                middle = time.perf_counter()
                bench.index.retrieve(text, mode="lexical")
                times.extend((middle - begin, time.perf_counter() - middle))
            medians.append(f"{statistics.median(times) * 1000:8.1f}")
        lines.append(f"{name:24}{''.join(medians)}")
    with capsys.disabled():
        print("\n".join(lines))
