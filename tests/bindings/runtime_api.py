"""A local runtime API: what AWS Lambda's runtime client asks for events, and tells its answers."""

import json
import os
import subprocess
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_VERSION = "/2018-06-01/runtime"


@dataclass
class Outcome:
    """What the client posted for one event: `kind` is "response" or "error"; `seconds` since it was handed out."""

    kind: str
    value: Any
    seconds: float


@dataclass
class Run:
    """A function's run: its outcomes in the order of events, seconds until it asked for the first event, its log.

    `paths`: every path that was asked for. `init_error`: what was posted if it could not start.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    init_seconds: float = 0.0
    init_error: Any = None
    log: str = ""
    paths: list[str] = field(default_factory=list)


def run_function(command: list[str], events: Iterable[object], **options: Any) -> Run:
    """Start a runtime client with `command` and hand it events one by one; end it when all are answered.

    An event that is text is sent as it is, everything else as JSON. `options` are those of `subprocess.Popen`; its
    environment gets the API's address.
    """
    run, bodies, finished = Run(), [_body(event) for event in events], threading.Event()
    sent: list[float] = []
    begin = time.perf_counter()

    class Api(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # a reply in one piece: two small ones would wait for each other's receipt

        def do_GET(self) -> None:
            run.paths.append(self.path)
            if self.path == f"{_VERSION}/restore/next":
                self._reply(200, b"")
                return
            if not sent:
                run.init_seconds = time.perf_counter() - begin
            if len(sent) == len(bodies):
                finished.set()
                return  # without an answer: the client waits until it is ended
            number = len(sent)
            sent.append(time.perf_counter())
            self._reply(
                200,
                bodies[number],
                **{
                    "Lambda-Runtime-Aws-Request-Id": f"request-{number}",
                    "Lambda-Runtime-Deadline-Ms": str(int(time.time() * 1000) + 30_000),
                    "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:eu-central-1:123456789012:function:docs",
                    "Lambda-Runtime-Trace-Id": "Root=1-65f00000-000000000000000000000000",
                },
            )

        def do_POST(self) -> None:
            run.paths.append(self.path)
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            value = json.loads(data, parse_constant=_no_constant)
            if self.path.startswith(f"{_VERSION}/invocation/"):
                run.outcomes.append(Outcome(self.path.rpartition("/")[2], value, time.perf_counter() - sent[-1]))
            else:
                run.init_error = value
                finished.set()
            self._reply(202, b"{}")

        def _reply(self, status: int, body: bytes, **headers: str) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()

        def log_message(self, format: str, *args: Any) -> None:
            """No lines on standard error."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Api) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        environment = {**options.pop("env", os.environ), "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{server.server_port}"}
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options
        )
        watcher = threading.Thread(target=lambda: (process.wait(), finished.set()), daemon=True)
        watcher.start()
        try:
            assert finished.wait(120), "the function neither answered nor ended"
        finally:
            process.kill()
            run.log = process.communicate()[0]
            watcher.join()
            server.shutdown()
    return run


def _body(event: object) -> bytes:
    return event.encode() if isinstance(event, str) else json.dumps(event).encode()


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
