"""An index built over HTTP: opened from the environment, asked in one batch, without the key and the address in it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import coldseek
from coldseek_core.embed import OpenAIEmbedder
from coldseek_core.errors import EmbedderError, EmbedderMismatchError, MissingExtraError, UsageError
from embed.embedding_server import (
    DIMENSIONS,
    KEY,
    EmbeddingServer,
    entries,
    serving,
    with_entries,
)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "COLDSEEK_OPENAI_MODEL", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with serving() as server:
        yield server


def echo_key(request: Any) -> None:
    request.reply({"error": {"message": f"bad key {KEY}\n\x1b[31m" + "x" * 5000}}, 401)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Kettles\n\ncopper kettle\n")
    (tmp_path / "docs" / "b.md").write_text("# 重试\n\n延迟重试策略说明\n")
    return tmp_path / "docs"


def test_build_and_open(server: EmbeddingServer, pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    stages: list[tuple[str, int, int]] = []
    report = coldseek.build(
        [pages],
        tmp_path / "i",
        embedder="openai",
        embed_model="m",
        embed_base_url=server.url,
        on_progress=lambda stage, done, total: stages.append((stage, done, total)),
    )
    assert (report.embedder, report.dimensions) == ("openai:m", DIMENSIONS)
    assert len(report.warnings) == 1
    assert ("embed", 2, 2) in stages
    port = str(server.server_address[1])
    for path in (tmp_path / "i").rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes()
            assert port.encode() + b"/v1" not in path.read_bytes()

    before = len(server.requests)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    with coldseek.open(tmp_path / "i") as index:
        assert len(server.requests) == before
        found = index.search("copper kettle")
        assert (found.mode.ran, found.mode.degraded) == ("hybrid", None)
        # The first question takes the canaries along, later ones go alone.
        assert [len(request["input"]) for request in server.requests[before:]] == [4]
        index.search("重试")
        assert [len(request["input"]) for request in server.requests[before:]] == [4, 1]
        assert KEY not in repr(index.info()) + repr(index)

    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.delenv("OPENAI_API_KEY")
    with coldseek.open(tmp_path / "i") as index:
        found = index.search("重试")
        assert len(found.hits) == 1
        assert "OPENAI_API_KEY" in (found.mode.degraded or "")
        with pytest.raises(UsageError, match="OPENAI_API_KEY"):
            index.search("重试", mode="semantic")

    monkeypatch.setenv("OPENAI_BASE_URL", "nonsense")
    with coldseek.open(tmp_path / "i") as index:
        assert "OPENAI_BASE_URL" in (index.search("重试").mode.degraded or "")


def test_a_shortened_index_opens_by_itself(
    server: EmbeddingServer, pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    with OpenAIEmbedder("m:latest", dimensions=6) as own:
        assert coldseek.build([pages], tmp_path / "i", embedder=own).embedder == "openai:m:latest:6"
    with coldseek.open(tmp_path / "i") as index:
        assert index.search("copper").mode.ran == "hybrid"
    assert server.requests[-1]["model"] == "m:latest"
    assert server.requests[-1]["dimensions"] == 6


def test_another_model_behind_the_same_name(
    server: EmbeddingServer, pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    coldseek.build([pages], tmp_path / "i", embedder="openai", embed_model="m")
    server.answers = [with_entries(lambda given: [{**one, "embedding": one["embedding"][::-1]} for one in given])]
    with coldseek.open(tmp_path / "i") as index, pytest.raises(EmbedderMismatchError, match="another model"):
        index.search("copper")
    server.answers = [lambda request: request.reply({"data": entries(request.texts, 9)})]
    with coldseek.open(tmp_path / "i") as index:
        degraded = index.search("copper").mode.degraded or ""
        assert "9 dimensions" in degraded
        assert "8 were expected" in degraded
    with (
        coldseek.open(tmp_path / "i") as index,
        OpenAIEmbedder("other", base_url=server.url) as other,
        pytest.raises(EmbedderMismatchError, match=r"openai:m.*openai:other"),
    ):
        coldseek.open(index.path, embedder=other)


def test_a_build_that_fails_leaves_no_index(pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving(echo_key) as server, pytest.raises(EmbedderError, match="401") as caught:
        coldseek.build([pages], tmp_path / "i", embedder="openai", embed_base_url=server.url)
    assert KEY not in str(caught.value)
    assert not (tmp_path / "i").exists()
    for embedder in (None, "none", "mock"):
        with pytest.raises(UsageError, match="model"):
            coldseek.build([pages], tmp_path / "i", embedder=embedder, embed_model="m")


def test_without_httpx_a_build_ends_and_a_search_goes_on(
    server: EmbeddingServer, pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    coldseek.build([pages], tmp_path / "i", embedder="openai", embed_model="m")
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtraError, match=r"coldseek\[http\]"):
        coldseek.build([pages], tmp_path / "j", embedder="openai", embed_model="m")
    told: list[Exception] = []
    with coldseek.open(tmp_path / "i", on_error=told.append) as index:
        found = index.search("copper")
    assert len(found.hits) == 1
    assert "coldseek[http]" in (found.mode.degraded or "")
    assert [type(error) for error in told] == [MissingExtraError]


@pytest.mark.parametrize("kind", ["none", "openai"])
def test_opening_with_a_model_of_unknown_size_calls_nothing(
    server: EmbeddingServer, pages: Path, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    coldseek.build([pages], tmp_path / "i", embedder=kind, embed_model=None if kind == "none" else "m")
    before = len(server.requests)
    with OpenAIEmbedder("m") as own, coldseek.open(tmp_path / "i", embedder=own) as index:
        assert len(server.requests) == before
        assert index.search("copper").mode.ran == ("lexical" if kind == "none" else "hybrid")
        assert len(server.requests) - before == (kind == "openai")
