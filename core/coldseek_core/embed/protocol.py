"""What coldseek asks of an embedder."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol
else:
    Protocol = object


class Embedder(Protocol):
    """Texts to vectors.

    Needed: `id` (names the model and everything that changes its vectors), `dimensions`, and `embed`. Optional:
    `similarity_needs_keyword` (False; True where similarity comes from shared words and may collide) and
    `min_similarity` (0.25; the relevance gate's threshold for this model).
    """

    id: str
    dimensions: int

    def embed(self, texts: "Sequence[str]") -> "Sequence[Sequence[float]]":
        """One vector of `dimensions` finite numbers for each text, in order. Any exception counts as a failure."""
        ...  # noqa: PIE790 - the checker takes it for a body


DEFAULT_MIN_SIMILARITY = 0.25


def min_similarity_of(embedder: "Embedder") -> float:
    return float(getattr(embedder, "min_similarity", DEFAULT_MIN_SIMILARITY))


def needs_keyword(embedder: "Embedder") -> bool:
    return bool(getattr(embedder, "similarity_needs_keyword", False))
