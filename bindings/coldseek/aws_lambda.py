"""AWS Lambda: `coldseek.aws_lambda.handler`, an event in, JSON out.

HTTP events of payload format 2.0 (API Gateway HTTP APIs, function URLs): `POST /retrieve` with `{"question": ...}` or
`POST /search` with `{"query": ...}` and options in camelCase, or GET with the same as parameters. The path may have
anything in front of it, such as a stage. What is wrong with a request is told as problem JSON (RFC 9457).

Any other event is a direct invocation: the same object in, the same object out, and errors are raised.

The index is the folder that COLDSEEK_INDEX names, relative to LAMBDA_TASK_ROOT, or else the one folder `*.coldseek`
there or beside this package. It is opened once, and nothing is written.
"""

import os
import sys
from _thread import allocate_lock
from binascii import Error as Base64Error
from binascii import a2b_base64

from coldseek_core.columns.mapping import shown
from coldseek_core.errors import ColdseekError, NotAnIndexError, UsageError
from coldseek_core.kernels import recheck

from .index import open as open_index
from .json_form import QUERY, QUESTION, answer, asked_for, came, json_text, parsed_json, value_of_parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .index import Index

VARIABLE = "COLDSEEK_INDEX"
MAX_BODY_BYTES = 1 << 20
# Lambda takes responses of 6 MB, counted as JSON.
MAX_RESPONSE_BYTES = 6 * 1000 * 1000
_LONGEST_MESSAGE = 1000

_ROUTES = {"retrieve": QUESTION, "search": QUERY}
_TITLES = {
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    413: "Content Too Large",
    500: "Internal Server Error",
}

_opened: "list[Index]" = []
_lock = allocate_lock()


class _HttpError(Exception):
    """An HTTP request that is answered with this status and detail."""

    def __init__(self, status: int, detail: str, **headers: str) -> None:
        super().__init__(detail)
        self.status = status
        self.headers = headers


def handler(event: "Any", context: object = None) -> "dict[str, Any]":  # noqa: ARG001 - Lambda passes it
    """Answer one event. Raises UsageError for a direct invocation that is wrong, IndexFileError and KernelError."""
    if isinstance(event, dict) and _is_http(event):
        return _answer_http(event)
    if not isinstance(event, dict):
        raise UsageError(f'the event must be an object with "question" or "query", not {came(event)}')
    if "requestContext" in event or "httpMethod" in event:
        raise UsageError(
            "this HTTP event is not of payload format 2.0, which has requestContext.http.method and rawPath; set the "
            "integration's payload format version to 2.0, or use a function URL"
        )
    try:
        return answer(index(), event, asked_for(event))
    except ColdseekError as error:
        raise type(error)(_short(str(error))) from None


def index() -> "Index":
    """The index of this process, opened at the first call. Raises NotAnIndexError and what `coldseek.open` raises."""
    if not _opened:
        with _lock:
            if not _opened:
                _opened.append(open_index(index_path(), on_error=_report))
    return _opened[0]


def index_path() -> str:
    """Where the index is. Raises NotAnIndexError if COLDSEEK_INDEX is not set and there is none, or several."""
    root = os.environ.get("LAMBDA_TASK_ROOT", "")
    named = os.environ.get(VARIABLE)
    if named:
        return os.path.join(root, named)
    package_root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    places = sorted({os.path.realpath(place) for place in (root, package_root) if place})
    found = [os.path.join(place, name) for place in places for name in _index_names(place)]
    if len(found) == 1:
        return found[0]
    there = f"there are {len(found)}, {shown([os.path.basename(path) for path in found])}" if found else "there is none"
    raise NotAnIndexError(
        f"expected one folder *.coldseek in {' or '.join(places)}, but {there}; put one there, or name it by {VARIABLE}"
    )


