"""Servers that are slow, broken or hostile: the right vectors or one typed line, soon, with no request too many."""

import gzip
import json
import shutil
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import coldseek_core
from coldseek_core.embed import OpenAIEmbedder, http_client
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
    with_entries,
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


def hang_up(request: Handler) -> None:
    request.hang_up()


def cut_off(request: Handler) -> None:
    """Half of what the header promised."""
    request.send_response(200)
    request.send_header("Content-Length", "100000")
    request.end_headers()
    request.wfile.write(b'{"data": [')
    request.hang_up()


def zipped(request: Handler) -> None:
    request.reply(gzip.compress(json.dumps({"data": entries(request.texts)}).encode()), Content_Encoding="gzip")


def changed(place: int, **parts: Any) -> Answer:
    """The good answer, but for parts of one entry."""
    return with_entries(lambda given: [{**one, **parts} if one["index"] == place else one for one in given])


def number(written: str) -> Answer:
    """One number of a vector replaced by what is not, or hardly, JSON."""

    def answer(request: Handler) -> None:
        body = json.dumps({"data": entries(request.texts)})
        request.reply(body.replace(str(VECTORS[1][0]), written, 1))

    return answer


MENDED: list[tuple[list[Answer], int]] = [
    ([good], 1),
    ([zipped], 1),
    ([with_entries(lambda given: given[::-1])], 1),
    ([with_entries(lambda given: given[:1]), good], 2),
    ([with_status(429, {"error": {"message": "slow down"}}), good], 2),
    ([with_status(429, "", Retry_After="0"), good], 2),
    ([with_status(500, "oops"), with_status(503, ""), good], 3),
    ([hang_up, good], 2),
    ([cut_off, good], 2),
    ([hang_up, with_status(502), with_status(429), good], 4),
]


@pytest.mark.parametrize(("answers", "requests"), MENDED, ids=range(len(MENDED)))
def test_what_another_try_mends(answers: list[Answer], requests: int) -> None:
    with serving(*answers) as server, embedder(server) as own:
        assert own.embed(TEXTS) == VECTORS
    assert len(server.requests) == requests


FATAL: list[tuple[Answer, str, int]] = [
    (with_status(400, {"error": {"message": "too long"}}), "answered 400: too long$", 1),
    (with_status(401, {"error": "who?"}), "answered 401: who", 1),
    (with_status(404, {"detail": "no model"}), "no model", 1),
    (with_status(408, ""), "408", 1),
    (with_status(413, "x" * 100_000), "413", 1),
    (with_status(429, {"error": {"message": "no\r\nmoney"}}), r"429: no money \(4 tries\)", 4),
    (with_status(500, "<html><title>Bad</title>", Content_Type="text/html"), r"HTML \(Bad\) \(4 tries\)", 4),
    (with_status(301, "", Location="http://127.0.0.1:9/v1"), "redirects .301. to 'http://127.0.0.1:9/v1'", 1),
    (with_status(307, "", Location="/elsewhere"), "redirects", 1),
    (with_status(204), "not JSON|204", 1),
    (with_status(200, ""), "not JSON", 1),
    (with_status(200, '{"data": [{"index": 0, "embe'), "not JSON", 1),
    (with_status(200, "<html>hello</html>", Content_Type="text/html"), "not JSON", 1),
    (with_status(200, b"\xff\xfe\xfd\x00\xd8"), "not JSON", 1),
    (with_status(200, "[" * 200_000), "nested", 1),
    (with_status(200, "x" * 20, Content_Encoding="gzip"), "compression", 1),
    (with_status(200, "x", Content_Encoding="br"), "'br'", 1),
    (with_status(200, "null"), "no list 'data'", 1),
    (with_status(200, {"data": {}}), "no list 'data'", 1),
    (with_status(200, {"data": [5]}), "no 'index'", 1),
    (with_entries(lambda given: [*given, {"index": 3, "embedding": [0.5] * 8}]), "4 vectors for 3 texts", 1),
    (changed(2, index=3), "index 3 for 3 texts", 1),
    (changed(2, index=-1), "index -1", 1),
    (changed(2, index=True), "no 'index'", 1),
    (changed(2, index="2"), "no 'index'", 1),
    (changed(2, index=0), "two vectors have the index 0", 1),
    (with_entries(lambda given: [{"embedding": one["embedding"]} for one in given]), "no 'index'", 1),
    (changed(1, embedding=[0.5] * 7), "7 dimensions, 8 were expected", 1),
    (changed(1, embedding=[]), "0 dimensions", 1),
    (changed(1, embedding="AAAA"), "no list but str", 1),
    (changed(1, embedding=["0.5"] * 8), "str in place of a number", 1),
    (changed(1, embedding=[True] * 8), "bool in place of a number", 1),
    (changed(1, embedding=[None] * 8), "NoneType", 1),
    (number("NaN"), "NaN in place of a number", 1),
    (number("-Infinity"), "-Infinity", 1),
    (number("1e999"), "not finite", 1),
    (number("9" * 400), "not finite", 1),
    (number("9" * 10_000), "cannot be used", 1),
]


