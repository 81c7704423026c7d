"""The options of `search`, held to plain twins and to the laws that hold for all of them."""

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.embed import MockEmbedder
from coldseek_core.errors import EmbedderError, UsageError
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.search.engine import SearchEngine
from search.plain_options import all_ranks, document_of_rows, few_of_each, limited_lists, plain_matches, ranked, running
from search.worlds import World, random_world, write_documents

SEEDS = st.integers(0, 2**32)
TOLD = {"matches", "explain", "neighbors"}


@pytest.fixture(scope="module")
def worlds() -> Iterator[list[World]]:
    with tempfile.TemporaryDirectory() as folder:
        made = [
            random_world(Path(folder) / str(order), random.Random(seed), chunks, dimensions, largest=largest)
            for order, (seed, chunks, dimensions, largest) in enumerate(
                [(1, 1, 3, 1), (2, 40, 0, 9), (3, 400, 6, 150), (4, 300, 2, 4), (5, 700, 4, 600)]
            )
        ]
        yield made
        for world in made:
            world.close()


def asked(world: World, rng: random.Random) -> tuple[str, list[float] | None, str]:
    vector = world.random_vector(rng)
    return world.random_query(rng), vector, rng.choice(["hybrid", "lexical", "semantic"] if vector else ["lexical"])


def random_options(rng: random.Random) -> dict[str, Any]:
    return {
        "score_threshold": rng.choice([None, -1.0, 0.0, 0.2, 0.5, 0.9, 1.0]),
        "max_per_document": rng.choice([None, 1, 2, 7, 50]),
    }


def random_filter(world: World, rng: random.Random) -> tuple[dict[str, Any] | None, set[int] | None]:
    """A filter, or none, and the rows that it keeps."""
    if rng.random() < 0.5:
        return None, None
    ids = {document.id for document in world.documents if rng.random() < 0.6}
    kept = {row for row, number in enumerate(document_of_rows(world)) if world.documents[number].id in ids}
    return {"document_ids": sorted(ids)}, kept


def hits_of(world: World, query: str, **options: Any) -> list[dict[str, Any]]:
    return world.engine.search(query, **options).to_dict()["hits"]


