"""What coldseek asks of an embedder."""

from ..errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol
else:
    Protocol = object


class Embedder(Protocol):
    """Texts to vectors.

    Needed: `id` (names the model and everything that changes its vectors), `dimensions`, and `embed`. Optional:
    `similarity_needs_keyword` (False; True where similarity comes from shared words and may collide);
    `min_similarity` (0.25; the relevance gate's threshold for this model); `may_stall` (True; False for one that only
    computes and so needs no deadline); `remote` (False; True for one that calls a network, which is not done while an
    index is opened, and is done by several threads at a time in a build); `embed_within(texts, seconds)` (for one that
    keeps a deadline itself); `warning` (a line for whoever builds with it, or None).
    """

    @property
    def id(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: "Sequence[str]", /) -> "Sequence[Sequence[float]]":
        """One vector of `dimensions` finite numbers for each text, in order. Any exception counts as a failure."""
        ...  # noqa: PIE790 - the checker takes it for a body


DEFAULT_MIN_SIMILARITY = 0.25
MOST_DIMENSIONS = 131_071  # what the kernels sum exactly, whatever the codes


def check_embedder(embedder: object) -> "Embedder":
    """`embedder`, if it has what the protocol asks for. Raises UsageError that says what is missing."""
    for name in ("id", "dimensions", "embed"):
        if not hasattr(embedder, name):
            raise UsageError(f"an embedder needs id, dimensions and embed(texts); {embedder!r} has no {name}")
    own: Embedder = embedder  # pyright: ignore[reportAssignmentType]
    if not isinstance(own.id, str) or not own.id:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise UsageError(f"an embedder's id must be text, not {own.id!r}")
    whole = isinstance(own.dimensions, int) and not isinstance(own.dimensions, bool)  # pyright: ignore[reportUnnecessaryIsInstance]
    if not whole or not 1 <= own.dimensions <= MOST_DIMENSIONS:
        raise UsageError(
            f"an embedder's dimensions must be a whole number from 1 to {MOST_DIMENSIONS}, not {own.dimensions!r}"
        )
    lowest = getattr(own, "min_similarity", DEFAULT_MIN_SIMILARITY)
    if isinstance(lowest, bool) or not isinstance(lowest, int | float) or not -1 <= lowest <= 1:
        raise UsageError(f"an embedder's min_similarity must be a number from -1 to 1, not {lowest!r}")
    return own


def min_similarity_of(embedder: "Embedder") -> float:
    return float(getattr(embedder, "min_similarity", DEFAULT_MIN_SIMILARITY))


def may_stall(embedder: "Embedder") -> bool:
    return bool(getattr(embedder, "may_stall", True))


def is_remote(embedder: "Embedder") -> bool:
    return bool(getattr(embedder, "remote", False))


def close_embedder(embedder: object) -> None:
    """Close what has something to close."""
    close = getattr(embedder, "close", None)
    if close is not None:
        close()


def needs_keyword(embedder: "Embedder") -> bool:
    return bool(getattr(embedder, "similarity_needs_keyword", False))
