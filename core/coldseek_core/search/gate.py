"""The relevance gate: which candidates are about the question at all."""

from .settings import RetrievalSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Evidence:
    """What is known of some rows, whichever leg found them: lists with one entry for each of `rows`.

    `similarities` are None where there is no vector; `usable_similarities` also where similarity counts only with a
    shared word and there is none. `coverages` are between 0 and 1. `keyword_scores` in the index's unit of impacts.
    `places`: a row's place in the lists.
    """

    __slots__ = ("coverages", "keyword_scores", "places", "rows", "similarities", "usable_similarities")

    def __init__(
        self,
        rows: "list[int]",
        similarities: "Sequence[float | None]",
        usable: "Sequence[float | None]",
        coverages: "Sequence[float]",
        keyword_scores: "Sequence[int]",
    ) -> None:
        self.rows = rows
        self.similarities = similarities
        self.usable_similarities = usable
        self.coverages = coverages
        self.keyword_scores = keyword_scores
        self.places = {row: place for place, row in enumerate(rows)}

    def passing(self, settings: RetrievalSettings) -> "set[int]":
        """The rows of which either signal reaches its threshold."""
        least_similarity, least_coverage = settings.min_similarity, settings.min_keyword_coverage
        return {
            row
            for row, similarity, coverage in zip(self.rows, self.usable_similarities, self.coverages, strict=True)
            if coverage >= least_coverage or (similarity is not None and similarity >= least_similarity)
        }

    def best_by_similarity(self) -> "tuple[int, float] | None":
        """The (row, similarity) of highest usable similarity, the lowest row among equals."""
        return self._best_of(self.usable_similarities)

    def best_by_coverage(self) -> "tuple[int, float] | None":
        """The (row, coverage) of highest coverage above 0, the lowest row among equals."""
        best = self._best_of(self.coverages)
        return best if best is not None and best[1] > 0.0 else None

    def _best_of(self, values: "Sequence[float | None]") -> "tuple[int, float] | None":
        highest = max((value for value in values if value is not None), default=None)
        if highest is None:
            return None
        return min(row for row, value in zip(self.rows, values, strict=True) if value == highest), highest


def coverages_of(covered: "Sequence[int]", total: int) -> list[float]:
    """Shares of the question's IDF weight, each one correctly rounded division of two integers; 0.0 of nothing."""
    return [weight / total for weight in covered] if total > 0 else [0.0] * len(covered)
