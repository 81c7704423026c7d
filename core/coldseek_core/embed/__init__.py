"""Embedders behind one protocol: mock here, none by absence, and whatever the user brings."""

from .canary import CANARY_TEXTS, canary_codes, check_canaries, check_identity
from .checked import embed_checked
from .mock import MOCK_MIN_SIMILARITY, MockEmbedder
from .protocol import DEFAULT_MIN_SIMILARITY, Embedder, check_embedder, min_similarity_of, needs_keyword

__all__ = [
    "CANARY_TEXTS",
    "DEFAULT_MIN_SIMILARITY",
    "MOCK_MIN_SIMILARITY",
    "Embedder",
    "MockEmbedder",
    "canary_codes",
    "check_canaries",
    "check_embedder",
    "check_identity",
    "embed_checked",
    "min_similarity_of",
    "needs_keyword",
]
