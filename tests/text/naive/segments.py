"""Cut a normalised piece of text into runs of characters and compounds of words: `GitHub`, `max_retry`, `C++`."""

from text.naive.characters import CLASS_BITS, CLASS_MASK, DIGIT, GRAM_SCRIPTS, LOWER, MARK, OTHER, UPPER
from text.naive.normalise import Folded

STRONG_JOINERS = ".:/#@&"
PREFIXES = ".@#$"
LOOSE_JOINERS = frozenset(("-", "/", ":", "&"))


class Word:
    """A run of letters of one script and digits: its folded text and spans, and where its parts begin."""

    __slots__ = ("acronym", "digits", "end", "one_letter", "parts", "start", "text")

    def __init__(self, folded: Folded, indexes: list[int]) -> None:
        chars = [folded.chars[index] for index in indexes]
        kinds = [folded.classes[index] & CLASS_MASK for index in indexes]
        self.text = "".join(chars)
        self.start = folded.starts[indexes[0]]
        self.end = folded.ends[indexes[-1]]
        self.digits = DIGIT in kinds
        self.one_letter = not self.digits and sum(1 for kind in kinds if kind != MARK) == 1
        # Text, start, end, "holds a digit", and the text to stem of each part.
        self.parts: list[tuple[str, int, int, bool, str]] = []
        cuts = _humps(chars, kinds) if UPPER in kinds else []
        for low, high in zip([0, *cuts], [*cuts, len(chars)], strict=True):
            text = "".join(chars[low:high])
            start, end = folded.starts[indexes[low]], folded.ends[indexes[high - 1]]
            plain = _without_plural(chars[low:high], kinds[low:high])
            self.parts.append((text, start, end, DIGIT in kinds[low:high], plain))
        # A plural acronym is all of one part: `URLs`.
        self.acronym = len(self.parts) == 1 and self.parts[0][4] != self.text


def _humps(chars: list[str], kinds: list[int]) -> list[int]:
    """Places where a part begins: `create|Ask`, `HTML|Document`, `v2|Beta`.

    An acronym keeps a plural's s (`URLs|From`) and a letter before a digit (`IPv6|Address`), and a single leading
    capital stays with what follows (`OAuth2|Client`): cut off, they would be found by nothing that people type.
    """
    bare = [place for place, kind in enumerate(kinds) if kind != MARK]
    bare_kinds = [kinds[place] for place in bare] + [OTHER, OTHER]
    cuts: list[int] = []
    for order in range(1, len(bare)):
        if bare_kinds[order] != UPPER:
            continue
        before, after, behind = bare_kinds[order - 1], bare_kinds[order + 1], bare_kinds[order + 2]
        if before == LOWER or (before == DIGIT and after == LOWER):
            cuts.append(bare[order])
        elif before == UPPER and after == LOWER and order > 1:
            one_lower = behind != LOWER
            plural = one_lower and chars[bare[order + 1]] == "s"
            if not plural and not (one_lower and behind == DIGIT):
                cuts.append(bare[order])
    return cuts


def _without_plural(chars: list[str], kinds: list[int]) -> str:
    """A part's text; of a plural acronym (two or more capitals and an s), the acronym."""
    bare = [place for place, kind in enumerate(kinds) if kind != MARK]
    last = bare[-1]
    plural = len(bare) > 2 and kinds[last] == LOWER and chars[last] == "s"
    if plural and all(kinds[place] == UPPER for place in bare[:-1]):
        return "".join(chars[:last])
    return "".join(chars)


class Compound:
    """Words held together by joiners: `words[i]` and `words[i + 1]` are joined by `joiners[i]`."""

    __slots__ = ("end", "joiners", "prefix", "start", "suffix", "words")

    def __init__(self) -> None:
        self.words: list[Word] = []
        self.joiners: list[str] = []
        self.prefix = ""
        self.suffix = ""
        self.start = 0
        self.end = 0

    @property
    def is_loose(self) -> bool:
        """Whether it is mere punctuation of plain words, whose parts say the same as the whole."""
        return (
            bool(self.joiners)
            and not self.prefix
            and not self.suffix
            and all(joiner in LOOSE_JOINERS for joiner in self.joiners)
            and not any(word.digits or word.acronym or len(word.parts) > 1 for word in self.words)
        )

    def segments(self) -> list[list[Word]]:
        """The words between strong joiners."""
        result = [[self.words[0]]]
        for joiner, word in zip(self.joiners, self.words[1:], strict=True):
            if joiner in ("_", "-"):
                result[-1].append(word)
            else:
                result.append([word])
        return result

    def whole(self) -> str:
        """The compound's canonical spelling: weak joiners dropped, strong ones kept."""
        text = self.words[0].text
        for joiner, word in zip(self.joiners, self.words[1:], strict=True):
            text += word.text if joiner in ("_", "-") else joiner + word.text
        return text


