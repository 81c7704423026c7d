"""One question over one index: both retrievers' rows, what is measured of them, and which ones pass the gate."""

from .chunk_store import ChunkStore
from .fusion import FUSION_UNIT, fuse
from .gate import Evidence, coverages_of
from .legs import DenseLeg, LexicalLeg, QueryVector, RowFilter
from .query import LexicalQuery
from .results import Hit, Mode
from .settings import RetrievalSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .search_options import Limits


class Question:
    """One question on its way through a search: its text, terms, vector, filter, mode, and what limits its lists."""

    __slots__ = ("filter", "lexical", "limits", "mode", "text", "vector")

    def __init__(
        self,
        text: str,
        mode: Mode,
        lexical: LexicalQuery,
        vector: "QueryVector | None",
        kept: "RowFilter | None",
        limits: "Limits | None" = None,
    ) -> None:
        self.text = text
        self.mode = mode
        self.lexical = lexical
        self.vector = vector
        self.filter = kept
        self.limits = limits

    @property
    def scans(self) -> bool:
        """Whether it ranks rows by its vector."""
        return self.mode.ran != "lexical" and self.vector is not None


class Gathered:
    """What a question may be answered from.

    `evidence` of the rows that were considered; `lists`: the rows that pass the gate, best first, one list for each
    retriever; `offered`: the same lists, each followed by its rows that do not pass.
    """

    __slots__ = ("evidence", "lists", "offered")

    def __init__(self, evidence: Evidence, lists: list[list[int]], offered: "list[list[int]] | None" = None) -> None:
        self.evidence = evidence
        self.lists = lists
        self.offered = lists if offered is None else offered

    def wide(self, length: int, rrf_k: int) -> list[tuple[int, float]]:
        """Up to `length` (row, fused score), whether or not they pass the gate; those that do are never cut for
        those that do not, and stand in the order in which they answer.
        """
        fused = fuse(self.offered, rrf_k)
        passing = {row for rows in self.lists for row in rows}
        chosen = [row for row, _ in fused if row in passing] + [row for row, _ in fused if row not in passing]
        kept = set(chosen[:length])
        return [(row, score / FUSION_UNIT) for row, score in fused if row in kept]


