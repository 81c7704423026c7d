"""An HTTP server in a thread that answers embedding requests as well, or as badly, as a test wants."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-very-secret-key-0123456789"
DIMENSIONS = 8


def vector_of(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """Numbers that depend on the text alone, and are the same after a way through JSON."""
    return [byte / 128 - 1 for byte in hashlib.shake_128(text.encode()).digest(dimensions)]


class Handler(BaseHTTPRequestHandler):
    """Hands each request to the server's next answer."""

    protocol_version = "HTTP/1.1"
    server: "EmbeddingServer"  # pyright: ignore[reportIncompatibleVariableOverride]
    body: dict[str, Any]

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        self.body = json.loads(self.rfile.read(length))
        with self.server.counting:
            self.server.requests.append(self.body)
            self.server.paths.append(self.path)
            self.server.sent_headers.append({name.lower(): value for name, value in self.headers.items()})
            answers = self.server.answers
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
        try:
            answer(self)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """No lines on standard error."""

    def reply(self, body: bytes | str | object, status: int = 200, **headers: str) -> None:
        """Send bytes or text as they are, anything else as JSON."""
        if isinstance(body, str):
            body = body.encode()
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def hang_up(self) -> None:
        self.close_connection = True

    @property
    def texts(self) -> list[str]:
        given: list[str] = self.body["input"] if "input" in self.body else self.body["text"]
        return given


Answer = Callable[[Handler], None]


def entries(texts: Sequence[str], dimensions: int = DIMENSIONS) -> list[dict[str, Any]]:
    return [{"index": place, "embedding": vector_of(text, dimensions)} for place, text in enumerate(texts)]


def good(request: Handler) -> None:
    """What a server with OpenAI's interface says; `dimensions` of the request are obeyed."""
    size = request.body.get("dimensions", DIMENSIONS)
    request.reply({"object": "list", "data": entries(request.texts, size), "model": "m"})


def good_workers_ai(request: Handler) -> None:
    """What Cloudflare says for bge-small-en-v1.5."""
    data = [vector_of(text, 384) for text in request.texts]
    request.reply({"result": {"shape": [len(data), 384], "data": data}, "success": True, "errors": [], "messages": []})


def with_status(status: int, body: object = "", **headers: str) -> Answer:
    return lambda request: request.reply(body, status, **headers)


def with_entries(change: Callable[[list[dict[str, Any]]], object]) -> Answer:
    """The good entries, changed."""
    return lambda request: request.reply({"data": change(entries(request.texts))})


class EmbeddingServer(ThreadingHTTPServer):
    """Gives its `answers` one after the other, the last one for ever."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, *answers: Answer) -> None:
        self.answers: list[Answer] = list(answers) or [good]
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.sent_headers: list[dict[str, str]] = []
        self.counting = threading.Lock()
        self.stopping = threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


@contextmanager
def serving(*answers: Answer) -> Iterator[EmbeddingServer]:
    """A server that runs until the block ends; answers that wait should wait for its `stopping`."""
    server = EmbeddingServer(*answers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()
