"""A question's known terms by name: kernels know them by their postings alone."""

from ..kernels.memory import Numbers
from ..kernels.token_layout import BUCKETS, DFS, QUESTION_COUNTS, SCRATCH_SECTIONS, STARTS, TERM_SECTIONS
from ..text import Analyser
from .dictionary import Dictionary
from .query import LexicalQuery
from .settings import QUERY_TERM_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..text.workspace import Workspace


class QuestionTerm:
    """A term that scores: its `term` in the index, the `word` of the question that it comes from, as it was written,
    `df`, and its place among the question's known terms.
    """

    __slots__ = ("df", "place", "term", "word")

    def __init__(self, place: int, term: str, word: str, df: int) -> None:
        self.place = place
        self.term = term
        self.word = word
        self.df = df


def scoring_terms(
    text: str, query: LexicalQuery, analyser: Analyser, dictionary: Dictionary, unknown_idf: int
) -> list[QuestionTerm]:
    """The terms of `query`, which is `text`, that score, in the order of the question. Use it inside
    `files.in_use()`.
    """
    postings = query.all_terms.postings()
    # No two terms have their postings at one place.
    places = {start: place for place, (start, _, scores) in enumerate(postings) if scores}
    found: list[QuestionTerm] = []

    def name(workspace: "Workspace", count: int) -> None:
        vocabulary = workspace.vocabulary
        numbers, names = vocabulary.numbers.view, vocabulary.names
        seen: set[int] = set()
        terms, scored, unknown = Numbers("q", TERM_SECTIONS), Numbers("B", 1), Numbers("q", 2)
        scratch, counts = Numbers("q", SCRATCH_SECTIONS + BUCKETS), Numbers("q", QUESTION_COUNTS)
        entries, starts, ends, kinds, words = workspace.token_arguments
        for order, entry in enumerate(workspace.entries.view[:count].tolist()):
            number: int = numbers[entry]
            if number < 0 or number in seen:
                continue
            seen.add(number)
            # Weighed as a question of its own, a token says where the postings of its term are.
            is_known = dictionary.kernels.weigh_terms(
                *(entries + 4 * order, starts + 8 * order, ends + 8 * order, kinds + order, words + 8 * order, 1),
                *(*vocabulary.term_arguments, *dictionary.arguments, unknown_idf, QUERY_TERM_LIMIT, scratch.address),
                *(terms.address, scored.address, unknown.address, 1, counts.address),
            )
            place = places.get(terms.view[STARTS]) if is_known else None
            if place is not None:
                word = text[workspace.starts.view[order] : workspace.ends.view[order]]
                found.append(QuestionTerm(place, names[number], word, terms.view[DFS]))

    analyser.with_tokens(text, name)
    return found
