"""POST JSON and get JSON back: with a deadline, retries where they can help, and no word about the key."""

import time
from _thread import allocate_lock
from os import getpid

from ..errors import EmbedderError, MissingExtraError
from .http_answers import fault_of, one_line, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import httpx

    from .secret import Secret

# Seconds before each retry. No jitter: a run is to be repeatable, and one process is no herd.
DELAYS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
MOST_WAIT = 30.0  # of what a server may ask for with Retry-After
_CONNECT_SECONDS = 10.0
# A try may use this part of the time that is left, so that a connection that has gone silent leaves time for another.
_SHARE_OF_A_TRY = 0.6
_SHORTEST_TRY = 0.1
_FAULT_BYTES = 8192
_ENCODINGS = ("", "identity", "gzip", "deflate")  # what cannot unfold into a thousandfold at once


class _Outcome:
    """Of one try: the body, or what went wrong and whether another try may help (after `wait` seconds, if given)."""

    __slots__ = ("again", "body", "fault", "wait")

    def __init__(
        self, body: "bytes | None" = None, fault: str = "", again: bool = False, wait: "float | None" = None
    ) -> None:
        self.body = body
        self.fault = fault
        self.again = again
        self.wait = wait


class _Connections:
    """The httpx client of one process: connections must not be shared with a forked child."""

    __slots__ = ("client", "lock", "process")

    def __init__(self) -> None:
        self.process = getpid()
        self.lock = allocate_lock()
        self.client: httpx.Client | None = None


