"""Text to tokens: pieces, their segments, and what each of those emits."""

from collections import Counter

from coldseek_core.text.languages import apostrophe_breaks_words, stemmer_of
from coldseek_core.text.stop_words import stop_words_of
from coldseek_core.text.token import (
    ALIAS,
    BIGRAM,
    COUNTED_KINDS,
    GRAM,
    LOOSE_NAME,
    NAME,
    PART,
    WORD,
    Token,
)
from text.naive.normalise import fold, strip_marks
from text.naive.segments import Compound, Scanner, Word

ZERO_WIDTH_SPACE = "\u200b"  # separates words, though Python does not count it as white space
TERM_LIMIT = 64  # code points

# A token before it is placed: term, start, end, kind, stop, word.
_Entry = tuple[str, int, int, int, bool, int]


def counted(tokens: list[Token]) -> tuple[dict[str, int], int]:
    """Term frequencies of a text and its length, in words that are not stop words."""
    length = sum(token.kind in COUNTED_KINDS and not token.stop for token in tokens)
    return dict(Counter(token.term for token in tokens)), length


class NaiveAnalyser:
    """`analyse` as `coldseek_core.text.Analyser` has it, for a language tag that it takes."""

    def __init__(self, language: str = "en") -> None:
        self._stop_words = stop_words_of(language)
        self._stem_words = stemmer_of(language)
        self._apostrophe_breaks = apostrophe_breaks_words(language)

    def analyse(self, text: str) -> list[Token]:
        """All tokens of `text`, in the order of the source, with offsets in code points."""
        tokens: list[Token] = []
        place = 0
        words = 0
        text = text.replace(ZERO_WIDTH_SPACE, " ")
        for piece in text.split():
            place = text.index(piece, place)
            entries = self._analyse_piece(piece)
            for term, start, end, kind, stop, word in entries:
                tokens.append(Token(term, place + start, place + end, kind, stop, words + word))
            if entries:
                words += entries[-1][5] + 1
            place += len(piece)
        return tokens

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
        if digits or self._stem_words is None:
            return strip_marks(text)
        return strip_marks(self._stem_words([text])[0])


def _joined(segment: "list[Word]") -> str:
    return "".join(source.text for source in segment)
