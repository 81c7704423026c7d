"""The part of a text that a few lines of a terminal have room for, and that shows most of the matches."""

import unicodedata
from collections.abc import Iterable

from coldseek_core.search.highlighting import Match

from .terminal import safe

Line = list[tuple[str, bool]]  # pieces of a line, and whether each is part of a match

_BEFORE = 24  # characters in front of a match that are shown if there are
_CUT = "…"


def excerpt_lines(text: str, matches: "Iterable[Match]", width: int, most: int) -> list[Line]:
    """Up to `most` lines of at most `width` columns, white space collapsed, control characters replaced."""
    cells = _cells(text, matches)
    room = width * most
    begin = 0 if _columns(cells) <= room else _best_start(cells, room)
    lines: list[Line] = []
    place = begin
    while place < len(cells) and len(lines) < most:
        start = place
        columns = 1 if start == begin > 0 else 0
        is_last = len(lines) == most - 1
        while place < len(cells) and columns + _column_count(cells[place][0]) <= width:
            columns += _column_count(cells[place][0])
            place += 1
        if place < len(cells):
            # At a space, if there is one; the last line leaves room for the sign that it is cut.
            stop = place - 1 if is_last and columns == width else place
            while stop > start and cells[stop][0] != " ":
                stop -= 1
            place = stop if stop > start else max(start + 1, place - is_last)
        pieces = cells[start:place]
        if start == begin > 0:
            pieces = [(_CUT, False), *pieces]
        if is_last and place < len(cells):
            pieces = [*pieces, (_CUT, False)]
        lines.append(_runs(pieces))
        while place < len(cells) and cells[place][0] == " ":
            place += 1
    return lines


def _cells(text: str, matches: "Iterable[Match]") -> "list[tuple[str, bool]]":
    """Characters to print, each with whether it is part of a match."""
    marks = bytearray(len(text))
    for match in matches:
        marks[match.start : match.end] = b"\x01" * (match.end - match.start)
    cells: list[tuple[str, bool]] = []
    for char, mark in zip(text, marks, strict=True):
        if not char.isspace():
            cells.append((safe(char), bool(mark)))
        elif cells and cells[-1][0] != " ":
            cells.append((" ", bool(mark)))
    if cells and cells[-1][0] == " ":
        cells.pop()
    return cells


def _column_count(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _columns(cells: "list[tuple[str, bool]]") -> int:
    return sum(_column_count(char) for char, _ in cells)


def _best_start(cells: "list[tuple[str, bool]]", room: int) -> int:
    """Where to begin so that most characters of matches are seen: the first such place, after a space."""
    total = [0]
    for _, is_match in cells:
        total.append(total[-1] + is_match)
    best, most = 0, total[min(room, len(cells))]
    for place in range(1, len(cells)):
        if not cells[place][1] or cells[place - 1][1]:
            continue
        start = max(0, place - _BEFORE)
        seen = total[min(start + room, len(cells))] - total[start]
        if seen > most:
            best, most = start, seen
    while 0 < best < len(cells) and cells[best - 1][0] != " " and not cells[best][1]:
        best += 1
    return best


def _runs(cells: "list[tuple[str, bool]]") -> Line:
    runs: Line = []
    for char, is_match in cells:
        if runs and runs[-1][1] == is_match:
            runs[-1] = (runs[-1][0] + char, is_match)
        else:
            runs.append((char, is_match))
    return runs
