"""JSONL of ready chunks: one JSON object a line, never split further."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn, cast

from coldseek_core.errors import SourceError
from coldseek_core.ingest.collection import no_collection
from coldseek_core.ingest.decoding import decode, unreadable
from coldseek_core.ingest.documents import Chunk, Document, MetadataValue, Problem
from coldseek_core.ingest.front_matter import metadata_of

KEYS = ("id", "text", "document", "url", "title", "headingPath", "anchor", "metadata", "vector")
_TEXT_KEYS = ("document", "url", "title", "anchor")
_KNOWN = frozenset(KEYS)
# Shared by all documents without any, for there may be millions; nobody changes a document.
_NOTHING: dict[str, Any] = {}
_NO_CHUNKS: list[Chunk] = []


class _LineError(Exception):
    """What is wrong with a line."""


class _Draft:
    """A document as far as its lines have been read."""

    __slots__ = ("_sections", "chunks", "identifier", "shared")

    def __init__(self, identifier: str) -> None:
        self.identifier = identifier
        self.shared: dict[str, Any] = _NOTHING
        self.chunks: list[Chunk] = []
        self._sections: dict[tuple[tuple[str, ...], str], int] | None = None  # there are many documents of one chunk

    def section(self, path: tuple[str, ...], anchor: str) -> int:
        """The ordinal of a chunk's section, known or new."""
        if not self.chunks:
            return 0
        if self._sections is None:
            self._sections = {(self.chunks[0].heading_path, self.chunks[0].anchor): 0}
        return self._sections.setdefault((path, anchor), len(self._sections))

    def document(self, path: str) -> Document:
        """The document; what was kept for it is given up."""
        get = self.shared.get
        document = Document(
            self.identifier, path, get("url", ""), get("title", ""), get("metadata", _NOTHING), tuple(self.chunks)
        )
        self._sections, self.chunks = None, _NO_CHUNKS
        return document


