"""The rows of filters that were asked for last: most questions come with one of a few filters, and an index never
changes.
"""

from ..text import Analyser
from .chunk_store import ChunkStore
from .dictionary import Dictionary
from .document_filter import row_filter
from .legs import RowFilter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MOST_KEPT = 16  # filters, each one bit a chunk
_MOST_VALUES = 1000  # of a filter that is kept


class RecentFilters:
    """The filters of one index. Use it inside `files.in_use()`; any number of threads may."""

    def __init__(self, store: ChunkStore, analyser: Analyser, dictionary: Dictionary) -> None:
        self._index = (store, analyser, dictionary)
        # Replaced as a whole: a thread that loses against another forgets a filter, no more.
        self._recent: tuple[tuple[object, RowFilter], ...] = ()

    def of(self, conditions: "Mapping[str, Any] | None") -> "RowFilter | None":
        """As `row_filter`."""
        key = _key_of(conditions)
        if key is None:
            return row_filter(*self._index, conditions)
        for one, kept in self._recent:
            if one == key:
                return kept
        kept = row_filter(*self._index, conditions)
        if kept is not None:
            self._recent = ((key, kept), *self._recent[: MOST_KEPT - 1])
        return kept


def _key_of(conditions: object) -> object:
    """What is equal for the same conditions only, whatever becomes of the mapping; None for what has too much in it, or
    something else than a filter has.
    """
    try:
        parts = _parts_of(conditions, [])
    except RecursionError:
        return None
    return None if parts is None else tuple(parts)


def _parts_of(value: "Any", parts: "list[object]") -> "list[object] | None":
    """`parts` and behind them what `value` is made of: of each its type, and its length or itself."""
    # A class of one's own may be equal to anything.
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind is str or kind is int or kind is float or kind is bool:
        parts += (kind, value)
        return parts
    if kind is not dict and kind is not list and kind is not tuple:
        return None
    items: list[Any] = [part for pair in value.items() for part in pair] if kind is dict else [*value]
    parts += (kind, len(items))
    if len(parts) + len(items) > _MOST_VALUES:
        return None
    for item in items:
        if _parts_of(item, parts) is None:
            return None
    return parts
