"""Laws that hold for every index, question and setting."""

import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.search.engine import SearchEngine
from search.worlds import World, random_world, write_documents

MODES = ("hybrid", "lexical", "semantic")
SEEDS = st.integers(0, 2**32)
HIT_KEYS = {"rank", "row", "score", "similarity", "keywordScore", "keywordCoverage", "chunk"}
CHUNK_KEYS = {"id", "url", "title", "headingPath", "anchor", "text", "metadata"}
MODE_KEYS = {"requested", "ran", "degraded"}


@pytest.fixture(scope="module")
def worlds() -> Iterator[list[World]]:
    with tempfile.TemporaryDirectory() as folder:
        made = [
            random_world(Path(folder) / str(seed), random.Random(seed), chunks, dimensions)
            for seed, chunks, dimensions in [(0, 1, 3), (1, 12, 2), (5, 49, 8), (4, 49, 0), (3, 140, 5)]
        ]
        yield made
        for world in made:
            world.close()


def asked(world: World, rng: random.Random) -> tuple[str, list[float] | None, str]:
    vector = world.random_vector(rng)
    return world.random_query(rng), vector, rng.choice(MODES if vector else MODES[:2])


@settings(max_examples=250, deadline=None)
@given(SEEDS)
def test_five_are_the_first_of_ten(worlds: list[World], seed: int) -> None:
    rng = random.Random(seed)
    world = rng.choice(worlds)
    query, vector, mode = asked(world, rng)
    five, ten = (world.engine.search(query, vector=vector, mode=mode, top_k=k).to_dict()["hits"] for k in (5, 10))
    assert five == ten[:5]
    assert [hit["rank"] for hit in ten] == list(range(1, len(ten) + 1))
    assert len({hit["row"] for hit in ten}) == len({hit["chunk"]["id"] for hit in ten}) == len(ten)
    scores = [hit["score"] for hit in ten]
    assert scores == sorted(scores, reverse=True)
    first, more = (world.engine.retrieve(query, vector=vector, mode=mode, top_k=k).to_dict()["hits"] for k in (3, 50))
    assert first == more[:3]


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_filtering_first_is_filtering_last(worlds: list[World], seed: int) -> None:
    rng = random.Random(seed)
    world = rng.choice(worlds[:4])
    query, vector, _ = asked(world, rng)
    condition = {"metadata": {"locale": rng.choice(["en", "ja"])}}
    if condition["metadata"]["locale"] not in [document.metadata["locale"] for document in world.documents]:
        condition = {"metadata": {}}
    for mode in ("semantic", "lexical") if vector else ("lexical",):
        every = world.engine.search(query, vector=vector, mode=mode, top_k=50).to_dict()["hits"]
        kept = world.engine.search(query, vector=vector, mode=mode, top_k=50, filter=condition).to_dict()["hits"]
        expected = [hit for hit in every if condition["metadata"].items() <= hit["chunk"]["metadata"].items()]
        assert [{**hit, "rank": 0} for hit in kept] == [{**hit, "rank": 0} for hit in expected]


@settings(max_examples=100, deadline=None)
@given(SEEDS, st.integers(-60, 60))
def test_a_query_vector_has_no_length(worlds: list[World], seed: int, power: int) -> None:
    rng = random.Random(seed)
    world = worlds[rng.choice([0, 1, 2, 4])]
    query, vector, mode = asked(world, rng)
    assume(vector is not None)
    assert vector is not None
    plain = world.engine.search(query, vector=vector, mode=mode, top_k=50).to_dict()["hits"]
    scaled = [value * 2.0**power for value in vector]
    assert world.engine.search(query, vector=scaled, mode=mode, top_k=50).to_dict()["hits"] == plain
    longer = world.engine.search(query, vector=[value * 7.3 for value in vector], mode="semantic", top_k=50).hits
    same = world.engine.search(query, vector=vector, mode="semantic", top_k=50).hits
    for mine, other in zip(longer, same, strict=True):
        assert mine.similarity == pytest.approx(other.similarity, abs=1e-3)


WORDS = st.sampled_from(["retry", "limit", "page", "café", "延迟", "C++", "v1.2.3"])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(WORDS, max_size=6), min_size=1, max_size=5), SEEDS)
def test_an_unrelated_word_never_raises_a_score(texts: list[list[str]], seed: int) -> None:
    place = seed % len(texts)
    scores: list[dict[str, list[float]]] = []
    for more in ([], ["zebra"]):
        chunks = [" ".join([*words, *(more if row == place else [])]) for row, words in enumerate(texts)]
        documents = [Document("d", "", "/d", "", {}, tuple(Chunk(f"c{i}", text) for i, text in enumerate(chunks)))]
        with (
            tempfile.TemporaryDirectory() as folder,
            IndexFiles.open(write_documents(Path(folder) / "i", documents)) as files,
        ):
            engine = SearchEngine(files)
            scores.append(
                {
                    query: [hit.keyword_score for hit in engine.search(query, top_k=50).hits if hit.row == place]
                    for query in ("retry", "limit page", "café 延迟 C++ v1.2.3", "延迟")
                }
            )
    for query, before in scores[0].items():
        after = scores[1][query]
        assert len(after) == len(before)
        assert all(one <= other for one, other in zip(after, before, strict=True))


def random_settings(rng: random.Random) -> dict[str, Any]:
    return {
        "top_k": rng.choice([1, 6, 50]),
        "candidates": rng.choice([1, 3, 40]),
        "rrf_k": rng.choice([1, 60]),
        "min_similarity": rng.choice([-1.0, 0.0, 0.25, 0.9, 1.0]),
        "min_keyword_coverage": rng.choice([0.0, 0.4, 0.5, 0.8, 1.0]),
        "similarity_needs_keyword": rng.random() < 0.4,
        "max_context_chars": rng.choice([1, 60, 300, 8000]),
    }


