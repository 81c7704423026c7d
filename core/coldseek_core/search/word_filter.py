"""Which rows hold all words of a text (`contains`), and which have them next to each other (`phrase`).

Both take a text as the analyser does, so that case, endings and marks do not matter, and stop words count. A name such
as `maxRetryCount` must be there as a whole, mere punctuation of words (`server-side`) as its parts, a run of characters
of a script without spaces as it is. The words of a title and of headings are words of their chunks.
"""

from ..columns.mapping import shown
from ..errors import UsageError
from ..kernels.memory import UNPACKED_ROWS, Numbers
from ..kernels.token_layout import (
    ALIAS,
    BUCKETS,
    DFS,
    DISTINCT,
    GRAM,
    LOOSE_NAME,
    NAME,
    ONLY_SCORED,
    ONLY_WEIGHED,
    PART,
    QUESTION_COUNTS,
    SCRATCH_SECTIONS,
    STOP_TOKEN,
    TERM_SECTIONS,
    WORD,
)
from ..text import Analyser
from .chunk_store import ChunkStore
from .dictionary import Dictionary
from .settings import QUERY_TERM_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..text.vocabulary import Vocabulary
    from ..text.workspace import Workspace

    Place = tuple[int, str]  # the number of a word in a text, and a term that is read there

PHRASE_LIMIT = 256  # words, which names and characters count as several of
# Kinds that the words of a text are numbered by: the others are second readings of the same.
_NUMBERED = (WORD, PART, GRAM)
_IS_NUMBERED = bytes([kind & ~STOP_TOKEN in _NUMBERED for kind in range(256)])


