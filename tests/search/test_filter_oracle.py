"""Filtered searches against the pure-Python implementation, and the laws of filters."""

import random
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baseline.fusion import FUSED_UNIT, fuse
from search.random_filters import FilteredWorld, random_metadata
from search.worlds import World, random_documents, world_of

Worlds = list[tuple[World, FilteredWorld]]


@pytest.fixture(scope="module")
def worlds() -> Iterator[Worlds]:
    """Legs rank 50 rows: of the first three worlds all of them."""
    made: Worlds = []
    with tempfile.TemporaryDirectory() as folder:
        for seed, chunks, dimensions in [(1, 12, 2), (2, 50, 0), (3, 50, 8), (4, 400, 5)]:
            rng = random.Random(seed)
            documents = [
                replace(document, path=f"{rng.choice(['a', 'b/c'])}/{document.path}", metadata=random_metadata(rng))
                for document in random_documents(rng, chunks, dimensions)
            ]
            world = world_of(Path(folder) / str(seed), rng, documents, dimensions)
            made.append((world, FilteredWorld(documents, world.analyser)))
        yield made
        for world, _ in made:
            world.close()


def test_random_filters_and_queries(worlds: Worlds) -> None:
    rng = random.Random(6)
    sizes: list[int] = []
    for turn in range(300):
        world, filtered = worlds[turn % len(worlds)]
        conditions, query, vector = filtered.random_filter(rng), world.random_query(rng), world.random_vector(rng)
        mode = rng.choice(["hybrid", "lexical"] if vector is None else ["hybrid", "lexical", "semantic"])
        rows = filtered.kept(conditions)
        sizes.append(len(rows))
        tokens = world.analyser.analyse(query)
        ours = world.engine.search(query, vector=vector, mode=mode, top_k=50, filter=conditions)
        theirs = world.oracle.search(tokens, vector, mode=mode, top_k=50, rows=rows)
        assert [hit.row for hit in ours.hits] == [hit.row for hit in theirs.hits], conditions
        for mine, other in zip(ours.hits, theirs.hits, strict=True):
            assert mine.keyword_score * world.oracle.inverted.impact_unit == other.keyword_score
            assert (mine.similarity, mine.keyword_coverage) == (other.similarity, other.keyword_coverage)
            assert mode != "hybrid" or theirs.mode != "hybrid" or mine.score == other.score
        answer = world.engine.retrieve(query, vector=vector, mode=mode, filter=conditions)
        expected = world.oracle.retrieve(tokens, vector, mode=mode, rows=rows)
        assert [(hit.row, hit.score) for hit in answer.hits] == [(hit.row, hit.score) for hit in expected.hits]
        assert (answer.best_similarity, answer.best_keyword_coverage) == (
            expected.best.similarity,
            expected.best.keyword_coverage,
        )
    # Filters of all kinds: some keep nothing, some everything, many some chunks.
    assert 20 < sizes.count(0) < 200
    assert len(set(sizes)) > 40


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_filtering_first_is_filtering_last(worlds: Worlds, seed: int) -> None:
    """Of each leg: IDF and all scores are those of the whole index. And hybrid fuses the filtered legs."""
    rng = random.Random(seed)
    world, filtered = rng.choice(worlds[:3])
    conditions, query, vector = filtered.random_filter(rng), world.random_query(rng), world.random_vector(rng)
    rows = filtered.kept(conditions)
    lists: list[list[int]] = []
    for mode in ("lexical", "semantic") if vector else ("lexical",):
        every = world.engine.search(query, vector=vector, mode=mode, top_k=50).to_dict()["hits"]
        kept = world.engine.search(query, vector=vector, mode=mode, top_k=50, filter=conditions).to_dict()["hits"]
        expected = [hit for hit in every if hit["row"] in rows]
        assert [{**hit, "rank": 0} for hit in kept] == [{**hit, "rank": 0} for hit in expected]
        lists.append([hit["row"] for hit in kept])
    found = world.engine.search(query, vector=vector, top_k=50, filter=conditions)
    if found.mode.ran == "hybrid":
        fused = [(row, score / FUSED_UNIT) for row, score in fuse(lists, 60)][:50]
        assert [(hit.row, hit.score) for hit in found.hits] == fused
    else:
        assert [hit.row for hit in found.hits] == lists[0]


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32))
def test_all_conditions_together(worlds: Worlds, seed: int) -> None:
    """What two filters keep each, their union of conditions keeps."""
    rng = random.Random(seed)
    world, filtered = rng.choice(worlds)
    conditions = filtered.random_filter(rng)
    kept = None
    for name, value in conditions.items():
        rows = filtered.kept({name: value})
        kept = rows if kept is None else kept & rows
    if kept is not None:
        assert kept == filtered.kept(conditions)
        found = world.engine.gate_hits("", range(len(filtered.chunks)), filter=conditions, min_keyword_coverage=0.0)
        assert {hit.row for hit in found} == kept
