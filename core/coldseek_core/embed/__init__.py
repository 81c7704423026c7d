"""Embedders behind one protocol: mock, two kinds of HTTP servers, none by absence, and whatever the user brings."""

from .canary import CANARY_TEXTS, canary_codes, check_canaries, check_identity
from .checked import embed_checked
from .mock import MOCK_MIN_SIMILARITY, MockEmbedder
from .protocol import DEFAULT_MIN_SIMILARITY, Embedder, check_embedder, min_similarity_of, needs_keyword

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .openai import OpenAIEmbedder
    from .workers_ai import WorkersAIEmbedder

__all__ = [
    "CANARY_TEXTS",
    "DEFAULT_MIN_SIMILARITY",
    "MOCK_MIN_SIMILARITY",
    "Embedder",
    "MockEmbedder",
    "OpenAIEmbedder",
    "WorkersAIEmbedder",
    "canary_codes",
    "check_canaries",
    "check_embedder",
    "check_identity",
    "embed_checked",
    "min_similarity_of",
    "needs_keyword",
]


def __getattr__(name: str) -> "Any":
    """The HTTP embedders, imported when they are asked for: most processes never do."""
    if name == "OpenAIEmbedder":
        from .openai import OpenAIEmbedder

        return OpenAIEmbedder
    if name == "WorkersAIEmbedder":
        from .workers_ai import WorkersAIEmbedder

        return WorkersAIEmbedder
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
