"""The whole way, from a server that answers oddly to an index and its answers: the right vectors, or a typed error."""

import logging
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import coldseek
from coldseek_core.embed import http_client
from embed.embedding_server import (
    KEY,
    Answer,
    EmbeddingServer,
    Handler,
    entries,
    good,
    good_workers_ai,
    serving,
    with_entries,
    with_status,
)

TOPICS = ["kettle", "lamp", "bucket", "策略", "ladder", "harbour", "pan"]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "DELAYS", (0.01, 0.02, 0.04))
    for name in ("OPENAI_BASE_URL", "COLDSEEK_OPENAI_MODEL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for topic in TOPICS:
        (folder / f"{topic}.md").write_text(f"# {topic}\n\nAbout the {topic}.\n\n## Care\n\nHow to keep a {topic}.\n")
    return folder


def build(pages: Path, folder: Path, server: EmbeddingServer) -> None:
    coldseek.build([pages], folder, embedder="openai", embed_model="m", embed_base_url=server.url)


def files_of(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


@pytest.fixture
def expected(pages: Path, tmp_path: Path) -> dict[str, bytes]:
    with serving(good) as server:
        build(pages, tmp_path / "expected", server)
    return files_of(tmp_path / "expected")


def shuffled(given: list[dict[str, Any]]) -> object:
    random.Random(len(given)).shuffle(given)
    return given


def slow(request: Handler) -> None:
    request.server.stopping.wait(0.3)
    good(request)


MENDED: dict[str, list[Answer]] = {
    "shuffled": [with_entries(shuffled)],
    "short": [with_entries(lambda given: given[: len(given) // 2 + 1])],
    "one by one": [with_entries(lambda given: given[:1])] * 3 + [good],
    "holes": [
        with_entries(lambda given: [{**one, "embedding": None} if one["index"] % 3 else one for one in given]),
        good,
    ],
    "slow": [slow],
    "429": [with_status(429, "", Retry_After="0"), good, with_status(429, {"error": {"message": "slow down"}}), good],
    "500": [with_status(500, "oops"), with_status(503), good],
    "all at once": [with_status(429), with_entries(shuffled), with_status(502), good],
}


@pytest.mark.parametrize("kind", MENDED)
def test_what_can_be_mended_gives_the_same_index(
    kind: str, pages: Path, tmp_path: Path, expected: dict[str, bytes]
) -> None:
    with serving(*MENDED[kind]) as server:
        build(pages, tmp_path / "i", server)
    assert files_of(tmp_path / "i") == expected


REFUSED: dict[str, tuple[Answer, str]] = {
    "extra": (with_entries(lambda given: [*given, {**given[0], "index": len(given)}]), r"vectors for \d+ texts"),
    "twice": (with_entries(lambda given: [{**one, "index": 0} for one in given]), "two vectors have the index 0"),
    "NaN": (
        lambda request: request.reply(
            {"data": [{**one, "embedding": [float("nan")] * 8} for one in entries(request.texts)]}
        ),
        "NaN in place of a number",
    ),
    "another size": (
        lambda request: request.reply({"data": entries(request.texts, 9)}),
        "9 dimensions, 8 were expected",
    ),
    "500 for ever": (with_status(500, "oops"), r"500.*4 tries"),
    "401": (with_status(401, {"error": {"message": f"the key {KEY} is wrong"}}), "401"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_is_a_typed_error_and_the_old_index_stays(
    kind: str, pages: Path, tmp_path: Path, expected: dict[str, bytes], caplog: pytest.LogCaptureFixture
) -> None:
    answer, says = REFUSED[kind]
    caplog.set_level(logging.DEBUG)
    with serving(good) as server:
        build(pages, tmp_path / "i", server)
        (pages / "new.md").write_text("# New\n\nA page that needs a vector.\n")
        # The first answer tells the size; the ones after it are those that are odd.
        server.answers = [good, answer] if kind == "another size" else [answer]
        with pytest.raises(coldseek.EmbedderError, match=says) as caught:
            build(pages, tmp_path / "i", server)
    assert KEY[:12] not in str(caught.value) + caplog.text
    assert "\n" not in str(caught.value)
    assert files_of(tmp_path / "i") == expected
    assert not [path for path in (tmp_path / "i").iterdir() if path.name.startswith(".tmp")]


def stalled(request: Handler) -> None:
    request.server.stopping.wait(20)
    request.hang_up()


# Of one text's one vector, index 0 is the right one.
ODD_ANSWERS: dict[str, Answer] = {name: answer for name, (answer, _) in REFUSED.items() if name != "twice"} | {
    "stalled": stalled,
    "slower than the deadline": slow,
    "429": with_status(429, "", Retry_After="30"),
}


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with serving() as server:
        yield server


@pytest.mark.parametrize("kind", ODD_ANSWERS)
def test_a_question_is_answered_from_keywords_in_time_and_says_so(
    kind: str, pages: Path, tmp_path: Path, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    build(pages, tmp_path / "i", server)
    told: list[Exception] = []
    with coldseek.open(tmp_path / "i", embed_timeout=0.3, on_error=told.append) as index:
        assert index.retrieve("About the kettle").mode.ran == "hybrid"
        server.answers = [ODD_ANSWERS[kind]]
        for question in ("About the kettle", "策略"):
            begin = time.monotonic()
            answer = index.retrieve(question)
            assert time.monotonic() - begin < 0.5
            assert answer.answerable
            assert (answer.mode.requested, answer.mode.ran) == ("hybrid", "lexical")
            assert "openai:m" in (answer.mode.degraded or "")
            assert answer.best_similarity is None
        assert [type(error) for error in told] == [coldseek.EmbedderError] * 2
        assert KEY[:12] not in "".join(map(str, told)) + repr(index.retrieve("lamp").to_dict())
        server.answers = [good]
        assert index.retrieve("About the kettle").mode.ran == "hybrid"


@pytest.mark.parametrize("kind", ["openai", "workers-ai"])
def test_keys_are_in_no_log_no_index_and_no_environment_of_it(
    kind: str, pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With every logger turned on, for calls that work and calls that do not."""
    account = "0123456789abcdef0123456789abcdef"
    monkeypatch.setenv("CLOUDFLARE_API_TOKEN", KEY)
    monkeypatch.setenv("CLOUDFLARE_ACCOUNT_ID", account)
    caplog.set_level(logging.DEBUG)
    well, badly = (good, with_status(401, {"error": {"message": f"no: {KEY}"}, "errors": [{"message": KEY}]}))
    if kind == "workers-ai":
        well = good_workers_ai
    said: list[str] = []
    with serving(well) as server:

        def build(name: str) -> None:
            model = "m" if kind == "openai" else None
            coldseek.build([pages], tmp_path / name, embedder=kind, embed_model=model, embed_base_url=server.url)

        build("i")
        server.answers = [badly]
        with pytest.raises(coldseek.EmbedderError) as caught:
            build("j")
        said += [str(caught.value), repr(caught.value.__cause__), repr(caught.value.__context__)]
        sent = server.sent_headers[0]["authorization"]
    assert sent == f"Bearer {KEY}"
    with coldseek.open(tmp_path / "i") as index:
        said += [repr(index), repr(index.info()), repr(index.search("kettle", mode="lexical").to_dict())]
    assert caplog.records, "the HTTP library logs, so there is something to look at"
    assert KEY[:12] not in caplog.text + "".join(said)
    for name, data in files_of(tmp_path / "i").items():
        assert KEY.encode() not in data, name
        assert account.encode() not in data, name
    assert not (tmp_path / "j" / "manifest.msgpack").exists()