@settings(max_examples=300, deadline=None)
@given(SEEDS)
def test_limits_are_those_of_the_plain_implementation(worlds: list[World], seed: int) -> None:
    rng = random.Random(seed)
    world = rng.choice(worlds)
    query, vector, mode = asked(world, rng)
    options, top_k = random_options(rng), rng.choice([1, 5, 50])
    conditions, rows = random_filter(world, rng)
    found = world.engine.search(query, vector=vector, mode=mode, top_k=top_k, filter=conditions, **options)
    plain = running(world, query, vector, mode, rows)
    lists = limited_lists(world, plain, mode, *options.values())
    expected = ranked(world, plain, lists, options["max_per_document"], top_k)
    assert [hit.row for hit in found.hits] == [row for row, _ in expected]
    for hit, (row, fused) in zip(found.hits, expected, strict=True):
        assert hit.keyword_score * world.oracle.inverted.impact_unit == plain.scores.get(row, 0)
        assert fused is None or hit.score == fused


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_five_are_the_first_of_ten_under_every_option(worlds: list[World], seed: int) -> None:
    rng = random.Random(seed)
    world = rng.choice(worlds)
    query, vector, mode = asked(world, rng)
    options = random_options(rng) | {
        "highlight": rng.random() < 0.5,
        "explain": rng.random() < 0.5,
        "expand": rng.randint(0, 2),
        "filter": rng.choice([None, {"metadata": {"locale": ["en", "ja"]}}]),
    }
    five, ten = (hits_of(world, query, vector=vector, mode=mode, top_k=k, **options) for k in (5, 10))
    assert five == ten[:5]


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_a_cap_never_gives_fewer_hits_than_there_are(worlds: list[World], seed: int) -> None:
    rng = random.Random(seed)
    world = rng.choice(worlds)
    query, vector, mode = asked(world, rng)
    most, top_k = rng.choice([1, 2, 3, 10]), rng.choice([5, 50])
    found = world.engine.search(query, vector=vector, mode=mode, top_k=top_k, max_per_document=most).hits
    documents = document_of_rows(world)
    lists = all_ranks(running(world, query, vector, mode), len(documents))
    there_are = len(few_of_each(sorted({row for rows in lists.values() for row in rows}), most, documents))
    assert len(found) == min(top_k, there_are)
    assert len(few_of_each([hit.row for hit in found], most, documents)) == len(found)


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_telling_more_changes_nothing(worlds: list[World], seed: int) -> None:
    rng = random.Random(seed)
    world = rng.choice(worlds)
    query, vector, mode = asked(world, rng)
    options = random_options(rng) | {"vector": vector, "mode": mode, "top_k": rng.choice([1, 5, 50])}
    plain = hits_of(world, query, **options)
    told = hits_of(world, query, highlight=True, explain=True, expand=2, **options)
    assert [{name: value for name, value in hit.items() if name not in TOLD} for hit in told] == plain
    assert all(set(hit) >= TOLD for hit in told)
    assert not any(TOLD & set(hit) for hit in plain)


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_parts_sum_to_scores_and_ranks_are_those_of_all_rows(worlds: list[World], seed: int) -> None:
    rng = random.Random(seed)
    world = rng.choice(worlds)
    query, vector, mode = asked(world, rng)
    options = random_options(rng)
    conditions, rows = random_filter(world, rng)
    options_given = {"top_k": 50, "explain": True, "filter": conditions, **options}
    found = world.engine.search(query, vector=vector, mode=mode, **options_given)
    plain = running(world, query, vector, mode, rows)
    everything = all_ranks(plain, world.oracle.inverted.rows)
    lists = limited_lists(world, plain, mode, *options.values())
    unit = world.engine.settings.impact_fixed_point
    for hit in found.hits:
        told = hit.explanation
        assert told is not None
        assert sum(word.score for word in told.words) == hit.keyword_score
        assert sum(word.impact for word in told.words) == hit.keyword_score * unit
        assert all(word.impact <= 0 for word in told.words if word.df == 0)
        legs = {"keyword": told.keyword, "vector": told.vector}
        assert told.found_by == tuple(leg for leg in ("keyword", "vector") if hit.row in lists.get(leg, []))
        assert told.found_by
        for name, leg in legs.items():
            if leg is None:
                assert name not in lists
                continue
            assert leg.rank == (1 + lists[name].index(hit.row) if hit.row in lists[name] else None)
            has_rank = hit.row in everything[name]
            assert leg.rank_of_all == (1 + everything[name].index(hit.row) if has_rank else None)
        shares = [leg.share for leg in legs.values() if leg is not None]
        if plain.mode == "hybrid":
            assert sum(share for share in shares if share is not None) == hit.score
        else:
            assert shares == [None]
        gate = world.engine.settings.retrieval
        assert told.keyword_coverage.value == hit.keyword_coverage
        assert told.keyword_coverage.margin == hit.keyword_coverage - gate.min_keyword_coverage
        assert told.similarity.value == hit.similarity
        assert told.passes_gate == (
            hit.keyword_coverage >= gate.min_keyword_coverage
            or (hit.similarity is not None and hit.similarity >= gate.min_similarity)
        )


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_matches_are_where_the_words_are(worlds: list[World], seed: int) -> None:
    rng = random.Random(seed)
    world = rng.choice(worlds)
    query, vector, mode = asked(world, rng)
    terms = set(running(world, query, vector, mode).resolved.scored)
    for hit in world.engine.search(query, vector=vector, mode=mode, top_k=10, highlight=True).hits:
        assert hit.matches is not None
        text = hit.chunk.text
        assert [(one.start, one.end) for one in hit.matches] == plain_matches(text, terms, world.analyser)
        assert all(one.token == text[one.start : one.end] != "" for one in hit.matches)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_many_queries_get_what_each_gets(worlds: list[World], seed: int) -> None:
    rng = random.Random(seed)
    world = rng.choice(worlds)
    queries = [world.random_query(rng) for _ in range(rng.randint(1, 20))]
    vectors = [[rng.gauss(0, 1) for _ in range(world.dimensions)] for _ in queries] if world.dimensions else None
    options = random_options(rng) | {"highlight": True, "explain": True, "expand": 1, "top_k": 7}
    options["mode"] = rng.choice(["hybrid", "lexical", "semantic"] if vectors else ["lexical"])
    many = world.engine.search_many(queries, vectors=vectors, workers=2, **options)
    each = [
        hits_of(world, query, vector=vectors[order] if vectors else None, **options)
        for order, query in enumerate(queries)
    ]
    assert [found.to_dict()["hits"] for found in many] == each


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_neighbors_stand_beside_a_hit_in_its_document(worlds: list[World], seed: int) -> None:
    rng = random.Random(seed)
    world = rng.choice(worlds)
    query, vector, mode = asked(world, rng)
    count, documents = rng.randint(1, 2), document_of_rows(world)
    for hit in world.engine.search(query, vector=vector, mode=mode, expand=count).hits:
        assert hit.neighbors is not None
        near = [row for row, document in enumerate(documents) if document == documents[hit.row]]
        assert [one.row for one in hit.neighbors.before] == [r for r in near if hit.row - count <= r < hit.row]
        assert [one.row for one in hit.neighbors.after] == [r for r in near if hit.row < r <= hit.row + count]