@settings(max_examples=400, deadline=None)
@given(SEEDS)
def test_answers_and_refusals(worlds: list[World], seed: int) -> None:
    rng = random.Random(seed)
    world = rng.choice(worlds)
    query, vector, mode = asked(world, rng)
    chosen = random_settings(rng)
    answer = world.engine.retrieve(query, vector=vector, mode=mode, **chosen)
    assert answer.answerable == bool(answer.hits) == bool(answer.sources) == (answer.refusal is None)
    assert 0.0 <= answer.best_keyword_coverage <= 1.0
    for hit in answer.hits:
        assert 0.0 <= hit.keyword_coverage <= 1.0
        by_similarity = hit.similarity is not None and hit.similarity >= chosen["min_similarity"]
        if chosen["similarity_needs_keyword"] and hit.keyword_score == 0.0:
            by_similarity = False
        assert by_similarity or hit.keyword_coverage >= chosen["min_keyword_coverage"]
    check_sources(answer.to_dict(), chosen["max_context_chars"])
    check_json(answer.to_dict(), query)
    if answer.refusal is not None:
        change = answer.refusal.smallest_change()
        if change is None:
            assert answer.refusal.similarity is None
            assert answer.refusal.keyword_coverage is None
        else:
            assert change["to"] < change["from"] == chosen[change["setting"]]
            changed = {**chosen, change["setting"]: change["to"]}
            assert world.engine.retrieve(query, vector=vector, mode=mode, **changed).answerable


def check_sources(answer: dict[str, Any], limit: int) -> None:
    assert [source["number"] for source in answer["sources"]] == list(range(1, len(answer["sources"]) + 1))
    texts = [hit["chunk"]["text"] for hit in answer["hits"]]
    packed: list[str] = []
    for text in texts:
        if any(packed) and sum(map(len, packed)) + len(text) > limit:
            break
        packed.append(text)
    shown = [source["text"] for source in answer["sources"]]
    # A blank line joins the texts of one section.
    length = sum(len(text) for text in shown)
    assert sum(map(len, packed)) <= length <= sum(map(len, packed)) + 2 * len(packed)
    assert all(any(text in one for one in shown) for text in packed)
    if packed:
        assert shown[0].startswith(packed[0])
        assert answer["context"].startswith("[1] ")
    for source in answer["sources"]:
        assert f"[{source['number']}] " in answer["context"]
        assert set(source) == {"number", "url", "title", "headingPath", "text"}


def check_json(answer: dict[str, Any], question: str) -> None:
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer
    assert set(answer) == {
        *(
            "question",
            "answerable",
            "mode",
            "best",
            "sources",
            "context",
            "hits",
            "refusal",
            "trimmedTerms",
            "latencyMs",
        )
    }
    assert answer["question"] == question
    assert set(answer["mode"]) == MODE_KEYS
    assert set(answer["best"]) == {"similarity", "keywordCoverage"}
    check_hits(answer["hits"])
    refusal = answer["refusal"]
    if refusal is not None:
        assert set(refusal) == {"reason", "message", "best", "margins", "unknownWords", "smallestChange"}
        assert set(refusal["best"]) == set(refusal["margins"]) == {"similarity", "keywordCoverage"}
        assert all(margin is None or margin < 0 for margin in refusal["margins"].values())
        near = refusal["best"]
        assert (near["similarity"] or {"value": None})["value"] == answer["best"]["similarity"]
        assert (near["keywordCoverage"] or {"value": 0.0})["value"] == answer["best"]["keywordCoverage"]
        if refusal["smallestChange"] is not None:
            assert set(refusal["smallestChange"]) == {"setting", "from", "to"}
            assert refusal["smallestChange"]["setting"] in ("minSimilarity", "minKeywordCoverage")


def check_hits(hits: list[dict[str, Any]]) -> None:
    for hit in hits:
        assert set(hit) == HIT_KEYS
        assert set(hit["chunk"]) == CHUNK_KEYS


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_search_results_are_json(worlds: list[World], seed: int) -> None:
    rng = random.Random(seed)
    world = rng.choice(worlds)
    query, vector, mode = asked(world, rng)
    result = world.engine.search(query, vector=vector, mode=mode).to_dict()
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    assert set(result) == {"query", "mode", "hits", "trimmedTerms", "latencyMs"}
    assert set(result["mode"]) == MODE_KEYS
    assert result["latencyMs"] >= 0
    check_hits(result["hits"])


def test_the_smallest_change_can_be_applied_at_the_end_of_the_range(tmp_path: Path) -> None:
    """The cosine of exact opposites must not be below what the setting may be."""
    documents = [Document("d", "", "/d", "", {}, (Chunk("c", "a", vector=(1.0,) * 22),))]
    engine = SearchEngine(IndexFiles.open(write_documents(tmp_path / "i", documents)))
    vector = [-1.0] * 22
    refusal = engine.retrieve("other", vector=vector, min_keyword_coverage=1.0).refusal
    assert refusal is not None
    change = refusal.smallest_change()
    assert change is not None
    assert engine.retrieve(
        "other", vector=vector, min_keyword_coverage=1.0, **{change["setting"]: change["to"]}
    ).answerable


def test_a_title_of_stop_words_under_full_length_normalisation(tmp_path: Path) -> None:
    """b = 1 and a field of length 0 that holds a stop word: engine and pure-Python implementation both cope."""
    random_world(tmp_path, random.Random(4), 140, 5).close()
