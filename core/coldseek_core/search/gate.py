"""The relevance gate: which candidates are about the question at all."""

from .settings import RetrievalSettings


class Evidence:
    """What is known of one row, whichever leg found it.

    `similarity` is None where there is no vector; `usable_similarity` is None also where similarity counts only with a
    shared word and there is none. `coverage` is between 0 and 1. `keyword_score` in the index's unit of impacts.
    """

    __slots__ = ("coverage", "keyword_score", "row", "similarity", "usable_similarity")

    def __init__(
        self, row: int, similarity: "float | None", usable: "float | None", coverage: float, keyword_score: int
    ) -> None:
        self.row = row
        self.similarity = similarity
        self.usable_similarity = usable
        self.coverage = coverage
        self.keyword_score = keyword_score


def coverage_of(covered: int, total: int) -> float:
    """Share of the question's IDF weight, one correctly rounded division of two integers; 0.0 of nothing."""
    return covered / total if total > 0 else 0.0


def passes(evidence: Evidence, settings: RetrievalSettings) -> bool:
    """Whether either signal reaches its threshold."""
    similarity = evidence.usable_similarity
    if similarity is not None and similarity >= settings.min_similarity:
        return True
    return evidence.coverage >= settings.min_keyword_coverage


def best_by_similarity(candidates: "list[Evidence]") -> "Evidence | None":
    """The candidate of highest usable similarity, the lowest row among equals."""
    usable = [(one.usable_similarity, one) for one in candidates if one.usable_similarity is not None]
    return min(usable, key=lambda pair: (-pair[0], pair[1].row))[1] if usable else None


def best_by_coverage(candidates: "list[Evidence]") -> "Evidence | None":
    """The candidate of highest coverage above 0, the lowest row among equals."""
    covering = [one for one in candidates if one.coverage > 0.0]
    return min(covering, key=lambda one: (-one.coverage, one.row)) if covering else None
