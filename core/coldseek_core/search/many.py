"""Many queries at once: what is given for them, checked."""

from ..errors import UsageError

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
