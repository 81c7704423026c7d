"""A refusal that explains itself: what came closest, by how much it failed, and what would have let it pass."""

from .settings import RetrievalSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .chunk_store import ChunkStore
    from .ranking import Question
    from .results import ChunkView

NO_SEARCHABLE_WORDS = "no_searchable_words"
NOTHING_RELEVANT = "nothing_relevant"
EMPTY_INDEX = "empty_index"


class Nearest:
    """The best chunk by one signal, its value, and the threshold that it missed."""

    __slots__ = ("chunk", "row", "threshold", "value")

    def __init__(self, row: int, value: float, threshold: float, chunk: "ChunkView") -> None:
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


def refusal_of(
    question: "Question",
    settings: RetrievalSettings,
    similarity: "tuple[int, float] | None",
    coverage: "tuple[int, float] | None",
    message: str,
    store: "ChunkStore",
) -> Refusal:
    """Why `question` is refused. `similarity`, `coverage`: the best (row, value) of each signal. Call it while the
    index's files are in use.
    """
    reason = NOTHING_RELEVANT
    if store.chunk_count == 0:
        reason = EMPTY_INDEX
    elif question.lexical.total_weight == 0 and question.vector is None:
        reason = NO_SEARCHABLE_WORDS
    return Refusal(
        reason,
        message,
        _nearest(similarity, settings.min_similarity, store),
        _nearest(coverage, settings.min_keyword_coverage, store),
        question.lexical.unknown_words,
    )


def _nearest(best: "tuple[int, float] | None", threshold: float, store: "ChunkStore") -> "Nearest | None":
    """The (row, value) as the nearest miss of its signal."""
    return None if best is None else Nearest(best[0], best[1], threshold, store.chunk(best[0]))
