"""JSONL of ready chunks: one JSON object a line, never split further."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from coldseek_core.errors import SourceError
from coldseek_core.ingest.collection import no_collection
from coldseek_core.ingest.corpus import Corpus
from coldseek_core.ingest.decoding import decode, unreadable
from coldseek_core.ingest.documents import Chunk, Document, Problem
from coldseek_core.ingest.in_order import in_order
from coldseek_core.ingest.json_line import LineError, LineFields, read_line
from coldseek_core.ingest.line_table import LineTable

_BLOCK_BYTES = 1 << 22
_BOM = b"\xef\xbb\xbf"


def read_jsonl(path: Path, shown_path: str | None = None, workers: int = 1) -> tuple[Corpus, list[Problem]]:
    """The documents of a JSONL file by (url, id), each with its chunks in the order of their lines, and the lines that
    could not be used. `shown_path`: what documents have as their path, if not `path`. `workers`: threads.

    Keys: `id` and `text` (needed), `document`, `url`, `title`, `headingPath`, `anchor`, `metadata`,
    `vector`. Lines with the same `document` belong together; without it, lines with the same `url` that do
    not contradict each other; without
    that, a line is a document of its own. A line is a Problem, and left out, if it is no such object,
    repeats an id, gives a vector of another size than the first one, or another url, title or metadata than
    its document has. Unknown keys are reported once and ignored.
    """
    shown = str(path)
    shown_path = shown if shown_path is None else shown_path
    reader = _Reader()
    try:
        with no_collection():
            for block in in_order(_Block, _blocks(path), workers):
                reader.add(block)
            corpus = reader.corpus(shown_path, workers)
    except OSError as error:
        return Corpus.of([]), [Problem(shown, str(unreadable(error)))]
    problems = [Problem(shown, f"line {number}: {reason}") for number, reason in sorted(reader.faults.items())]
    if reader.unknown:
        keys = ", ".join(repr(key) for key in sorted(reader.unknown))
        first = min(reader.unknown.values())
        reason = f"line {first}: unknown keys are ignored: {keys}; put your own fields into metadata"
        problems.append(Problem(shown, reason))
    return corpus, problems


def _blocks(path: Path) -> Iterator[bytes]:
    """Whole lines, some MB at a time. UTF-16 and UTF-32 come as UTF-8. Raises OSError."""
    with path.open("rb") as file:
        begin = file.read(4)
        if begin[:2] in {b"\xff\xfe", b"\xfe\xff"} or begin == b"\0\0\xfe\xff":
            data = begin + file.read()
            try:
                yield decode(data).encode("utf-8")
            except SourceError:
                yield data.replace(b"\n", b" ")  # one line: what is wrong is told once
            return
        start = len(_BOM) if begin.startswith(_BOM) else 0
        while True:
            file.seek(start + _BLOCK_BYTES)
            file.readline()  # up to the end of the block's last line, which is then read without being joined
            size = file.tell() - start
            file.seek(start)
            block = file.read(size)
            if not block:
                return
            yield block
            start += len(block)


class _Block:
    """What was read of a block of lines, which are numbered from 0. `faults`: what is wrong with lines."""

    def __init__(self, block: bytes) -> None:
        self.faults: dict[int, str] = {}
        self.unknown: dict[str, int] = {}
        table = LineTable.of_block(block)
        self.line_count = block.count(b"\n") if table is None else len(table)
        self.table = self._read_slowly(block) if table is None else table

    def _read_slowly(self, block: bytes) -> LineTable:
        """Line by line, leaving out those that cannot be used."""
        lines: list[LineFields] = []
        for number, line in enumerate(block.split(b"\n")):
            stripped = line.strip()
            if not stripped:
                continue
            try:
                fields, unknown = read_line(stripped, number)
            except (LineError, SourceError) as error:
                self.faults[number] = str(error)
                continue
            lines.append(fields)
            for key in unknown:
                self.unknown.setdefault(key, number)
        return LineTable.of_fields(lines)


class _Reader:
    """Puts blocks together. `faults`: of all, by the numbers of their lines from 1; `unknown`: where each unknown key
    was met first."""

    def __init__(self) -> None:
        self.faults: dict[int, str] = {}
        self.unknown: dict[str, int] = {}
        self._tables: list[LineTable] = []
        self._next = 1

    def add(self, block: _Block) -> None:
        self.faults |= {self._next + number: fault for number, fault in block.faults.items()}
        for key, number in block.unknown.items():
            self.unknown.setdefault(key, self._next + number)
        block.table.numbers[:] += self._next
        self._tables.append(block.table)
        self._next += block.line_count

    def corpus(self, path: str, workers: int) -> Corpus:
        """The documents of what was read, which is given up."""
        table = LineTable.joined(self._tables)
        self._tables = []
        return table.corpus(path, workers) or Corpus.of(self._documents(table.fields(), path))

    def _documents(self, lines: Iterable[LineFields], path: str) -> list[Document]:
        """The documents of lines some of which repeat an id or contradict each other: those are left out."""
        drafts: dict[str, _Draft] = {}
        ids: set[str] = set()
        dimensions = 0
        for line in lines:
            try:
                if line.id in ids:
                    raise LineError(f"the id {line.id!r} was used before; ids must be unique")
                if dimensions and line.vector and len(line.vector) != dimensions:
                    raise LineError(f"vector has {len(line.vector)} dimensions, the ones before have {dimensions}")
                draft = _draft_of(line, drafts)
            except LineError as error:
                self.faults[line.number] = str(error)
                continue
            draft.add(line)
            drafts.setdefault(draft.identifier, draft)
            ids.add(line.id)
            dimensions = dimensions or len(line.vector or ())
        documents = [draft.document(path) for draft in drafts.values()]
        return sorted(documents, key=lambda document: (document.url, document.id))


class _Draft:
    """A document as far as its lines have been read."""

    __slots__ = ("_chunks", "_sections", "identifier", "said")

    def __init__(self, identifier: str) -> None:
        self.identifier = identifier
        self.said: dict[str, Any] = {}
        self._chunks: list[Chunk] = []
        self._sections: dict[tuple[tuple[str, ...], str], int] = {}

    def add(self, line: LineFields) -> None:
        section = self._sections.setdefault((line.heading_path, line.anchor), len(self._sections))
        self.said = _said(line) | self.said
        self._chunks.append(Chunk(line.id, line.text, line.heading_path, line.anchor, section, line.vector))

    def document(self, path: str) -> Document:
        get = self.said.get
        return Document(
            self.identifier, path, get("url", ""), get("title", ""), get("metadata", {}), tuple(self._chunks)
        )


def _said(line: LineFields) -> dict[str, Any]:
    """What a line says of its document."""
    said = {"url": line.url, "title": line.title, "metadata": line.metadata}
    return {key: value for key, value in said.items() if value is not None}


def _draft_of(line: LineFields, drafts: dict[str, _Draft]) -> _Draft:
    """The document that a line belongs to, known or new. Raises LineError if the line contradicts it."""
    named = line.document or line.url or line.id
    draft = drafts.get(named)
    if draft is None:
        return _Draft(named)
    for key, value in _said(line).items():
        if key in draft.said and value != draft.said[key]:
            if not line.document and line.id not in drafts:
                return _Draft(line.id)  # the lines only share a URL; nobody said that they are one document
            raise LineError(
                f"{key} differs from what an earlier line says of the document {named!r}; write it the same on"
                " every line, or give the chunk a `document` of its own"
            )
    return draft
