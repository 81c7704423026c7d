"""One line of JSONL to a chunk's fields: slowly, but saying what is wrong with it."""

import json
import math
from typing import Any, NamedTuple, NoReturn, cast

from coldseek_core.ingest.decoding import decode
from coldseek_core.ingest.documents import MetadataValue
from coldseek_core.ingest.front_matter import metadata_of

KEYS = ("id", "text", "document", "url", "title", "headingPath", "anchor", "metadata", "vector")


class LineError(Exception):
    """What is wrong with a line."""


class LineFields(NamedTuple):
    """What a line says; None or empty where it says nothing."""

    number: int
    id: str
    text: str
    document: str | None
    url: str | None
    title: str | None
    heading_path: tuple[str, ...]
    anchor: str
    metadata: dict[str, MetadataValue] | None
    vector: tuple[float, ...] | None


def read_line(line: bytes, number: int) -> tuple[LineFields, set[str]]:
    """The fields of line `number`, and its keys that are not known. Raises LineError, or SourceError for what is no
    text."""
    fields = _fields(line)
    identifier, text = _needed(fields, "id"), _needed(fields, "text")
    if not identifier.strip():
        raise LineError("id is empty; give every chunk an id of its own")
    given = {key: _text(fields, key) for key in ("document", "url", "title", "anchor")}
    path = _heading_path(fields["headingPath"]) if "headingPath" in fields else ()
    vector = _vector(fields["vector"]) if "vector" in fields else None
    metadata = _metadata(fields["metadata"]) if "metadata" in fields else None
    found = LineFields(
        *(number, identifier, text, given["document"], given["url"], given["title"], path, given["anchor"] or ""),
        *(metadata, vector),
    )
    return found, fields.keys() - set(KEYS)


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    if value == []:
        return "an empty list"
    names = {"dict": "an object", "list": "a list", "str": "text", "bool": "true or false", "NoneType": "null"}
    return names.get(type(value).__name__, "a number")


def _text(fields: dict[str, Any], key: str) -> str | None:
    value = fields.get(key)
    if value is None or isinstance(value, str):
        return value
    raise LineError(f"{key} must be text, got {kind_of(value)}")


def _vector(value: Any) -> tuple[float, ...]:
    if not isinstance(value, list) or not value:
        raise LineError(f"vector must be a list of numbers, got {kind_of(value)}")
    items = cast("list[Any]", value)
    numbers: list[float] = []
    for position, item in enumerate(items):
        number = _finite(item)
        if number is None:
            raise LineError(f"vector[{position}] must be a finite number, got {kind_of(item)}")
        numbers.append(number)
    return tuple(numbers)


def _finite(item: Any) -> float | None:
    if isinstance(item, bool) or not isinstance(item, int | float):
        return None
    try:
        number = float(item)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _no_constant(name: str) -> NoReturn:
    raise LineError(f"{name} is no JSON; use finite numbers")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        raise LineError(f"the key {next(name for name in names if names.count(name) > 1)!r} is there twice")
    return fields


_decoder = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_unique)


def _fields(line: bytes) -> dict[str, Any]:
    """The line's object without keys that are null. Raises LineError or SourceError if it is none, or cannot be
    stored as UTF-8."""
    if line.startswith(b"{"):
        try:
            text = line.decode()
            value, end = _decoder.raw_decode(text)
        except (ValueError, RecursionError, LineError):
            pass  # what is wrong is found on the slower way
        else:
            if end == len(text):
                return _usable(value, text)
    text = decode(line)
    return _usable(_object(text), text)


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line, parse_constant=_no_constant, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise LineError(f"not JSON: {error.msg} at column {error.colno}; write one JSON object on each line") from None
    except RecursionError:
        raise LineError("nested too deeply; a chunk is a flat JSON object") from None
    except ValueError as error:  # an integer of very many digits
        raise LineError(f"not usable: {error}") from None
    if not isinstance(value, dict):
        raise LineError(f"must be a JSON object with id and text, got {kind_of(value)}")
    return cast("dict[str, Any]", value)


def _usable(fields: dict[str, Any], line: str) -> dict[str, Any]:
    if "\\u" in line and "\\ud" in line.lower():
        try:
            json.dumps(fields, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise LineError("holds half of a surrogate pair (\\ud800 to \\udfff); write the character whole") from None
    if None in fields.values():
        return {key: item for key, item in fields.items() if item is not None}
    return fields


def _needed(fields: dict[str, Any], key: str) -> str:
    value = fields.get(key)
    if isinstance(value, str):
        return value
    if value is None:
        raise LineError(f"{key} is missing; every line needs id and text")
    raise LineError(f"{key} must be text, got {kind_of(value)}")


def _heading_path(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not {str}.issuperset(map(type, cast("list[Any]", value))):
        raise LineError("headingPath must be a list of texts, outermost heading first")
    return tuple(cast("list[str]", value))


def _metadata(value: Any) -> dict[str, MetadataValue]:
    if not isinstance(value, dict):
        raise LineError(f"metadata must be an object, got {kind_of(value)}")
    metadata, faults = metadata_of(cast("dict[str, Any]", value))
    if faults:
        raise LineError("; ".join(faults))
    return metadata
