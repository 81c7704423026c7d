"""Normalised characters of a piece -> runs of grams and compounds of words."""

from collections.abc import Iterator
from typing import NamedTuple

from baseline.normaliser import Char
from baseline.unicode_facts import GRAM_SCRIPTS, NEUTRAL_SCRIPT, script

STRONG_JOINERS = frozenset({".", ":", "/", "#", "@", "&", "::"})
PREFIXES = frozenset(".@#$")


class GramRun(NamedTuple):
    """Letters of one script that is written without spaces; each unit is a letter with its marks."""

    units: list[list[Char]]


class Compound(NamedTuple):
    """Words and the joiners between them (one fewer than words), with the symbols around them.

    A run of underscores is the joiner `_`; underscores around a strong joiner are left out of it.
    """

    words: list[list[Char]]
    joiners: list[str]
    prefix: list[Char]
    suffix: list[Char]


class PieceScanner:
    """Cuts one piece. `breaks_at_apostrophe` is true for French, Italian and Catalan."""

    def __init__(self, chars: list[Char], breaks_at_apostrophe: bool) -> None:
        self.chars = chars
        self.breaks_at_apostrophe = breaks_at_apostrophe
        # A mark that follows no letter or digit is a separator.
        self.kinds: list[str] = []
        for char in chars:
            attached = char.kind == "M" and self.kinds and self.kinds[-1] in "LDM"
            self.kinds.append("S" if char.kind == "M" and not attached else char.kind)

    def scan(self) -> Iterator[GramRun | Compound]:
        position = 0
        while position < len(self.chars):
            if self._is_gram(position):
                run, position = self._gram_run(position)
                yield run
            elif self._starts_word(position):
                compound, position = self._compound(position)
                yield compound
            else:
                position += 1

    def _kind(self, position: int) -> str:
        return self.kinds[position] if 0 <= position < len(self.kinds) else ""

    def _text(self, position: int) -> str:
        return self.chars[position].text if 0 <= position < len(self.chars) else ""

    def _is_gram(self, position: int) -> bool:
        return self._kind(position) == "L" and script(self._text(position)) in GRAM_SCRIPTS

    def _starts_word(self, position: int) -> bool:
        kind = self._kind(position)
        return kind == "D" or (kind == "L" and not self._is_gram(position))

    def _gram_run(self, position: int) -> tuple[GramRun, int]:
        run_script = script(self._text(position))
        units: list[list[Char]] = []
        while position < len(self.chars):
            kind = self.kinds[position]
            if kind == "L" and script(self._text(position)) == run_script:
                units.append([self.chars[position]])
            elif kind == "M":
                units[-1].append(self.chars[position])
            else:
                break
            position += 1
        return GramRun(units), position

    def _word(self, position: int) -> tuple[list[Char], int]:
        word_script = None
        word: list[Char] = []
        while position < len(self.chars):
            kind = self.kinds[position]
            if kind == "A":
                if self.breaks_at_apostrophe or not self._continues(position + 1, word_script):
                    break
            elif kind in ("D", "L"):
                if not self._continues(position, word_script):
                    break
                if kind == "L" and script(self._text(position)) != NEUTRAL_SCRIPT:
                    word_script = script(self._text(position))
                word.append(self.chars[position])
            elif kind == "M":
                word.append(self.chars[position])
            else:
                break
            position += 1
        return word, position

    def _continues(self, position: int, word_script: str | None) -> bool:
        """A digit or neutral letter, or a letter of the word's script (of any, while the word has none)."""
        if not self._starts_word(position):
            return False
        if self._kind(position) == "D" or word_script is None:
            return True
        return script(self._text(position)) in (word_script, NEUTRAL_SCRIPT)

    def _compound(self, position: int) -> tuple[Compound, int]:
        prefix = self._prefix(position)
        words: list[list[Char]] = []
        joiners: list[str] = []
        while True:
            word, position = self._word(position)
            words.append(word)
            joiner, length = self._joiner(position)
            if self._is_sharp_letter(words, position) or not joiner:
                suffix = self._suffix(words, position)
                return Compound(words, joiners, prefix, suffix), position + len(suffix)
            joiners.append(joiner)
            position += length

    def _prefix(self, position: int) -> list[Char]:
        symbol_at = position - 1
        while self._text(symbol_at) == "_":
            symbol_at -= 1
        symbol = self._text(symbol_at)
        if symbol not in PREFIXES:
            return []
        before = symbol_at - 1
        if before >= 0 and (self.chars[before].kind in "LDM" or self._text(before) == symbol):
            return []
        if symbol == "." and self._kind(position) != "L":
            return []
        return [self.chars[symbol_at]]

    def _is_sharp_letter(self, words: list[list[Char]], position: int) -> bool:
        """`C#`: one letter that is the whole compound so far takes the `#` whatever follows."""
        return self._text(position) == "#" and len(words) == 1 and is_one_letter(words[0])

    def _suffix(self, words: list[list[Char]], position: int) -> list[Char]:
        if self._text(position) == "+" and self._text(position + 1) == "+":
            return self.chars[position : position + 2]
        is_last = self._kind(position + 1) not in ("L", "D")
        if self._text(position) == "#" and (is_last or self._is_sharp_letter(words, position)):
            return self.chars[position : position + 1]
        return []

    def _after_underscores(self, position: int) -> int:
        while self._text(position) == "_":
            position += 1
        return position

    def _joiner(self, position: int) -> tuple[str, int]:
        """The joiner at `position` and its length; ("", 0) if what stands there does not join two words."""
        end = self._after_underscores(position)
        joiner = "_" if end > position else ""
        pair = self._text(end) + self._text(end + 1)
        strong = next((symbols for symbols in (pair, self._text(end)) if symbols in STRONG_JOINERS), "")
        if strong:
            joiner = strong
            end = self._after_underscores(end + len(strong))
        elif not joiner and self._text(end) == "-":
            joiner = "-"
            end += 1
        return (joiner, end - position) if joiner and self._starts_word(end) else ("", 0)


def is_one_letter(word: list[Char]) -> bool:
    """A single letter, whatever marks it carries."""
    return [char.kind for char in word if char.kind != "M"] == ["L"]
