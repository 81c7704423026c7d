"""Known results: gate, fusion, packing and vectors, as an earlier system gives them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import VectorSizeError
from coldseek_core.ingest.build import build_index
from coldseek_core.ingest.documents import Chunk, Document
from coldseek_core.search.engine import SearchEngine
from coldseek_core.search.fusion import FUSION_UNIT, fuse
from coldseek_core.search.packing import pack
from coldseek_core.search.results import ChunkView, Hit
from search.worlds import write_documents


def engine_of(folder: Path, texts: Sequence[str], vectors: Any = None, language: str = "none") -> SearchEngine:
    documents = [
        Document(f"d{i}", f"d{i}.md", f"/d{i}", "", {}, (Chunk(f"c{i}", text, vector=vectors and tuple(vectors[i])),))
        for i, text in enumerate(texts)
    ]
    return SearchEngine(IndexFiles.open(write_documents(folder / "i", documents, language)))


@pytest.mark.parametrize(
    ("lists", "order", "first"),
    [
        ([[10, 20, 30], [20, 40]], [20, 10, 40, 30], 1 / 62 + 1 / 61),
        ([[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]], [1, 5, 2, 4, 3], 1 / 61 + 1 / 65),
        ([[], [7]], [7], 1 / 61),
        ([], [], None),
        ([[], []], [], None),
    ],
)
def test_fusion(lists: list[list[int]], order: list[int], first: float | None) -> None:
    fused = fuse(lists, 60)
    assert [row for row, _ in fused] == order
    if first is not None:
        assert fused[0][1] / FUSION_UNIT == pytest.approx(first, abs=1e-12)
    assert fuse(lists[::-1], 60) == fused


def hits_of(sizes: Sequence[int]) -> list[Hit]:
    return [
        Hit(i + 1, i, 1.0, None, 1.0, 1.0, ChunkView(f"c{i}", "/p", "T", (), f"s{i}", "x" * size, {}))
        for i, size in enumerate(sizes)
    ]


@pytest.mark.parametrize(
    ("sizes", "packed"), [([60, 50, 10], [60]), ([150, 10], [150]), ([0, 150, 10], [0, 150]), ([60, 40], [60, 40])]
)
def test_packing_at_100_characters(sizes: list[int], packed: list[int]) -> None:
    sources = pack(hits_of(sizes), lambda row: (0, row), 100)
    assert [len(source.text) for source in sources] == packed
    assert [source.number for source in sources] == list(range(1, len(packed) + 1))


def test_chunks_of_one_section_are_one_source() -> None:
    (source,) = pack(hits_of([60, 40]), lambda _: (3, 1), 100)
    assert source.text == "x" * 60 + "\n\n" + "x" * 40
    assert [s.number for s in pack(hits_of([10] * 4), [(0, 0), (1, 0), (0, 0), (2, 0)].__getitem__, 100)] == [1, 2, 3]


@pytest.mark.parametrize("count", [9, 13, 50, 200])
def test_one_of_two_words_of_equal_frequency_passes(tmp_path: Path, count: int) -> None:
    engine = engine_of(
        tmp_path,
        [
            " ".join(f"a{df}" for df in range(1, count // 2 + 1) if row < df)
            + " "
            + " ".join(f"b{df}" for df in range(1, count // 2 + 1) if row >= count - df)
            for row in range(count)
        ],
    )
    for df in range(1, count // 2 + 1):
        answer = engine.retrieve(f"a{df} b{df}", top_k=50)
        assert len(answer.hits) == min(40, 2 * df)
        assert {hit.keyword_coverage for hit in answer.hits} == {0.5}
    engine.files.close()


@pytest.mark.parametrize(("held", "given"), [(7, 3), (768, 384), (384, 768), (4, 0)])
def test_vector_of_the_wrong_length_names_both(tmp_path: Path, held: int, given: int) -> None:
    engine = engine_of(tmp_path, ["a"], [[0.5] * held])
    vector = [1.0] * given
    for ask in (
        lambda: engine.search("a", vector=vector),
        lambda: engine.retrieve("a", vector=vector),
        lambda: engine.search_many(["a"], vectors=[vector]),
        lambda: engine.gate_hits("a", [0], vector=vector),
    ):
        with pytest.raises(VectorSizeError, match=rf"\b{held}\b.*\b{given}\b.*built with"):
            ask()


def test_a_keyword_only_index_ignores_a_vector(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, ["copper kettle", "iron pan"])
    found = engine.search("copper", vector=[1.0, 2.0])
    assert (found.mode.ran, found.hits[0].similarity, len(found.hits)) == ("lexical", None, 1)
    assert engine.retrieve("copper", vector=[1.0]).best_similarity is None


def test_a_collision_of_hashes_needs_a_shared_word(tmp_path: Path) -> None:
    (tmp_path / "npm.txt").write_text("npm")
    build_index([tmp_path / "npm.txt"], tmp_path / "i", embedder="mock")
    engine = SearchEngine(IndexFiles.open(tmp_path / "i"))
    assert (engine.search("france").hits[0].similarity or 0.0) > 0.9
    refused = engine.retrieve("france")
    assert not refused.answerable
    assert refused.best_similarity is None
    assert refused.refusal is not None
    assert refused.refusal.similarity is None
    assert engine.retrieve("france", similarity_needs_keyword=False).answerable
    assert engine.retrieve("npm").answerable


def test_nothing_is_refused_because_of_the_cut(tmp_path: Path) -> None:
    """The one chunk whose coverage passes ranks last of 46, after the cut to 40."""
    common = " ".join(f"c{i}" for i in range(40))
    texts = [common] * 45 + ["rare " + " ".join(f"filler{i}" for i in range(2000))]
    for vectors in (None, [[1.0, 0.0]] * 45 + [[0.0, 1.0]]):
        engine = engine_of(tmp_path / str(vectors is None), texts, vectors)
        question = common + " rare"
        assert [hit.row for hit in engine.search(question, mode="lexical", top_k=50).hits][45] == 45
        answer = engine.retrieve(question, vector=[-1.0, 0.0] if vectors else None)
        assert answer.answerable
        assert [hit.row for hit in answer.hits] == [45]
        assert answer.best_keyword_coverage == answer.hits[0].keyword_coverage >= 0.5
        assert answer.sources[0].text.startswith("rare")
