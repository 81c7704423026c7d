"""A twin of coldseek's analyser: naive, and written from the rules alone.

Needs PyStemmer. Exact for Unicode 14.0, which Python 3.11 carries; see `baseline.unicode_facts`.
"""

import unicodedata
from collections.abc import Callable
from itertools import pairwise

import Stemmer

from baseline.normaliser import Char, normalise, pieces
from baseline.tokens import Token
from baseline.unicode_facts import strip_marks
from baseline.word_scanner import STRONG_JOINERS, Compound, GramRun, PieceScanner, is_one_letter

LONGEST_TERM = 64
LOOSE_JOINERS = frozenset("-/:&")
APOSTROPHE_BREAKS = frozenset({"fr", "it", "ca"})
# Written forms of Norwegian, which Snowball knows as one language.
STEMMER_OF_TAG = {"nb": "norwegian", "nn": "norwegian"}


def text_of(chars: list[Char]) -> str:
    return "".join(char.text for char in chars)


def has_digit(chars: list[Char]) -> bool:
    return any(char.kind == "D" for char in chars)


def is_plural_acronym(word: list[Char]) -> bool:
    """Two or more upper-case letters and a final s: URLs, IDs."""
    bases = [char for char in word if char.kind in "LD"]
    letters, last = bases[:-1], bases[-1]
    return len(letters) >= 2 and all(char.is_upper for char in letters) and last.is_lower and last.text == "s"


def without_plural(word: list[Char]) -> list[Char]:
    """A plural acronym without its final s (and the marks on that)."""
    last = max(position for position, char in enumerate(word) if char.kind == "L")
    return word[:last]


def parts_of(word: list[Char]) -> list[list[Char]]:
    """The word cut at its humps.

    Not cut off: a plural's s after capitals (`URLsFrom`), one lower-case letter between capitals and a digit
    (`IPv6Address`), a single leading capital (`OAuth2Client`).
    """
    bases = [position for position, char in enumerate(word) if char.kind in "LD"]
    shape = "".join(
        "9"
        if word[position].kind == "D"
        else "U"
        if word[position].is_upper
        else "l"
        if word[position].is_lower
        else "c"
        for position in bases
    )
    cuts = [0]
    for order in range(1, len(bases)):
        if shape[order] != "U":
            continue
        before, rest = shape[order - 1], shape[order + 1 :]
        tail = len(rest) - len(rest.lstrip("l"))
        plural = tail == 1 and word[bases[order + 1]].text == "s"
        before_digit = tail == 1 and rest[1:2] == "9"
        if (
            before == "l"
            or (before == "9" and tail > 0)
            or (before == "U" and tail > 0 and order > 1 and not plural and not before_digit)
        ):
            cuts.append(bases[order])
    return [word[start:end] for start, end in zip(cuts, [*cuts[1:], len(word)], strict=True)]


class TwinAnalyser:
    """Analyses text of one language; `stop_words` are folded words, marks kept.

    The language "none" has no stems and no stop words; a language that Snowball does not know has no stems.
    """

    def __init__(self, language: str = "en", stop_words: frozenset[str] = frozenset()) -> None:
        primary = language.lower().replace("_", "-").split("-")[0]
        self.stop_words: frozenset[str] = frozenset() if primary == "none" else stop_words
        self.breaks_at_apostrophe = primary in APOSTROPHE_BREAKS
        self._stem_word: Callable[[str], str] | None
        try:
            self._stem_word = Stemmer.Stemmer(STEMMER_OF_TAG.get(primary, primary)).stemWord
        except KeyError:
            self._stem_word = None

    def analyse(self, text: str) -> list[Token]:
        """The tokens of `text` in order: tuples (term, start, end, kind, stop, word)."""
        tokens: list[Token] = []
        word = 0
        for offset, piece in pieces(text):
            for found in PieceScanner(normalise(piece, offset), self.breaks_at_apostrophe).scan():
                emitter = Emitter(self, word)
                if isinstance(found, GramRun):
                    emitter.gram_run(found)
                else:
                    emitter.compound(found)
                tokens += emitter.tokens
                word += 1
        return tokens

    def stem(self, word: str) -> str:
        """The Snowball stem, marks kept."""
        word = unicodedata.normalize("NFC", word)
        return word if self._stem_word is None else self._stem_word(word)


