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


def matches_in(texts: "Sequence[str]", terms: "frozenset[str]", analyser: Analyser) -> "list[list[Match]]":
    """The places of each text whose terms, by the index's analyser, are among `terms`: in the order of the text, apart
    from each other. What overlaps is one match, and so is a run of characters of a script without spaces.
    """

    def spans(workspace: "Workspace", count: int) -> "list[tuple[int, int, bool]]":
        return _spans(workspace, count, terms)

    # All texts as one, as in a build: a newline keeps them apart.
    ranges = _joined(analyser.with_tokens("\n".join(texts), spans)) if terms else []
    found: list[list[Match]] = []
    first = order = 0
    for text in texts:
        stop = first + len(text)
        matches: list[Match] = []
        while order < len(ranges) and ranges[order][0] < stop:
            start, end = ranges[order][0] - first, ranges[order][1] - first
            matches.append(Match(start, end, text[start:end]))
            order += 1
        found.append(matches)
        first = stop + 1
    return found


def _spans(workspace: "Workspace", count: int, terms: "frozenset[str]") -> "list[tuple[int, int, bool]]":
    """Start, end of each token whose term is wanted, and whether it is a character or a pair of such, sorted."""
    numbers, names = workspace.vocabulary.numbers.view, workspace.vocabulary.names
    view = workspace.entries.view[:count]
    low = view.tobytes()[0 if byteorder == "little" else 3 :: 4]
    orders: list[int] = []
    for entry in set(view.tolist()):
        number = numbers[entry]
        if number >= 0 and names[number] in terms:
            orders += _places(view, low, entry)
    starts, ends, kinds = workspace.starts.view, workspace.ends.view, workspace.kinds.view
    return sorted([(starts[order], ends[order], kinds[order] & ~STOP_TOKEN >= GRAM) for order in orders])


def _places(view: "memoryview[int]", low: bytes, entry: int) -> list[int]:
    """Where an entry is in `view`. `low`: the lowest byte of each; few entries share it, so few are looked at."""
    byte = entry & 0xFF
    places: list[int] = []
    place = low.find(byte)
    while place >= 0:
        if view[place] == entry:
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
