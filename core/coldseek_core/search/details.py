"""What hits tell beyond the usual: matches, neighbours, explanations. None of it changes which hits there are."""

from ..text import Analyser
from .chunk_store import ChunkStore
from .dictionary import Dictionary
from .legs import DenseLeg, LexicalLeg
from .question_terms import QuestionTerm, scoring_terms
from .ranking import Question
from .settings import IndexSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .explanation import LegShare, WordShare
    from .gate import Evidence
    from .results import Hit
    from .search_options import HitOptions
    from .settings import RetrievalSettings


class Details:
    """Tells more of the hits of one index. Use it inside `files.in_use()`; any number of threads may."""

    def __init__(
        self,
        store: ChunkStore,
        analyser: Analyser,
        dictionary: Dictionary,
        lexical: LexicalLeg,
        dense: "DenseLeg | None",
        settings: IndexSettings,
    ) -> None:
        self._store = store
        self._analyser = analyser
        self._dictionary = dictionary
        self._lexical = lexical
        self._dense = dense
        self._settings = settings

    def add(
        self,
        asked: Question,
        hits: "list[Hit]",
        options: "HitOptions",
        evidence: "Evidence",
        lists: list[list[int]],
        gate: "RetrievalSettings",
        is_fused: bool,
    ) -> None:
        """Add to `hits` what `options` ask for. `lists`: those that were ranked; `is_fused`: whether they were fused;
        `gate`: the settings whose thresholds and `rrf_k` count.
        """
        terms: list[QuestionTerm] = []
        if options.highlight or options.explain:
            terms = scoring_terms(
                asked.text, asked.lexical, self._analyser, self._dictionary, self._settings.unknown_idf
            )
        if options.highlight:
            self._highlight(asked.text, hits, terms)
        if options.explain:
            self._explain(asked, hits, terms, evidence, lists, gate, is_fused)
        if options.expand:
            from .neighbors import neighbors_of

            for hit in hits:
                hit.neighbors = neighbors_of(self._store, hit.row, options.expand, asked.filter)

    def _highlight(self, question: str, hits: "list[Hit]", terms: list[QuestionTerm]) -> None:
        from .highlighting import matches_in

        wanted = frozenset([one.term for one in terms])
        # A chunk without a word of the question has no match, and is not read.
        with_words = [hit for hit in hits if hit.keyword_score > 0.0]
        found = matches_in(question, [hit.chunk.text for hit in with_words], wanted, self._analyser)
        for hit in hits:
            hit.matches = []
        for hit, matches in zip(with_words, found, strict=True):
            hit.matches = matches

    def _explain(
        self,
        asked: Question,
        hits: "list[Hit]",
        terms: list[QuestionTerm],
        evidence: "Evidence",
        lists: list[list[int]],
        gate: "RetrievalSettings",
        fused: bool,
    ) -> None:
        from .explanation import Explanation, Margin

        words = self._words(asked, hits, terms)
        named = list(lists)
        keyword = self._keyword(asked, hits, named.pop(0), gate, fused) if asked.mode.ran != "semantic" else None
        vector = self._vector(asked, hits, named.pop(0), gate, fused) if named else None
        for order, hit in enumerate(hits):
            hit.explanation = Explanation(
                keyword[order] if keyword else None,
                vector[order] if vector else None,
                words[order],
                Margin(evidence.usable_similarities[evidence.places[hit.row]], gate.min_similarity),
                Margin(hit.keyword_coverage, gate.min_keyword_coverage),
            )

    def _words(self, asked: Question, hits: "list[Hit]", terms: list[QuestionTerm]) -> "list[list[WordShare]]":
        """What each word adds to each hit's keyword score: the posting's impact, measured term by term."""
        from .explanation import WordShare

        unit = self._settings.impact_fixed_point
        rows = [hit.row for hit in hits]
        every = asked.lexical.all_terms
        columns = [self._lexical.measure_terms(every.alone(one.place), rows)[1] for one in terms]
        unknown = asked.lexical.unknown_words
        return [
            [
                *(
                    WordShare(one.word, one.term, one.df, column[order], column[order] / unit)
                    for one, column in zip(terms, columns, strict=True)
                ),
                *(WordShare(word, None, 0, 0, 0.0) for word in unknown),
            ]
            for order in range(len(hits))
        ]

    def _keyword(
        self, asked: Question, hits: "list[Hit]", rows: list[int], gate: "RetrievalSettings", fused: bool
    ) -> "list[LegShare]":
        from .filling import ranks_of

        found = {hit.row for hit in hits if hit.keyword_score > 0.0}
        ranks = ranks_of(
            found,
            lambda length, kept: self._lexical.top(asked.lexical, length, kept)[0],
            len(rows) or 1,
            self._store.chunk_count,
            asked.filter,
        )
        return _shares(hits, [hit.keyword_score for hit in hits], rows, ranks, gate.rrf_k if fused else None)

    def _vector(
        self, asked: Question, hits: "list[Hit]", rows: list[int], gate: "RetrievalSettings", fused: bool
    ) -> "list[LegShare] | None":
        from .filling import ranks_of

        vector, dense = asked.vector, self._dense
        if vector is None or dense is None:
            return None
        ranks = ranks_of(
            {hit.row for hit in hits},
            lambda length, kept: dense.top(vector, length, kept)[0],
            len(rows) or 1,
            self._store.chunk_count,
            asked.filter,
        )
        scores = [0.0 if hit.similarity is None else hit.similarity for hit in hits]
        return _shares(hits, scores, rows, ranks, gate.rrf_k if fused else None)


def _shares(
    hits: "list[Hit]", scores: list[float], rows: list[int], ranks: "dict[int, int]", rrf_k: "int | None"
) -> "list[LegShare]":
    """What one retriever says of each hit. `rows`: its list; `ranks`: among all rows; `rrf_k`: None if nothing is
    fused.
    """
    from .explanation import LegShare
    from .fusion import FUSION_UNIT

    places = {row: place for place, row in enumerate(rows, start=1)}
    shares: list[LegShare] = []
    for hit, score in zip(hits, scores, strict=True):
        place = places.get(hit.row)
        share = None if rrf_k is None else 0.0 if place is None else FUSION_UNIT // (rrf_k + place) / FUSION_UNIT
        shares.append(LegShare(place, ranks.get(hit.row), score, share))
    return shares