class Ranking:
    """Ranks and measures rows. Use it inside `files.in_use()`; any number of threads may."""

    def __init__(
        self, store: ChunkStore, lexical: LexicalLeg, dense: "DenseLeg | None", impact_fixed_point: int
    ) -> None:
        self._store = store
        self._lexical = lexical
        self._dense = dense
        self._impact_fixed_point = impact_fixed_point

    def lists(
        self,
        question: Question,
        length: int,
        near: "list[int] | None" = None,
        gate: "RetrievalSettings | None" = None,
    ) -> list[list[int]]:
        """Rows of each leg that the mode runs, best first. `near`: what `near_rows` found for the question, if it was
        asked before. `gate`: the gate that the lists go through, so that limits are those of rows that pass it.
        """
        if question.limits is not None:
            return self._limited_lists(question, question.limits, length, near, gate)
        lists: list[list[int]] = []
        if question.mode.ran != "semantic":
            lists.append(self._lexical.top(question.lexical, length, question.filter)[0])
        if near is not None:
            lists.append(near)
        elif question.scans and self._dense is not None and question.vector is not None:
            lists.append(self._dense.top(question.vector, length, question.filter)[0])
        return lists

    def _limited_lists(
        self,
        question: Question,
        limits: "Limits",
        length: int,
        near: "list[int] | None",
        gate: "RetrievalSettings | None",
    ) -> list[list[int]]:
        """What `lists` gives, of the rows that no limit keeps out; other rows take their places."""
        from .filling import Filling  # most questions have no limits

        def passing(rows: list[int]) -> "set[int]":
            if gate is None:
                return set(rows)
            return self.evidence(question, rows, gate.similarity_needs_keyword).passing(gate)

        filling = Filling(self._store, question, limits, length, passing)
        lists: list[list[int]] = []
        if question.mode.ran != "semantic":
            lists.append(filling.lexical(self._lexical))
        if question.scans and self._dense is not None:
            lists.append(filling.dense(self._dense, near))
        return lists

    def near_rows(self, questions: "Sequence[Question]", length: int) -> "list[list[int] | None]":
        """The rows of the vectors' leg for each question that runs it, in as few passes over the vectors as there are
        filters among them.
        """
        found: list[list[int] | None] = [None] * len(questions)
        dense = self._dense
        if dense is None:
            return found
        by_filter: dict[int, list[int]] = {}
        for order, question in enumerate(questions):
            if question.scans:
                by_filter.setdefault(id(question.filter), []).append(order)
        for orders in by_filter.values():
            vectors = [vector for order in orders if (vector := questions[order].vector) is not None]
            tops = dense.top_many(vectors, length, questions[orders[0]].filter)
            for order, (rows, _) in zip(orders, tops, strict=True):
                found[order] = rows
        return found

    def evidence(self, question: Question, rows: list[int], needs_keyword: bool) -> Evidence:
        """Both signals of each row, whichever leg found it."""
        covered, keyword_scores, shared = self._lexical.measure(question.lexical, rows)
        similarities: Sequence[float | None] = [None] * len(rows)
        if question.vector is not None and self._dense is not None:
            similarities = self._dense.measure(question.vector, rows)
        usable = similarities
        if needs_keyword:
            usable = [value if shares else None for value, shares in zip(similarities, shared, strict=True)]
        return Evidence(
            rows, similarities, usable, coverages_of(covered, question.lexical.total_weight), keyword_scores
        )

    def gather(self, question: Question, settings: RetrievalSettings) -> Gathered:
        """The candidates of the built-in retrieval."""
        found = self.lists(question, settings.candidates, gate=settings)
        distinct = list(dict.fromkeys([row for rows in found for row in rows]))
        evidence = self.evidence(question, distinct, settings.similarity_needs_keyword)
        passing = evidence.passing(settings)
        lists = [[row for row in rows if row in passing] for rows in found]
        failing = [[row for row in rows if row not in passing] for rows in found]
        if any(lists):
            offered = [before + after for before, after in zip(lists, failing, strict=True)]
            return Gathered(evidence, lists, offered)
        # No question is refused because of the cut to so many candidates.
        evidence, lists = self._best_of_all(question, evidence, settings)
        return Gathered(evidence, lists, lists + failing)

    def gate(self, question: Question, rows: list[int], settings: RetrievalSettings) -> Gathered:
        """Given rows as the candidates, in their order."""
        evidence = self.evidence(question, rows, settings.similarity_needs_keyword)
        passing = evidence.passing(settings)
        return Gathered(evidence, [[row for row in rows if row in passing]], [rows])

    def _best_of_all(
        self, question: Question, candidates: Evidence, settings: RetrievalSettings
    ) -> tuple[Evidence, list[list[int]]]:
        """Evidence of the candidates and of the best rows by either signal over all that the filter keeps, and, for
        each signal, the row that passes the gate by then."""
        found: list[int] = []
        best = self._lexical.best_coverage(question.lexical, question.filter)
        if best is not None:
            found.append(best)
        if question.vector is not None and self._dense is not None:
            kept = question.filter
            if settings.similarity_needs_keyword:
                kept = self._lexical.rows_sharing_a_word(question.lexical, kept)
            found.extend(self._dense.top(question.vector, 1, kept)[0])
        distinct = list(dict.fromkeys([*candidates.rows, *found]))
        known = self.evidence(question, distinct, settings.similarity_needs_keyword)
        passing = known.passing(settings)
        return known, [[row] for row in found if row in passing]

    def hits(self, ranked: "Sequence[tuple[int, float | None]]", evidence: Evidence) -> list[Hit]:
        """(row, score) pairs as hits; where the score is None, it is the leg's own."""
        hits: list[Hit] = []
        for rank, (row, score) in enumerate(ranked, start=1):
            place = evidence.places[row]
            similarity = evidence.similarities[place]
            keyword_score = evidence.keyword_scores[place] / self._impact_fixed_point
            if score is None:
                score = keyword_score if similarity is None else similarity
            coverage = evidence.coverages[place]
            hits.append(Hit(rank, row, score, similarity, keyword_score, coverage, self._store.chunk(row)))
        return hits

    def fused(
        self, lists: list[list[int]], rrf_k: int, length: int, limits: "Limits | None"
    ) -> list[tuple[int, float]]:
        """(row, fused score) of the first `length` rows of `lists`, best first, with so many of a document as
        `limits` say.
        """
        if limits is None or limits.max_per_document is None:
            return fused_rows(lists, rrf_k, length)
        from .filling import few_of_each

        return few_of_each(fused_rows(lists, rrf_k), limits.max_per_document, self._store)[:length]


def fused_rows(lists: list[list[int]], rrf_k: int, length: "int | None" = None) -> list[tuple[int, float]]:
    """(row, fused score) of the first `length` rows of `lists`, best first; of all where it is None."""
    return [(row, fused / FUSION_UNIT) for row, fused in fuse(lists, rrf_k)[:length]]
