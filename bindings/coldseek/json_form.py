"""What the edges share about JSON: how results are written, and how a request is read.

A request is an object with `question` (then it is `Index.retrieve`) or `query` (then it is `Index.search`), and options
of these in camelCase. Nothing is coerced, nothing unknown is passed over.
"""

import json

from coldseek_core.columns.mapping import shown
from coldseek_core.errors import UsageError
from coldseek_core.search.settings import MODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .index import Index

_WHOLE, _NUMBER, _BOOLEAN, _TEXT = "a whole number", "a number", "true or false", "text"
_MODE, _FILTER, _VECTOR = f"one of {', '.join(MODES)}", "an object", "a list of numbers"

# Name in JSON: (name in Python, what it must be).
_SHARED_OPTIONS = {
    "topK": ("top_k", _WHOLE),
    "mode": ("mode", _MODE),
    "filter": ("filter", _FILTER),
    "vector": ("vector", _VECTOR),
    "maxPerDocument": ("max_per_document", _WHOLE),
    "highlight": ("highlight", _BOOLEAN),
    "expand": ("expand", _WHOLE),
}
SEARCH_OPTIONS = {
    **_SHARED_OPTIONS,
    "hybrid": ("hybrid", _BOOLEAN),
    "scoreThreshold": ("score_threshold", _NUMBER),
    "explain": ("explain", _BOOLEAN),
}
RETRIEVE_OPTIONS = {
    **_SHARED_OPTIONS,
    "candidates": ("candidates", _WHOLE),
    "rrfK": ("rrf_k", _WHOLE),
    "minSimilarity": ("min_similarity", _NUMBER),
    "minKeywordCoverage": ("min_keyword_coverage", _NUMBER),
    "similarityNeedsKeyword": ("similarity_needs_keyword", _BOOLEAN),
    "maxContextChars": ("max_context_chars", _WHOLE),
    "siteName": ("site_name", _TEXT),
    "noAnswerMessage": ("no_answer_message", _TEXT),
}
QUESTION, QUERY = "question", "query"
_OPTIONS = {QUESTION: RETRIEVE_OPTIONS, QUERY: SEARCH_OPTIONS}

_CONDITIONS = {
    "documentIds": "document_ids",
    "filename": "filename",
    "metadata": "metadata",
    "contains": "contains",
    "phrase": "phrase",
}
_WHOLE_LIMIT = 1 << 63


def json_text(value: "dict[str, Any]", indent: "int | None" = None) -> str:
    """JSON for programs; text that is no valid Unicode is escaped, and NaN is never written (ValueError)."""
    separators = (",", ":") if indent is None else None
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, allow_nan=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def filter_from_json(conditions: "dict[str, Any]") -> "dict[str, Any]":
    """A filter with the names that `Index.search` knows; names that are none are left for it to refuse."""
    return {_CONDITIONS.get(name, name): value for name, value in conditions.items()}


def parsed_json(text: str, what: str) -> "Any":
    """The value of a JSON text; `what` it is, for messages. Raises UsageError, also for NaN and infinity."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{what} is not JSON: {error}") from error


def asked_for(request: "dict[str, Any]") -> str:
    """Which of "question" and "query" the request has. Raises UsageError for neither and both."""
    found = [name for name in _OPTIONS if name in request]
    if len(found) != 1:
        got = "both" if found else f"the keys {shown(sorted(map(str, request)))}"
        raise UsageError(f'expected an object with either "question" or "query", got {got}')
    return found[0]


def answer(index: "Index", request: "dict[str, Any]", asked: str) -> "dict[str, Any]":
    """The JSON form of what `Index.retrieve` (`asked` is "question") or `Index.search` ("query") finds for a request.

    Raises UsageError for a request that is not of the form above, and what those raise.
    """
    options = _OPTIONS[asked]
    if asked not in request:
        raise UsageError(f'expected an object with "{asked}", got the keys {shown(sorted(map(str, request)))}')
    arguments: dict[str, Any] = {}
    for name, value in request.items():
        if name == asked:
            continue
        if name not in options:
            raise UsageError(f"there is no option {shown(name)} beside {asked!r}; there are: {', '.join(options)}")
        python_name, kind = options[name]
        arguments[python_name] = _checked(name, kind, value)
    text = _checked(asked, _TEXT, request[asked])
    try:
        found = (index.retrieve if asked == QUESTION else index.search)(text, **arguments)
    except UsageError as error:
        raise _in_json_names(error) from error
    except RecursionError:
        raise UsageError("the request is nested too deeply to be read") from None
    return found.to_dict()


def value_of_parameter(asked: str, name: str, value: "Any") -> "Any":
    """What a parameter of a URL means: text where text is wanted, else JSON. What is wrong is left to `answer`."""
    kind = _OPTIONS[asked].get(name, ("", _TEXT))[1]
    if kind in (_TEXT, _MODE) or not isinstance(value, str):
        return value
    try:
        return parsed_json(value, name)
    except UsageError:
        return value  # text, which is none of the other kinds


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number in JSON")


def _checked(name: str, kind: str, value: "Any") -> "Any":
    if not _is(kind, value):
        raise UsageError(f"{name} must be {kind}, not {came(value)}")
    if kind == _TEXT:
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise UsageError(f"{name} is not valid Unicode (half of a surrogate pair at {error.start})") from None
    if kind == _FILTER:
        for condition in value:
            if condition not in _CONDITIONS:
                known = ", ".join(_CONDITIONS)
                raise UsageError(f"there is no filter condition {shown(condition)}; there are: {known}")
        return filter_from_json(value)
    return value


def _is(kind: str, value: "Any") -> bool:
    if kind == _VECTOR:
        return isinstance(value, list) and all(_is(_NUMBER, one) for one in value)
    if kind == _MODE:
        return isinstance(value, str) and value in MODES
    if kind == _BOOLEAN or isinstance(value, bool):
        return kind == _BOOLEAN and isinstance(value, bool)
    if isinstance(value, int):
        return kind in (_WHOLE, _NUMBER) and -_WHOLE_LIMIT <= value < _WHOLE_LIMIT
    return isinstance(value, {_NUMBER: float, _TEXT: str, _FILTER: dict}.get(kind, ()))


def came(value: "Any") -> str:
    """What came, in the words of JSON; it may be nested deeply, or have more digits than Python writes."""
    if value is None:
        return "null; leave it out for the default"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and not -_WHOLE_LIMIT <= value < _WHOLE_LIMIT:
        return "a number beyond 64 bits"
    return "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else shown(value)


def _in_json_names(error: UsageError) -> UsageError:
    """The same error, naming the option at its beginning as JSON does."""
    message = str(error)
    for name, (python_name, _) in (SEARCH_OPTIONS | RETRIEVE_OPTIONS).items():
        if message.startswith(f"{python_name} "):
            message = name + message[len(python_name) :]
    return type(error)(message.replace("filter document_ids", "filter documentIds"))
