"""Filters that are asked for again: the same rows, and never those of another filter."""

import random
from pathlib import Path
from typing import Any

import pytest

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import UsageError
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.search import recent_filters
from coldseek_core.search.engine import SearchEngine
from coldseek_core.search.threads import in_threads
from search.random_filters import FilteredWorld
from search.worlds import random_world, write_documents


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> SearchEngine:
    values: list[Any] = [1, True, "1", 1.5, "en", ["en", "de"]]
    documents = [
        Document(f"d{row}", f"{row}.md", f"/{row}", "", {"key": value}, (Chunk(f"c{row}", "word"),))
        for row, value in enumerate(values)
    ]
    folder = tmp_path_factory.mktemp("recent") / "i"
    return SearchEngine(IndexFiles.open(write_documents(folder, documents)))


def rows(engine: SearchEngine, conditions: Any) -> list[int]:
    return [hit.row for hit in engine.search("word", filter=conditions, top_k=50).hits]


def count_making(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    made: list[object] = []
    make = recent_filters.row_filter

    def counted(store: Any, analyser: Any, dictionary: Any, conditions: Any) -> Any:
        made.append(conditions)
        return make(store, analyser, dictionary, conditions)

    monkeypatch.setattr(recent_filters, "row_filter", counted)
    return made


def test_a_filter_is_made_once(engine: SearchEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    made = count_making(monkeypatch)
    for _ in range(3):
        assert rows(engine, {"metadata": {"key": {"in": ["en", 1]}}, "contains": "word"}) == [0, 4, 5]
    assert len(made) == 1


def test_filters_that_python_takes_for_equal_are_not(engine: SearchEngine) -> None:
    for _ in range(2):
        assert rows(engine, {"metadata": {"key": 1}}) == [0]
        assert rows(engine, {"metadata": {"key": True}}) == [1]
        assert rows(engine, {"metadata": {"key": "1"}}) == [2]
        assert rows(engine, {"metadata": {"key": 1.0}}) == [0]
        assert rows(engine, {"metadata": {"key": [1, True]}}) == [0, 1]
        assert rows(engine, {"metadata": {"key": {"exists": True}}}) == [0, 1, 2, 3, 4, 5]
        with pytest.raises(UsageError):
            rows(engine, {"metadata": {"key": {"exists": 1}}})
        assert rows(engine, {"filename": ["0.md", "1.md"]}) == [0, 1]
        with pytest.raises(UsageError):
            rows(engine, {"filename": {"0.md": "1.md"}})


def test_a_filter_that_its_caller_changes(engine: SearchEngine) -> None:
    ids = ["d0"]
    conditions = {"document_ids": ids}
    assert rows(engine, conditions) == [0]
    ids.append("d3")
    assert rows(engine, conditions) == [0, 3]
    ids.clear()
    assert rows(engine, conditions) == []


class Anything(str):
    """Equal to every text."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return True


def test_what_is_equal_to_anything_is_not_kept(engine: SearchEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rows(engine, {"filename": "0.md"}) == [0]
    made = count_making(monkeypatch)
    for value in (Anything("1.md"), [Anything("1.md")]):
        rows(engine, {"filename": value})
    assert len(made) == 2
    assert rows(engine, {"filename": "2.md"}) == [2]


def test_only_few_and_small_ones_are_kept(engine: SearchEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    made = count_making(monkeypatch)
    many = {"document_ids": [f"d{row}" for row in range(1000)]}
    assert rows(engine, many) == rows(engine, many) == [0, 1, 2, 3, 4, 5]
    assert made == [many, many]
    for row in range(100):
        rows(engine, {"document_ids": [f"x{row}"]})
    assert engine._filters is not None
    assert len(engine._filters._recent) == recent_filters.MOST_KEPT
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises((UsageError, RecursionError)):
        rows(engine, {"metadata": {"key": deep}})


def test_many_threads(tmp_path: Path) -> None:
    rng = random.Random(5)
    world = random_world(tmp_path, rng, chunks=60, dimensions=0)
    filtered = FilteredWorld(world.documents, world.analyser)
    asked = [filtered.random_filter(rng) for _ in range(30)] * 4
    rng.shuffle(asked)

    def kept(order: int) -> set[int]:
        hits = world.engine.gate_hits("", range(60), filter=asked[order], min_keyword_coverage=0.0)
        return {hit.row for hit in hits}

    found = in_threads(kept, len(asked), 8)
    assert found == [filtered.kept(conditions) for conditions in asked]
    world.close()
