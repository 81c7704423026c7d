"""Which rows a filter keeps: conditions on documents and on words, turned into the bitmap that both legs honour."""

from ..columns.mapping import shown
from ..errors import UsageError
from ..kernels.memory import Numbers
from ..text import Analyser
from .chunk_store import ChunkStore
from .dictionary import Dictionary
from .legs import RowFilter
from .metadata_condition import mapping_of, metadata_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    DocumentTest = Callable[[int], bool]

CONDITIONS = ("document_ids", "filename", "metadata", "contains", "phrase")


def row_filter(
    store: ChunkStore, analyser: Analyser, dictionary: Dictionary, conditions: "Mapping[str, Any] | None"
) -> "RowFilter | None":
    """The bitmap of rows that meet all `conditions`, or None if there are none. Call it inside `files.in_use()`.

    - `metadata`: what the document's value of each key must be, as in `metadata_test`.
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
    rows: int | None = None  # as bits
    if "contains" in conditions or "phrase" in conditions:
        from .word_filter import WordFilters  # most filters ask for documents alone

        words = WordFilters(store, analyser, dictionary)
        rows = (1 << store.chunk_count) - 1
        for name in ("contains", "phrase"):
            if name in conditions:
                rows &= words.containing(name, conditions[name])
        rows = _of_documents(store, tests, rows)
        if "phrase" in conditions:
            rows = _as_bits(store, words.with_phrase(conditions["phrase"], _rows_of(store, rows)))
    else:
        rows = _bits_of_documents(store, tests)
    bitmap = Numbers("B", (store.chunk_count + 7) // 8)
    bitmap.view[:] = rows.to_bytes(len(bitmap.view), "little")
    return RowFilter(bitmap)


def _document_tests(store: ChunkStore, conditions: "Mapping[str, Any]") -> "list[DocumentTest]":
    """What documents must meet. Raises UsageError."""
    tests: list[DocumentTest] = []
    if "document_ids" in conditions:
        ids = _texts("document_ids", "a list of texts", conditions["document_ids"])
        tests.append(lambda document: store.document_id(document) in ids)
    if "filename" in conditions:
        value = conditions["filename"]
        names = _texts("filename", "a text or a list of texts", [value] if isinstance(value, str) else value)
        tests.append(lambda document: _is_named(store.document_path(document), names))
    if "metadata" in conditions:
        tests += _metadata_tests(store, conditions["metadata"])
    return tests


def _texts(condition: str, expected: str, value: "Any") -> "frozenset[str]":
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):  # pyright: ignore[reportUnknownVariableType]
        raise UsageError(f"filter {condition} must be {expected}, not {shown(value)}")
    return frozenset(value)  # pyright: ignore[reportUnknownArgumentType]


def _is_named(path: str, names: "frozenset[str]") -> bool:
    return path in names or path.rpartition("/")[2] in names


def _metadata_tests(store: ChunkStore, value: "Any") -> "list[DocumentTest]":
    columns: dict[str, list[Any]] = {}
    for _, key, column in store.metadata_columns:
        columns.setdefault(key, []).append(column)
    tests: list[DocumentTest] = []
    for key, condition in mapping_of(value, "filter metadata must be a mapping of keys to values").items():
        if not isinstance(key, str) or key not in columns:
            known = ", ".join(sorted(columns)) or "none"
            raise UsageError(f"unknown metadata key {shown(key)}; the index has: {known}")
        test = metadata_test(key, condition)
        tests.append(lambda document, test=test, of_key=columns[key]: test(_value(of_key, document)))
    return tests


def _value(columns: "list[Any]", document: int) -> object:
    """The document's value of a key, in whichever column of the key it is, or None."""
    for column in columns:
        value = column[document]
        if value is not None:
            return value
    return None


def _bits_of_documents(store: ChunkStore, tests: "list[DocumentTest]") -> int:
    """The rows of documents that meet `tests`. Neighbours are one range of rows."""
    bits = bytearray((store.chunk_count + 7) // 8)
    first = 0
    for document in range(store.document_count):
        if all(test(document) for test in tests):
            continue
        if first < document:
            _set_bits(bits, *store.rows_of_documents(first, document))
        first = document + 1
    if first < store.document_count:
        _set_bits(bits, *store.rows_of_documents(first, store.document_count))
    return int.from_bytes(bits, "little")


def _set_bits(bits: bytearray, first: int, stop: int) -> None:
    """Set bits `first` to `stop - 1`: single ones up to whole bytes, and after them."""
    while first < stop and first & 7:
        bits[first >> 3] |= 1 << (first & 7)
        first += 1
    whole = (stop - first) >> 3 if stop > first else 0
    bits[first >> 3 : (first >> 3) + whole] = b"\xff" * whole
    for row in range(first + 8 * whole, stop):
        bits[row >> 3] |= 1 << (row & 7)


def _of_documents(store: ChunkStore, tests: "list[DocumentTest]", rows: int) -> int:
    """Those of `rows` whose document meets `tests`. Of few rows, only their documents are looked at."""
    if not tests:
        return rows
    if rows.bit_count() >= store.document_count:
        return rows & _bits_of_documents(store, tests)
    verdicts: dict[int, bool] = {}
    kept: list[int] = []
    for row in _rows_of(store, rows):
        document = store.document_of(row)
        if document not in verdicts:
            verdicts[document] = all(test(document) for test in tests)
        if verdicts[document]:
            kept.append(row)
    return _as_bits(store, kept)


def _rows_of(store: ChunkStore, bits: int) -> "Iterator[int]":
    for place, byte in enumerate(bits.to_bytes((store.chunk_count + 7) // 8, "little")):
        if byte:
            yield from (8 * place + bit for bit in range(8) if byte >> bit & 1)


def _as_bits(store: ChunkStore, rows: "Iterable[int]") -> int:
    bits = bytearray((store.chunk_count + 7) // 8)
    for row in rows:
        bits[row >> 3] |= 1 << (row & 7)
    return int.from_bytes(bits, "little")
