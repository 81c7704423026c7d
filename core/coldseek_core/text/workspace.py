"""The memory that the analysis of one text works in."""

from ..kernels import load
from ..kernels.memory import Numbers, address_of
from ..kernels.token_layout import (
    ENTRY_COUNT,
    LEAST_LOG,
    LOG_SHARE,
    NO_ROOM_FOR_ENTRIES,
    NO_ROOM_FOR_PIECE,
    NO_ROOM_FOR_TOKENS,
    PIECE_SECTIONS,
    SPAN_SECTIONS,
    STRETCH_SCRATCH,
)
from .vocabulary import Vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .stop_word_table import StopWordTable

# Room at first; a text that needs more is given more.
_TOKENS, _PIECE, TEXTS, TEXT_BYTES = 64, 256, 128, 2048
# A memo of runs has at most two to this power, in 10 MB.
_RUN_BITS = 17
# What a vocabulary grows to as it fills: capacity grows fourfold until it reaches the limit.
_MOST_GROWN, _BYTES_A_TEXT = 4, 32


class Workspace:
    """Holds the tokens of the text that was tokenised last, for whoever has the workspace alone.

    Of each token: `entries` has the place of its text in `vocabulary`, `starts` and `ends` its span in code points,
    `kinds` its kind with STOP_TOKEN, `words` the number of its source word.
    """

    def __init__(
        self,
        stop_words: "StopWordTable",
        stem_words: "Callable[[list[str]], list[str]] | None",
        breaks: bool,
        texts: int,
        text_bytes: int,
        memo: bool,
    ) -> None:
        """`stem_words`: None where words are not stemmed. `breaks`: whether an apostrophe ends a word. `texts` of
        `text_bytes` have room in the vocabulary at first. `memo`: whether runs of text are kept with their tokens: it
        pays for long texts only.
        """
        self._kernels = load()
        self._stop_words = stop_words
        self._stem_words = stem_words
        self.tables = (0, 0)  # address and length; read at the first text that is not ASCII
        self._ways = (int(stem_words is not None), int(breaks))
        self._scratch = Numbers("I", STRETCH_SCRATCH)
        self._counts = Numbers("q", 3)
        self._make_tokens(_TOKENS)
        self._make_piece(_PIECE)
        self.vocabulary = Vocabulary(texts, text_bytes)
        self._has_memo = memo
        self._make_memo()

    def _make_tokens(self, capacity: int) -> None:
        self._token_capacity = capacity
        self.entries = Numbers("I", capacity)
        self.starts = Numbers("q", capacity)
        self.ends = Numbers("q", capacity)
        self.kinds = Numbers("B", capacity)
        self.words = Numbers("q", capacity)
        arrays = (self.entries, self.starts, self.ends, self.kinds, self.words)
        self.token_arguments = tuple([array.address for array in arrays])

    def _make_piece(self, capacity: int) -> None:
        self._piece_capacity = capacity
        self._piece = Numbers("I", PIECE_SECTIONS * capacity)
        self._spans = Numbers("q", SPAN_SECTIONS * capacity)
        self._piece_arguments = (self._piece.address, self._spans.address, capacity, self._scratch.address)

    def _make_vocabulary(self, capacity: int, size: int) -> None:
        """An empty one: texts are met anew."""
        self._counts.view[ENTRY_COUNT] = 0
        is_larger = capacity != self.vocabulary.capacity
        self.vocabulary = Vocabulary(capacity, size)
        if is_larger:
            self._make_memo()

    def _make_memo(self) -> None:
        """One for a quarter as many runs as the vocabulary has room for texts, which it is begun anew with."""
        slot_count = length = 0
        if self._has_memo:
            runs = 1 << min(max(self.vocabulary.capacity.bit_length() - 3, 0), _RUN_BITS)
            slot_count, length = 4 * runs, LEAST_LOG + LOG_SHARE * runs
        self._memo_slots = Numbers("I", slot_count)
        self._memo_log = Numbers("Q", length)
        self._memo_arguments = (self._memo_slots.address, slot_count, self._memo_log.address, length)

    @property
    def text_count(self) -> int:
        """How many texts are in the vocabulary."""
        return self._counts.view[ENTRY_COUNT]

    def tokenise(self, text: str, text_limit: int) -> int:
        """Write the tokens of `text` and complete the vocabulary; returns how many tokens there are.

        The vocabulary grows up to `text_limit` texts and is then begun anew, and grows beyond only where one text needs
        more.
        """
        data = text.encode("utf-8", "surrogatepass")
        count = self.tokenise_bytes(address_of(data), len(data), len(text), text_limit)
        self.vocabulary.complete(self.text_count, self._stem_words, self.tables)
        return count

    def tokenise_bytes(self, address: int, size: int, characters: int, text_limit: int) -> int:
        """Write the tokens of a text of so many `characters`, UTF-8 of `size` bytes at `address`, as `tokenise` does,
        but leave the vocabulary's texts without terms.
        """
        if size != characters and not self.tables[0]:
            from .unicode_tables import unicode_tables  # most questions are ASCII

            read = unicode_tables()
            self.tables = (read.address, read.length)
        if self._token_capacity < 2 * size // 3:
            self._make_tokens(2 * size // 3 + _TOKENS)
        tables = self.tables if size != characters else (0, 0)
        while True:
            began_empty = self._counts.view[ENTRY_COUNT] == 0
            count: int = self._kernels.tokenise(
                *(address, size, *tables, *self._ways),
                *(*self._stop_words.arguments, *self.vocabulary.arguments),
                *(
                    *self._piece_arguments,
                    *self._memo_arguments,
                    *self.token_arguments,
                    self._token_capacity,
                    self._counts.address,
                ),
            )
            if count >= 0:
                return count
            self._make_room(count, characters, size, began_empty, text_limit)

    def _make_room(self, lacking: int, characters: int, size: int, began_empty: bool, text_limit: int) -> None:
        """After a failure at a text of so many `characters`, `size` bytes: at least twice as much, so that all attempts
        take a few times as long as the last.
        """
        vocabulary = self.vocabulary
        may_grow = began_empty or vocabulary.capacity < text_limit
        if lacking == NO_ROOM_FOR_TOKENS:
            self._make_tokens(2 * self._token_capacity)
        elif lacking == NO_ROOM_FOR_PIECE:
            # Few texts have more characters when they are folded; none has more than 18 for one (U+FDFA).
            likely = characters if self._piece_capacity < characters else 18 * characters
            self._make_piece(max(2 * self._piece_capacity, likely))
        elif not may_grow:
            self._make_vocabulary(vocabulary.capacity, vocabulary.size)
        else:
            # A name, its alias and two parts take 7 bytes or more, two characters and their pair 6; many are known.
            full = lacking == NO_ROOM_FOR_ENTRIES
            self._make_vocabulary(
                max((4 if full else 1) * vocabulary.capacity, size // 2),
                max((1 if full else 4) * vocabulary.size, 4 * size + TEXT_BYTES),
            )

    def shrink(self, longest: int, text_limit: int) -> None:
        """Give back what one long text needed: room for more than `longest` characters or `text_limit` texts."""
        if self._token_capacity > longest:
            self._make_tokens(_TOKENS)
        if self._piece_capacity > longest:
            self._make_piece(_PIECE)
        vocabulary = self.vocabulary
        most_texts, most_bytes = _MOST_GROWN * text_limit, _MOST_GROWN * _BYTES_A_TEXT * text_limit
        if self.text_count > text_limit or vocabulary.capacity > most_texts or vocabulary.size > most_bytes:
            self._make_vocabulary(TEXTS, TEXT_BYTES)
