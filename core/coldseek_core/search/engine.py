"""The search engine: joins analyser, retrievers, gate, hooks, fusion and packing over one opened index.

What the plainest question does not need (hooks, filters, refusals, many queries at once) is imported when it is
needed: a cold process pays for each import.
"""

import time

from .. import kernels
from ..columns.reader import IndexFiles
from ..errors import UsageError
from ..text import Analyser
from .chunk_store import ChunkStore
from .dictionary import Dictionary
from .legs import DenseLeg, LexicalLeg, RowFilter
from .packing import context_of, pack
from .preparation import Preparation
from .question_vector import DEFAULT_EMBED_TIMEOUT, QuestionVectors
from .ranking import Gathered, Question, Ranking, fused_rows
from .results import Hit, RetrieveResult, SearchResult
from .search_options import HitOptions, SearchOptions
from .settings import (
    PASS_LIMIT,
    QUERIES_A_PASS,
    SEARCH_CANDIDATES,
    THREADS_LIMIT,
    IndexSettings,
    RetrievalSettings,
    checked_number,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Literal

    from ..embed.protocol import Embedder
    from .details import Details
    from .gate import Evidence
    from .hooks import Cancelled, HookCalls, Hooks, RerankHook, RetrieveHook
    from .named_chunks import Chunks
    from .recent_filters import RecentFilters
    from .refusal import Refusal

MOST_GATED = 10_000  # items that one call of `gate_hits` reads


class SearchEngine:
    """Searches the files of one generation; any number of threads may use it at once."""

    def __init__(
        self,
        files: IndexFiles,
        embedder: "Embedder | None" = None,
        on_error: "Callable[[Exception], None] | None" = None,
        embed_timeout: "float | None" = DEFAULT_EMBED_TIMEOUT,
        hooks: "Mapping[str, Callable[..., object]] | None" = None,
        hook_timeout: "float | None" = None,
        scan_threads: int = 1,
        queries_a_pass: int = QUERIES_A_PASS,
    ) -> None:
        """`hooks`, `hook_timeout` as in `Hooks`; `scan_threads`: how many threads share one scan of the vectors;
        `queries_a_pass`: how many queries of `search_many` share one, 1 for each its own.

        Raises CorruptIndexError, UsageError (an index of another analyser, a bad option) and EmbedderMismatchError.
        """
        self.files = files
        self.settings = IndexSettings(files.manifest, files.path)
        self._on_error = on_error
        self._hooks = None if hooks is None and hook_timeout is None else self._set_up(hooks, hook_timeout)
        threads = int(checked_number("scan_threads", scan_threads, 1, THREADS_LIMIT, whole=True))
        self._queries_a_pass = int(checked_number("queries_a_pass", queries_a_pass, 1, PASS_LIMIT, whole=True))
        loaded = kernels.load()
        with files.in_use():
            self._analyser = analyser = Analyser.from_settings(self.settings.analyser)
            self._store = ChunkStore(files)
            rows = self._store.chunk_count
            self._dictionary = dictionary = Dictionary(files, loaded)
            self._dense = dense = DenseLeg(files, loaded, rows, threads) if files.has("vectors") else None
            self._lexical = lexical = LexicalLeg(dictionary, loaded, rows)
            self._ranking = Ranking(self._store, lexical, dense, self.settings.impact_fixed_point)
        self._filters: RecentFilters | None = None
        self._vectors = QuestionVectors(self.settings.embedder, dense, embedder, on_error, embed_timeout)
        self._preparation = Preparation(files, analyser, dictionary, self.settings.unknown_idf, self._vectors)

    @property
    def chunks(self) -> "Chunks":
        """All chunks in the order of their rows."""
        from .named_chunks import Chunks

        return Chunks(self.files, self._store)

    def close(self) -> None:
        """Close what the engine opened for itself; the files are closed by who opened them."""
        self._vectors.close()

    def search(
        self,
        query: str,
        *,
        vector: "Sequence[float] | None" = None,
        filter: "Mapping[str, Any] | None" = None,
        **options: "Any",
    ) -> SearchResult:
        """Look something up: the best chunks, without a relevance gate.

        `vector` the query's own embedding (the embedder makes it otherwise); `filter` as in
        `document_filter.row_filter`; `options` as in `SearchOptions`. Each leg ranks 50 rows, whatever `top_k`, so
        that the best 5 are the first of the best 10.
        """
        begin = time.perf_counter()
        chosen = SearchOptions(options)
        prepared = self._preparation.of([query], chosen.mode, [vector])[0]
        with self.files.in_use():
            return self._found(Question(query, *prepared, self._kept(filter), chosen.limits), chosen, begin)

    def search_many(
        self,
        queries: "Iterable[str]",
        *,
        vectors: "Iterable[Sequence[float] | None] | None" = None,
        workers: "int | None" = None,
        filter: "Mapping[str, Any] | None" = None,
        **options: "Any",
    ) -> list[SearchResult]:
        """What `search` finds for each query, in order. All that have no vector are embedded in one batch.

        `workers`: threads, 1 to 64; None for one for each CPU that the process may use. A result's time is that of its
        search, with its share of the scan, without embedding.
        """
        from .many import checked_queries, checked_workers, parts_of
        from .threads import in_threads

        chosen = SearchOptions(options)
        mode, limits = chosen.mode, chosen.limits
        workers = checked_workers(workers)
        texts, given = checked_queries(queries, vectors)
        # What goes to the embedder goes in one batch, before any search; the rest is prepared where it is searched.
        preparation = self._preparation
        ready = preparation.of(texts, mode, given) if preparation.embeds(mode, given) else None
        parts = parts_of(len(texts), workers, self._queries_a_pass)
        with self.files.in_use():
            kept = self._kept(filter)

            def some(part: int) -> list[SearchResult]:
                begin = time.perf_counter()
                first, stop = parts[part]
                if ready is not None:
                    prepared = ready[first:stop]
                else:
                    prepared = preparation.while_in_use(texts[first:stop], mode, given[first:stop])
                pairs = zip(texts[first:stop], prepared, strict=True)
                asked = [Question(text, *one, kept, limits) for text, one in pairs]
                return self._found_together(asked, chosen, begin)

            return [found for results in in_threads(some, len(parts), workers) for found in results]

    def _found_together(self, asked: "list[Question]", chosen: SearchOptions, begin: float) -> "list[SearchResult]":
        """What `_found` finds for each question; the vectors are gone over once for all."""
        near = self._ranking.near_rows(asked, SEARCH_CANDIDATES) if len(asked) > 1 else [None]
        share = (time.perf_counter() - begin) / len(asked)
        return [
            self._found(question, chosen, time.perf_counter() - share, rows)
            for question, rows in zip(asked, near, strict=True)
        ]

    def _found(
        self, asked: Question, chosen: SearchOptions, begin: float, near: "list[int] | None" = None
    ) -> SearchResult:
        """`near`: as in `Ranking.lists`."""
        settings, is_fused = self.settings.retrieval, asked.mode.ran == "hybrid"
        lists = self._ranking.lists(asked, SEARCH_CANDIDATES, near)
        ranked: Sequence[tuple[int, float | None]]
        if is_fused:
            ranked = self._ranking.fused(lists, settings.rrf_k, chosen.top_k, asked.limits)
        else:
            ranked = [(row, None) for rows in lists for row in rows][: chosen.top_k]
        evidence = self._ranking.evidence(asked, [row for row, _ in ranked], settings.similarity_needs_keyword)
        hits = self._ranking.hits(ranked, evidence)
        if chosen.tells_more:
            self._details().add(asked, hits, chosen, evidence, lists, settings, is_fused)
        latency = (time.perf_counter() - begin) * 1000.0
        return SearchResult(asked.text, asked.mode, hits, asked.lexical.trimmed, latency)

    def retrieve(
        self,
        question: str,
        *,
        mode: "str | None" = None,
        vector: "Sequence[float] | None" = None,
        filter: "Mapping[str, Any] | None" = None,
        site_name: "str | None" = None,
        no_answer_message: "str | None" = None,
        retrieve_hook: "RetrieveHook | Literal[False] | None" = None,
        rerank_hook: "RerankHook | Literal[False] | None" = None,
        cancelled: "Cancelled | None" = None,
        **options: "int | float | bool | None",
    ) -> RetrieveResult:
        """Find what a question can be answered from, or refuse.

        Options beside `mode`, `vector` and `filter`: those of `HitOptions` and of `RetrievalSettings`; `site_name` and
        `no_answer_message` for the refusal; hooks instead of the index's own (False for none), and whether the caller
        gave up, which hooks are told.
        """
        begin = time.perf_counter()
        chosen = HitOptions(options)
        settings = self.settings.retrieval.changed(options)
        for name, value in (("site_name", site_name), ("no_answer_message", no_answer_message)):
            if value is not None and (not isinstance(value, str) or not value):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise UsageError(f"{name} must be text or None, not {value!r}")
        calls = self._hook_calls(retrieve_hook, rerank_hook, cancelled)
        prepared = self._preparation.of([question], mode, [vector])[0]
        with self.files.in_use():
            asked = Question(question, *prepared, self._kept(filter), chosen.limits)
        gathered = self._gathered(asked, settings, calls)
        message = no_answer_message or self.settings.refusal_message(site_name)
        with self.files.in_use():
            hits = self._ranking.hits(
                self._ranking.fused(gathered.lists, settings.rrf_k, settings.top_k, asked.limits), gathered.evidence
            )
            if chosen.tells_more:
                self._details().add(asked, hits, chosen, gathered.evidence, gathered.lists, settings, is_fused=True)
            ran = tuple(calls.ran) if calls else ()
            return self._answer(asked, settings, gathered.evidence, hits, message, begin, ran)

    def _set_up(
        self, hooks: "Mapping[str, Callable[..., object]] | None" = None, timeout: "float | None" = None
    ) -> "Hooks":
        from .hooks import Hooks

        return Hooks(hooks, timeout, self._on_error)

    def _hook_calls(
        self,
        retrieve: "RetrieveHook | Literal[False] | None",
        rerank: "RerankHook | Literal[False] | None",
        cancelled: "Cancelled | None",
    ) -> "HookCalls | None":
        """The hooks of one question, None where there are none."""
        none_given = all(one is None or one is False for one in (retrieve, rerank))
        if self._hooks is None and none_given and cancelled is None:
            return None
        return (self._hooks or self._set_up()).for_question(retrieve, rerank, cancelled)

    def _gathered(self, asked: Question, settings: RetrievalSettings, calls: "HookCalls | None") -> Gathered:
        if calls is None:
            with self.files.in_use():
                return self._ranking.gather(asked, settings)
        from .hooked import HookedRetrieval

        return HookedRetrieval(self.files, self._store, self._ranking, self._kept).gather(asked, settings, calls)

    def _answer(
        self,
        asked: Question,
        settings: RetrievalSettings,
        evidence: "Evidence",
        hits: list[Hit],
        message: str,
        begin: float,
        hooks: tuple[str, ...],
    ) -> RetrieveResult:
        similarity, coverage = evidence.best_by_similarity(), evidence.best_by_coverage()
        refused = None if hits else self._refused(asked, settings, similarity, coverage, message)
        sources = pack(hits, self._store.section_of, settings.max_context_chars)
        return RetrieveResult(
            asked.text,
            asked.mode,
            similarity[1] if similarity else None,
            coverage[1] if coverage else 0.0,
            hits,
            sources,
            context_of(sources),
            refused,
            asked.lexical.trimmed,
            (time.perf_counter() - begin) * 1000.0,
            hooks,
        )

    def gate_hits(
        self,
        question: str,
        named: "Iterable[object]",
        *,
        mode: "str | None" = None,
        vector: "Sequence[float] | None" = None,
        filter: "Mapping[str, Any] | None" = None,
        **options: "float | bool | None",
    ) -> list[Hit]:
        """Those of `named` (rows, chunk ids, hits, chunks) that pass the relevance gate, in their order.

        Options: `mode`, `vector`, `filter` as in `search`; the gate's settings, by name.
        """
        from .named_chunks import named_rows, read_names

        settings = self.settings.retrieval.changed(options)
        names = read_names(named, MOST_GATED + 1)
        if len(names) > MOST_GATED:
            raise UsageError(f"gate_hits takes up to {MOST_GATED} hits at once, not more; call it for parts of them")
        prepared = self._preparation.of([question], mode, [vector])[0]
        with self.files.in_use():
            asked = Question(question, *prepared, self._kept(filter))
            gated = self._ranking.gate(asked, named_rows(self._store, names, asked.filter), settings)
            return self._ranking.hits(fused_rows(gated.lists, settings.rrf_k), gated.evidence)

    def _kept(self, conditions: "Mapping[str, Any] | None") -> "RowFilter | None":
        """The rows that a filter keeps; None for all."""
        if conditions is None:
            return None
        if self._filters is None:
            from .recent_filters import RecentFilters

            self._filters = RecentFilters(self._store, self._analyser, self._dictionary)
        return self._filters.of(conditions)

    def _details(self) -> "Details":
        from .details import Details

        return Details(self._store, self._analyser, self._dictionary, self._lexical, self._dense, self.settings)

    def _refused(
        self,
        question: Question,
        settings: RetrievalSettings,
        similarity: "tuple[int, float] | None",
        coverage: "tuple[int, float] | None",
        message: str,
    ) -> "Refusal":
        from .refusal import refusal_of

        return refusal_of(question, settings, similarity, coverage, message, self._store)