def engine_of(folder: Path, documents: list[Document], **options: Any) -> SearchEngine:
    return SearchEngine(IndexFiles.open(write_documents(folder / "i", documents)), **options)


def page(name: str, texts: list[str], vectors: "list[tuple[float, ...]] | None" = None) -> Document:
    chunks = [
        Chunk(f"{name}~{order}", text, vector=None if vectors is None else vectors[order])
        for order, text in enumerate(texts)
    ]
    return Document(name, "", f"/{name}", "", {}, tuple(chunks))


def test_one_page_does_not_fill_the_list(tmp_path: Path) -> None:
    """One page with 20 matching sections and 3 short ones: 5 hits with 2 a page show 4 pages."""
    documents = [page("long", [f"amber amber section {one}" for one in range(20)])]
    documents += [page(f"short{one}", ["amber among many other words that say little"]) for one in range(3)]
    engine = engine_of(tmp_path, documents)
    assert {hit.chunk.url for hit in engine.search("amber").hits} == {"/long"}
    capped = engine.search("amber", max_per_document=2).hits
    assert [hit.chunk.url for hit in capped] == ["/long", "/long", "/short0", "/short1", "/short2"]
    told = engine.search("amber", max_per_document=2, explain=True).hits
    # The ranking without the cap is kept in the explanation.
    assert [hit.explanation and hit.explanation.keyword and hit.explanation.keyword.rank_of_all for hit in told] == [
        *(1, 2, 21, 22, 23),
    ]


def test_many_chunks_of_one_page_before_others(tmp_path: Path) -> None:
    """More than one pass can see: 3,000 chunks of one page rank before the only chunk of another."""
    documents = [page("long", ["amber"] * 3000, [(1.0, 0.0)] * 3000), page("short", ["amber quartz"], [(0.0, 1.0)])]
    engine = engine_of(tmp_path, documents)
    for mode in ("hybrid", "lexical", "semantic"):
        found = engine.search("amber", vector=[1.0, 0.1], mode=mode, max_per_document=1).hits
        assert [hit.chunk.url for hit in found] == ["/long", "/short"]
    found = engine.search("quartz amber", vector=[1.0, 0.1], max_per_document=1, explain=True).hits
    (told,) = [hit.explanation for hit in found if hit.chunk.url == "/short"]
    assert told is not None
    assert told.vector is not None
    assert (told.vector.rank, told.vector.rank_of_all, told.found_by) == (2, 3001, ("keyword", "vector"))


def test_equal_beginnings_are_two_chunks(tmp_path: Path) -> None:
    """Two chunks that share their first 300 characters both survive, each once, whichever leg finds them."""
    same = "amber " * 50
    engine = engine_of(tmp_path, [page("a", [f"{same}one", f"{same}two"], [(1.0, 0.0), (1.0, 0.0)])])
    for mode in ("hybrid", "lexical", "semantic"):
        hits = engine.search("amber", vector=[1.0, 0.0], mode=mode, explain=True).hits
        assert [hit.row for hit in hits] == [0, 1]
        if mode == "hybrid":
            assert all(hit.explanation and hit.explanation.found_by == ("keyword", "vector") for hit in hits)


def test_a_floor_leaves_keyword_hits_in_a_hybrid(tmp_path: Path) -> None:
    """Hybrid with score_threshold 0.3: the exact match survives; no hit that only vectors found is under it."""
    texts = ["error ERR-7741X", "near", "middling", "far"]
    vectors = [(0.0, 1.0), (1.0, 0.0), (1.0, 1.2), (0.1, 1.0)]
    engine = engine_of(tmp_path, [page("a", texts, vectors)])
    found = engine.search("ERR-7741X", vector=[1.0, 0.0], score_threshold=0.3).hits
    assert {hit.chunk.text for hit in found} == {"error ERR-7741X", "near", "middling"}
    semantic = engine.search("ERR-7741X", vector=[1.0, 0.0], score_threshold=0.7, mode="semantic").hits
    assert [hit.chunk.text for hit in semantic] == ["near"]
    assert engine.search("ERR-7741X", vector=[1.0, 0.0], score_threshold=0.7, hybrid=False).hits[0].row == 1
    assert [hit.row for hit in engine.search("middling far", mode="lexical", score_threshold=0.9).hits] == []
    assert [hit.row for hit in engine.search("middling far", mode="lexical", score_threshold=0.5).hits] == [2, 3]


