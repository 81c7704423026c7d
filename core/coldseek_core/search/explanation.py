"""Why a hit is where it is: what each retriever said of it, what each word added, how far it is from the gate."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEYWORD, VECTOR = "keyword", "vector"


class LegShare:
    """One retriever's say in a hit.

    `rank`: its place in the list of rows that was ranked or fused, from 1, None where that does not have it;
    `rank_of_all`: its place among all chunks that the filter keeps, before any limit, None where the retriever does
    not find it at all; `score`: BM25 or the similarity; `share`: what the rank adds to a fused score, 0.0 where there
    is no rank, None where nothing is fused.
    """

    __slots__ = ("rank", "rank_of_all", "score", "share")

    def __init__(self, rank: "int | None", rank_of_all: "int | None", score: float, share: "float | None") -> None:
        self.rank = rank
        self.rank_of_all = rank_of_all
        self.score = score
        self.share = share

    def to_dict(self) -> "dict[str, Any]":
        return {"rank": self.rank, "rankOfAll": self.rank_of_all, "score": self.score, "share": self.share}


class WordShare:
    """One term of the question: the `word` as it was written, its `term` in the index, `df` (in how many chunks it
    is), and what it adds to the hit's keyword score: `impact`, in the index's unit, and `score`, the same as a number.
    The sums over all words are the keyword score, exactly. A word that no chunk contains has `df` 0 and term None.
    """

    __slots__ = ("df", "impact", "score", "term", "word")

    def __init__(self, word: str, term: "str | None", df: int, impact: int, score: float) -> None:
        self.word = word
        self.term = term
        self.df = df
        self.impact = impact
        self.score = score

    def to_dict(self) -> "dict[str, Any]":
        return {"word": self.word, "term": self.term, "df": self.df, "impact": self.impact, "score": self.score}


class Margin:
    """A signal of the relevance gate: its value, the threshold, and the distance; None as value where there is none.

    A similarity that does not count, because no word is shared and the index wants one, has no value here.
    """

    __slots__ = ("threshold", "value")

    def __init__(self, value: "float | None", threshold: float) -> None:
        self.value = value
        self.threshold = threshold

    @property
    def margin(self) -> "float | None":
        """0 or more where the threshold is reached."""
        return None if self.value is None else self.value - self.threshold

    @property
    def passes(self) -> bool:
        return self.value is not None and self.value >= self.threshold

    def to_dict(self) -> "dict[str, Any]":
        return {"value": self.value, "threshold": self.threshold, "margin": self.margin}


class Explanation:
    """Why a hit is where it is.

    `found_by`: which retrievers' lists have it, of "keyword" and "vector"; `keyword`, `vector`: what each says, None
    for one that did not run; `words`: what each of the question's terms adds; `similarity`, `keyword_coverage`: the
    signals of the relevance gate, which `search` does not apply; `passes_gate`: whether either reaches its threshold.
    """

    __slots__ = ("found_by", "keyword", "keyword_coverage", "similarity", "vector", "words")

    def __init__(
        self,
        keyword: "LegShare | None",
        vector: "LegShare | None",
        words: list[WordShare],
        similarity: Margin,
        keyword_coverage: Margin,
    ) -> None:
        legs = ((KEYWORD, keyword), (VECTOR, vector))
        self.found_by = tuple(name for name, leg in legs if leg is not None and leg.rank is not None)
        self.keyword = keyword
        self.vector = vector
        self.words = words
        self.similarity = similarity
        self.keyword_coverage = keyword_coverage

    @property
    def passes_gate(self) -> bool:
        return self.similarity.passes or self.keyword_coverage.passes

    def to_dict(self) -> "dict[str, Any]":
        return {
            "foundBy": list(self.found_by),
            "keyword": self.keyword.to_dict() if self.keyword else None,
            "vector": self.vector.to_dict() if self.vector else None,
            "words": [word.to_dict() for word in self.words],
            "gate": {
                "passes": self.passes_gate,
                "similarity": self.similarity.to_dict(),
                "keywordCoverage": self.keyword_coverage.to_dict(),
            },
        }
