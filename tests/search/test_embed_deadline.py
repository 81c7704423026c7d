"""An embedder that does not come back holds no question up: keywords answer in time, and few threads are left."""

import _thread
import contextvars
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import coldseek
from coldseek_core.embed.deadline import MOST_GIVEN_UP, MOST_RUNNING, DeadlineCalls
from coldseek_core.errors import EmbedderError, EmbedderMismatchError, UsageError
from coldseek_core.ingest.build import build_index
from embed.embedding_server import Handler, entries, good, serving


class Stalling:
    """Counts letters; while `stalled`, it waits to be let go."""

    id = "letters-3"
    dimensions = 3
    min_similarity = 0.9

    def __init__(self) -> None:
        self.stalled = False
        self.go = threading.Event()
        self.calls = 0

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.calls += 1
        if self.stalled:
            self.go.wait(30)
        return [[1.0 + text.count("e"), text.count("a") * 1.0, -1.0 * len(text)] for text in texts]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deadline")
    (folder / "a.txt").write_text("copper kettle")
    (folder / "b.txt").write_text("延迟重试策略说明")
    build_index([folder / "a.txt", folder / "b.txt"], folder / "i", embedder=Stalling())
    return folder / "i"


@pytest.fixture
def embedder() -> Iterator[Stalling]:
    embedder = Stalling()
    yield embedder
    embedder.go.set()


def in_time(what: Callable[[], Any], limit: float = 0.5) -> Any:
    begin = time.monotonic()
    result = what()
    assert time.monotonic() - begin < limit
    return result


def wait_until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + 60
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.005)


def test_keywords_answer_within_the_deadline(path: Path, embedder: Stalling) -> None:
    told: list[Exception] = []
    with coldseek.open(path, embedder=embedder, on_error=told.append, embed_timeout=0.3) as index:
        assert index.search("重试").mode.ran == "hybrid"
        embedder.stalled = True
        found = in_time(lambda: index.search("重试"))
        assert [hit.chunk.text for hit in found.hits] == ["延迟重试策略说明"]
        assert (found.mode.requested, found.mode.ran) == ("hybrid", "lexical")
        assert "no answer within 0.3 s" in (found.mode.degraded or "")
        assert len(told) == 1
        assert isinstance(told[0], EmbedderError)
        # The gate goes by coverage alone.
        answer = in_time(lambda: index.retrieve("copper kettle"))
        assert answer.answerable
        assert answer.mode.degraded
        assert answer.best_similarity is None
        assert not in_time(lambda: index.retrieve("copper zebra crossing lights")).answerable
        assert in_time(lambda: index.search("copper", mode="semantic")).mode.ran == "lexical"


def test_stalled_calls_do_not_pile_up(path: Path, embedder: Stalling) -> None:
    told: list[Exception] = []
    with coldseek.open(path, embedder=embedder, on_error=told.append, embed_timeout=0.03) as index:
        embedder.stalled = True
        before, asked = _thread._count(), embedder.calls
        for _ in range(MOST_GIVEN_UP):
            assert "no answer within" in (index.search("copper").mode.degraded or "")
        for _ in range(20):
            degraded = in_time(lambda: index.search("copper"), 0.1).mode.degraded
            assert "4 earlier calls have not come back" in degraded
        assert embedder.calls - asked == MOST_GIVEN_UP
        assert _thread._count() - before <= MOST_GIVEN_UP
        assert len(told) == MOST_GIVEN_UP + 20
        # What comes back late is dropped, and the embedder is asked again.
        embedder.stalled = False
        embedder.go.set()
        wait_until(lambda: index.search("copper").mode.ran == "hybrid")
        wait_until(lambda: _thread._count() == before)