def read_jsonl(path: Path, shown_path: str | None = None) -> tuple[list[Document], list[Problem]]:
    """The documents of a JSONL file in order of their first line, and the lines that could not be used. `shown_path`:
    what documents have as their path, if not `path`.

    Keys: `id` and `text` (needed), `document`, `url`, `title`, `headingPath`, `anchor`, `metadata`,
    `vector`. Lines with the same `document` belong together; without it, lines with the same `url` that do
    not contradict each other; without
    that, a line is a document of its own. A line is a Problem, and left out, if it is no such object,
    repeats an id, gives a vector of another size than the first one, or another url, title or metadata than
    its document has. Unknown keys are reported once and ignored.
    """
    shown = str(path)
    reader = _Reader()
    problems: list[Problem] = []
    try:
        with no_collection():
            for number, line in _lines(path):
                try:
                    reader.add(_fields(line), number)
                except (_LineError, SourceError) as error:
                    problems.append(Problem(shown, f"line {number}: {error}"))
    except OSError as error:
        return [], [Problem(shown, str(unreadable(error)))]
    if reader.unknown:
        keys = ", ".join(repr(key) for key in sorted(reader.unknown))
        problems.append(
            Problem(
                shown,
                f"line {reader.first_unknown}: unknown keys are ignored: {keys}; put your own fields into metadata",
            )
        )
    shown_path = shown if shown_path is None else shown_path
    return [draft.document(shown_path) for draft in reader.drafts.values()], problems


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Lines that are not blank, with their numbers from 1. UTF-16 and UTF-32 come as UTF-8. Raises OSError."""
    with path.open("rb") as file:
        begin = file.read(4)
        if begin[:2] in {b"\xff\xfe", b"\xfe\xff"} or begin == b"\0\0\xfe\xff":
            data = begin + file.read()
            try:
                lines = iter(decode(data).encode("utf-8").split(b"\n"))
            except SourceError:
                yield 1, data
                return
        else:
            file.seek(0)
            lines = iter(file)
        for number, line in enumerate(lines, 1):
            stripped = line.strip()
            if number == 1:
                stripped = line.removeprefix(b"\xef\xbb\xbf").strip()
            if stripped:
                yield number, stripped


class _Reader:
    def __init__(self) -> None:
        self.drafts: dict[str, _Draft] = {}
        self.unknown: set[str] = set()
        self.first_unknown = 0
        self._ids: set[str] = set()
        self._dimensions = 0

    def add(self, fields: dict[str, Any], number: int) -> None:
        identifier, text = _needed(fields, "id"), _needed(fields, "text")
        if not identifier.strip():
            raise _LineError("id is empty; give every chunk an id of its own")
        if identifier in self._ids:
            raise _LineError(f"the id {identifier!r} was used before; ids must be unique")
        path: tuple[str, ...] = ()
        anchor = ""
        vector: tuple[float, ...] | None = None
        shared: dict[str, Any] = {}
        for key in _TEXT_KEYS:
            if key in fields and not isinstance(fields[key], str):
                raise _LineError(f"{key} must be text, got {_kind(fields[key])}")
        if "headingPath" in fields:
            path = _heading_path(fields["headingPath"])
        if "anchor" in fields:
            anchor = fields["anchor"]
        if "vector" in fields:
            vector = self._vector(fields["vector"])
        if "url" in fields:
            shared["url"] = fields["url"]
        if "title" in fields:
            shared["title"] = fields["title"]
        if "metadata" in fields:
            shared["metadata"] = _metadata(fields["metadata"])
        draft = self._draft(fields, identifier, shared)
        section = draft.section(path, anchor)
        if shared:
            draft.shared = shared | draft.shared
        draft.chunks.append(Chunk(identifier, text, path, anchor, section, vector))
        if draft.identifier not in self.drafts:
            self.drafts[draft.identifier] = draft
        self._ids.add(identifier)
        if vector is not None:
            self._dimensions = len(vector)
        if not _KNOWN.issuperset(fields):
            self.first_unknown = self.first_unknown or number
            self.unknown.update(fields.keys() - _KNOWN)

    def _draft(self, fields: dict[str, Any], chunk_id: str, shared: dict[str, Any]) -> _Draft:
        """The document the line belongs to. Raises _LineError if the line contradicts it."""
        named = fields.get("document") or fields.get("url") or chunk_id
        draft = self.drafts.get(named)
        if draft is None:
            return _Draft(named)
        known = draft.shared
        for key, value in shared.items():
            if key in known and value != known[key]:
                if not fields.get("document") and chunk_id not in self.drafts:
                    return _Draft(chunk_id)  # the lines only share a URL; nobody said that they are one document
                raise _LineError(
                    f"{key} differs from what an earlier line says of the document {named!r}; write it the same on"
                    " every line, or give the chunk a `document` of its own"
                )
        return draft

    def _vector(self, value: Any) -> tuple[float, ...]:
        if not isinstance(value, list) or not value:
            raise _LineError(f"vector must be a list of numbers, got {_kind(value)}")
        items = cast("list[Any]", value)
        numbers: list[float] = []
        for position, item in enumerate(items):
            number = _finite(item)
            if number is None:
                raise _LineError(f"vector[{position}] must be a finite number, got {_kind(item)}")
            numbers.append(number)
        if self._dimensions and len(numbers) != self._dimensions:
            raise _LineError(f"vector has {len(numbers)} dimensions, the ones before have {self._dimensions}")
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
    raise _LineError(f"{name} is no JSON; use finite numbers")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        raise _LineError(f"the key {next(name for name in names if names.count(name) > 1)!r} is there twice")
    return fields


_decoder = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_unique)


def _fields(line: bytes) -> dict[str, Any]:
    """The line's object without keys that are null. Raises _LineError or SourceError if it is none, or cannot be
    stored as UTF-8."""
    if line.startswith(b"{"):
        try:
            text = line.decode()
            value, end = _decoder.raw_decode(text)
        except (ValueError, RecursionError, _LineError):
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
        raise _LineError(f"not JSON: {error.msg} at column {error.colno}; write one JSON object on each line") from None
    except RecursionError:
        raise _LineError("nested too deeply; a chunk is a flat JSON object") from None
    except ValueError as error:  # an integer of very many digits
        raise _LineError(f"not usable: {error}") from None
    if not isinstance(value, dict):
        raise _LineError(f"must be a JSON object with id and text, got {_kind(value)}")
    return cast("dict[str, Any]", value)


def _usable(fields: dict[str, Any], line: str) -> dict[str, Any]:
    if "\\u" in line and "\\ud" in line.lower():
        try:
            json.dumps(fields, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise _LineError("holds half of a surrogate pair (\\ud800 to \\udfff); write the character whole") from None
    if None in fields.values():
        return {key: item for key, item in fields.items() if item is not None}
    return fields


def _needed(fields: dict[str, Any], key: str) -> str:
    value = fields.get(key)
    if isinstance(value, str):
        return value
    if value is None:
        raise _LineError(f"{key} is missing; every line needs id and text")
    raise _LineError(f"{key} must be text, got {_kind(value)}")


def _heading_path(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not {str}.issuperset(map(type, cast("list[Any]", value))):
        raise _LineError("headingPath must be a list of texts, outermost heading first")
    return tuple(cast("list[str]", value))


def _metadata(value: Any) -> dict[str, MetadataValue]:
    if not isinstance(value, dict):
        raise _LineError(f"metadata must be an object, got {_kind(value)}")
    metadata, faults = metadata_of(cast("dict[str, Any]", value))
    if faults:
        raise _LineError("; ".join(faults))
    return metadata


def _kind(value: Any) -> str:
    if value == []:
        return "an empty list"
    names = {"dict": "an object", "list": "a list", "str": "text", "bool": "true or false", "NoneType": "null"}
    return names.get(type(value).__name__, "a number")
