"""Kernels alone, beside what the pure-Python implementation needs for the same answer, on the shared index.

The pure-Python side of a leg is its whole search of one mode (look-up and hits included, a small part of it).
"""

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from baseline.query import resolve
from coldseek_core import kernels
from coldseek_core.columns.texts import Texts
from coldseek_core.embed import MockEmbedder
from coldseek_core.search.dictionary import Dictionary
from coldseek_core.search.legs import DenseLeg, LexicalLeg
from coldseek_core.search.query import resolve_query
from coldseek_core.text.counting import TermCounter
from coldseek_core.text.term_numbers import TermNumbers
from conftest import Bench

CANDIDATES = 40


@pytest.mark.benchmark(group="scan")
def test_scan(benchmark: BenchmarkFixture, bench: Bench) -> None:
    leg = DenseLeg(bench.files, kernels.load(), len(bench.workload.documents))
    query = leg.prepare(bench.workload.queries[0][1])
    assert len(benchmark(lambda: leg.top(query, CANDIDATES, None))[0]) == CANDIDATES


@pytest.mark.benchmark(group="scan")
def test_scan_pure_python(benchmark: BenchmarkFixture, bench: Bench) -> None:
    vector = bench.workload.queries[0][1]
    benchmark.pedantic(lambda: bench.oracle.search([], vector, mode="semantic"), rounds=3, iterations=1)


@pytest.mark.benchmark(group="keywords")
def test_keywords(benchmark: BenchmarkFixture, bench: Bench) -> None:
    loaded = kernels.load()
    dictionary = Dictionary(bench.files, loaded)
    leg = LexicalLeg(dictionary, loaded, len(bench.workload.documents))
    query = resolve_query(bench.workload.queries[0][0], bench.analyser, dictionary, 1 << 20)
    assert benchmark(lambda: leg.top(query, CANDIDATES, None))[0]


@pytest.mark.benchmark(group="keywords")
def test_keywords_pure_python(benchmark: BenchmarkFixture, bench: Bench) -> None:
    tokens = bench.analyser.analyse(bench.workload.queries[0][0])
    benchmark.pedantic(lambda: bench.oracle.search(tokens, mode="lexical", top_k=CANDIDATES), rounds=5, iterations=1)


@pytest.mark.benchmark(group="look-up and coverage weights")
def test_resolve(benchmark: BenchmarkFixture, bench: Bench) -> None:
    dictionary = Dictionary(bench.files, kernels.load())
    text = bench.workload.queries[0][0]
    assert benchmark(lambda: resolve_query(text, bench.analyser, dictionary, 1 << 20)).scored_terms.count


@pytest.mark.benchmark(group="look-up and coverage weights")
def test_resolve_pure_python(benchmark: BenchmarkFixture, bench: Bench) -> None:
    tokens = [token.as_tuple() for token in bench.analyser.analyse(bench.workload.queries[0][0])]
    from baseline.tokens import as_tokens

    benchmark(lambda: resolve(as_tokens(tokens), bench.oracle.inverted))


@pytest.mark.benchmark(group="measures of 80 given rows")
def test_measures(benchmark: BenchmarkFixture, bench: Bench) -> None:
    loaded = kernels.load()
    rows = list(range(0, len(bench.workload.documents), max(1, len(bench.workload.documents) // 80)))[:80]
    dictionary = Dictionary(bench.files, loaded)
    lexical = LexicalLeg(dictionary, loaded, len(bench.workload.documents))
    dense = DenseLeg(bench.files, loaded, len(bench.workload.documents))
    text, vector = bench.workload.queries[0]
    query = resolve_query(text, bench.analyser, dictionary, 1 << 20)
    prepared = dense.prepare(vector)
    benchmark(lambda: (lexical.measure(query, rows), dense.measure(prepared, rows)))


@pytest.mark.benchmark(group="analysis")
def test_count_known_words(benchmark: BenchmarkFixture, bench: Bench) -> None:
    texts = Texts.of([bench.workload.documents[0].chunks[0].text])
    counter = TermCounter(bench.analyser, TermNumbers(bench.analyser))
    assert len(
        benchmark(
            lambda: counter.count([(texts.offsets, texts.data)], np.ones(1, np.int64), np.zeros((1, 1), np.int64))
        ).terms
    )


@pytest.mark.benchmark(group="embedding, mock")
def test_mock(benchmark: BenchmarkFixture) -> None:
    embedder = MockEmbedder()
    benchmark(lambda: embedder.embed(["How do I deploy my site to GitHub Pages?"]))
