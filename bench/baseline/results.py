"""What the baseline search returns."""

from typing import NamedTuple

from baseline.fusion import FUSED_UNIT


class Hit(NamedTuple):
    """`similarity` is None without a vector.

    `keyword_rank` and `vector_rank` are the ranks that were fused.
    """

    rank: int
    row: int
    fused: int
    similarity: float | None
    keyword_score: int
    covered: int
    total: int
    keyword_rank: int | None
    vector_rank: int | None

    @property
    def score(self) -> float:
        return self.fused / FUSED_UNIT

    @property
    def keyword_coverage(self) -> float:
        return self.covered / self.total if self.total else 0.0


class SearchResult(NamedTuple):
    """`mode` is the mode that ran."""

    mode: str
    hits: list[Hit]
    cut_terms: int


class Best(NamedTuple):
    """The best usable similarity and the best coverage, each with the row that has it (None: no row has)."""

    similarity: float | None
    similarity_row: int | None
    covered: int
    total: int
    coverage_row: int | None

    @property
    def keyword_coverage(self) -> float:
        return self.covered / self.total if self.total else 0.0


class RetrieveResult(NamedTuple):
    """`unknown_words`: (start, end) in the question of the words that no chunk contains."""

    mode: str
    hits: list[Hit]
    best: Best
    unknown_words: list[tuple[int, int]]
    cut_terms: int

    @property
    def answerable(self) -> bool:
        return bool(self.hits)
