"""Which rows a filter keeps: conditions on documents, turned into the bitmap that both legs honour."""

from ..errors import UsageError
from ..kernels.memory import Numbers
from .chunk_store import ChunkStore
from .legs import RowFilter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

CONDITIONS = ("document_ids", "metadata")


def row_filter(store: ChunkStore, conditions: "Mapping[str, Any] | None") -> "RowFilter | None":
    """The bitmap of rows whose document meets all `conditions`, or None if there are none.

    `metadata`: for each key a scalar that the document's value equals (or, for a list, contains), or a list of which
    any does; types are compared as they are (2 is not "2", True is not 1) and a missing key equals nothing.
    `document_ids`: a list. Raises UsageError for an unknown condition, key or type: a filter fails closed.
    """
    if conditions is None:
        return None
    conditions = _mapping(conditions, f"filter must be a mapping with {' or '.join(CONDITIONS)}")
    for name in conditions:
        if name not in CONDITIONS:
            raise UsageError(f"unknown filter condition {name!r}; there are: {', '.join(CONDITIONS)}")
    # A condition that is there must be usable: None is a caller's mistake, not the absence of a condition.
    wanted_ids = _wanted_ids(conditions["document_ids"]) if "document_ids" in conditions else None
    wanted = _wanted_metadata(store, conditions["metadata"]) if "metadata" in conditions else {}
    columns = [([column for _, one, column in store.metadata_columns if one == key], wanted[key]) for key in wanted]
    kept = [
        document
        for document in range(store.document_count)
        if (wanted_ids is None or store.document_id(document) in wanted_ids)
        and all(_meets(of_key, options, document) for of_key, options in columns)
    ]
    return RowFilter(_bitmap(store, kept))


def _bitmap(store: ChunkStore, kept: list[int]) -> Numbers:
    """Bits of the rows of `kept` documents (ascending); neighbours are one range of rows."""
    bitmap = Numbers("B", (store.chunk_count + 7) // 8)
    place = 0
    while place < len(kept):
        first = last = kept[place]
        while place < len(kept) and kept[place] == last:
            place += 1
            last += 1
        _set_bits(bitmap.view, *store.rows_of_documents(first, last))
    return bitmap


def _set_bits(bits: "memoryview[int]", first: int, stop: int) -> None:
    """Set bits `first` to `stop - 1`: single ones up to whole bytes, and after them."""
    while first < stop and first & 7:
        bits[first >> 3] |= 1 << (first & 7)
        first += 1
    whole = (stop - first) >> 3 if stop > first else 0
    bits[first >> 3 : (first >> 3) + whole] = b"\xff" * whole
    for row in range(first + 8 * whole, stop):
        bits[row >> 3] |= 1 << (row & 7)


def _wanted_ids(value: object) -> "frozenset[str]":
    items = _items(value)
    ids = [item for item in items if isinstance(item, str)]
    if not isinstance(value, list | tuple) or len(ids) < len(items):
        raise UsageError(f"filter document_ids must be a list of texts, not {value!r}")
    return frozenset(ids)


def _mapping(value: "Any", message: str) -> "dict[Any, Any]":
    """`value` as a dict. Filters come from outside, whatever the annotations say; any mapping will do."""
    try:
        return {key: value[key] for key in value.keys()}  # noqa: SIM118 - a list has no keys
    except (AttributeError, TypeError, KeyError) as error:
        raise UsageError(f"{message}, not {value!r}") from error


def _items(value: object) -> "list[object]":
    """The items of a list or tuple; of anything else, itself alone."""
    return [*value] if isinstance(value, list | tuple) else [value]  # pyright: ignore[reportUnknownArgumentType]


def _wanted_metadata(store: ChunkStore, value: "Any") -> "dict[str, list[object]]":
    mapping = _mapping(value, "filter metadata must be a mapping of keys to values")
    known = sorted({key for _, key, _ in store.metadata_columns})
    wanted: dict[str, list[object]] = {}
    for key, values in mapping.items():
        if not isinstance(key, str) or key not in known:
            raise UsageError(f"unknown metadata key {key!r}; the index has: {', '.join(known) or 'none'}")
        wanted[key] = _items(values)
        for option in wanted[key]:
            if not isinstance(option, str | int | float | bool):
                raise UsageError(f"filter metadata {key!r}: a value must be a text, number or boolean, not {option!r}")
    return wanted


def _meets(columns: "list[Any]", options: "list[object]", document: int) -> bool:
    """Whether the document's value, in whichever column of the key it is, is one of `options`."""
    for column in columns:
        value = column[document]
        if value is not None:
            return any(_equal(one, option) for one in _items(value) for option in options)
    return False


def _equal(one: object, other: object) -> bool:
    """Equality without coercion: 2 is not "2", and True is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one == other
    return one == other