class Scanner:
    """Reads one piece from left to right; `next_item` returns a Compound, a run of units, or None at the end."""

    __slots__ = (
        "_apostrophe_breaks",
        "_chars",
        "_folded",
        "_kinds",
        "_length",
        "_place",
        "_scripts",
    )

    def __init__(self, folded: Folded, apostrophe_breaks: bool) -> None:
        self._folded = folded
        self._chars = folded.chars
        self._kinds = [value & CLASS_MASK for value in folded.classes]
        self._scripts = [value >> CLASS_BITS for value in folded.classes]
        self._length = len(folded.chars)
        self._place = 0
        self._apostrophe_breaks = apostrophe_breaks

    def next_item(self) -> "Compound | list[tuple[str, int, int]] | None":
        while self._place < self._length:
            place = self._place
            if self._is_gram(place):
                return self._gram_run()
            if self._starts_word(place):
                return self._compound()
            self._place += 1
        return None

    def _is_letter(self, place: int) -> bool:
        return 0 <= place < self._length and LOWER <= self._kinds[place] < DIGIT

    def _is_gram(self, place: int) -> bool:
        return self._scripts[place] in GRAM_SCRIPTS

    def _starts_word(self, place: int) -> bool:
        """Whether a letter of a script with spaces, or a digit, stands here."""
        if place >= self._length:
            return False
        kind = self._kinds[place]
        return kind == DIGIT or (LOWER <= kind < DIGIT and not self._is_gram(place))

    def _gram_run(self) -> list[tuple[str, int, int]]:
        units: list[tuple[str, int, int]] = []
        place = self._place
        script = self._scripts[place]
        while place < self._length and self._scripts[place] == script:
            first = place
            place += 1
            while place < self._length and self._kinds[place] == MARK:
                place += 1
            text = "".join(self._chars[first:place])
            units.append((text, self._folded.starts[first], self._folded.ends[place - 1]))
        self._place = place
        return units

    def _word(self, place: int) -> "tuple[list[int], int]":
        """Indexes of the word that begins at `place`, and the place after it."""
        indexes: list[int] = []
        script = 0
        while place < self._length:
            kind = self._kinds[place]
            if self._continues(place, script):
                script = self._scripts[place] or script
                indexes.append(place)
            elif kind == MARK and indexes:
                indexes.append(place)
            elif not (
                self._chars[place] == "'"
                and indexes
                and not self._apostrophe_breaks
                and place + 1 < self._length
                and self._continues(place + 1, script)
            ):
                break
            place += 1
        return indexes, place

    def _continues(self, place: int, script: int) -> bool:
        return self._starts_word(place) and (script == 0 or self._scripts[place] in (0, script))

    def _compound(self) -> Compound:
        compound = Compound()
        first = self._place
        self._prefix(compound, first)
        place = first
        while True:
            indexes, place = self._word(place)
            word = Word(self._folded, indexes)
            compound.words.append(word)
            compound.end = word.end
            suffix = self._suffix(place, word.one_letter and len(compound.words) == 1)
            if suffix:
                compound.suffix = suffix
                place += len(suffix)
                compound.end = self._folded.ends[place - 1]
                break
            joiner, after = self._joiner(place)
            if not joiner:
                break
            compound.joiners.append(joiner)
            place = after
        self._place = place
        if not compound.prefix:
            compound.start = compound.words[0].start
        return compound

    def _prefix(self, compound: Compound, first: int) -> None:
        place = first - 1
        while place >= 0 and self._chars[place] == "_":
            place -= 1
        if place < 0 or self._chars[place] not in PREFIXES:
            return
        symbol = self._chars[place]
        if place > 0 and (self._kinds[place - 1] != 0 or self._chars[place - 1] == symbol):
            return
        if symbol == "." and not self._is_letter(first):
            return
        compound.prefix = symbol
        compound.start = self._folded.starts[place]

    def _suffix(self, place: int, one_letter: bool) -> str:
        if self._chars[place : place + 2] == ["+", "+"]:
            return "++"
        if place < self._length and self._chars[place] == "#":
            after = self._skip_underscores(place + 1)
            joins = self._starts_word(after) or self._is_letter(place + 1)
            if one_letter or not joins:
                return "#"
        return ""

    def _joiner(self, place: int) -> "tuple[str, int]":
        """The joiner at `place` and where the next word begins, or an empty one where nothing is joined."""
        after = self._skip_underscores(place)
        if after >= self._length:
            return "", place
        symbol = self._chars[after]
        if symbol in STRONG_JOINERS:
            if symbol == ":" and self._chars[after + 1 : after + 2] == [":"]:
                symbol, after = "::", after + 1
            after = self._skip_underscores(after + 1)
        elif after > place:
            symbol = "_"
        elif symbol == "-":
            after += 1
        else:
            return "", place
        return (symbol, after) if self._starts_word(after) else ("", place)

    def _skip_underscores(self, place: int) -> int:
        while place < self._length and self._chars[place] == "_":
            place += 1
        return place
