"""Cloudflare Workers AI: address, request, answer, and an index that finds its embedder again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import coldseek
from coldseek.cli import main
from coldseek_core.embed import WorkersAIEmbedder
from coldseek_core.errors import EmbedderError, UsageError
from embed.embedding_server import KEY, Answer, EmbeddingServer, good_workers_ai, serving, vector_of, with_status

ACCOUNT = "0123456789abcdef"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    with serving(good_workers_ai) as server:
        monkeypatch.setenv("CLOUDFLARE_ACCOUNT_ID", ACCOUNT)
        monkeypatch.setenv("CLOUDFLARE_API_TOKEN", KEY)
        monkeypatch.setenv("CLOUDFLARE_BASE_URL", server.url)
        yield server


def test_requests_and_vectors(server: EmbeddingServer) -> None:
    with WorkersAIEmbedder() as own:
        assert (own.id, own.dimensions) == ("workers-ai:@cf/baai/bge-small-en-v1.5", 384)
        assert (own.min_similarity, own.warning) == (0.65, None)
        assert own.embed(["a", " ", "b"]) == [vector_of("a", 384), [0.0] * 384, vector_of("b", 384)]
        own.embed([str(number) for number in range(101)])
    assert server.requests[0] == {"text": ["a", "b"]}
    assert [len(request["text"]) for request in server.requests] == [2, 100, 1]
    assert set(server.paths) == {f"/v1/accounts/{ACCOUNT}/ai/run/@cf/baai/bge-small-en-v1.5"}
    assert server.sent_headers[0]["authorization"] == f"Bearer {KEY}"


def answer_with(**parts: Any) -> Answer:
    return lambda request: request.reply(
        {"result": {"data": [vector_of(text, 384) for text in request.texts]}, "success": True, **parts}
    )


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (answer_with(success=False, errors=[{"message": f"no\nluck {KEY}"}]), r"no luck \[key\]"),
        (answer_with(success=None, errors=5), "no success"),
        (answer_with(result=None), "result.data"),
        (answer_with(result={"data": []}), "0 vectors for 2 texts"),
        (answer_with(result={"data": [[0.5] * 384] * 3}), "3 vectors for 2 texts"),
        (answer_with(result={"data": [[0.5] * 384, [0.5] * 383]}), "383 dimensions, 384 were expected"),
        (answer_with(result={"data": [[0.5] * 384, None]}), "NoneType"),
        (with_status(200, "[]"), "no success"),
        (with_status(403, {"success": False, "errors": [{"code": 10000, "message": "Authentication error"}]}), "Auth"),
    ],
)
def test_answers_that_fit_nothing(server: EmbeddingServer, answer: Answer, said: str) -> None:
    server.answers = [answer]
    with WorkersAIEmbedder() as own, pytest.raises(EmbedderError, match=said) as caught:
        own.embed(["a", "b"])
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "options",
    [
        {"account_id": "../x"},
        {"account_id": ""},
        {"account_id": "a b"},
        {"account_id": "é"},
        {"api_token": ""},
        {"model": "@cf/../../x"},
        {"model": "a?b"},
        {"model": "a b"},
        {"model": "a//b"},
        {"batch_size": 101},
    ],
    ids=str,
)
def test_bad_options(server: EmbeddingServer, options: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        WorkersAIEmbedder(**options)
    assert KEY not in str(caught.value)
    assert server.requests == []


@pytest.mark.parametrize("name", ["CLOUDFLARE_ACCOUNT_ID", "CLOUDFLARE_API_TOKEN"])
def test_command_line_and_missing_variables(
    server: EmbeddingServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    (tmp_path / "a.txt").write_text("copper kettle")
    arguments = ["build", str(tmp_path / "a.txt"), "-o", str(tmp_path / "i"), "-e", "workers-ai", "--quiet"]
    assert main(arguments) == 0
    with coldseek.open(tmp_path / "i") as index:
        assert index.info()["settings"]["retrieval"]["min_similarity"] == 0.65
        assert index.search("copper").mode.ran == "hybrid"
    assert main([*arguments, "--model", "@cf/own/model", "--embed-base-url", server.url]) == 0
    printed = capsys.readouterr()
    assert "min_similarity" in printed.err
    assert KEY not in printed.err + printed.out
    for path in (tmp_path / "i").rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()
        assert path.is_dir() or ACCOUNT.encode() not in path.read_bytes()
    monkeypatch.delenv(name)
    with coldseek.open(tmp_path / "i") as index:
        assert name in (index.retrieve("copper").mode.degraded or "")
    assert main(arguments) == 1
    assert name in capsys.readouterr().err
