"""The whole search in pure Python: BM25F, exact vector scan, relevance gate, fusion."""

import heapq
from collections.abc import Iterable, Sequence, Set
from typing import Any

from baseline.fusion import fuse
from baseline.inverted import ChunkTokens, InvertedIndex
from baseline.query import ResolvedQuery, resolve
from baseline.results import Best, Hit, RetrieveResult, SearchResult
from baseline.settings import SEARCH_LEG, Settings
from baseline.tokens import as_tokens
from baseline.vectors import VectorTable

MODES = ("hybrid", "semantic", "lexical")


class BaselineSearch:
    """An index in memory over `chunks`, each (title, headings, body) tokens, with one vector each or none."""

    def __init__(
        self,
        chunks: Iterable[ChunkTokens | tuple[Any, Any, Any]],
        vectors: Sequence[Sequence[float]] | None = None,
        settings: Settings | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.inverted = InvertedIndex(chunks, self.settings)
        self.vectors = None if vectors is None else VectorTable(vectors)
        if self.vectors is not None and len(self.vectors.codes) != self.inverted.rows:
            raise ValueError(f"expected {self.inverted.rows} vectors; got {len(self.vectors.codes)}")

    def search(
        self,
        query_tokens: Iterable[Any],
        vector: Sequence[float] | None = None,
        mode: str = "hybrid",
        top_k: int = 5,
        rows: Set[int] | None = None,
    ) -> SearchResult:
        """Looks up without a gate. `rows`: the only rows that may be found."""
        query = _RunningQuery(self, query_tokens, vector, mode, rows)
        lists = query.lists(SEARCH_LEG)
        hits = query.hits(lists, self.settings.rrf_k, top_k)
        return SearchResult(query.mode, hits, query.resolved.cut_terms)

    def retrieve(
        self,
        query_tokens: Iterable[Any],
        vector: Sequence[float] | None = None,
        mode: str = "hybrid",
        rows: Set[int] | None = None,
        **options: Any,
    ) -> RetrieveResult:
        """Retrieves for answering: gated. `options` replace Settings of the same name for this call."""
        settings = self.settings._replace(**options)
        query = _RunningQuery(self, query_tokens, vector, mode, rows)
        lists = query.lists(settings.candidates)
        candidates = {row for leg in lists.values() for row in leg}
        passed = {row for row in candidates if query.passes(row, settings)}
        if passed:
            survivors = {leg: [row for row in found if row in passed] for leg, found in lists.items()}
            covered = {row: query.covered(row) for row in candidates}
            best = query.best(sorted(candidates), covered, settings)
        else:
            # The best rows of all are the best of the candidates and the rescued rows together.
            best = query.best(query.all_rows(), query.covered_everywhere(), settings)
            survivors = query.rescue(best, settings)
        hits = query.hits(survivors, settings.rrf_k, settings.top_k)
        return RetrieveResult(query.mode, hits, best, query.resolved.unknown_words, query.resolved.cut_terms)


class _RunningQuery:
    """One query's scores over one index."""

    def __init__(
        self,
        index: BaselineSearch,
        query_tokens: Iterable[Any],
        vector: Sequence[float] | None,
        mode: str,
        rows: Set[int] | None,
    ) -> None:
        if mode not in MODES:
            raise ValueError(f"expected a mode, one of {', '.join(MODES)}; got {mode!r}")
        has_vector = vector is not None and index.vectors is not None
        if mode == "semantic" and not has_vector:
            raise ValueError("expected a vector and an index with vectors in the semantic mode")
        self.mode = mode if has_vector else "lexical"
        self.rows = rows
        self.index = index
        self.resolved: ResolvedQuery = resolve(as_tokens(query_tokens), index.inverted)
        self.total = self.resolved.total
        self.similarities: list[float] | None = None
        # A zero vector is like nothing, so it is none.
        if vector is not None and index.vectors is not None and self.mode != "lexical" and any(vector):
            self.similarities = index.vectors.similarities(vector)
        self.scores = self._keyword_scores()

    def _keyword_scores(self) -> dict[int, int]:
        scores: dict[int, int] = {}
        get = scores.get
        for term in self.resolved.scored:
            postings = self.index.inverted.postings[term]
            if not scores:
                scores.update(zip(postings.rows, postings.impacts, strict=True))
                continue
            for row, impact in zip(postings.rows, postings.impacts, strict=True):
                scores[row] = get(row, 0) + impact
        return scores

    def all_rows(self) -> Iterable[int]:
        everything = range(self.index.inverted.rows)
        return everything if self.rows is None else sorted(row for row in self.rows if row in everything)

    def lists(self, size: int) -> dict[str, list[int]]:
        """The ranked rows of every leg that the mode has."""
        lists: dict[str, list[int]] = {}
        if self.mode != "semantic":
            lists["keyword"] = self._keyword_list(size)
        if self.similarities is not None:
            lists["vector"] = self._vector_list(size, self.similarities)
        return lists

    def _keyword_list(self, size: int) -> list[int]:
        # Score and row in one integer: larger is a higher score, then a lower row.
        if self.rows is None:
            keys = [(score << 32) - row for row, score in self.scores.items()]
        else:
            keys = [(score << 32) - row for row, score in self.scores.items() if row in self.rows]
        return [-key & 0xFFFFFFFF for key in heapq.nlargest(size, keys)]

    def _vector_list(self, size: int, similarities: list[float]) -> list[int]:
        if self.rows is None:
            pairs = list(zip(similarities, range(0, -len(similarities), -1), strict=True))
        else:
            pairs = [(similarities[row], -row) for row in self.all_rows()]
        return [-row for _, row in heapq.nlargest(size, pairs)]

    def covered(self, row: int) -> int:
        postings = self.index.inverted.postings
        return sum(
            weight for term, weight in self.resolved.weights.items() if term in postings and postings[term].holds(row)
        )

    def coverage(self, row: int) -> float:
        return self.covered(row) / self.total if self.total else 0.0

    def usable_similarity(self, row: int, settings: Settings) -> float | None:
        if self.similarities is None or (settings.similarity_needs_keyword and row not in self.scores):
            return None
        return self.similarities[row]

    def passes(self, row: int, settings: Settings) -> bool:
        similarity = self.usable_similarity(row, settings)
        if similarity is not None and similarity >= settings.min_similarity:
            return True
        return self.coverage(row) >= settings.min_keyword_coverage

    def best(self, rows: Iterable[int], covered: dict[int, int], settings: Settings) -> Best:
        """The maxima over `rows`, which ascend; of equal ones the lowest row.

        `covered`: row -> covered weight; a row that is missing has 0.
        """
        similarity: float | None = None
        similarity_row: int | None = None
        coverage_row: int | None = None
        best_covered = 0
        for row in rows:
            usable = self.usable_similarity(row, settings)
            if usable is not None and (similarity is None or usable > similarity):
                similarity, similarity_row = usable, row
            if covered.get(row, 0) > best_covered:
                best_covered, coverage_row = covered[row], row
        return Best(similarity, similarity_row, best_covered, self.total, coverage_row)

    def covered_everywhere(self) -> dict[int, int]:
        covered: dict[int, int] = {}
        for term, weight in self.resolved.weights.items():
            postings = self.index.inverted.postings.get(term)
            if postings is not None:
                for row in postings.rows:
                    covered[row] = covered.get(row, 0) + weight
        return covered

    def rescue(self, best: Best, settings: Settings) -> dict[str, list[int]]:
        """Where no candidate passed: the best rows of all that pass, each a list of its own in every mode."""
        lists: dict[str, list[int]] = {"keyword": [], "vector": []}
        if best.similarity_row is not None and self.passes(best.similarity_row, settings):
            lists["vector"].append(best.similarity_row)
        if best.coverage_row is not None and self.passes(best.coverage_row, settings):
            lists["keyword"].append(best.coverage_row)
        return lists

    def hits(self, lists: dict[str, list[int]], rrf_k: int, top_k: int) -> list[Hit]:
        ranks = {leg: {row: rank for rank, row in enumerate(rows, start=1)} for leg, rows in lists.items()}
        return [
            Hit(
                rank=rank,
                row=row,
                fused=fused,
                similarity=None if self.similarities is None else self.similarities[row],
                keyword_score=self.scores.get(row, 0),
                covered=self.covered(row),
                total=self.total,
                keyword_rank=ranks.get("keyword", {}).get(row),
                vector_rank=ranks.get("vector", {}).get(row),
            )
            for rank, (row, fused) in enumerate(fuse(list(lists.values()), rrf_k)[:top_k], start=1)
        ]
