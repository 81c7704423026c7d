"""Many queries at once, and scans shared by threads: the same as one by one, id by id and score by score."""

import _thread
import random
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import coldseek
from coldseek_core.columns.reader import IndexFiles
from coldseek_core.ingest.build import build_index
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.search import legs
from coldseek_core.search.engine import SearchEngine
from coldseek_core.search.many import parts_of
from coldseek_core.search.threads import in_threads
from search.test_oracle import assert_same_retrieve, assert_same_search
from search.worlds import World, random_world, write_documents


def plain(results: Sequence[Any]) -> list[dict[str, Any]]:
    return [{name: value for name, value in one.to_dict().items() if name != "latencyMs"} for one in results]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_equal_to_one_by_one_and_to_the_oracle(tmp_path: Path, workers: int) -> None:
    rng = random.Random(workers)
    world = random_world(tmp_path, rng, chunks=120, dimensions=16)
    queries = [world.random_query(rng) for _ in range(40)]
    vectors = [world.random_vector(rng) for _ in queries]
    conditions: dict[str, Any] = {"metadata": {"locale": "en"}}
    for mode, kept in (("hybrid", None), ("lexical", None), ("hybrid", conditions)):
        many = world.engine.search_many(queries, vectors=vectors, workers=workers, top_k=7, mode=mode, filter=kept)
        single = [
            world.engine.search(query, vector=vector, top_k=7, mode=mode, filter=kept)
            for query, vector in zip(queries, vectors, strict=True)
        ]
        assert plain(many) == plain(single)
        if kept is None:
            for query, vector, found in zip(queries, vectors, many, strict=True):
                theirs = world.oracle.search(world.analyser.analyse(query), vector, mode=mode, top_k=7)
                assert [hit.row for hit in found.hits] == [hit.row for hit in theirs.hits]
                assert [hit.similarity for hit in found.hits] == [hit.similarity for hit in theirs.hits]
    assert world.engine.search_many([], workers=workers) == []
    assert plain(world.engine.search_many(queries[:1])) == plain([world.engine.search(queries[0])])
    assert len(world.engine.search_many(iter(["limit"] * 3), workers=workers)) == 3
    world.close()


