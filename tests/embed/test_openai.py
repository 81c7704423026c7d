"""Any server with OpenAI's interface: requests, order of vectors, options, identity, and a key that nobody sees."""

import os
import pickle
import random
import threading
import traceback
from collections.abc import Iterator
from typing import Any

import pytest

from coldseek_core.embed import OpenAIEmbedder
from coldseek_core.errors import EmbedderError, UsageError
from embed.embedding_server import (
    DIMENSIONS,
    KEY,
    Answer,
    EmbeddingServer,
    good,
    serving,
    vector_of,
    with_entries,
    with_status,
)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "COLDSEEK_OPENAI_MODEL", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with serving() as server:
        yield server


def embedder(server: EmbeddingServer, **options: Any) -> OpenAIEmbedder:
    return OpenAIEmbedder("m", **{"api_key": KEY, "base_url": server.url, "timeout": 5.0, **options})


def test_requests_and_vectors(server: EmbeddingServer) -> None:
    with embedder(server) as own:
        assert own.embed(["one", "two"]) == [vector_of("one"), vector_of("two")]
        assert own.dimensions == DIMENSIONS
        assert own.embed([]) == []
    assert server.requests == [{"model": "m", "input": ["one", "two"]}]
    assert server.paths == ["/v1/embeddings"]
    assert server.sent_headers[0]["authorization"] == f"Bearer {KEY}"
    assert server.sent_headers[0]["content-type"] == "application/json"


def test_vectors_go_by_index_and_not_by_order() -> None:
    def shuffled(given: list[dict[str, Any]]) -> object:
        random.Random(5).shuffle(given)
        return given

    texts = [f"text {number}" for number in range(40)]
    with serving(with_entries(shuffled)) as server, embedder(server) as own:
        assert own.embed(texts) == [vector_of(text) for text in texts]
    assert len(server.requests) == 1


def test_blank_texts_are_not_sent_and_are_zero(server: EmbeddingServer) -> None:
    with embedder(server) as own:
        zero = [0.0] * DIMENSIONS
        assert own.embed(["", "a", " \n\t", "b", "\u3000"]) == [zero, vector_of("a"), zero, vector_of("b"), zero]
        assert own.embed(["", " "]) == [zero, zero]
    assert [request["input"] for request in server.requests] == [["a", "b"]]


@pytest.mark.parametrize("hole", ["left out", "null"])
def test_holes_are_asked_for_again(hole: str) -> None:
    def with_holes(given: list[dict[str, Any]]) -> object:
        if hole == "null":
            return [{**one, "embedding": None} if one["index"] in (1, 3) else one for one in given]
        return [one for one in given if one["index"] not in (1, 3)]

    with serving(with_entries(with_holes), good) as server, embedder(server) as own:
        assert own.embed(list("abcde")) == [vector_of(text) for text in "abcde"]
    assert [request["input"] for request in server.requests] == [list("abcde"), ["b", "d"]]


def test_holes_that_stay_are_an_error() -> None:
    with (
        serving(with_entries(lambda given: given[:-1])) as server,
        embedder(server) as own,
        pytest.raises(EmbedderError, match="1 of 1 texts got no vector"),
    ):
        own.embed(["a"])
    assert len(server.requests) == 4


def test_batches_by_number_and_by_characters(server: EmbeddingServer) -> None:
    texts = [f"{number} {'x' * 90_000}" for number in range(5)] + ["y" * 300_000, "z", ""] + list("abcdefg")
    with embedder(server, batch_size=4) as own:
        assert own.embed(texts) == [vector_of(text) if text else [0.0] * DIMENSIONS for text in texts]
    assert [len(request["input"]) for request in server.requests] == [2, 2, 1, 1, 4, 4]


def test_halves_of_pairs_are_replaced(server: EmbeddingServer) -> None:
    with embedder(server) as own:
        own.embed(["a\ud800b", "\U0001f9ed"])
    assert server.requests[0]["input"] == ["a\ufffdb", "\U0001f9ed"]


