"""Servers that are slow or ask for patience: everything ends at the deadline, and waits are the ones agreed on."""

import json
import time
from email.utils import formatdate

import pytest

from coldseek_core.embed import OpenAIEmbedder, deadline, http_client
from coldseek_core.errors import EmbedderError
from embed.embedding_server import (
    DIMENSIONS,
    KEY,
    Answer,
    EmbeddingServer,
    Handler,
    entries,
    good,
    serving,
    vector_of,
    with_status,
)

TEXTS = ["one", "two", "three"]
VECTORS = [vector_of(text) for text in TEXTS]


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "DELAYS", (0.01, 0.02, 0.04))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def embedder(server: EmbeddingServer, timeout: float = 5.0) -> OpenAIEmbedder:
    return OpenAIEmbedder("m", api_key=KEY, base_url=server.url, dimensions=DIMENSIONS, timeout=timeout)


def silence(request: Handler) -> None:
    request.server.stopping.wait(20)
    request.hang_up()


def drip(request: Handler) -> None:
    """A good answer, one byte at a time."""
    body = json.dumps({"data": entries(request.texts)}).encode()
    request.send_response(200)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    for place in range(len(body)):
        request.wfile.write(body[place : place + 1])
        request.wfile.flush()
        if request.server.stopping.wait(0.02):
            break
    request.hang_up()


def drip_headers(request: Handler) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while not request.server.stopping.wait(0.02):
        request.wfile.write(b"x")
        request.wfile.flush()
    request.hang_up()


@pytest.mark.parametrize("answer", [silence, drip, drip_headers])
def test_slow_answers_end_at_the_deadline(answer: Answer) -> None:
    with serving(answer) as server, embedder(server, timeout=0.5) as own:
        begin = time.monotonic()
        with pytest.raises(EmbedderError, match=r"within|in time") as caught:
            own.embed(TEXTS)
        assert time.monotonic() - begin < 0.9
        assert str(caught.value).isprintable()
        server.stopping.set()
        wait_for_threads(own)


def wait_for_threads(own: OpenAIEmbedder) -> None:
    ends = time.monotonic() + 5
    while own._calls._counts.running and time.monotonic() < ends:
        time.sleep(0.01)
    assert own._calls._counts.running == 0
    assert own._calls._counts.given_up == 0


def test_a_connection_that_went_silent_leaves_time_for_another() -> None:
    with serving(silence, good) as server, embedder(server, timeout=1.0) as own:
        assert own.embed(TEXTS) == VECTORS
    assert len(server.requests) == 2


@pytest.mark.parametrize("written", ["0.3", "date"])
def test_retry_after_is_honoured(written: str) -> None:
    # A date counts whole seconds, so this one is between 0 and 1 s ahead.
    value = formatdate(time.time() + 1, usegmt=True) if written == "date" else written
    with serving(with_status(429, "", Retry_After=value), good) as server, embedder(server) as own:
        begin = time.monotonic()
        assert own.embed(TEXTS) == VECTORS
        spent = time.monotonic() - begin
    assert spent < 3
    assert written == "date" or spent >= 0.3


@pytest.mark.parametrize("value", ["-5", "soon", "", "1e3", "9" * 50])
def test_retry_after_is_not_believed_blindly(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "MOST_WAIT", 0.05)
    with serving(with_status(503, "", Retry_After=value), good) as server, embedder(server) as own:
        assert own.embed(TEXTS) == VECTORS


def test_no_try_is_begun_that_cannot_end_in_time() -> None:
    with serving(with_status(429, "", Retry_After="20")) as server, embedder(server, timeout=2.0) as own:
        begin = time.monotonic()
        with pytest.raises(EmbedderError, match=r"429; no time is left"):
            own.embed(TEXTS)
        assert time.monotonic() - begin < 0.5
    assert len(server.requests) == 1


def test_calls_are_not_piled_up() -> None:
    with serving(silence) as server, embedder(server, timeout=0.05) as own:
        # The client ends its own tries, so nothing is left behind by them.
        for _ in range(deadline.MOST_GIVEN_UP * 2):
            with pytest.raises(EmbedderError):
                own.embed(TEXTS)
            time.sleep(0.02)
        server.answers = [good]
        wait_for_threads(own)
        own._timeout = 5.0
        assert own.embed(TEXTS) == VECTORS