def _index_names(folder: str) -> list[str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [name for name in names if name.endswith(".coldseek") and os.path.isdir(os.path.join(folder, name))]


def _is_http(event: "dict[Any, Any]") -> bool:
    """Whether this is an HTTP event of payload format 2.0."""
    request_context = event.get("requestContext")
    http = request_context.get("http") if isinstance(request_context, dict) else None
    return isinstance(http, dict) and isinstance(http.get("method"), str) and isinstance(event.get("rawPath"), str)


def _answer_http(event: "dict[str, Any]") -> "dict[str, Any]":
    try:
        asked, request = _request_of(event)
        opened = _opened_for_http()
        try:
            result = answer(opened, request, asked)
        except UsageError as error:
            raise _HttpError(400, str(error)) from error
        response = _response(200, "application/json", json_text(result))
        size = _size(response)
        if size > MAX_RESPONSE_BYTES:
            raise _HttpError(
                400,
                f"the answer has {size} bytes, and Lambda takes {MAX_RESPONSE_BYTES}; lower topK or maxContextChars",
            )
        return response
    except _HttpError as problem:
        return _problem(problem)
    except Exception as error:  # whatever it is, the caller gets JSON, and the log the rest
        _report(error)
        return _problem(_HttpError(500, "the function failed; its log says why"))


def _opened_for_http() -> "Index":
    """The index; that it cannot be had is no fault of the request, whatever kind of error it is."""
    try:
        return index()
    except ColdseekError as error:
        _report(error)
        raise _HttpError(500, "the index cannot be opened; the function's log says why") from error


def _request_of(event: "dict[str, Any]") -> "tuple[str, dict[str, Any]]":
    """What is asked for ("question" or "query"), and the request. Raises _HttpError."""
    path: str = event["rawPath"]
    asked = _ROUTES.get(path.rstrip("/").rpartition("/")[2])
    if asked is None:
        raise _HttpError(404, f"there is nothing at {shown(path)}; there are /retrieve and /search")
    method: str = event["requestContext"]["http"]["method"]
    try:
        if method == "POST":
            return asked, _body_of(event, asked)
        if method == "GET":
            return asked, _parameters_of(event, asked)
    except UsageError as error:
        raise _HttpError(400, str(error)) from error
    raise _HttpError(405, f"{shown(method)} is not served here; use POST or GET", Allow="GET, POST")


def _parameters_of(event: "dict[str, Any]", asked: str) -> "dict[str, Any]":
    parameters = event.get("queryStringParameters") or {}
    if not isinstance(parameters, dict):
        raise UsageError(f"queryStringParameters must be an object, not {came(parameters)}")
    return {name: value_of_parameter(asked, name, value) for name, value in parameters.items()}


def _body_of(event: "dict[str, Any]", asked: str) -> "dict[str, Any]":
    body = event.get("body")
    expected = f'a JSON object such as {{"{asked}": "..."}}'
    if body is None or body == "":
        raise UsageError(f"the request has no body; expected {expected}")
    if not isinstance(body, str):
        raise UsageError(f"the body must be text, not {came(body)}")
    data = _decoded(body) if event.get("isBase64Encoded") is True else _encoded(body)
    if len(data) > MAX_BODY_BYTES:
        raise _HttpError(413, f"the body has {len(data)} bytes; at most {MAX_BODY_BYTES} are read")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"the body is not UTF-8 (byte {error.start}); expected {expected}") from None
    value = parsed_json(text, "the body")
    if not isinstance(value, dict):
        raise UsageError(f"the body must be {expected}, not {came(value)}")
    return value


def _decoded(body: str) -> bytes:
    try:
        return a2b_base64(body, strict_mode=True)
    except (Base64Error, ValueError) as error:
        raise UsageError(f"the body is said to be base64, and is not: {error}") from None


def _encoded(body: str) -> bytes:
    try:
        return body.encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"the body is not valid Unicode (half of a surrogate pair at {error.start})") from None


def _problem(problem: _HttpError) -> "dict[str, Any]":
    body = {
        "type": "about:blank",
        "title": _TITLES[problem.status],
        "status": problem.status,
        "detail": _short(str(problem)),
    }
    return _response(problem.status, "application/problem+json", json_text(body), **problem.headers)


def _response(status: int, content_type: str, body: str, **headers: str) -> "dict[str, Any]":
    return {
        "statusCode": status,
        "headers": {"Content-Type": content_type, **headers},
        "body": body,
        "isBase64Encoded": False,
    }


def _size(response: "dict[str, Any]") -> int:
    """Bytes of a response as Lambda counts them: JSON, in which the body is a text once more."""
    # Escaping makes a byte six at most, so that most answers need no counting.
    length = len(response["body"])
    return length if 6 * length < MAX_RESPONSE_BYTES else len(json_text(response).encode())


def _short(message: str) -> str:
    """A message that can be sent: what came may be long, or no valid Unicode."""
    text = message if len(message) <= _LONGEST_MESSAGE else f"{message[:_LONGEST_MESSAGE]} ..."
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _report(error: Exception) -> None:
    """To the function's log, on standard error."""
    import traceback

    print(f"coldseek: {type(error).__name__}: {error}", file=sys.stderr)
    if not isinstance(error, ColdseekError):
        traceback.print_exception(error)


def _set_up() -> None:
    """In a function, open the index before the first event, while the platform starts it."""
    try:
        from snapshot_restore_py import register_after_restore  # pyright: ignore[reportMissingImports]
    except ImportError:
        pass
    else:
        # A snapshot may be restored on another machine, with another CPU.
        register_after_restore(recheck)
    if "AWS_LAMBDA_RUNTIME_API" in os.environ:
        try:
            index()
        except ColdseekError:
            return  # each event says it, in a form that its sender reads


_set_up()
