"""The engine against the pure-Python implementation of the search: id by id, score by score, refusal by refusal."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from baseline.search import BaselineSearch
from baseline.settings import Settings
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.embed import MockEmbedder
from coldseek_core.ingest.build import build_index
from coldseek_core.ingest.read import read_documents
from coldseek_core.ingest.vectors import texts_to_embed
from coldseek_core.search.engine import SearchEngine
from coldseek_core.search.settings import DEFAULT_SCORING
from coldseek_core.text import Analyser
from search.worlds import World, random_world

QUERIES = 500


def assert_same_search(world: World, query: str, vector: Sequence[float] | None, mode: str, top_k: int) -> None:
    tokens = world.analyser.analyse(query)
    ours = world.engine.search(query, vector=vector, mode=mode, top_k=top_k)
    theirs = world.oracle.search(tokens, vector, mode=mode, top_k=top_k)
    assert ours.mode.ran == theirs.mode
    assert [hit.row for hit in ours.hits] == [hit.row for hit in theirs.hits]
    for mine, other in zip(ours.hits, theirs.hits, strict=True):
        assert mine.keyword_score * world.oracle.inverted.impact_unit == other.keyword_score
        assert mine.similarity == other.similarity
        assert mine.keyword_coverage == other.keyword_coverage
        if mode == "hybrid" and theirs.mode == "hybrid":
            assert mine.score == other.score


def assert_same_retrieve(world: World, query: str, vector: Sequence[float] | None, mode: str, **options: Any) -> bool:
    tokens = world.analyser.analyse(query)
    ours = world.engine.retrieve(query, vector=vector, mode=mode, **options)
    theirs = world.oracle.retrieve(tokens, vector, mode=mode, **options)
    assert ours.answerable == theirs.answerable
    assert [(hit.row, hit.score) for hit in ours.hits] == [(hit.row, hit.score) for hit in theirs.hits]
    for mine, other in zip(ours.hits, theirs.hits, strict=True):
        assert mine.keyword_score * world.oracle.inverted.impact_unit == other.keyword_score
        assert mine.similarity == other.similarity
        assert mine.keyword_coverage == other.keyword_coverage
    assert ours.best_similarity == theirs.best.similarity
    assert ours.best_keyword_coverage == theirs.best.keyword_coverage
    if ours.refusal is not None:
        assert ours.refusal.unknown_words == list(
            dict.fromkeys(query[start:end] for start, end in theirs.unknown_words)
        )
        nearest = ours.refusal.keyword_coverage
        assert (nearest.row if nearest else None) == theirs.best.coverage_row
        nearest = ours.refusal.similarity
        assert (nearest.row if nearest else None) == theirs.best.similarity_row
    return ours.answerable


@pytest.mark.parametrize("seed", range(6))
def test_random_indexes(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    world = random_world(tmp_path, rng, chunks=rng.choice([1, 3, 40, 300]), dimensions=rng.choice([0, 3, 16, 40]))
    answered = 0
    for _ in range(QUERIES // 6 + 1):
        query = world.random_query(rng)
        vector = world.random_vector(rng)
        mode = rng.choice(["hybrid", "lexical"] if vector is None else ["hybrid", "lexical", "semantic"])
        assert_same_search(world, query, vector, mode, rng.choice([1, 5, 50]))
        answered += assert_same_retrieve(
            world,
            query,
            vector,
            mode,
            candidates=rng.choice([1, 2, 40]),
            top_k=rng.choice([1, 6]),
            rrf_k=rng.choice([1, 60]),
            min_similarity=rng.choice([-1.0, 0.25, 0.7, 1.0]),
            min_keyword_coverage=rng.choice([0.0, 0.3, 0.5, 0.9, 1.0]),
            similarity_needs_keyword=rng.random() < 0.4,
        )
    world.close()
    assert answered > 0


@pytest.mark.parametrize("embedder", ["none", "mock"])
def test_real_documentation(tmp_path: Path, shared_data: Path, embedder: str) -> None:
    """Questions made of the documents' own words, of words from elsewhere, and of both."""
    source = shared_data / "docs/docusaurus/website/docs"
    build_index([source], tmp_path / "i.coldseek", base_url="/docs", embedder=embedder)
    corpus = read_documents([source], base_url="/docs").corpus
    analyser = Analyser("en")
    chunks = [(document, chunk) for document in corpus.documents() for chunk in document.chunks]
    mock = MockEmbedder()
    vectors = mock.embed(list(texts_to_embed(corpus))) if embedder == "mock" else None
    settings = Settings(
        weights=tuple(DEFAULT_SCORING["weights"]), b=tuple(DEFAULT_SCORING["b"]), k1=DEFAULT_SCORING["k1"]
    )
    oracle = BaselineSearch(
        (
            (
                analyser.analyse(document.title),
                analyser.analyse("\n".join(chunk.heading_path)),
                analyser.analyse(chunk.text),
            )
            for document, chunk in chunks
        ),
        vectors,
        settings._replace(min_similarity=0.2, similarity_needs_keyword=True) if vectors else settings,
    )
    files = IndexFiles.open(tmp_path / "i.coldseek")
    world = World(files, SearchEngine(files), oracle, analyser, 0)
    assert len(chunks) == files.manifest["counts"]["chunks"]
    rng = random.Random(7)
    words = [word for _, chunk in chunks for word in chunk.text.split()]
    others = ["weather", "Paris", "sourdough", "kubernetes-ingress", "ERR-7741X", "天氣", "C++", "the", "who"]
    answers: list[bool] = []
    for _ in range(QUERIES // 2):
        pool = words if rng.random() < 0.7 else others
        query = " ".join(rng.choice(pool if rng.random() < 0.8 else others) for _ in range(rng.randint(1, 9)))
        vector = mock.embed([query])[0] if vectors else None
        mode = "hybrid" if vectors else "lexical"
        assert_same_search(world, query, vector, mode, 10)
        answers.append(assert_same_retrieve(world, query, vector, mode))
    world.close()
    assert 0 < sum(answers) < len(answers)
