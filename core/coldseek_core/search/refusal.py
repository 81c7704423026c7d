"""A refusal that explains itself: what came closest, by how much it failed, and what would have let it pass."""

from .gate import Evidence
from .results import ChunkView
from .settings import RetrievalSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NO_SEARCHABLE_WORDS = "no_searchable_words"
NOTHING_RELEVANT = "nothing_relevant"
EMPTY_INDEX = "empty_index"


class Nearest:
    """The best chunk by one signal, its value, and the threshold that it missed."""

    __slots__ = ("chunk", "row", "threshold", "value")

    def __init__(self, row: int, value: float, threshold: float, chunk: ChunkView) -> None:
        self.row = row
        self.value = value
        self.threshold = threshold
        self.chunk = chunk

    @property
    def margin(self) -> float:
        """Distance to the threshold; negative, since it was missed."""
        return self.value - self.threshold

    def to_dict(self) -> "dict[str, Any]":
        chunk = self.chunk
        return {
            "value": self.value,
            "threshold": self.threshold,
            "row": self.row,
            "id": chunk.id,
            "url": chunk.section_url,
            "title": chunk.title,
            "headingPath": list(chunk.heading_path),
        }


class Refusal:
    """Why a question is not answered.

    `reason`: "nothing_relevant", "no_searchable_words" (the question holds no word) or "empty_index"; `message` for the
    person who asked; `similarity` and `keyword_coverage`: the nearest chunk by each signal, None where there is
    none; `unknown_words`: the question's words that no chunk contains.
    """

    __slots__ = ("keyword_coverage", "message", "reason", "similarity", "unknown_words")

    def __init__(
        self,
        reason: str,
        message: str,
        similarity: "Nearest | None",
        keyword_coverage: "Nearest | None",
        unknown_words: list[str],
    ) -> None:
        self.reason = reason
        self.message = message
        self.similarity = similarity
        self.keyword_coverage = keyword_coverage
        self.unknown_words = unknown_words

    def smallest_change(self) -> "dict[str, Any] | None":
        """The setting that is closest to letting a chunk pass: its name, its value, and the value that would do."""
        nearest = [
            (-near.margin, name, near)
            for name, near in (
                ("min_keyword_coverage", self.keyword_coverage),
                ("min_similarity", self.similarity),
            )
            if near is not None
        ]
        if not nearest:
            return None
        _, name, near = min(nearest, key=lambda item: item[0])
        return {"setting": name, "from": near.threshold, "to": near.value}

    def to_dict(self) -> "dict[str, Any]":
        signals = (("similarity", self.similarity), ("keywordCoverage", self.keyword_coverage))
        change = self.smallest_change()
        if change is not None:
            names = {"min_keyword_coverage": "minKeywordCoverage", "min_similarity": "minSimilarity"}
            change = {**change, "setting": names[change["setting"]]}
        return {
            "reason": self.reason,
            "message": self.message,
            "best": {name: near.to_dict() if near else None for name, near in signals},
            "margins": {name: near.margin if near else None for name, near in signals},
            "unknownWords": self.unknown_words,
            "smallestChange": change,
        }


def best_by_similarity(candidates: "list[Evidence]") -> "Evidence | None":
    """The candidate of highest usable similarity, the lowest row among equals."""
    usable = [(one.usable_similarity, one) for one in candidates if one.usable_similarity is not None]
    return min(usable, key=lambda pair: (-pair[0], pair[1].row))[1] if usable else None


def best_by_coverage(candidates: "list[Evidence]") -> "Evidence | None":
    """The candidate of highest coverage above 0, the lowest row among equals."""
    covering = [one for one in candidates if one.coverage > 0.0]
    return min(covering, key=lambda one: (-one.coverage, one.row)) if covering else None


def reason_of(row_count: int, total_weight: int, has_vector: bool) -> str:
    if row_count == 0:
        return EMPTY_INDEX
    return NO_SEARCHABLE_WORDS if total_weight == 0 and not has_vector else NOTHING_RELEVANT


def nearest(
    evidence: "Evidence | None", settings: RetrievalSettings, chunk: "ChunkView | None", signal: str
) -> "Nearest | None":
    """`evidence` as the nearest miss of one signal ("similarity" or "coverage")."""
    if evidence is None or chunk is None:
        return None
    if signal == "similarity":
        value = evidence.usable_similarity
        return None if value is None else Nearest(evidence.row, value, settings.min_similarity, chunk)
    return Nearest(evidence.row, evidence.coverage, settings.min_keyword_coverage, chunk)
