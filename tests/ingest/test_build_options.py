"""Options of a build that cannot be used: a UsageError of one line, never a crash and never an index."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from coldseek_core.errors import ColdseekError, UsageError
from coldseek_core.ingest.build import build_index

OPTIONS: list[dict[str, Any]] = [
    {"workers": 0},
    {"workers": 257},
    {"workers": True},
    {"workers": "2"},
    {"workers": 1.0},
    {"language": ""},
    {"language": "english!"},
    {"language": 5},
    {"language": None},
    {"framework": "jekyll"},
    {"framework": 5},
    {"base_url": None},
    {"base_url": 5},
    {"clean_urls": "yes"},
    {"chunk_size": 99},
    {"chunk_size": 10**9},
    {"chunk_size": "1200"},
    {"chunk_size": 400, "chunk_overlap": 300},
    {"chunk_overlap": -1},
    {"chunk_unit": "words"},
    {"chunk_unit": 5},
    {"embedder": "openai-typo"},
    {"embedder": 5},
    {"scoring": {"k1": 0}},
    {"scoring": {"k2": 1}},
    {"scoring": 5},
    {"retrieval": {"top_k": 0}},
    {"retrieval": {"min_similarity": float("nan")}},
    {"retrieval": {"min_keyword_coverage": 1.1}},
    {"retrieval": {"similarity_needs_keyword": 1}},
    {"retrieval": {"topk": 3}},
    {"retrieval": 5},
    {"site_name": 5},
    {"no_answer_message": 5},
    {"site_name": "\ud800"},
]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "a.md").write_text("# A\n\ntext")
    return tmp_path / "a.md"


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_bad_options(tmp_path: Path, page: Path, options: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        build_index([page], tmp_path / "i", **options)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "i" / "manifest.msgpack").exists()


@pytest.mark.parametrize("kind", ["path", "text", "none", "number", "numbers", "bytes", "empty"])
def test_bad_sources(tmp_path: Path, page: Path, kind: str) -> None:
    sources: Any = {
        "path": page,
        "text": str(page),
        "none": None,
        "number": 5,
        "numbers": [5],
        "bytes": [bytes(page)],
        "empty": [],
    }[kind]
    with pytest.raises(UsageError):
        build_index(sources, tmp_path / "i")


@pytest.mark.parametrize("output", [5, None, "", "\0"])
def test_bad_outputs(tmp_path: Path, page: Path, monkeypatch: pytest.MonkeyPatch, output: Any) -> None:
    """An empty name, as from a variable that is not set, must not fill the current folder."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ColdseekError):
        build_index([page], output)
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]


def test_an_output_that_is_a_file(page: Path) -> None:
    with pytest.raises(ColdseekError):
        build_index([page], page)
    assert page.read_text() == "# A\n\ntext"


class Own:
    id: Any = "own"
    dimensions: Any = 2
    min_similarity: Any = 0.5
    similarity_needs_keyword: Any = False

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, 2.0] for _ in texts]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("id", 5),
        ("id", None),
        ("dimensions", "2"),
        ("dimensions", 0),
        ("dimensions", -1),
        ("dimensions", 2.0),
        ("min_similarity", 5),
        ("min_similarity", float("nan")),
        ("min_similarity", "high"),
        ("embed", None),
    ],
)
def test_embedders_that_describe_themselves_wrongly(tmp_path: Path, page: Path, name: str, value: Any) -> None:
    """An index that could not be opened must not be written."""
    embedder = Own()
    setattr(embedder, name, value)
    with pytest.raises(ColdseekError):
        build_index([page], tmp_path / "i", embedder=embedder)
    assert not (tmp_path / "i" / "manifest.msgpack").exists()