def test_a_floor_of_similarity_is_none_of_keywords_when_the_embedder_fails(tmp_path: Path) -> None:
    class Failing(MockEmbedder):
        failing = False

        def embed(self, texts: Any) -> Any:
            if self.failing:
                raise EmbedderError("down")
            return super().embed(texts)

    from coldseek_core.ingest.build import build_index

    (tmp_path / "a.md").write_text("# Kettles\n\nA copper kettle.\n")
    build_index([tmp_path / "a.md"], tmp_path / "i", embedder=MockEmbedder())
    embedder = Failing()
    engine = SearchEngine(IndexFiles.open(tmp_path / "i"), embedder)
    embedder.failing = True
    found = engine.search("copper zebra crossing", score_threshold=0.9)
    assert (found.mode.ran, len(found.hits)) == ("lexical", 1)


def test_hybrid_is_another_way_to_say_the_mode(worlds: list[World]) -> None:
    vector = [1.0, -1.0]
    for flag, mode in ((False, "semantic"), (True, "hybrid")):
        found = worlds[3].engine.search("retry", vector=vector, hybrid=flag)
        assert (found.mode.requested, found.mode.ran) == (mode, mode)
        assert found.to_dict()["hits"] == hits_of(worlds[3], "retry", vector=vector, mode=mode)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"top_k": 51}, "from 1 to 50"),
        ({"max_per_document": 0}, "from 1 to 50"),
        ({"max_per_document": 2.0}, "a whole number"),
        ({"score_threshold": 1.5}, "from -1 to 1"),
        ({"score_threshold": "0.5"}, "a number"),
        ({"score_threshold": float("nan")}, "from -1 to 1"),
        ({"expand": 3}, "from 0 to 2"),
        ({"expand": True}, "a whole number"),
        ({"highlight": 1}, "True or False"),
        ({"explain": "yes"}, "True or False"),
        ({"hybrid": "no"}, "True, False or None"),
        ({"hybrid": False, "mode": "lexical"}, "left out"),
        ({"limit": 5}, "there are: expand, explain"),
    ],
    ids=str,
)
def test_options_that_cannot_be_used(worlds: list[World], options: dict[str, Any], says: str) -> None:
    for search in (worlds[1].engine.search, lambda query, **more: worlds[1].engine.search_many([query], **more)):
        with pytest.raises(UsageError, match=says):
            search("retry", **options)


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_answers_from_few_chunks_of_each_document(worlds: list[World], seed: int) -> None:
    rng = random.Random(seed)
    world = rng.choice(worlds)
    query, vector, mode = asked(world, rng)
    most, documents = rng.choice([1, 2, 7]), document_of_rows(world)
    options = {"vector": vector, "mode": mode, "min_keyword_coverage": rng.choice([0.0, 0.3, 0.8])}
    plain = world.engine.retrieve(query, **options, top_k=50)
    capped = world.engine.retrieve(query, **options, top_k=50, max_per_document=most)
    rows = [hit.row for hit in capped.hits]
    assert few_of_each(rows, most, documents) == rows
    assert capped.answerable == plain.answerable
    assert len(rows) >= len(few_of_each([hit.row for hit in plain.hits], most, documents))
    first = world.engine.retrieve(query, **options, top_k=3, max_per_document=most, highlight=True, expand=1)
    told = [hit.to_dict() for hit in first.hits]
    assert [{name: value for name, value in hit.items() if name not in TOLD} for hit in told] == [
        hit.to_dict() for hit in capped.hits[:3]
    ]
    assert all({"matches", "neighbors"} < set(hit) for hit in told)


def test_hooks_do_not_fill_an_answer_with_one_document(tmp_path: Path) -> None:
    documents = [page("long", ["amber one", "amber two", "amber three"]), page("short", ["amber"])]
    engine = engine_of(tmp_path, documents)
    answer = engine.retrieve("amber", rerank_hook=lambda *_: [2, 1, 0, 3], max_per_document=1)
    assert [hit.row for hit in answer.hits] == [2, 3]
    offered: list[int] = []

    def retrieve(_: Any, search: Any) -> Any:
        found = search()
        offered.extend(hit.row for hit in found)
        return found

    answer = engine.retrieve("amber", retrieve_hook=retrieve, max_per_document=1)
    assert sorted(offered) == sorted(hit.row for hit in answer.hits)
    assert len({hit.chunk.url for hit in answer.hits}) == len(answer.hits) == 2
