"""Where a question's words are in a chunk's text."""

from sys import byteorder

from ..kernels.token_layout import GRAM, STOP_TOKEN
from ..text import Analyser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..text.workspace import Workspace


class Match:
    """A place of a chunk's text: `start` and `end` in code points, and the `token` that stands there."""

    __slots__ = ("end", "start", "token")

    def __init__(self, start: int, end: int, token: str) -> None:
        self.start = start
        self.end = end
        self.token = token

    def to_dict(self) -> "dict[str, Any]":
        return {"start": self.start, "end": self.end, "token": self.token}


def matches_in(
    question: str, texts: "Sequence[str]", terms: "frozenset[str]", analyser: Analyser
) -> "list[list[Match]]":
    """The places of each text whose terms, by the index's analyser, are among `terms`, which are terms of `question`:
    in the order of the text, apart from each other. What overlaps is one match, and so is a run of characters of a
    script without spaces.
    """

    def spans(workspace: "Workspace", count: int) -> "list[tuple[int, int, bool]]":
        return _spans(workspace, count, len(question), terms)

    # The question and all texts as one, as in a build: a newline keeps them apart.
    ranges = _joined(analyser.with_tokens("\n".join([question, *texts]), spans)) if terms and texts else []
    found: list[list[Match]] = []
    first = len(question) + 1
    following = iter([*ranges, (first + sum(map(len, texts)) + len(texts), 0)])
    start, end = next(following)
    for text in texts:
        stop = first + len(text)
        matches: list[Match] = []
        while start < stop:
            matches.append(Match(start - first, end - first, text[start - first : end - first]))
            start, end = next(following)
        found.append(matches)
        first = stop + 1
    return found


def _spans(workspace: "Workspace", count: int, begin: int, terms: "frozenset[str]") -> "list[tuple[int, int, bool]]":
    """Start, end of each token after `begin` whose term is wanted, and whether it is a character or a pair of such,
    sorted. The tokens up to `begin` have all terms that are wanted.
    """
    vocabulary = workspace.vocabulary
    numbers, names = vocabulary.numbers.view[: vocabulary.text_count], vocabulary.names
    entries = workspace.entries.view[:count]
    starts, ends, kinds = workspace.starts.view, workspace.ends.view, workspace.kinds.view
    first = 0
    wanted: set[int] = set()
    while first < count and starts[first] < begin:
        number = numbers[entries[first]]
        if number >= 0 and names[number] in terms:
            wanted.add(number)
        first += 1
    number_bytes, entry_bytes = _lowest_bytes(numbers, 8), _lowest_bytes(entries, 4)
    spans = [
        (starts[place], ends[place], kinds[place] & ~STOP_TOKEN >= GRAM)
        for number in wanted
        for entry in _places(numbers, number_bytes, number, 0)
        for place in _places(entries, entry_bytes, entry, first)
    ]
    spans.sort()
    return spans


def _lowest_bytes(view: "memoryview[int]", size: int) -> bytes:
    """The lowest byte of each number of `size` bytes."""
    return view.tobytes()[0 if byteorder == "little" else size - 1 :: size]


def _places(view: "memoryview[int]", low: bytes, value: int, first: int) -> list[int]:
    """Where `value` is in `view`, from `first` on. `low`: lowest bytes; few numbers share one, so few are looked at."""
    byte = value & 0xFF
    places: list[int] = []
    place = low.find(byte, first)
    while place >= 0:
        if view[place] == value:
            places.append(place)
        place = low.find(byte, place + 1)
    return places


def _joined(found: "list[tuple[int, int, bool]]") -> "list[tuple[int, int]]":
    """Ranges of what `_spans` found: those that overlap are one, and characters that touch."""
    ranges: list[tuple[int, int]] = []
    first = last = -1
    ends_in_character = False
    for start, end, is_character in found:
        if start < last or (start == last and is_character and ends_in_character):
            if end >= last:
                last, ends_in_character = end, is_character
            continue
        if last >= 0:
            ranges.append((first, last))
        first, last, ends_in_character = start, end, is_character
    if last >= 0:
        ranges.append((first, last))
    return ranges
