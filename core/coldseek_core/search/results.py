"""What `search` and `retrieve` return: plain values that outlive the index, with JSON forms in camelCase."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .explanation import Explanation
    from .highlighting import Match
    from .neighbors import Neighbors
    from .packing import Source
    from .refusal import Refusal


class ChunkView:
    """A chunk as it was indexed. `url` is its page's; `section_url` opens its section.

    `row` is its number in the index of that `generation`; -1 and "" for a chunk of no index.
    """

    __slots__ = ("anchor", "generation", "heading_path", "id", "metadata", "row", "text", "title", "url")

    def __init__(
        self,
        id: str,
        url: str,
        title: str,
        heading_path: "tuple[str, ...]",
        anchor: str,
        text: str,
        metadata: "dict[str, Any]",
        row: int = -1,
        generation: str = "",
    ) -> None:
        self.id = id
        self.url = url
        self.title = title
        self.heading_path = heading_path
        self.anchor = anchor
        self.text = text
        self.metadata = metadata
        self.row = row
        self.generation = generation

    @property
    def section_url(self) -> str:
        return f"{self.url}#{self.anchor}" if self.anchor else self.url

    def to_dict(self) -> "dict[str, Any]":
        return {
            "id": self.id,
            "url": self.url,
            "title": self.title,
            "headingPath": list(self.heading_path),
            "anchor": self.anchor,
            "text": self.text,
            "metadata": self.metadata,
        }


class Hit:
    """One result.

    `rank` counts from 1; `row` is the chunk's number in the index; `score` orders and means nothing else (BM25,
    similarity or fused score, by mode); `similarity` is the cosine, None where there is no vector; `keyword_score` is
    BM25's; `keyword_coverage` the share of the question's IDF weight, 0 to 1. `matches`, `explanation` and `neighbors`
    are None unless they were asked for, by `highlight`, `explain` and `expand`.
    """

    __slots__ = (
        *("chunk", "explanation", "keyword_coverage", "keyword_score", "matches", "neighbors", "rank", "row", "score"),
        "similarity",
    )

    def __init__(
        self,
        rank: int,
        row: int,
        score: float,
        similarity: "float | None",
        keyword_score: float,
        keyword_coverage: float,
        chunk: ChunkView,
    ) -> None:
        self.rank = rank
        self.row = row
        self.score = score
        self.similarity = similarity
        self.keyword_score = keyword_score
        self.keyword_coverage = keyword_coverage
        self.chunk = chunk
        self.matches: list[Match] | None = None
        self.explanation: Explanation | None = None
        self.neighbors: Neighbors | None = None

    def to_dict(self) -> "dict[str, Any]":
        more: dict[str, Any] = {}
        if self.matches is not None:
            more["matches"] = [match.to_dict() for match in self.matches]
        if self.explanation is not None:
            more["explain"] = self.explanation.to_dict()
        if self.neighbors is not None:
            more["neighbors"] = self.neighbors.to_dict()
        return {
            "rank": self.rank,
            "row": self.row,
            "score": self.score,
            "similarity": self.similarity,
            "keywordScore": self.keyword_score,
            "keywordCoverage": self.keyword_coverage,
            "chunk": self.chunk.to_dict(),
            **more,
        }


class Mode:
    """`requested` by the caller, `ran` in fact, and, where they differ through a failure, why (`degraded`)."""

    __slots__ = ("degraded", "ran", "requested")

    def __init__(self, requested: str, ran: str, degraded: "str | None") -> None:
        self.requested = requested
        self.ran = ran
        self.degraded = degraded

    def to_dict(self) -> "dict[str, Any]":
        return {"requested": self.requested, "ran": self.ran, "degraded": self.degraded}


class SearchResult:
    """Hits of `search`, best first. `trimmed_terms`: how many of the query's terms were too many to be used."""

    __slots__ = ("hits", "latency_ms", "mode", "query", "trimmed_terms")

    def __init__(self, query: str, mode: Mode, hits: list[Hit], trimmed_terms: int, latency_ms: float) -> None:
        self.query = query
        self.mode = mode
        self.hits = hits
        self.trimmed_terms = trimmed_terms
        self.latency_ms = latency_ms

    def to_dict(self) -> "dict[str, Any]":
        return {
            "query": self.query,
            "mode": self.mode.to_dict(),
            "hits": [hit.to_dict() for hit in self.hits],
            "trimmedTerms": self.trimmed_terms,
            "latencyMs": self.latency_ms,
        }


class RetrieveResult:
    """What a question is answered from: packed sources, or a refusal.

    `answerable` is whether a chunk passed the gate; `best_similarity` (None without vectors) and
    `best_keyword_coverage` are the highest that any candidate reached (or any chunk, when no candidate passed);
    `context` is the numbered sources as text for a model's prompt; `refusal` explains why there are none, and is None
    if there are; `hooks` names the hooks whose result was used, of "retrieve" and "rerank" (not part of the JSON form).
    """

    __slots__ = (
        "best_keyword_coverage",
        "best_similarity",
        "context",
        "hits",
        "hooks",
        "latency_ms",
        "mode",
        "question",
        "refusal",
        "sources",
        "trimmed_terms",
    )

    def __init__(
        self,
        question: str,
        mode: Mode,
        best_similarity: "float | None",
        best_keyword_coverage: float,
        hits: list[Hit],
        sources: "list[Source]",
        context: str,
        refusal: "Refusal | None",
        trimmed_terms: int,
        latency_ms: float,
        hooks: "tuple[str, ...]" = (),
    ) -> None:
        self.question = question
        self.mode = mode
        self.best_similarity = best_similarity
        self.best_keyword_coverage = best_keyword_coverage
        self.hits = hits
        self.sources = sources
        self.context = context
        self.refusal = refusal
        self.trimmed_terms = trimmed_terms
        self.latency_ms = latency_ms
        self.hooks = hooks

    @property
    def answerable(self) -> bool:
        return self.refusal is None

    def to_dict(self) -> "dict[str, Any]":
        return {
            "question": self.question,
            "answerable": self.answerable,
            "mode": self.mode.to_dict(),
            "best": {"similarity": self.best_similarity, "keywordCoverage": self.best_keyword_coverage},
            "sources": [source.to_dict() for source in self.sources],
            "context": self.context,
            "hits": [hit.to_dict() for hit in self.hits],
            "refusal": self.refusal.to_dict() if self.refusal else None,
            "trimmedTerms": self.trimmed_terms,
            "latencyMs": self.latency_ms,
        }
