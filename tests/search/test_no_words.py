"""A question without a word: nothing is embedded, nothing is found, and the refusal says so."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import coldseek


class Counting:
    id = "counting"
    dimensions = 2

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], /) -> list[list[float]]:
        self.asked.extend(texts)
        return [[1.0, float(len(text) % 3)] for text in texts]


@pytest.mark.parametrize("question", ["", "   ", "!!!", "\U0001f9ca", "\u200b", "\u0301"])
@pytest.mark.parametrize("embedder", ["own", "mock", "none"])
def test_nothing_is_asked_or_found(tmp_path: Path, question: str, embedder: str) -> None:
    (tmp_path / "a.md").write_text("# Kettle\n\nCopper kettle.\n\n## Lid\n\nIron lid.\n")
    own = Counting()
    coldseek.build([tmp_path / "a.md"], tmp_path / "i", embedder=own if embedder == "own" else embedder)
    with coldseek.open(tmp_path / "i", embedder=own if embedder == "own" else None) as index:
        own.asked.clear()
        found = index.search(question)
        assert found.hits == []
        assert found.mode.degraded is None
        answer = index.retrieve(question)
        assert answer.refusal is not None
        assert answer.refusal.reason == "no_searchable_words"
        assert own.asked == []
        assert index.search("kettle").hits
