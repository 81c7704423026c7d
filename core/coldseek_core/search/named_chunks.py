"""Chunks that someone else names: by row, id, hit or chunk. And all chunks of an index as a sequence."""

from ..columns.reader import IndexFiles
from ..errors import UsageError
from .chunk_store import ChunkStore
from .legs import RowFilter
from .results import ChunkView, Hit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Chunks:
    """All chunks of an index, in the order of their rows: a sequence that reads each when it is asked for.

    What it gives are copies. Raises ClosedIndexError after `close`.
    """

    __slots__ = ("_files", "_store")

    def __init__(self, files: IndexFiles, store: ChunkStore) -> None:
        self._files = files
        self._store = store

    def __len__(self) -> int:
        return self._store.chunk_count

    def __getitem__(self, row: int) -> ChunkView:
        """The chunk of a row; -1 is the last. Raises IndexError beyond the ends, UsageError for what is no number."""
        if isinstance(row, bool) or not isinstance(row, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UsageError(f"chunks are read by row, a whole number, not {row!r}")
        count = self._store.chunk_count
        if not -count <= row < count:
            raise IndexError(f"there is no chunk {row}; the index has {count}")
        with self._files.in_use():
            return self._store.chunk(row % count)

    def __iter__(self) -> "Iterator[ChunkView]":
        return (self[row] for row in range(self._store.chunk_count))


def read_names(named: object, most: int) -> list[object]:
    """The first `most` items of an iterable. Raises UsageError for what is none, or is text or a mapping."""
    # A text or a mapping can be gone through, too, but whoever gives one means something else.
    if isinstance(named, str | bytes | bytearray | dict) or not hasattr(named, "__iter__"):
        kind = type(named).__name__  # pyright: ignore[reportUnknownArgumentType] - of what a dict holds
        raise UsageError(f"expected a list of rows, ids, hits or chunks, not {kind}")
    many: Iterable[object] = named  # pyright: ignore[reportAssignmentType]
    result: list[object] = []
    for one in many:
        result.append(one)
        if len(result) == most:
            break
    return result


def named_rows(store: ChunkStore, names: "Sequence[object]", kept: "RowFilter | None") -> list[int]:
    """The rows that are named, in that order, each once. Use it inside `files.in_use()`.

    A chunk of another index or generation, an unknown id, a row beyond the ends and one that `kept` leaves out name
    nothing and are dropped. Raises UsageError for what is no row, id, hit or chunk.
    """
    rows = [_row_of(store, one) for one in names]
    inside = [row for row in rows if row is not None and 0 <= row < store.chunk_count]
    return [row for row in dict.fromkeys(inside) if kept is None or kept.keeps(row)]


def _row_of(store: ChunkStore, one: object) -> "int | None":
    if isinstance(one, str):
        return store.row_of(one)
    chunk = one.chunk if isinstance(one, Hit) else one
    if isinstance(chunk, ChunkView):
        # A hook may have written anything to it.
        is_row = isinstance(chunk.row, int)  # pyright: ignore[reportUnnecessaryIsInstance]
        return chunk.row if is_row and chunk.generation == store.generation else None
    whole = getattr(one, "__index__", None)
    if whole is None or isinstance(one, bool):
        raise UsageError(f"expected rows, ids, hits or chunks in the list, not {type(one).__name__}")
    return int(whole())