class WordFilters:
    """Finds rows by the words of their texts. Use it inside `files.in_use()`; any number of threads may."""

    def __init__(self, store: ChunkStore, analyser: Analyser, dictionary: Dictionary) -> None:
        self._store = store
        self._analyser = analyser
        self._dictionary = dictionary

    def containing(self, condition: str, text: object) -> int:
        """The rows that hold all words of `text`: bit r of a whole number is row r. `condition`: its name.

        Raises UsageError for what is no text, or holds no word or more than 1,024.
        """
        if not isinstance(text, str):
            raise UsageError(f"filter {condition} must be a text, not {shown(text)}")
        found = self._analyser.with_tokens(text, self._postings_of)
        if found is None:
            raise UsageError(f"filter {condition} must hold a word to look for, {shown(text)} holds none")
        distinct, postings = found
        if distinct > QUERY_TERM_LIMIT:
            raise UsageError(f"filter {condition} may hold up to {QUERY_TERM_LIMIT} words, not {distinct}")
        if len(postings) < distinct:
            return 0
        postings.sort(key=lambda pair: pair[1])
        kept = self._rows_of(*postings[0])
        for start, df in postings[1:]:
            if kept == 0:
                break
            kept &= self._rows_of(start, df)
        return kept

    def _rows_of(self, start: int, df: int) -> int:
        """The rows of a term, as bits. `start`, `df`: its postings."""
        rows = self._store.chunk_count
        bitmap, unpacked = Numbers("B", (rows + 7) // 8), Numbers("H", UNPACKED_ROWS)
        term = Numbers.of("q", [start, df])
        self._dictionary.kernels.mark_rows(
            *(self._dictionary.words_address, self._dictionary.word_count),
            *(term.address, term.address + 8, 1, unpacked.address, bitmap.address, rows),
        )
        return int.from_bytes(bitmap.view, "little")

    def _postings_of(self, workspace: "Workspace", count: int) -> "tuple[int, list[tuple[int, int]]] | None":
        """How many distinct terms a text asks for, and start and length of the postings of those that there are; None
        if there is nothing to ask for.
        """
        orders = _asked_for(workspace, count)
        if not orders:
            return None
        # To the kernel each term is a plain word, none of which it leaves out.
        asked = len(orders)
        entries = workspace.entries.view
        tokens = (
            Numbers.of("I", [entries[order] for order in orders]),
            Numbers("q", asked),
            Numbers("q", asked),
            Numbers("B", asked),
            Numbers.of("q", range(asked)),
        )
        vocabulary = workspace.vocabulary
        most = min(asked, vocabulary.term_count)
        terms, scored, unknown = Numbers("q", TERM_SECTIONS * most), Numbers("B", most), Numbers("q", 2 * most)
        scratch, counts = Numbers("q", SCRATCH_SECTIONS * most + BUCKETS), Numbers("q", QUESTION_COUNTS)
        self._dictionary.kernels.weigh_terms(
            *(*(numbers.address for numbers in tokens), asked),
            *(*vocabulary.term_arguments, *self._dictionary.arguments, 1, most, scratch.address),
            *(terms.address, scored.address, unknown.address, most, counts.address),
        )
        known = sum(counts.view[ONLY_SCORED : ONLY_WEIGHED + 1])
        starts, dfs = terms.view[:known].tolist(), terms.view[DFS * most : DFS * most + known].tolist()
        return counts.view[DISTINCT], list(zip(starts, dfs, strict=True))

    def with_phrase(self, text: str, rows: "Iterable[int]") -> list[int]:
        """Those of `rows`, which hold all words of `text`, that have them next to each other, in this order: in their
        text, in their title, or in their headings, which are one text. Raises UsageError for more than 256 words.
        """
        wanted = self._analyser.with_tokens(text, _phrase_of)
        if len(wanted) > PHRASE_LIMIT:
            raise UsageError(f"filter phrase may hold up to {PHRASE_LIMIT} words, not {len(wanted)}")
        if len(wanted) == 1:
            return [*rows]
        holds = _Phrase(wanted).is_in
        return [row for row in rows if any(self._analyser.with_tokens(one, holds) for one in self._store.fields(row))]


class _Phrase:
    """Terms and where they must be, from the number of the phrase's first word on. For one thread."""

    def __init__(self, wanted: "list[Place]") -> None:
        self._wanted = wanted
        self._terms = frozenset(term for _, term in wanted)
        self._vocabulary: Vocabulary | None = None
        self._numbers: dict[str, int] = {}  # of those of the terms that the vocabulary has
        self._names_read = 0

    def is_in(self, workspace: "Workspace", count: int) -> bool:
        """Whether the text of a workspace has the phrase. Tokens are looked through by builtins alone."""
        vocabulary = workspace.vocabulary
        self._find_numbers(vocabulary)
        if len(self._numbers) < len(self._terms):
            return False
        found = list(map(vocabulary.numbers.view.__getitem__, workspace.entries.view[:count].tolist()))
        is_numbered = bytes(workspace.kinds.view[:count]).translate(_IS_NUMBERED)
        if -1 in found:  # nothing is left of a word
            is_numbered = bytes(flag if number >= 0 else 0 for flag, number in zip(is_numbered, found, strict=True))
        # The rarest term first: a text that repeats itself has few places to try.
        often = {term: found.count(self._numbers[term]) for term in self._terms}
        if not all(often.values()):
            return False
        read = {term: set(_places(found, is_numbered, self._numbers[term])) for term in self._terms}
        begins: set[int] | None = None
        for place, term in sorted(self._wanted, key=lambda one: often[one[1]]):
            at = read[term]
            if begins is None:
                begins = {other - place for other in at}
            else:
                begins = {begin for begin in begins if begin + place in at}
            if not begins:
                return False
        return True

    def _find_numbers(self, vocabulary: "Vocabulary") -> None:
        """Bring the terms' numbers up to a vocabulary, which may have grown or be another one."""
        if vocabulary is not self._vocabulary:
            self._vocabulary, self._numbers, self._names_read = vocabulary, {}, 0
        if self._names_read < vocabulary.term_count and len(self._numbers) < len(self._terms):
            names = vocabulary.names
            for number in range(self._names_read, len(names)):
                if names[number] in self._terms:
                    self._numbers[names[number]] = number
            self._names_read = len(names)


def _places(found: "list[int]", is_numbered: bytes, number: int) -> "Iterator[int]":
    """The numbers of the words at which a term is read. `found`: the terms' numbers in a text."""
    order = before = place = 0
    for _ in range(found.count(number)):
        order = found.index(number, order)
        place += is_numbered.count(1, before, order)
        before = order
        order += 1
        yield place


def _phrase_of(workspace: "Workspace", count: int) -> "list[Place]":
    """What a phrase asks for: each term with the number of its word."""
    wanted = frozenset(_asked_for(workspace, count))
    numbers, names = workspace.vocabulary.numbers.view, workspace.vocabulary.names
    entries, is_numbered = workspace.entries.view, bytes(workspace.kinds.view[:count]).translate(_IS_NUMBERED)
    found: list[Place] = []
    place = 0
    for order in range(count):
        number: int = numbers[entries[order]]
        if number < 0:
            continue
        if order in wanted:
            found.append((place, names[number]))
        place += is_numbered[order]
    return found


def _asked_for(workspace: "Workspace", count: int) -> list[int]:
    """Which tokens of a text stand for its words.

    A name is asked for by its alias if it has one, which other ways to write it have, too; a loose name not at all:
    its parts are there wherever it is.
    """
    numbers, entries = workspace.vocabulary.numbers.view, workspace.entries.view
    kinds = [kind & ~STOP_TOKEN for kind in workspace.kinds.view[:count].tolist()]
    asked: list[int] = []
    for order, kind in enumerate(kinds):
        if numbers[entries[order]] < 0 or kind == LOOSE_NAME:
            continue
        if kind == ALIAS:
            # It comes right behind its name.
            if asked and asked[-1] == order - 1 and kinds[order - 1] == NAME:
                asked[-1] = order
            continue
        asked.append(order)
    return asked