def test_many_threads_ask_a_stalled_embedder(path: Path, embedder: Stalling) -> None:
    with coldseek.open(path, embedder=embedder, embed_timeout=0.2) as index:
        embedder.stalled = True
        reasons: list[str | None] = []

        def ask() -> None:
            reasons.extend(index.search("copper").mode.degraded for _ in range(3))

        asked = embedder.calls
        threads = [threading.Thread(target=ask) for _ in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(reasons) == 30
        assert all(reasons)
        assert embedder.calls - asked <= 10 + MOST_GIVEN_UP


def test_an_embedder_that_stalls_at_open_is_compared_later(path: Path, embedder: Stalling) -> None:
    embedder.stalled = True
    index = in_time(lambda: coldseek.open(path, embedder=embedder, embed_timeout=0.1), 2.0)
    with index:
        embedder.stalled = False
        embedder.go.set()
        assert index.search("copper").mode.ran == "hybrid"

    class Other(Stalling):
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            return [vector[::-1] for vector in super().embed(texts)]

    other = Other()
    other.stalled = True
    with coldseek.open(path, embedder=other, embed_timeout=0.1) as index:
        other.stalled = False
        other.go.set()
        with pytest.raises(EmbedderMismatchError):
            index.search("copper")


def test_no_deadline_stays_in_the_thread(path: Path) -> None:
    class Here(Stalling):
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            threads.add(_thread.get_ident())
            return super().embed(texts)

    threads: set[int] = set()
    with coldseek.open(path, embedder=Here(), embed_timeout=None) as index:
        assert index.search("copper").mode.ran == "hybrid"
    assert threads == {_thread.get_ident()}

    class Computing(Here):
        may_stall = False

    with coldseek.open(path, embedder=Computing()) as index:
        index.search("copper")
    assert threads == {_thread.get_ident()}
    with coldseek.open(path, embedder=Here()) as index:
        index.search("copper")
    assert len(threads) > 1


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), "5", True])
def test_timeouts_that_are_none(path: Path, value: Any) -> None:
    with pytest.raises(UsageError, match="embed_timeout"):
        coldseek.open(path, embed_timeout=value)


def test_an_index_of_given_vectors_asks_nothing_at_open(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "a", "text": "copper kettle", "vector": [1, 0, -5]}')
    build_index([tmp_path / "a.jsonl"], tmp_path / "i")
    embedder = Stalling()
    with coldseek.open(tmp_path / "i", embedder=embedder) as index:
        assert embedder.calls == 0
        assert index.search("copper").mode.ran == "hybrid"
        assert embedder.calls == 1


@pytest.mark.parametrize("kind", ["silent", "dripping", "failing"])
def test_a_server_that_does_not_answer(kind: str, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(request: Handler) -> None:
        request.server.stopping.wait(20)
        request.hang_up()

    def dripping(request: Handler) -> None:
        request.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
        while not request.server.stopping.wait(0.02):
            request.wfile.write(b"x")
        request.hang_up()

    with serving(good) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        sources = [path.parent / "a.txt", path.parent / "b.txt"]
        build_index(sources, tmp_path / "i", embedder="openai", embed_model="m")
        told: list[Exception] = []
        with coldseek.open(tmp_path / "i", embed_timeout=0.3, on_error=told.append) as index:
            failing: Callable[[Handler], None] = lambda request: request.reply("", 503)  # noqa: E731
            server.answers = [{"silent": silent, "dripping": dripping, "failing": failing}[kind]]
            found = in_time(lambda: index.search("重试"))
            assert len(found.hits) == 1
            assert "openai:m" in (found.mode.degraded or "")
            assert len(told) == 1
            server.answers = [lambda request: request.reply({"data": entries(request.texts)})]
            assert index.search("copper").mode.ran == "hybrid"


def test_results_and_errors_of_calls() -> None:
    calls = DeadlineCalls()
    variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="lost")
    variable.set("kept")
    assert calls.run("e", variable.get, 1.0) == "kept"

    def fail() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        calls.run("e", fail, 1.0)
    with pytest.raises(SystemExit):
        calls.run("e", lambda: (_ for _ in ()).throw(SystemExit(3)).__next__(), 1.0)
    assert (calls._counts.running, calls._counts.given_up) == (0, 0)
    calls._counts.running = MOST_RUNNING
    with pytest.raises(EmbedderError, match="64 calls are running"):
        calls.run("e", variable.get, 1.0)


def test_an_interrupted_wait_is_counted() -> None:
    calls, go, main = DeadlineCalls(), threading.Event(), threading.get_ident()

    def interrupt() -> None:
        time.sleep(0.05)
        signal.pthread_kill(main, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        calls.run("e", lambda: go.wait(10), 10.0)
    thread.join()
    assert calls._counts.given_up == 1
    go.set()
    wait_until(lambda: calls._counts.given_up == 0)


def test_no_thread_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("coldseek_core.embed.deadline.start_new_thread", full)
    calls = DeadlineCalls()
    with pytest.raises(EmbedderError, match="can't start new thread"):
        calls.run("e", int, 1.0)
    assert calls._counts.running == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_counts_its_own_threads() -> None:
    calls, go = DeadlineCalls(), threading.Event()
    for _ in range(MOST_GIVEN_UP):
        with pytest.raises(EmbedderError):
            calls.run("e", lambda: go.wait(10), 0.01)
    child = os.fork()
    if child == 0:
        os._exit(calls.run("e", lambda: 7, 5.0))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    go.set()
    wait_until(lambda: calls._counts.running == 0)