def test_options_from_the_environment(server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/")
    monkeypatch.setenv("OPENAI_API_KEY", KEY + "\n")
    monkeypatch.setenv("COLDSEEK_OPENAI_MODEL", "from-environment")
    with OpenAIEmbedder() as own:
        assert (own.id, own.dimensions) == ("openai:from-environment", DIMENSIONS)
    assert server.requests[0]["model"] == "from-environment"
    assert server.sent_headers[0]["authorization"] == f"Bearer {KEY}"


def test_known_and_unknown_models() -> None:
    with OpenAIEmbedder(api_key=KEY) as small:
        assert (small.id, small.dimensions, small.min_similarity) == ("openai:text-embedding-3-small", 1536, 0.25)
        assert small.warning is None
    with OpenAIEmbedder("text-embedding-3-large", api_key=KEY) as large:
        assert (large.dimensions, large.min_similarity) == (3072, 0.25)
        assert "openai:text-embedding-3-large" in (large.warning or "")


def test_shortened_vectors(server: EmbeddingServer) -> None:
    with embedder(server, dimensions=5) as own:
        assert (own.id, own.dimensions) == ("openai:m:5", 5)
        assert own.embed(["a"]) == [vector_of("a", 5)]
    assert server.requests == [{"model": "m", "input": ["a"], "dimensions": 5}]
    with OpenAIEmbedder(api_key=KEY, dimensions=1536) as whole:
        assert whole.id == "openai:text-embedding-3-small"
    with OpenAIEmbedder(api_key=KEY, dimensions=512) as short:
        assert (short.id, short.dimensions) == ("openai:text-embedding-3-small:512", 512)


BAD: list[dict[str, Any]] = [
    {"model": " \n"},
    {"model": "a\nb"},
    {"model": 5},
    {"api_key": "two words " + KEY},
    {"api_key": f"{KEY}\nHost: evil"},
    {"api_key": "schlüssel" + KEY},
    {"api_key": 5},
    {"base_url": "ftp://example.com"},
    {"base_url": "api.example.com/v1"},
    {"base_url": f"https://user:{KEY}@example.com/v1"},
    {"base_url": f"https://example.com/v1?key={KEY}"},
    {"base_url": f"https://example.com/v1#{KEY}"},
    {"base_url": 5},
    {"dimensions": 0},
    {"dimensions": 1537},
    {"dimensions": True},
    {"batch_size": -1},
    {"batch_size": 2049},
    {"timeout": 0},
    {"timeout": float("nan")},
    {"timeout": None},
]


@pytest.mark.parametrize("options", BAD, ids=range(len(BAD)))
def test_bad_options_do_not_show_keys(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        OpenAIEmbedder(**{"api_key": KEY, **options})
    assert KEY not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_key_is_needed_for_openai_only(server: EmbeddingServer) -> None:
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        OpenAIEmbedder()
    with OpenAIEmbedder("m", base_url=server.url) as own:
        own.embed(["a"])
    assert "authorization" not in server.sent_headers[0]


def echo_key(request: Any) -> None:
    request.reply({"error": {"message": f"bad key {KEY}\n\x1b[31m" + "x" * 5000}}, 401)


def half_a_key(request: Any) -> None:
    page = b" " * (8192 - 10) + KEY.encode() + b" " * 9000
    request.reply(page, 403, Content_Type="text/plain")


KEY_ECHOES: list[Answer] = [
    echo_key,
    half_a_key,
    with_status(400, f"<html><title>{KEY}</title>", Content_Type="text/html"),
    with_status(302, "", Location=f"https://example.com/?key={KEY}"),
    with_status(200, {"data": [{"index": 0, "embedding": {"a": KEY}}]}),
    with_status(200, KEY),
    with_status(200, "x", Content_Encoding=KEY),
]


@pytest.mark.parametrize("answer", KEY_ECHOES, ids=range(len(KEY_ECHOES)))
def test_the_key_is_in_no_error(answer: Answer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    with serving(answer) as server, embedder(server) as own, pytest.raises(EmbedderError) as caught:
        own.embed(["a"])
    told = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + caplog.text
    assert KEY not in told
    assert KEY[:12] not in told
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500
    assert str(caught.value).isprintable()
    assert len(server.requests) == 1
    link: BaseException | None = caught.value
    while link is not None:  # no exception of the HTTP library, which holds the request, comes along
        assert not type(link).__module__.startswith(("httpx", "httpcore"))
        link = link.__cause__ or link.__context__


def test_the_key_is_in_no_repr_and_no_pickle(server: EmbeddingServer) -> None:
    with embedder(server) as own:
        own.embed(["a"])
        shown = repr(own) + repr(vars(own)) + repr(vars(own._http))
        assert KEY not in shown
        with pytest.raises((TypeError, AttributeError)):
            pickle.dumps(own)
        with pytest.raises(TypeError, match="not pickled"):
            pickle.dumps(own._http._secret)


def test_threads_share_one_embedder(server: EmbeddingServer) -> None:
    wrong: list[str] = []
    with embedder(server, batch_size=3) as own:

        def ask(number: int) -> None:
            texts = [f"{number} {place}" for place in range(7)]
            if own.embed(texts) != [vector_of(text) for text in texts]:
                wrong.append(str(number))

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []
    assert len(server.requests) == 24


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_makes_its_own_connection(server: EmbeddingServer) -> None:
    with embedder(server) as own:
        own.embed(["a"])
        child = os.fork()
        if child == 0:
            right = own.embed(["b"]) == [vector_of("b")]
            os._exit(0 if right else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert own.embed(["c"]) == [vector_of("c")]


def test_closed(server: EmbeddingServer) -> None:
    own = embedder(server)
    own.embed(["a"])
    own.close()
    own.close()
    with pytest.raises(EmbedderError, match="closed"):
        own.embed(["b"])
