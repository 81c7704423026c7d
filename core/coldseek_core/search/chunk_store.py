"""Chunks and documents as they are stored: texts, metadata, and which rows belong to which document."""

from ..columns.reader import IndexFiles, Numbers
from ..errors import CorruptIndexError
from .results import ChunkView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

METADATA_PREFIX = "metadata."


class ChunkStore:
    """Reads rows on demand. Use it inside `files.in_use()`."""

    def __init__(self, files: IndexFiles) -> None:
        self._chunks = {name: files.column("chunks", name) for name in files.columns("chunks")}
        self._documents = {name: files.column("documents", name) for name in files.columns("documents")}
        self.document_rows = files.numbers("chunks", "document")
        self._path = files.path
        self.generation = files.generation
        self._rows_by_id: dict[str, int] | None = None
        self.chunk_count = len(self._chunks["id"])
        self.document_count = len(self._documents["id"])
        self.metadata_columns: list[tuple[str, str, Any]] = []  # (kind, key, column)
        for name, column in self._documents.items():
            if name.startswith(METADATA_PREFIX):
                kind, _, key = name[len(METADATA_PREFIX) :].partition(".")
                self.metadata_columns.append((kind, key, column))

    def document_of(self, row: int) -> int:
        document = self._chunks["document"][row]
        if not isinstance(document, int) or not 0 <= document < self.document_count:
            raise CorruptIndexError(
                f"{self._path}: chunks.document at row {row} is {document}, but there are "
                f"{self.document_count} documents; build the index again"
            )
        return document

    def section_of(self, row: int) -> tuple[int, int]:
        """(document row, section) of a chunk."""
        section = self._chunks["section"][row]
        return self.document_of(row), section if isinstance(section, int) else 0

    def chunk(self, row: int) -> ChunkView:
        document = self.document_of(row)
        chunks, documents = self._chunks, self._documents
        return ChunkView(
            id=_text(chunks["id"][row]),
            url=_text(documents["url"][document]),
            title=_text(documents["title"][document]),
            heading_path=_texts(chunks["heading_path"][row]),
            anchor=_text(chunks["anchor"][row]),
            text=_text(chunks["text"][row]),
            metadata=self.metadata(document),
            row=row,
            generation=self.generation,
        )

    def fields(self, row: int) -> "Iterator[str]":
        """What the words of a chunk are read from: its text, its headings as one text, and the title of its document.
        Each is read when it is asked for.
        """
        yield _text(self._chunks["text"][row])
        yield "\n".join(_texts(self._chunks["heading_path"][row]))
        yield _text(self._documents["title"][self.document_of(row)])

    def row_of(self, chunk_id: str) -> "int | None":
        """The row of a chunk's id, or None. The first call reads all ids and keeps them."""
        rows = self._rows_by_id
        if rows is None:
            ids = self._chunks["id"]
            # Two threads may both make it: they make the same.
            rows = self._rows_by_id = {_text(ids[row]): row for row in range(self.chunk_count)}
        return rows.get(chunk_id)

    def metadata(self, document: int) -> "dict[str, Any]":
        """The document's metadata by key, without those it lacks."""
        result: dict[str, Any] = {}
        for _, key, column in self.metadata_columns:
            value = column[document]
            if type(value) is float and value - value != 0.0:  # a build writes none, and JSON has none
                raise CorruptIndexError(
                    f"{column.name} at row {document} is {value}, expected a finite number; "
                    "build the index again or restore it from a copy"
                )
            if value is not None:
                result[key] = value
        return result

    def rows_of_document(self, document: int) -> tuple[int, int]:
        """Its first row and the row after its last: chunks are stored document by document."""
        return _first_at_least(self.document_rows, document), _first_at_least(self.document_rows, document + 1)

    @property
    def document_ids(self) -> "Any":
        """The column of documents' ids."""
        return self._documents["id"]

    @property
    def document_paths(self) -> "Any":
        """The column of documents' paths."""
        return self._documents["path"]


def _first_at_least(column: Numbers, value: int) -> int:
    low, high = 0, len(column)
    view = column.view
    while low < high:
        middle = (low + high) // 2
        if view[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: "Any") -> "tuple[str, ...]":
    return tuple(value) if value else ()
