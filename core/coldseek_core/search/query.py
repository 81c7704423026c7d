"""From a question to the terms that score it and the weights that measure its coverage."""

from ..kernels.memory import Numbers
from ..kernels.token_layout import BUCKETS, DFS, QUESTION_COUNTS, SCRATCH_SECTIONS, TERM_SECTIONS, WEIGHTS
from ..text import Analyser
from .dictionary import Dictionary
from .settings import QUERY_TERM_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..text.workspace import Workspace


class TermArrays:
    """Known terms as kernels take them: addresses of the postings' starts and lengths (i64), of the coverage weights
    (i64), and of which ones score (u8).
    """

    __slots__ = ("_first", "_kept", "_room", "count", "dfs", "scored", "starts", "weights")

    def __init__(self, terms: Numbers, scored: Numbers, room: int, first: int, stop: int) -> None:
        """Terms `first` to `stop` of those that `weigh_terms` wrote with that `room`."""
        self._kept = (terms, scored)
        self._room = room
        self._first = first
        self.count = stop - first
        self.starts = terms.address + 8 * first
        self.dfs = self.starts + 8 * DFS * room
        self.weights = self.starts + 8 * WEIGHTS * room
        self.scored = scored.address + first

    def alone(self, order: int) -> "TermArrays":
        """One term of these."""
        terms, scored = self._kept
        first = self._first + order
        return TermArrays(terms, scored, self._room, first, first + 1)

    def postings(self) -> "list[tuple[int, int, bool]]":
        """Of each term: where its postings start, how many there are, and whether it scores."""
        terms, scored = self._kept
        places = range(self._first, self._first + self.count)
        view = terms.view
        return [(view[place], view[DFS * self._room + place], scored.view[place] != 0) for place in places]


class LexicalQuery:
    """An analysed question.

    `has_words`: whether there is anything to look for; `all_terms`: known terms that score or weigh; `scored_terms`,
    `weighed_terms`: those that do the one or the other; `total_weight`: sum of all coverage weights, unknown words'
    included (unit 2**-16); `unknown_words`: the question's words that no chunk contains, as they were written;
    `trimmed`: how many distinct terms were dropped because there were too many.
    """

    __slots__ = ("all_terms", "has_words", "scored_terms", "total_weight", "trimmed", "unknown_words", "weighed_terms")

    def __init__(
        self, text: str, terms: Numbers, scored: Numbers, unknown: Numbers, room: int, counts: "list[int]"
    ) -> None:
        """What `weigh_terms` wrote."""
        distinct, self.trimmed, only_scored, both, only_weighed, unknown_words, self.total_weight = counts
        self.has_words = distinct > 0
        stop = only_scored + both + only_weighed
        self.all_terms = TermArrays(terms, scored, room, 0, stop)
        self.scored_terms = TermArrays(terms, scored, room, 0, only_scored + both)
        self.weighed_terms = TermArrays(terms, scored, room, only_scored, stop)
        places = unknown.view[: 2 * unknown_words].tolist()
        words = [text[start:end] for start, end in zip(places[::2], places[1::2], strict=True)]
        self.unknown_words = list(dict.fromkeys(words))


def resolve_query(text: str, analyser: Analyser, dictionary: Dictionary, unknown_idf: int) -> LexicalQuery:
    """Analyse `text` and look its terms up. Stop words are dropped unless there is nothing else."""

    def weigh(workspace: "Workspace", count: int) -> LexicalQuery:
        vocabulary = workspace.vocabulary
        most = min(count, vocabulary.term_count)
        room = min(most, QUERY_TERM_LIMIT)
        terms, scored, unknown = Numbers("q", TERM_SECTIONS * room), Numbers("B", room), Numbers("q", 2 * room)
        scratch, counts = Numbers("q", SCRATCH_SECTIONS * most + BUCKETS), Numbers("q", QUESTION_COUNTS)
        dictionary.kernels.weigh_terms(
            *(*workspace.token_arguments, count, *vocabulary.term_arguments, *dictionary.arguments),
            *(unknown_idf, QUERY_TERM_LIMIT, scratch.address),
            *(terms.address, scored.address, unknown.address, room, counts.address),
        )
        return LexicalQuery(text, terms, scored, unknown, room, counts.view.tolist())

    return analyser.with_tokens(text, weigh)