@pytest.mark.parametrize(("threads", "workers"), [(1, 1), (1, 3), (2, 2)])
def test_one_pass_for_many_equals_a_pass_for_each(
    tmp_path: Path, threads: int, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Vectors long enough to be compared four at once, queries with a vector, with a zero one and with none."""
    monkeypatch.setattr(legs, "LEAST_ROWS_A_THREAD", 16)
    rng = random.Random(threads + workers)
    world = random_world(tmp_path, rng, chunks=150, dimensions=96)
    conditions: dict[str, Any] = {"metadata": {"locale": "en"}}
    for count in (2, 3, 4, 5, 8, 9, 37):
        queries = [world.random_query(rng) for _ in range(count)]
        vectors: list[Any] = [world.random_vector(rng) for _ in queries]
        vectors[count // 2] = [0.0] * 96
        filled = [vector or [1.0] * 96 for vector in vectors]
        results: dict[int, list[list[dict[str, Any]]]] = {}
        for queries_a_pass in (1, 3, 4, 16):
            engine = SearchEngine(world.files, scan_threads=threads, queries_a_pass=queries_a_pass)
            results[queries_a_pass] = [
                plain(engine.search_many(queries, vectors=given, mode=mode, filter=kept, workers=workers, top_k=9))
                for mode, given, kept in (
                    ("hybrid", vectors, None),
                    ("hybrid", vectors, conditions),
                    ("semantic", filled, conditions),
                )
            ]
        assert all(found == results[1] for found in results.values())
        one_by_one = [
            world.engine.search(query, vector=vector, top_k=9, filter=conditions)
            for query, vector in zip(queries, vectors, strict=True)
        ]
        assert results[16][1] == plain(one_by_one)
    world.close()


def test_queries_of_a_pass_are_scanned_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = random_world(tmp_path, random.Random(1), chunks=40, dimensions=64)
    queries, vectors = ["limit"] * 21, [[float(row + 1), *[1.0] * 63] for row in range(21)]
    passes: list[int] = []
    top_many = legs.DenseLeg.top_many

    def counted(self: legs.DenseLeg, asked: Any, length: int, row_filter: Any) -> Any:
        passes.append(len(asked))
        return top_many(self, asked, length, row_filter)

    monkeypatch.setattr(legs.DenseLeg, "top_many", counted)
    for queries_a_pass, expected in ((1, []), (8, [8, 8, 5]), (16, [12, 9]), (64, [21])):
        passes.clear()
        engine = SearchEngine(world.files, queries_a_pass=queries_a_pass)
        engine.search_many(queries, vectors=vectors, workers=1)
        assert passes == expected
    for bad in (0, 1025, "4", True):
        with pytest.raises(coldseek.UsageError, match="queries_a_pass"):
            coldseek.open(world.files.path, queries_a_pass=bad)  # type: ignore[arg-type]
    world.close()


@given(st.integers(0, 400), st.integers(1, 9), st.integers(1, 40))
def test_parts_cover_all_queries_in_order(count: int, workers: int, most: int) -> None:
    parts = parts_of(count, workers, most)
    assert [order for first, stop in parts for order in range(first, stop)] == list(range(count))
    assert all(0 < stop - first <= most for first, stop in parts)


class Counting:
    """Embeds by counts of letters, and remembers its calls."""

    id = "counting-2"
    dimensions = 2
    min_similarity = 0.5

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.broken = False

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.calls.append(list(texts))
        if self.broken:
            raise RuntimeError("down")
        return [[1.0 + text.count("e"), 1.0 + text.count("o")] for text in texts]


def test_one_batch_for_all(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Kettles\n\ncopper kettle\n\n# Pans\n\niron pan\n")
    embedder = Counting()
    build_index([tmp_path / "a.md"], tmp_path / "i", embedder=embedder)
    reported: list[Exception] = []
    with coldseek.open(tmp_path / "i", embedder=embedder, on_error=reported.append) as index:
        queries = ["copper", "", "iron kettle", "own", "copper"]
        vectors = [None, None, None, [1.0, 1.0], None]
        expected = [index.search(query, vector=vector) for query, vector in zip(queries, vectors, strict=True)]
        embedder.calls.clear()
        assert plain(index.search_many(queries, vectors=vectors, workers=2)) == plain(expected)
        assert embedder.calls == [["copper", "iron kettle", "copper"]]
        embedder.calls.clear()
        index.search_many(queries, mode="lexical")
        assert embedder.calls == []
        embedder.broken = True
        many = index.search_many(queries, vectors=vectors)
        assert [found.mode.ran for found in many] == ["lexical", "hybrid", "lexical", "hybrid", "lexical"]
        assert [bool(found.mode.degraded) for found in many] == [True, False, True, False, True]
        assert len(reported) == 1


BAD: list[dict[str, Any]] = [
    {"queries": "copper"},
    {"queries": None},
    {"queries": 5},
    {"queries": ["copper", 5]},
    {"queries": ["copper", None]},
    {"queries": {"copper": 1}},
    {"vectors": [[1.0, 0.0]]},
    {"vectors": 5},
    {"vectors": [[1.0, 0.0], [1.0]]},
    {"vectors": [[1.0, 0.0], "ab"]},
    {"workers": 0},
    {"workers": 65},
    {"workers": True},
    {"workers": 1.5},
    {"top_k": 51},
    {"mode": "fuzzy"},
    {"filter": {"x": 1}},
]


@pytest.mark.parametrize("options", BAD, ids=str)
def test_what_cannot_be_searched(tmp_path: Path, options: dict[str, Any]) -> None:
    document = Document("d", "", "/d", "", {}, (Chunk("c", "copper", vector=(1.0, 0.0)),))
    with (
        coldseek.open(write_documents(tmp_path / "i", [document])) as index,
        pytest.raises(coldseek.UsageError) as caught,
    ):
        index.search_many(**{"queries": ["copper", "iron"], **options})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_shared_scans_equal_the_oracle(tmp_path: Path, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(legs, "LEAST_ROWS_A_THREAD", 1)
    rng = random.Random(threads)
    world = random_world(tmp_path, rng, chunks=100, dimensions=16)
    shared = SearchEngine(world.files, scan_threads=threads)
    world = World(world.files, shared, world.oracle, world.analyser, world.dimensions, world.documents)
    for _ in range(40):
        query, vector = world.random_query(rng), world.random_vector(rng)
        assert_same_search(world, query, vector, "hybrid", 50)
        assert_same_retrieve(world, query, vector, "hybrid", candidates=rng.choice([1, 40]), min_similarity=0.7)
    world.close()


def test_ties_across_parts_and_more_threads_than_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(legs, "LEAST_ROWS_A_THREAD", 1)
    chunks = tuple(Chunk(f"c{row}", "x", vector=((1.0, 0.0), (0.0, 1.0))[row % 3 == 0]) for row in range(70))
    path = write_documents(tmp_path / "i", [Document("d", "", "/d", "", {"a": 1}, chunks)])
    expected = [row for row in range(70) if row % 3] + list(range(0, 70, 3))
    for threads in (1, 2, 3, 7, 64):
        with coldseek.open(path, scan_threads=threads) as index:
            for kept in (None, {"metadata": {"a": 1}}):
                hits = index.search("", vector=[1.0, 0.0], mode="semantic", top_k=50, filter=kept).hits
                assert [hit.row for hit in hits] == expected[:50]
            assert index.search("", vector=[1.0, 0.0], mode="semantic", filter={"metadata": {"a": 2}}).hits == []
    for bad in (0, 65, "2", True):
        with pytest.raises(coldseek.UsageError, match="scan_threads"):
            coldseek.open(path, scan_threads=bad)  # type: ignore[arg-type]


def test_sixteen_threads_with_workers_and_shared_scans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(legs, "LEAST_ROWS_A_THREAD", 16)
    rng = random.Random(5)
    world = random_world(tmp_path, rng, chunks=60, dimensions=8)
    queries = [world.random_query(rng) for _ in range(50)]
    vectors = [world.random_vector(rng) for _ in queries]
    expected = plain(world.engine.search_many(queries, vectors=vectors))
    engine = SearchEngine(IndexFiles.open(world.files.path), scan_threads=3)
    results: list[Any] = []
    barrier = threading.Barrier(16)

    def run() -> None:
        barrier.wait()
        results.append(plain(engine.search_many(queries, vectors=vectors, workers=2)))

    threads = [threading.Thread(target=run) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    engine.files.close()
    world.close()
    assert results == [expected] * 16


def test_a_piece_that_fails_ends_the_rest() -> None:
    done: list[int] = []

    def work(order: int) -> int:
        if order == 3:
            raise LookupError(order)
        time.sleep(0.0005)
        done.append(order)
        return order

    for threads in (1, 2, 8):
        done.clear()
        with pytest.raises(LookupError):
            in_threads(work, 1000, threads)
        assert len(done) < 500
    assert in_threads(lambda order: order, 5, 2) == [0, 1, 2, 3, 4]
    assert in_threads(lambda order: order, 0, 2) == []


def test_where_no_thread_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> int:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("coldseek_core.search.threads.start_new_thread", none)
    mine = _thread.get_ident()
    assert in_threads(lambda _: _thread.get_ident(), 4, 3) == [mine] * 4