class HttpClient:
    """One server and its key. Safe for threads and forks; connects at the first `post`."""

    def __init__(self, name: str, url: str, secret: "Secret | None") -> None:
        """`name` begins error messages. `url` takes all requests."""
        self._name = name
        self._url = url
        self._secret = secret
        self._connections = _Connections()
        self._inherited: list[_Connections] = []
        self._closed = False

    def post(self, body: "dict[str, Any]", ends: float, most_bytes: int) -> object:
        """The server's JSON answer to `body`.

        `ends` is a time of `time.monotonic`. Retried are 429, 5xx, timeouts and broken connections. Raises
        EmbedderError, MissingExtraError.
        """
        from json import dumps

        content = dumps(body).encode("ascii")
        begin = time.monotonic()
        tries = 0
        while True:
            left = ends - time.monotonic()
            last = tries >= len(DELAYS) or left < _SHORTEST_TRY * 2
            limit = ends if last else ends - left * (1 - _SHARE_OF_A_TRY)
            outcome = self._try(content, limit, most_bytes)
            tries += 1
            if outcome.body is not None:
                break
            # Nothing is raised where an exception of the HTTP library is being handled: it would come along, and it
            # holds the request with its headers.
            if not outcome.again or self._closed:
                raise self._error(outcome.fault, tries)
            if tries > len(DELAYS):
                raise self._error(outcome.fault, tries)
            wait = DELAYS[tries - 1] if outcome.wait is None else min(max(outcome.wait, 0.0), MOST_WAIT)
            if wait + _SHORTEST_TRY > ends - time.monotonic():
                spent = f"{time.monotonic() - begin:.3g} s"
                raise self._error(f"{outcome.fault}; no time is left for another try after {spent}", tries)
            time.sleep(wait)
        try:
            return parsed(outcome.body)
        except ValueError as error:
            fault = str(error)
        raise self._error(f"the answer cannot be used: {fault}", tries)

    def error(self, fault: str) -> EmbedderError:
        """An error of one line without the key."""
        return self._error(fault, 1)

    def _error(self, fault: str, tries: int) -> EmbedderError:
        more = f" ({tries} tries)" if tries > 1 else ""
        return EmbedderError(f"the embedder {self._name!r} failed: {one_line(fault, self._secret, 400)}{more}")

    def _try(self, content: bytes, ends: float, most_bytes: int) -> _Outcome:
        httpx = _httpx()
        seconds = max(ends - time.monotonic(), 0.001)
        headers = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "gzip"}
        if self._secret is not None:
            headers["Authorization"] = f"Bearer {self._secret.reveal()}"
        timeout = httpx.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS))
        try:
            client = self._client(httpx)
            request = client.build_request("POST", self._url, content=content, headers=headers, timeout=timeout)
            headers.clear()
            # No authentication of httpx's own, such as from the URL; no redirects, which could take the key elsewhere.
            response = client.send(request, auth=None, stream=True, follow_redirects=False)
            try:
                return self._read(response, ends, most_bytes)
            finally:
                response.close()
        except httpx.TimeoutException as error:
            what = "no connection" if isinstance(error, httpx.ConnectTimeout) else "no complete answer"
            return _Outcome(fault=f"{what} within {seconds:.3g} s", again=True)
        except (httpx.NetworkError, httpx.RemoteProtocolError) as error:
            fault = f"the connection broke ({type(error).__name__}: {error})"
            return _Outcome(fault=fault, again="CERTIFICATE" not in str(error).upper())
        except httpx.DecodingError as error:
            return _Outcome(fault=f"the answer's compression is broken ({error})")
        except EmbedderError as error:
            return _Outcome(fault=str(error))
        except Exception as error:
            return _Outcome(fault=f"{type(error).__name__}: {error}")

    def _read(self, response: "httpx.Response", ends: float, most_bytes: int) -> _Outcome:
        status = response.status_code
        good = status == 200
        encoding = response.headers.get("content-encoding", "").strip().lower()
        if encoding not in _ENCODINGS:
            return _Outcome(fault=f"the answer is compressed as {encoding!r}, which was not asked for")
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > (most_bytes if good else _FAULT_BYTES):
                break
            if time.monotonic() > ends:
                return _Outcome(fault="the answer did not arrive completely in time", again=True)
        if good:
            if len(body) > most_bytes:
                return _Outcome(fault=f"the answer is longer than {most_bytes:,} bytes")
            return _Outcome(bytes(body))
        if 300 <= status < 400:
            target = response.headers.get("location", "")
            return _Outcome(
                fault=f"the server redirects ({status}) to {one_line(target, self._secret, 100)!r}, which is not "
                "followed, because the key would go along; set the base URL to where it leads"
            )
        kind = response.headers.get("content-type", "")
        fault = fault_of(bytes(body[:_FAULT_BYTES]), kind, len(body) > _FAULT_BYTES, self._secret)
        again = status == 429 or status >= 500
        wait = _retry_after(response.headers.get("retry-after")) if again else None
        return _Outcome(fault=f"the server answered {status}" + (f": {fault}" if fault else ""), again=again, wait=wait)

    def _client(self, library: "Any") -> "httpx.Client":
        held = self._connections
        if held.process != getpid():
            # The parent's connections are kept, unused: closing them here could wait for a lock that a thread of the
            # parent held when it forked.
            self._inherited.append(held)
            held = self._connections = _Connections()
        with held.lock:
            if self._closed:
                raise EmbedderError("it was closed")
            if held.client is not None:
                return held.client
            client: httpx.Client = library.Client(
                verify=True,
                follow_redirects=False,
                limits=library.Limits(max_connections=None, max_keepalive_connections=8, keepalive_expiry=30.0),
            )
            held.client = client
            return client

    def close(self) -> None:
        """Close the connections. Closing twice is fine; later posts are errors."""
        self._closed = True
        held = self._connections
        if held.process != getpid():
            return
        with held.lock:
            client, held.client = held.client, None
        if client is not None:
            client.close()


def _httpx() -> "Any":
    try:
        import httpx
    except ImportError as error:
        raise MissingExtraError(
            'embedding over HTTP needs the package httpx: install it with pip install "coldseek[http]"'
        ) from error
    return httpx


def _retry_after(value: "str | None") -> "float | None":
    """Seconds that a Retry-After header asks for: a number or a date (RFC 9110, 10.2.3); None if it says nothing."""
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text[:20])
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(text).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return None
