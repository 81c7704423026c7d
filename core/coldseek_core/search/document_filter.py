"""Which rows a filter keeps: conditions on documents and on words, turned into the bitmap that both legs honour."""

from ..columns.mapping import shown
from ..errors import UsageError
from ..kernels.memory import Numbers
from ..text import Analyser
from .chunk_store import ChunkStore
from .column_tests import passing, taken
from .dictionary import Dictionary
from .legs import RowFilter
from .metadata_condition import mapping_of, metadata_tests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    DocumentTest = tuple[list[Any], Callable[[Any], bool]]  # columns of documents, and what their values must meet

CONDITIONS = ("document_ids", "filename", "metadata", "contains", "phrase")


def row_filter(
    store: ChunkStore, analyser: Analyser, dictionary: Dictionary, conditions: "Mapping[str, Any] | None"
) -> "RowFilter | None":
    """The bitmap of rows that meet all `conditions`, or None if there are none. Call it inside `files.in_use()`.

    - `metadata`: what the document's value of each key must be, as in `metadata_tests`.
    - `document_ids`: a list of texts, one of which is the document's id.
    - `filename`: a text or a list of texts, one of which is the document's path or the last part of it.
    - `contains`: a text, all words of which the chunk's text, title and headings hold.
    - `phrase`: a text, the words of which are next to each other in one of these. See `word_filter` for both.

    Raises UsageError for an unknown condition, key, operator or type: a filter fails closed.
    """
    if conditions is None:
        return None
    conditions = mapping_of(conditions, f"filter must be a mapping with some of {', '.join(CONDITIONS)}")
    for name in conditions:
        if name not in CONDITIONS:
            raise UsageError(f"unknown filter condition {shown(name)}; there are: {', '.join(CONDITIONS)}")
    # A condition that is there must be usable: None is a caller's mistake, not the absence of a condition.
    tests = _document_tests(store, conditions)
    rows = (1 << store.chunk_count) - 1  # as bits
    words = None
    if "contains" in conditions or "phrase" in conditions:
        from .word_filter import WordFilters  # most filters ask for documents alone

        words = WordFilters(store, analyser, dictionary)
        for name in ("contains", "phrase"):
            if name in conditions:
                rows &= words.containing(name, conditions[name])
    if tests and rows:
        rows &= _rows_of_documents(store, tests)
    if words is not None and "phrase" in conditions:
        rows = _as_bits(store, words.with_phrase(conditions["phrase"], _rows_of(store, rows)))
    size = (store.chunk_count + 7) // 8
    bitmap = Numbers("B", size)
    bitmap.view[:size] = rows.to_bytes(size, "little")
    return RowFilter(bitmap)


def _document_tests(store: ChunkStore, conditions: "Mapping[str, Any]") -> "list[DocumentTest]":
    """What documents must meet. Raises UsageError."""
    tests: list[DocumentTest] = []
    if "document_ids" in conditions:
        ids = _texts("document_ids", "a list of texts", conditions["document_ids"])
        tests.append(([store.document_ids], lambda one: one in ids))
    if "filename" in conditions:
        value = conditions["filename"]
        names = _texts("filename", "a text or a list of texts", [value] if isinstance(value, str) else value)
        tests.append(([store.document_paths], lambda path: path in names or path.rpartition("/")[2] in names))
    if "metadata" in conditions:
        tests += _metadata_tests(store, conditions["metadata"])
    return tests


def _texts(condition: str, expected: str, value: "Any") -> "frozenset[str]":
    if isinstance(value, list | tuple):
        items: list[Any] = [*value]
        if all(isinstance(item, str) for item in items):
            return frozenset(items)
    raise UsageError(f"filter {condition} must be {expected}, not {shown(value)}")  # pyright: ignore[reportUnknownArgumentType]


def _metadata_tests(store: ChunkStore, value: "Any") -> "list[DocumentTest]":
    columns: dict[str, list[Any]] = {}
    for _, key, column in store.metadata_columns:
        columns.setdefault(key, []).append(column)
    tests: list[DocumentTest] = []
    for key, condition in mapping_of(value, "filter metadata must be a mapping of keys to values").items():
        if not isinstance(key, str) or key not in columns:
            known = ", ".join(sorted(columns)) or "none"
            raise UsageError(f"unknown metadata key {shown(key)}; the index has: {known}")
        tests += [(columns[key], test) for test in metadata_tests(key, condition)]
    return tests


def _rows_of_documents(store: ChunkStore, tests: "list[DocumentTest]") -> int:
    """The rows of documents that meet all `tests`."""
    documents = every = (1 << store.document_count) - 1
    for columns, test in tests:
        if documents:
            documents &= passing(columns, store.document_count, test)
    if documents in (0, every):
        return (1 << store.chunk_count) - 1 if documents else 0
    try:
        return taken(documents, store.document_count, store.document_rows.view[: store.chunk_count])
    except IndexError:
        for row in range(store.chunk_count):
            store.document_of(row)  # which raises for the row that names no document
        raise


def _rows_of(store: ChunkStore, bits: int) -> "Iterator[int]":
    for place, byte in enumerate(bits.to_bytes((store.chunk_count + 7) // 8, "little")):
        if byte:
            yield from (8 * place + bit for bit in range(8) if byte >> bit & 1)


def _as_bits(store: ChunkStore, rows: "Iterable[int]") -> int:
    bits = bytearray((store.chunk_count + 7) // 8)
    for row in rows:
        bits[row >> 3] |= 1 << (row & 7)
    return int.from_bytes(bits, "little")
