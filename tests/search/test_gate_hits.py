"""The gate of `retrieve`, applied to chunks that come from anywhere."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import coldseek
from coldseek_core.ingest.documents import Chunk, Document
from search.worlds import random_world, write_documents

TEXTS = ["copper kettle", "copper pan", "iron pan", "kettle of copper and of iron", ""]


def written(folder: Path, name: str) -> Path:
    documents = [
        Document(f"{name}{row}", "", f"/{row}", "", {"even": row % 2 == 0}, (Chunk(f"{name}{row}~0", text),))
        for row, text in enumerate(TEXTS)
    ]
    return write_documents(folder, documents)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[coldseek.Index]:
    with coldseek.open(written(tmp_path_factory.mktemp("gate") / "i", "c")) as opened:
        yield opened


def rows_of(hits: list[Any]) -> list[int]:
    return [hit.row for hit in hits]


def test_rows_ids_hits_and_chunks(index: coldseek.Index) -> None:
    hits = index.search("copper kettle iron").hits
    named: list[list[Any]] = [
        [4, 3, 2, 1, 0],
        [f"c{row}~0" for row in (4, 3, 2, 1, 0)],
        [index.chunks[row] for row in (4, 3, 2, 1, 0)],
        [3, "c0~0", index.chunks[0], *sorted(hits, key=lambda hit: -hit.row), 3],
    ]
    for names in named:
        gated = index.gate_hits("copper kettle", names, min_keyword_coverage=0.9)
        assert rows_of(gated) == [3, 0]
        assert [hit.rank for hit in gated] == [1, 2]
        assert [hit.keyword_coverage for hit in gated] == [1.0, 1.0]
        assert gated[0].score > gated[1].score
        assert gated[1].chunk.text == "copper kettle"
    assert index.gate_hits("copper kettle", []) == []
    assert rows_of(index.gate_hits("copper kettle", iter([1, 0]), min_keyword_coverage=0.1)) == [1, 0]
    assert index.gate_hits("zebra", range(5)) == []
    assert index.gate_hits("", range(5)) == []


def test_what_names_no_chunk_is_dropped(index: coldseek.Index, tmp_path: Path) -> None:
    with coldseek.open(written(tmp_path / "other", "x")) as other:
        theirs = other.search("copper").hits
    assert theirs
    assert index.gate_hits("copper", [*theirs, theirs[0].chunk, -1, 5, 10**20, "x0~0", ""]) == []


def test_a_filter(index: coldseek.Index) -> None:
    assert rows_of(index.gate_hits("copper kettle", range(5), filter={"metadata": {"even": True}})) == [0]
    with pytest.raises(coldseek.UsageError):
        index.gate_hits("copper", range(5), filter={"x": 1})


NONSENSE: list[Any] = [None, 5, "c0~0", b"x", {}, [None], [1.5], [True], [[0]], [b"c0~0"], object(), range(10_001)]


@pytest.mark.parametrize("named", NONSENSE, ids=range(len(NONSENSE)))
def test_what_is_no_list_of_chunks(index: coldseek.Index, named: Any) -> None:
    with pytest.raises(coldseek.UsageError) as caught:
        index.gate_hits("copper", named)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("options", [{"min_similarity": 2}, {"mode": "x"}, {"similarity_needs_keyword": 1}], ids=str)
def test_options_that_cannot_be_used(index: coldseek.Index, options: dict[str, Any]) -> None:
    with pytest.raises(coldseek.UsageError):
        index.gate_hits("copper", [0], **options)
    with pytest.raises(coldseek.UsageError, match="text"):
        index.gate_hits(5, [0])  # type: ignore[arg-type]


def test_the_same_gate_and_measures_as_retrieve(tmp_path: Path) -> None:
    """Over all rows, with room for all: exactly those that `retrieve` lets pass, measured alike."""
    rng = random.Random(11)
    world = random_world(tmp_path, rng, chunks=45, dimensions=16)
    passed = 0
    for _ in range(80):
        query, vector = world.random_query(rng), world.random_vector(rng)
        options: dict[str, Any] = {
            "vector": vector,
            "min_similarity": rng.choice([0.0, 0.25, 0.7]),
            "min_keyword_coverage": rng.choice([0.3, 0.5, 1.0]),
            "similarity_needs_keyword": rng.random() < 0.5,
        }
        answer = world.engine.retrieve(query, candidates=1000, top_k=50, **options)
        rows = list(range(45))
        rng.shuffle(rows)
        gated = world.engine.gate_hits(query, rows, **options)
        assert sorted(rows_of(gated)) == sorted(rows_of(answer.hits))
        assert [row for row in rows if row in rows_of(gated)] == rows_of(gated)
        measured = {hit.row: (hit.similarity, hit.keyword_score, hit.keyword_coverage) for hit in answer.hits}
        assert {hit.row: (hit.similarity, hit.keyword_score, hit.keyword_coverage) for hit in gated} == measured
        passed += len(gated)
    world.close()
    assert passed
