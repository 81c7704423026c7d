"""Candidates that hooks had a say in: their own retrieval, their own order, and then the gate."""

from ..columns.reader import IndexFiles
from ..errors import UsageError
from .chunk_store import ChunkStore
from .hooks import RERANK, RETRIEVE, HookCalls, HookQuery
from .named_chunks import Chunks, named_rows
from .ranking import Gathered, Question, Ranking
from .results import Hit, Mode
from .settings import CANDIDATES_LIMIT, RetrievalSettings, checked_mode, checked_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .legs import RowFilter


class HookedRetrieval:
    """One index's retrieval with hooks. No file is in use while a hook runs: it may take its time."""

    def __init__(
        self,
        files: IndexFiles,
        store: ChunkStore,
        ranking: Ranking,
        kept: "Callable[[Mapping[str, Any] | None], RowFilter | None]",
    ) -> None:
        """`kept`: the rows that a filter keeps."""
        self._files = files
        self._store = store
        self._ranking = ranking
        self._kept = kept

    def gather(self, asked: Question, settings: RetrievalSettings, calls: HookCalls) -> Gathered:
        """What `asked` may be answered from: gathered wide, reranked, and only then gated.

        Without a hook, or where all fail, it is what the built-in retrieval gathers.
        """
        named: list[int] | None = None
        if RETRIEVE in calls:
            vector = None if asked.vector is None else list(asked.vector.floats.view)
            query = HookQuery(asked.text, vector, Chunks(self._files, self._store))
            named = self._rows(asked, calls, RETRIEVE, query, _BuiltIn(self, asked, settings).search)
        with self._files.in_use():
            if named is None:
                gathered = self._ranking.gather(asked, settings)
            else:
                gathered = self._ranking.gate(asked, named, settings)
            if RERANK not in calls:
                return gathered
            hits = self._wide_hits(gathered, settings.candidates, settings)
        named = self._rows(asked, calls, RERANK, asked.text, hits, calls.cancelled)
        if named is None:
            return gathered
        with self._files.in_use():
            return self._ranking.gate(asked, named, settings)

    def built_in(
        self, asked: Question, settings: RetrievalSettings, top_k: int, conditions: "Mapping[str, Any] | None"
    ) -> list[Hit]:
        """The first `top_k` candidates of the built-in retrieval, whether or not they pass the gate."""
        with self._files.in_use():
            kept = self._kept(conditions)
            # A hook may ask for less than the question's filter keeps, never for more.
            both = asked.filter if kept is None else kept.both(asked.filter)
            narrowed = Question(asked.text, asked.mode, asked.lexical, asked.vector, both, asked.limits)
            return self._wide_hits(self._ranking.gather(narrowed, settings), top_k, settings)

    def _wide_hits(self, gathered: Gathered, length: int, settings: RetrievalSettings) -> list[Hit]:
        return self._ranking.hits(gathered.wide(length, settings.rrf_k), gathered.evidence)

    def _rows(self, asked: Question, calls: HookCalls, name: str, *arguments: object) -> "list[int] | None":
        def rows_of(names: list[object]) -> list[int]:
            with self._files.in_use():
                return named_rows(self._store, names, asked.filter)

        return calls.rows(name, arguments, rows_of)


class _BuiltIn:
    """The `search` that a `retrieve` hook is given."""

    def __init__(self, retrieval: HookedRetrieval, asked: Question, settings: RetrievalSettings) -> None:
        self._retrieval = retrieval
        self._asked = asked
        self._settings = settings

    def search(
        self,
        *,
        candidates: "int | None" = None,
        top_k: "int | None" = None,
        mode: "str | None" = None,
        filter: "Mapping[str, Any] | None" = None,
    ) -> list[Hit]:
        """Hits of the built-in retrieval, best first, not gated yet. Options that are left out are the question's, and
        `top_k` is all candidates. Raises UsageError for a bad option.
        """
        settings = self._settings.changed({"candidates": candidates})
        if top_k is None:
            top_k = settings.candidates
        top_k = int(checked_number("top_k", top_k, 1, CANDIDATES_LIMIT, whole=True))
        asked = self._asked
        mode = checked_mode(mode)
        if mode is not None:
            ran = mode if asked.vector is not None else "lexical"
            if mode == "semantic" and ran == "lexical":
                raise UsageError("mode 'semantic' needs the question's vector, and this question has none")
            asked = Question(asked.text, Mode(mode, ran, None), asked.lexical, asked.vector, asked.filter, asked.limits)
        return self._retrieval.built_in(asked, settings, top_k, filter)
