"""A whole hybrid question and its parts, against the same in pure Python, in one run.

`test_ratio` prints the claim: the ratio of medians over all questions, with equal answers. The groups show both sides
alone.
"""

import statistics
import time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from conftest import CHUNKS, Bench


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
