"""The numbers that a baseline index is built and searched with."""

from typing import NamedTuple

FIELDS = ("title", "headings", "body")
SEARCH_LEG = 50
MOST_QUERY_TERMS = 1024


class Settings(NamedTuple):
    """`weights` and `b` are per field, in the order of FIELDS."""

    weights: tuple[float, float, float] = (1.0, 1.0, 1.0)
    b: tuple[float, float, float] = (0.75, 0.75, 0.75)
    k1: float = 1.2
    rrf_k: int = 60
    candidates: int = 40
    min_similarity: float = 0.25
    min_keyword_coverage: float = 0.5
    similarity_needs_keyword: bool = False
    top_k: int = 6
    max_context_chars: int = 8000
