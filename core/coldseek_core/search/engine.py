"""The search engine: joins analyser, legs, gate, fusion and packing over one opened index."""

import time

from .. import kernels
from ..columns.reader import IndexFiles
from ..errors import UsageError
from ..text import Analyser
from . import refusal as refusals
from .chunk_store import ChunkStore
from .dictionary import Dictionary
from .document_filter import row_filter
from .fusion import FUSION_UNIT, fuse
from .gate import Evidence, coverage_of, passes
from .legs import DenseLeg, LexicalLeg, QueryVector, RowFilter
from .packing import context_of, pack
from .query import LexicalQuery, resolve_query
from .question_vector import QuestionVectors
from .results import Hit, Mode, RetrieveResult, SearchResult
from .settings import FIXED_POINT, SEARCH_CANDIDATES, TOP_K_LIMIT, IndexSettings, RetrievalSettings, checked_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from ..embed.protocol import Embedder

MODES = ("hybrid", "semantic", "lexical")


class Question:
    """One question on its way through a search: its text, terms, vector, filter and mode."""

    __slots__ = ("filter", "lexical", "mode", "text", "vector")

    def __init__(
        self,
        text: str,
        mode: Mode,
        lexical: LexicalQuery,
        vector: "QueryVector | None",
        kept: "RowFilter | None",
    ) -> None:
        self.text = text
        self.mode = mode
        self.lexical = lexical
        self.vector = vector
        self.filter = kept