class Emitter:
    """Makes the tokens of one compound or run of grams."""

    def __init__(self, analyser: TwinAnalyser, word: int) -> None:
        self.analyser = analyser
        self.word = word
        self.tokens: list[Token] = []

    def _emit(self, term: str, chars: list[Char], kind: str, stop: bool) -> None:
        term = strip_marks(term)[:LONGEST_TERM]
        if term:
            self.tokens.append(Token(term, chars[0].start, chars[-1].end, kind, stop, self.word))

    def _is_stop(self, folded: str) -> bool:
        return folded in self.analyser.stop_words

    def gram_run(self, run: GramRun) -> None:
        """A unit is a stop word by itself, or by a pair that covers it."""
        pairs = [before + after for before, after in pairwise(run.units)]
        pair_stops = [self._is_stop(text_of(pair)) for pair in pairs]
        for order, unit in enumerate(run.units):
            if order:
                self._emit(text_of(pairs[order - 1]), pairs[order - 1], "BIGRAM", pair_stops[order - 1])
            covering = pair_stops[max(0, order - 1) : order + 1]
            self._emit(text_of(unit), unit, "GRAM", self._is_stop(text_of(unit)) or any(covering))

    def compound(self, compound: Compound) -> None:
        words, joiners, prefix, suffix = compound
        parts = [parts_of(word) for word in words]
        one_part = len(words) == 1 and len(parts[0]) == 1
        if one_part and not prefix and not suffix and not is_plural_acronym(words[0]):
            self._plain(words[0], words[0], "WORD", stop=False)
        elif len(words) == 1 and not prefix and suffix and is_one_letter(words[0]):
            chars = words[0] + suffix
            self._emit(text_of(chars), chars, "WORD", self._is_stop(text_of(chars)))
        else:
            self._named(words, parts, joiners, prefix, suffix)

    def _plain(self, chars: list[Char], span: list[Char], kind: str, stop: bool) -> None:
        """`chars` are stemmed, `span` is where they come from; `stop`: whether it is one in any case."""
        folded = text_of(chars)
        term = folded if has_digit(chars) else self.analyser.stem(folded)
        self._emit(term, span, kind, stop or self._is_stop(folded))

    def _alias(self, name: str, chars: list[Char], stop: bool) -> None:
        stem = self.analyser.stem(name)
        if strip_marks(stem) != strip_marks(name):
            self._emit(stem, chars, "ALIAS", stop)

    def _named(
        self,
        words: list[list[Char]],
        parts: list[list[list[Char]]],
        joiners: list[str],
        prefix: list[Char],
        suffix: list[Char],
    ) -> None:
        everything = [char for word in words for char in word]
        segments: list[list[int]] = [[0]]
        without_prefix = text_of(words[0])
        for order, joiner in enumerate(joiners, start=1):
            if joiner in STRONG_JOINERS:
                segments.append([order])
                without_prefix += joiner
            else:
                segments[-1].append(order)
            without_prefix += text_of(words[order])
        without_prefix += text_of(suffix)
        whole = text_of(prefix) + without_prefix

        humps = any(len(of_word) > 1 for of_word in parts) or any(map(is_plural_acronym, words))
        loose = (
            bool(joiners)
            and all(joiner in LOOSE_JOINERS for joiner in joiners)
            and not humps
            and not has_digit(everything)
            and not prefix
            and not suffix
        )
        name_kind = "LOOSE_NAME" if loose else "NAME"
        # A compound that is a stop word as a whole has nothing else in it.
        stop = self._is_stop(whole) or (loose and all(self._is_stop(text_of(word)) for word in words))

        self._emit(whole, prefix + everything + suffix, name_kind, stop)
        if prefix and sum(map(len, parts)) > 1:
            stop_without = stop or self._is_stop(without_prefix)
            self._emit(without_prefix, everything + suffix, name_kind, stop_without)
        acronym = len(words) == 1 and is_plural_acronym(words[0])
        if len(segments) == 1 and not prefix and not suffix and not has_digit(everything) and not acronym:
            self._alias(whole, everything, stop)
        for place, segment in enumerate(segments, start=1):
            of_segment = [words[order] for order in segment]
            end = suffix if place == len(segments) else []
            self._segment(of_segment, name_kind, stop, alone=len(segments) == 1, suffix=end)

    def _segment(self, words: list[list[Char]], name_kind: str, stop: bool, alone: bool, suffix: list[Char]) -> None:
        """`stop`: the whole compound is a stop word. `alone`: it has no other segment. `suffix`: what ends it."""
        chars = [char for word in words for char in word]
        parts = [part for word in words for part in parts_of(word)]
        acronym = len(words) == 1 and is_plural_acronym(words[0])
        if not alone and (len(parts) > 1 or acronym):
            name = text_of(chars)
            stop_name = stop or self._is_stop(name)
            self._emit(name, chars, name_kind, stop_name)
            # The stem of a plural acronym is its only part already.
            if not has_digit(chars) and not acronym:
                self._alias(name, chars, stop_name)
        for order, word in enumerate(words, start=1):
            bases = [char for char in word if char.kind in "LD"]
            if suffix and order == len(words) and len(bases) == 1 and bases[0].kind == "L":
                # The C++ of Objective-C++ is no C.
                self._emit(text_of([*word, *suffix]), [*word, *suffix], "PART", stop)
                continue
            for part in parts_of(word):
                plain = without_plural(part) if is_plural_acronym(part) else part
                self._plain(plain, part, "PART", stop)
