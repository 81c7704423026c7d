"""Many queries at once: what is given for them, checked, and how they are shared out."""

import os

from ..errors import UsageError
from .settings import THREADS_LIMIT, checked_number

_SCANNED_AT_ONCE = 4

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def checked_queries(queries: "Any", vectors: "Any") -> "tuple[list[str], list[Sequence[float] | None]]":
    """The queries and, for each, its vector or None. Raises UsageError unless both are lists of one length."""
    texts = _listed("queries", queries)
    if vectors is None:
        return texts, [None] * len(texts)
    given = _listed("vectors", vectors)
    if len(given) != len(texts):
        raise UsageError(f"there must be one vector (or None) for each of the {len(texts)} queries, not {len(given)}")
    return texts, given


def _listed(name: str, many: "Any") -> "list[Any]":
    """A list of `many`. A text can be gone through, too, but is one query."""
    if isinstance(many, str | bytes | dict) or not hasattr(many, "__iter__"):
        raise UsageError(f"{name} must be a list, not {type(many).__name__}")  # pyright: ignore[reportUnknownArgumentType]
    return list(many)


def checked_workers(workers: "int | None") -> int:
    """How many threads; None is one for each CPU that the process may use."""
    if workers is None:
        return min(len(os.sched_getaffinity(0)), THREADS_LIMIT)
    return int(checked_number("workers", workers, 1, THREADS_LIMIT, whole=True))


def parts_of(count: int, workers: int, most: int) -> "list[tuple[int, int]]":
    """(first, stop) of parts of `count` queries, up to `most` in each, and as many parts for each worker.

    Where it can be, a part is of four queries or a multiple of four: as many are scanned at once.
    """
    unit = min(_SCANNED_AT_ONCE, most)
    units = (count + unit - 1) // unit
    fewest = -(-units // (most // unit))
    parts = min(-(-fewest // workers) * workers, units)
    bounds = [min(units * part // parts * unit, count) for part in range(parts + 1)] if parts else []
    return list(zip(bounds, bounds[1:], strict=False))