class SearchEngine:
    """Searches the files of one generation; any number of threads may use it at once."""

    def __init__(
        self,
        files: IndexFiles,
        embedder: "Embedder | None" = None,
        on_error: "Callable[[Exception], None] | None" = None,
    ) -> None:
        """Raises CorruptIndexError, UsageError (an index of another analyser) and EmbedderMismatchError."""
        self.files = files
        self.settings = IndexSettings(files.manifest, files.path)
        loaded = kernels.load()
        with files.in_use():
            self._analyser = Analyser.from_settings(self.settings.analyser)
            self._store = ChunkStore(files)
            rows = self._store.chunk_count
            self._dictionary = Dictionary(files, loaded)
            self._lexical = LexicalLeg(self._dictionary, loaded, rows)
            self._dense = DenseLeg(files, loaded, rows) if files.has("vectors") else None
        self._vectors = QuestionVectors(self.settings.embedder, self._dense, embedder, on_error)

    def search(
        self,
        query: str,
        *,
        top_k: int = 5,
        mode: "str | None" = None,
        vector: "Sequence[float] | None" = None,
        filter: "Mapping[str, Any] | None" = None,
    ) -> SearchResult:
        """Look something up: the best chunks, without a relevance gate.

        `top_k` 1 to 50; `mode` "hybrid" (default), "semantic" or "lexical"; `vector` the query's own embedding
        (the embedder makes it otherwise); `filter` as in `document_filter.row_filter`. Each leg ranks 50 rows,
        whatever `top_k`, so that the best 5 are the first of the best 10.
        """
        begin = time.perf_counter()
        top_k = int(checked_number("top_k", top_k, 1, TOP_K_LIMIT, whole=True))
        with self.files.in_use():
            question = self._question(query, mode, vector, filter)
            lists = self._ranked_lists(question, SEARCH_CANDIDATES)
            ranked = self._ordered(lists, question.mode.ran, self.settings.retrieval.rrf_k)[:top_k]
            evidence = self._evidence(question, [row for row, _ in ranked], needs_keyword=False)
            hits = self._hits(ranked, evidence)
        latency = (time.perf_counter() - begin) * 1000.0
        return SearchResult(query, question.mode, hits, question.lexical.trimmed, latency)

    def retrieve(
        self,
        question: str,
        *,
        mode: "str | None" = None,
        vector: "Sequence[float] | None" = None,
        filter: "Mapping[str, Any] | None" = None,
        site_name: "str | None" = None,
        no_answer_message: "str | None" = None,
        **options: "int | float | bool | None",
    ) -> RetrieveResult:
        """Find what a question can be answered from, or refuse.

        Options beside those of `search`: the attributes of `RetrievalSettings`, by name; `site_name` and
        `no_answer_message` for the refusal.
        """
        begin = time.perf_counter()
        settings = self.settings.retrieval.changed(options)
        for name, value in (("site_name", site_name), ("no_answer_message", no_answer_message)):
            if value is not None and not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise UsageError(f"{name} must be text or None, not {value!r}")
        with self.files.in_use():
            asked = self._question(question, mode, vector, filter)
            lists = self._ranked_lists(asked, settings.candidates)
            candidates = self._evidence(
                asked, list(dict.fromkeys(row for rows in lists for row in rows)), settings.similarity_needs_keyword
            )
            lists = [[row for row in rows if passes(candidates[row], settings)] for rows in lists]
            considered = list(candidates.values())
            if not any(lists):
                # No question is refused because of the cut to so many candidates.
                considered, lists = self._best_of_all(asked, considered, settings)
            evidence = {one.row: one for one in considered}
            ranked = [(row, fused / FUSION_UNIT) for row, fused in fuse(lists, settings.rrf_k)[: settings.top_k]]
            hits = self._hits(ranked, evidence)
            similarity = refusals.best_by_similarity(considered)
            coverage = refusals.best_by_coverage(considered)
            refused = None
            if not hits:
                message = no_answer_message or self.settings.refusal_message(site_name)
                refused = self._refusal(asked, settings, similarity, coverage, message)
            sections = [self._store.section_of(hit.row) for hit in hits]
            sources = pack(hits, sections, settings.max_context_chars)
        return RetrieveResult(
            question,
            asked.mode,
            similarity.usable_similarity if similarity else None,
            coverage.coverage if coverage else 0.0,
            hits,
            sources,
            context_of(sources),
            refused,
            asked.lexical.trimmed,
            (time.perf_counter() - begin) * 1000.0,
        )

    def _question(
        self,
        text: str,
        mode: "str | None",
        vector: "Sequence[float] | None",
        conditions: "Mapping[str, Any] | None",
    ) -> Question:
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UsageError(f"a query must be text, not {type(text).__name__}")
        if mode is not None and mode not in MODES:
            raise UsageError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
        kept = row_filter(self._store, conditions)
        lexical = resolve_query(text, self._analyser, self._dictionary, self.settings.unknown_idf)
        values, ran = self._vectors.of(text, mode or "hybrid", vector)
        return Question(text, ran, lexical, values, kept)

    def _ranked_lists(self, question: Question, length: int) -> list[list[int]]:
        """Rows of each leg that the mode runs, best first."""
        lists: list[list[int]] = []
        if question.mode.ran != "semantic":
            lists.append([row for row, _ in self._lexical.top(question.lexical, length, question.filter)])
        if question.mode.ran != "lexical" and self._dense is not None and question.vector is not None:
            lists.append([row for row, _ in self._dense.top(question.vector, length, question.filter)])
        return lists

    def _ordered(self, lists: list[list[int]], ran: str, rrf_k: int) -> "list[tuple[int, float | None]]":
        """Rows in the order of results; the score is None where it is the leg's own."""
        if ran == "hybrid":
            return [(row, fused / FUSION_UNIT) for row, fused in fuse(lists, rrf_k)]
        return [(row, None) for row in lists[0]]

    def _evidence(self, question: Question, rows: list[int], needs_keyword: bool) -> dict[int, Evidence]:
        """Both signals of each row, whichever leg found it."""
        measures = self._lexical.measure(question.lexical, rows)
        similarities: Sequence[float | None] = [None] * len(rows)
        if question.vector is not None and self._dense is not None:
            similarities = self._dense.measure(question.vector, rows)
        total = question.lexical.total_weight
        result: dict[int, Evidence] = {}
        for row, measure, similarity in zip(rows, measures, similarities, strict=True):
            usable = similarity if measure.shares_word or not needs_keyword else None
            coverage = coverage_of(measure.covered, total)
            result[row] = Evidence(row, similarity, usable, coverage, measure.keyword_score)
        return result

    def _best_of_all(
        self, question: Question, candidates: list[Evidence], settings: RetrievalSettings
    ) -> tuple[list[Evidence], list[list[int]]]:
        """Evidence of the candidates and of the best rows by either signal over all that the filter keeps, and, for
        each signal, the row that passes the gate by then."""
        found: list[int] = []
        best = self._lexical.best_coverage(question.lexical, question.filter)
        if best is not None:
            found.append(best[0])
        if question.vector is not None and self._dense is not None:
            kept = question.filter
            if settings.similarity_needs_keyword:
                kept = self._lexical.rows_sharing_a_word(question.lexical, kept)
            found.extend(row for row, _ in self._dense.top(question.vector, 1, kept))
        evidence = self._evidence(question, found, settings.similarity_needs_keyword)
        known = {one.row: one for one in candidates} | evidence
        lists = [[row] for row in found if passes(known[row], settings)]
        return list(known.values()), lists

    def _hits(self, ranked: "Sequence[tuple[int, float | None]]", evidence: dict[int, Evidence]) -> list[Hit]:
        hits: list[Hit] = []
        for rank, (row, score) in enumerate(ranked, start=1):
            one = evidence[row]
            keyword_score = one.keyword_score / FIXED_POINT
            if score is None:
                score = keyword_score if one.similarity is None else one.similarity
            chunk = self._store.chunk(row)
            hits.append(Hit(rank, row, score, one.similarity, keyword_score, one.coverage, chunk))
        return hits

    def _refusal(
        self,
        question: Question,
        settings: RetrievalSettings,
        similarity: "Evidence | None",
        coverage: "Evidence | None",
        message: str,
    ) -> refusals.Refusal:
        def chunk_of(one: "Evidence | None") -> "Any":
            return self._store.chunk(one.row) if one else None

        reason = refusals.reason_of(self._store.chunk_count, question.lexical.total_weight, question.vector is not None)
        return refusals.Refusal(
            reason,
            message,
            refusals.nearest(similarity, settings, chunk_of(similarity), "similarity"),
            refusals.nearest(coverage, settings, chunk_of(coverage), "coverage"),
            question.lexical.unknown_words,
        )