@pytest.mark.parametrize(("answer", "said", "requests"), FATAL, ids=range(len(FATAL)))
def test_what_no_other_try_mends(answer: Answer, said: str, requests: int) -> None:
    with serving(answer) as server, embedder(server) as own, pytest.raises(EmbedderError, match=said) as caught:
        own.embed(TEXTS)
    told = str(caught.value)
    assert told.startswith("the embedder 'openai:m:8' failed: ")
    assert told.isprintable()
    assert len(told) < 500
    assert KEY not in told
    assert len(server.requests) == requests


def test_an_endless_answer_is_cut() -> None:
    def endless(request: Handler) -> None:
        request.send_response(200)
        request.end_headers()
        while not request.server.stopping.is_set():
            request.wfile.write(b" " * 65536)
        request.hang_up()

    with serving(endless) as server, embedder(server) as own, pytest.raises(EmbedderError, match="longer than"):
        own.embed(TEXTS)
    assert len(server.requests) == 1


def test_a_small_answer_that_unfolds_is_cut() -> None:
    bomb = gzip.compress(b" " * 50_000_000)
    with (
        serving(with_status(200, bomb, Content_Encoding="gzip")) as server,
        embedder(server) as own,
        pytest.raises(EmbedderError, match="longer than"),
    ):
        own.embed(TEXTS)


def test_an_endless_complaint_is_cut() -> None:
    def endless(request: Handler) -> None:
        request.send_response(400)
        request.end_headers()
        while not request.server.stopping.is_set():
            request.wfile.write(b"no ")
        request.hang_up()

    with serving(endless) as server, embedder(server) as own, pytest.raises(EmbedderError, match="400: no no"):
        own.embed(TEXTS)


def test_nobody_listens() -> None:
    with serving() as server:
        url = server.url
    with (
        OpenAIEmbedder("m", api_key=KEY, base_url=url, timeout=5) as own,
        pytest.raises(EmbedderError, match=r"connection broke .*\(4 tries\)"),
    ):
        own.embed(TEXTS)


def test_a_server_without_a_trusted_certificate_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("making a certificate needs openssl")
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    made += ["-keyout", key, "-out", certificate, "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(made, check=True, capture_output=True, timeout=60)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    with serving() as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        url = server.url.replace("http:", "https:")
        with (
            OpenAIEmbedder("m", api_key=KEY, base_url=url, timeout=5) as own,
            pytest.raises(EmbedderError, match="certificate verify failed") as caught,
        ):
            own.embed(TEXTS)
        assert "tries" not in str(caught.value)
        assert server.requests == []
        monkeypatch.setenv("SSL_CERT_FILE", certificate)
        with OpenAIEmbedder("m", api_key=KEY, base_url=url, timeout=5) as own:
            assert own.embed(TEXTS) == VECTORS


def test_a_redirect_takes_the_key_nowhere() -> None:
    with (
        serving() as thief,
        serving(with_status(308, "", Location=thief.url + "/embeddings")) as server,
        embedder(server) as own,
        pytest.raises(EmbedderError, match="308"),
    ):
        own.embed(TEXTS)
    assert thief.requests == []


def test_proxies_of_the_environment_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.removesuffix("/v1"))
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        with OpenAIEmbedder("m", api_key=KEY, base_url="http://embeddings.invalid/v1") as own:
            assert own.embed(TEXTS) == VECTORS
    assert proxy.paths == ["http://embeddings.invalid/v1/embeddings"]


def test_a_proxy_that_cannot_be_used_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "gopher://127.0.0.1")
    with serving() as server, embedder(server) as own, pytest.raises(EmbedderError, match="ValueError"):
        own.embed(TEXTS)
    assert server.requests == []


COLD = """
import sys
sys.path.insert(0, {path!r})
before = set(sys.modules)
import coldseek_core.embed
from coldseek_core.embed.known import embedder_for
with embedder_for("openai:m", 8) as own:
    print(own.id, own.dimensions)
print(*sorted(name for name in set(sys.modules) - before if not name.startswith("coldseek")))
sys.modules["httpx"] = None
try:
    own.embed(["a"])
except coldseek_core.errors.MissingExtraError as error:
    print(error)
"""


def test_httpx_is_imported_by_the_first_call_and_its_extra_is_named() -> None:
    path = str(Path(coldseek_core.__file__ or "").parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", COLD.format(path=path)],
        capture_output=True,
        text=True,
        timeout=60,
        env={"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_API_KEY": KEY, "PATH": "/usr/bin"},
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "openai:m 8"
    loaded = lines[1].split()
    assert not {"httpx", "json", "threading", "ssl", "email", "asyncio", "concurrent"} & set(loaded)
    assert 'pip install "coldseek[http]"' in lines[2]
