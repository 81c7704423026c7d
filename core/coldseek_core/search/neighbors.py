"""The chunks that stand before and after a hit in its document."""

from .chunk_store import ChunkStore
from .legs import RowFilter
from .results import ChunkView

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Neighbors:
    """Chunks of a hit's document, in reading order: `before` and `after` it."""

    __slots__ = ("after", "before")

    def __init__(self, before: "list[ChunkView]", after: "list[ChunkView]") -> None:
        self.before = before
        self.after = after

    def to_dict(self) -> "dict[str, Any]":
        return {
            "before": [chunk.to_dict() for chunk in self.before],
            "after": [chunk.to_dict() for chunk in self.after],
        }


def neighbors_of(store: ChunkStore, row: int, count: int, kept: "RowFilter | None") -> Neighbors:
    """Up to `count` chunks on each side of a row. What a filter leaves out stays out. Use it inside
    `files.in_use()`.
    """
    document = store.document_of(row)

    def chunk_of(near: int) -> "list[ChunkView]":
        if not 0 <= near < store.chunk_count or store.document_of(near) != document:
            return []
        return [store.chunk(near)] if kept is None or kept.keeps(near) else []

    return Neighbors(
        [chunk for near in range(row - count, row) for chunk in chunk_of(near)],
        [chunk for near in range(row + 1, row + count + 1) for chunk in chunk_of(near)],
    )
