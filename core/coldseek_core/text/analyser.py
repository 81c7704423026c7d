"""The analyser: text to terms, the same for index and query."""

from ..errors import UsageError
from .characters import UNICODE_VERSION
from .languages import apostrophe_breaks_words, primary_subtag, stemmer_name, stemmer_of
from .normalise import fold, strip_marks
from .segments import Compound, Scanner, Word
from .stop_words import stop_words_of
from .token import ALIAS, BIGRAM, COUNTED_KINDS, GRAM, LOOSE_NAME, NAME, PART, WORD, Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ANALYSER_VERSION = 1
ZERO_WIDTH_SPACE = "\u200b"  # separates words, though Python does not count it as white space
TERM_LIMIT = 64  # code points; a longer term is cut, in the index and in the query alike
# Pieces of text whose analysis is kept: few where strangers' questions fill it, many for a build.
QUERY_MEMO = 20_000
BUILD_MEMO = 400_000
_MEMO_PIECE_LIMIT = 64  # code points; longer pieces hardly ever come again

# A token before it is placed: term, start, end, kind, stop, word.
_Entry = tuple[str, int, int, int, bool, int]


class Analyser:
    """Turns text into tokens for one language.

    `language` is a tag such as "en" or "zh-TW", or "none": no stemming and no stop words. `memo_limit`: pieces of text
    whose analysis is kept. Raises UsageError for anything that is not a tag.
    """

    def __init__(self, language: str = "en", memo_limit: int = QUERY_MEMO) -> None:
        is_text = isinstance(language, str)  # pyright: ignore[reportUnnecessaryIsInstance]
        subtag = primary_subtag(language) if is_text else ""
        letters = language.replace("-", "").replace("_", "") if is_text else ""
        known = subtag == "none" or (2 <= len(subtag) <= 3 and subtag.isascii() and subtag.isalpha())
        if not known or not letters.isalnum() or len(language) > 35:
            raise UsageError(f"language must be a tag such as 'en', 'zh-TW' or 'none', not {language!r}")
        self._memo_limit = memo_limit
        self.language = language
        self._stop_words = stop_words_of(language)
        self._stem: Callable[[str], str] | None = stemmer_of(language)
        self._apostrophe_breaks = apostrophe_breaks_words(language)
        self._memo: dict[str, list[_Entry]] = {}
        self._count_memo: dict[str, tuple[tuple[str, ...], int]] = {}

    @property
    def settings(self) -> "dict[str, str | int]":
        """What the manifest keeps, and what `from_settings` takes."""
        return {
            "version": ANALYSER_VERSION,
            "language": self.language,
            "stemmer": stemmer_name(self.language),
            "unicode": UNICODE_VERSION,
        }

    @classmethod
    def from_settings(cls, settings: "dict[str, str | int]") -> "Analyser":
        """The analyser that an index was built with. Raises UsageError where this version has another one."""
        analyser = cls(str(settings.get("language", "")))
        if analyser.settings != settings:
            raise UsageError(
                f"the index was built with the analyser {settings}, this version of coldseek has "
                f"{analyser.settings}; build the index again"
            )
        return analyser

    def analyse(self, text: str) -> list[Token]:
        """All tokens of `text`, in the order of the source, with offsets in code points."""
        tokens: list[Token] = []
        place = 0
        words = 0
        text = text.replace(ZERO_WIDTH_SPACE, " ")
        for piece in text.split():
            place = text.index(piece, place)
            entries = self._entries(piece)
            for term, start, end, kind, stop, word in entries:
                tokens.append(Token(term, place + start, place + end, kind, stop, words + word))
            if entries:
                words += entries[-1][5] + 1
            place += len(piece)
        return tokens

    def count(self, text: str) -> "tuple[dict[str, int], int]":
        """Term frequencies of `text` and its length (in words that are not stop words)."""
        frequencies: dict[str, int] = {}
        length = 0
        memo = self._count_memo
        for piece in text.replace(ZERO_WIDTH_SPACE, " ").split():
            counted = memo.get(piece)
            if counted is None:
                counted = self._counted(piece)
            for term in counted[0]:
                frequencies[term] = frequencies.get(term, 0) + 1
            length += counted[1]
        return frequencies, length

    def _counted(self, piece: str) -> "tuple[tuple[str, ...], int]":
        entries = self._entries(piece)
        length = sum(1 for entry in entries if entry[3] in COUNTED_KINDS and not entry[4])
        counted = (tuple(entry[0] for entry in entries), length)
        if len(piece) <= _MEMO_PIECE_LIMIT:
            if len(self._count_memo) >= self._memo_limit:
                self._count_memo.clear()
            self._count_memo[piece] = counted
        return counted

    def _entries(self, piece: str) -> "list[_Entry]":
        entries = self._memo.get(piece)
        if entries is None:
            entries = self._analyse_piece(piece)
            if len(piece) <= _MEMO_PIECE_LIMIT:
                if len(self._memo) >= self._memo_limit:
                    self._memo.clear()
                self._memo[piece] = entries
        return entries

    def _analyse_piece(self, piece: str) -> "list[_Entry]":
        entries: list[_Entry] = []
        scanner = Scanner(fold(piece), self._apostrophe_breaks)
        word = 0
        while (item := scanner.next_item()) is not None:
            before = len(entries)
            if isinstance(item, Compound):
                self._emit_compound(entries, item, word)
            else:
                self._emit_grams(entries, item, word)
            if len(entries) > before:
                word += 1
        return entries

    def _emit(
        self, entries: "list[_Entry]", term: str, span: "tuple[int, int]", kind: int, stop: bool, word: int
    ) -> None:
        if term:
            entries.append((term[:TERM_LIMIT], span[0], span[1], kind, stop, word))

    def _emit_grams(self, entries: "list[_Entry]", units: "list[tuple[str, int, int]]", word: int) -> None:
        """Characters and pairs; a character of a pair that is a stop word is one, too."""
        pairs = [first[0] + second[0] for first, second in zip(units, units[1:], strict=False)]
        stops = [False, *[pair in self._stop_words for pair in pairs], False]
        for order, (text, start, end) in enumerate(units):
            stop = text in self._stop_words or stops[order] or stops[order + 1]
            self._emit(entries, text, (start, end), GRAM, stop, word)
            if order < len(pairs):
                self._emit(entries, pairs[order], (start, units[order + 1][2]), BIGRAM, stops[order + 1], word)

    def _emit_compound(self, entries: "list[_Entry]", compound: Compound, word: int) -> None:
        words = compound.words
        span = (compound.start, compound.end)
        if len(words) == 1 and len(words[0].parts) == 1 and not words[0].acronym and not compound.prefix:
            only = words[0]
            if not compound.suffix:
                stop = only.text in self._stop_words
                self._emit(entries, self._plain(only.text, only.digits), span, WORD, stop, word)
                return
            if only.one_letter:
                self._emit(entries, strip_marks(only.text) + compound.suffix, span, WORD, False, word)
                return
        self._emit_named(entries, compound, word)

    def _emit_named(self, entries: "list[_Entry]", compound: Compound, word: int) -> None:
        """A compound's name, its segments' names, its parts. If the whole is a stop word, all of it is."""
        segments = compound.segments()
        whole = compound.whole() + compound.suffix
        name = compound.prefix + whole
        kind = LOOSE_NAME if compound.is_loose else NAME
        span = (compound.start, compound.end)
        stop = name in self._stop_words or (
            kind == LOOSE_NAME and all(part.text in self._stop_words for part in compound.words)
        )
        self._emit(entries, strip_marks(name), span, kind, stop, word)
        if compound.prefix and sum(len(part.parts) for part in compound.words) > 1:
            inner = (compound.words[0].start, compound.end)
            inner_stop = stop or whole in self._stop_words
            self._emit(entries, strip_marks(whole), inner, kind, inner_stop, word)
        if len(segments) == 1 and not compound.prefix and not compound.suffix:
            self._emit_alias(entries, segments[0], stop, word)
        for segment in segments:
            if len(segments) > 1 and (sum(len(part.parts) for part in segment) > 1 or segment[0].acronym):
                joined = _joined(segment)
                segment_stop = stop or joined in self._stop_words
                span = (segment[0].start, segment[-1].end)
                self._emit(entries, strip_marks(joined), span, kind, segment_stop, word)
                self._emit_alias(entries, segment, segment_stop, word)
            for source in segment:
                if source is compound.words[-1] and source.one_letter and compound.suffix:
                    # The C++ of Objective-C++ is no C.
                    term = strip_marks(source.text) + compound.suffix
                    self._emit(entries, term, (source.start, compound.end), PART, stop, word)
                    continue
                for _, start, end, digits, plain in source.parts:
                    part_stop = stop or plain in self._stop_words
                    self._emit(entries, self._plain(plain, digits), (start, end), PART, part_stop, word)

    def _emit_alias(self, entries: "list[_Entry]", segment: "list[Word]", stop: bool, word: int) -> None:
        """A name's stem, where the name holds no digit, and is no plural acronym (whose part is its stem)."""
        if any(source.digits for source in segment) or (len(segment) == 1 and segment[0].acronym):
            return
        joined = _joined(segment)
        alias = self._plain(joined, False)
        if alias != strip_marks(joined):
            self._emit(entries, alias, (segment[0].start, segment[-1].end), ALIAS, stop, word)

    def _plain(self, text: str, digits: bool) -> str:
        """The term of a plain word: identifier-shaped ones (with a digit) are not stemmed."""
        if digits or self._stem is None:
            return strip_marks(text)
        return strip_marks(self._stem(text))


def _joined(segment: "list[Word]") -> str:
    return "".join(source.text for source in segment)
