"""An embedder that is down, late, broken or another one: keywords answer, and the result says so."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from coldseek_core.columns.reader import IndexFiles
from coldseek_core.errors import EmbedderError, EmbedderMismatchError
from coldseek_core.ingest.build import build_index
from coldseek_core.search.engine import SearchEngine


class Own:
    """Counts letters; `broken` says how it fails."""

    id = "letters-3"
    dimensions = 3
    min_similarity = 0.9

    def __init__(self, broken: Any = None) -> None:
        self.broken = broken

    def embed(self, texts: Sequence[str]) -> Any:
        if isinstance(self.broken, Exception):
            raise self.broken
        if self.broken is not None:
            return self.broken
        return [[1.0 + text.count("e"), text.count("a") * 1.0, -1.0 * len(text)] for text in texts]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    (folder / "a.txt").write_text("copper kettle")
    (folder / "b.txt").write_text("延迟重试策略说明")
    build_index([folder / "a.txt", folder / "b.txt"], folder / "i", embedder=Own())
    return folder / "i"


FAILURES: list[Any] = [
    RuntimeError("down\nand out"),
    TimeoutError(),
    EmbedderError("no"),
    [],
    [[1.0]],
    [[math.nan] * 3],
    5,
]


@pytest.mark.parametrize("failure", FAILURES, ids=range(len(FAILURES)))
def test_keywords_answer_when_the_embedder_fails(index: Path, failure: Any) -> None:
    reported: list[Exception] = []
    embedder = Own()
    engine = SearchEngine(IndexFiles.open(index), embedder, reported.append)
    embedder.broken = failure
    found = engine.search("重试")
    assert [hit.similarity for hit in found.hits] == [None]
    assert (found.mode.requested, found.mode.ran) == ("hybrid", "lexical")
    assert found.mode.degraded
    assert "\n" not in found.mode.degraded
    assert len(reported) == 1
    assert isinstance(reported[0], EmbedderError)
    answer = engine.retrieve("copper kettle")
    assert answer.answerable
    assert answer.mode.degraded
    assert answer.best_similarity is None
    assert len(reported) == 2
    assert engine.search("copper", mode="lexical").mode.degraded is None
    assert len(reported) == 2
    embedder.broken = None
    assert engine.search("copper").mode.to_dict() == {"requested": "hybrid", "ran": "hybrid", "degraded": None}


def test_a_broken_reporter_costs_no_answer(index: Path) -> None:
    def report(_: Exception) -> None:
        raise RuntimeError("the reporter is broken, too")

    embedder = Own()
    engine = SearchEngine(IndexFiles.open(index), embedder, report)
    embedder.broken = RuntimeError("down")
    assert engine.search("copper").hits


def test_an_embedder_that_is_down_at_open_is_checked_later(index: Path) -> None:
    embedder = Own(RuntimeError("down"))
    engine = SearchEngine(IndexFiles.open(index), embedder)
    assert engine.search("copper").mode.ran == "lexical"
    embedder.broken = None
    assert engine.search("copper").mode.ran == "hybrid"


def test_another_model_found_out_later_is_an_error(index: Path) -> None:
    class Other(Own):
        def embed(self, texts: Sequence[str]) -> Any:
            if self.broken is not None:
                raise self.broken
            return [[-1.0, 5.0, 2.0] for _ in texts]

    embedder = Other(RuntimeError("down"))
    engine = SearchEngine(IndexFiles.open(index), embedder)
    embedder.broken = None
    with pytest.raises(EmbedderMismatchError):
        engine.search("copper")


@pytest.mark.parametrize(("name", "value"), [("id", "letters-4"), ("dimensions", 4)])
def test_another_embedder_is_an_error_that_names_both(index: Path, name: str, value: Any) -> None:
    embedder = Own()
    setattr(embedder, name, value)
    with pytest.raises(EmbedderMismatchError, match=rf"letters-3.*3.*{value}"):
        SearchEngine(IndexFiles.open(index), embedder)


def test_another_model_of_the_same_name_is_found_out_by_its_canaries(index: Path) -> None:
    class Other(Own):
        def embed(self, texts: Sequence[str]) -> Any:
            return [vector[::-1] for vector in super().embed(texts)]

    with pytest.raises(EmbedderMismatchError, match="another model"):
        SearchEngine(IndexFiles.open(index), Other())


def test_without_the_embedder(index: Path) -> None:
    engine = SearchEngine(IndexFiles.open(index))
    assert engine.search("copper").mode.degraded
    with pytest.raises(ValueError, match="vector"):
        engine.search("copper", mode="semantic")
    assert engine.search("copper", vector=[1.0, 0.0, -5.0]).mode.ran == "hybrid"
    assert engine.settings.retrieval.min_similarity == 0.9


def test_semantic_mode_with_an_embedder_that_fails(index: Path) -> None:
    embedder = Own()
    engine = SearchEngine(IndexFiles.open(index), embedder)
    embedder.broken = RuntimeError("down")
    found = engine.search("copper", mode="semantic")
    assert (found.mode.requested, found.mode.ran, len(found.hits)) == ("semantic", "lexical", 1)
    assert found.mode.degraded
