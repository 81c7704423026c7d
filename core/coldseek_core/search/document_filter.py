"""Which rows a filter keeps: conditions on documents, turned into the bitmap that both legs honour."""

import ctypes

from ..errors import UsageError
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
    bitmap = (ctypes.c_uint8 * max(1, (store.chunk_count + 7) // 8))()
    for document in range(store.document_count):
        if wanted_ids is not None and store.document_id(document) not in wanted_ids:
            continue
        if wanted and not _meets(store.metadata(document), wanted):
            continue
        first, stop = store.rows_of_document(document)
        for row in range(first, stop):
            bitmap[row >> 3] |= 1 << (row & 7)
    return RowFilter(bitmap)


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


def _meets(metadata: "dict[str, Any]", wanted: "dict[str, list[object]]") -> bool:
    for key, options in wanted.items():
        if key not in metadata:
            return False
        if not any(_equal(one, option) for one in _items(metadata[key]) for option in options):
            return False
    return True


def _equal(one: object, other: object) -> bool:
    """Equality without coercion: 2 is not "2", and True is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one == other
    return one == other
