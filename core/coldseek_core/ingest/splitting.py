"""Cuts inside a block that is too long for one piece: prose at sentences, code at lines, tables between
rows."""

import re

from coldseek_core.ingest.measure import Measure, is_torn, whole_character_cut
from coldseek_core.ingest.sections import Block, prefixed

_SENTENCE = re.compile(r"[.!?…][\"'”’)\]]*\s+|[。！？｡][」』”’）\"']*\s*|\n+")
_SPACE = re.compile(r"\s+")
_CLAUSE = re.compile(r"[，、；：,;:]")


def prose_cut(text: str, start: int, end: int) -> int:
    """Where to cut `text[start:end]`, which goes on behind `end`: in (start, end], after a sentence if one
    ends in the second half, else after a word, a clause mark or a visible character."""
    half = start + (end - start) // 2
    for pattern in (_SENTENCE, _SPACE, _CLAUSE):
        cut = 0
        for found in pattern.finditer(text, start, end):
            cut = found.end()
        if pattern is _SPACE and end < len(text) and text[end].isspace():
            cut = end
        if cut > half:
            return cut
    return whole_character_cut(text, start, end)


def overlap_start(text: str, measure: Measure, most: int) -> int:
    """Where the text begins that the next piece repeats: at most `most` long, never all of `text`; at the
    start of a sentence, else of a word, else of a visible character."""
    if most <= 0:
        return len(text)
    low = _tail_start(text, measure, most)
    if low == 0:
        low = 1
    for pattern in (_SENTENCE, _SPACE):
        for found in pattern.finditer(text, max(0, low - 4)):
            if low <= found.end() < len(text):
                return found.end()
    cut = low
    while cut < len(text) and cut - low < 64 and is_torn(text, 0, cut):
        cut += 1
    return cut if low > 1 else len(text)


def _tail_start(text: str, measure: Measure, most: int) -> int:
    """The smallest offset whose tail is at most `most` long; 0 if all of `text` is."""
    low, high = max(0, len(text) - most * 16), len(text)
    while low < high:
        middle = (low + high) // 2
        if measure.count(text[middle:]) <= most:
            high = middle
        else:
            low = middle + 1
    return low


def split_code(block: Block, measure: Measure, size: int, first: int) -> list[str]:
    """A code block as several, each fenced with the info string; at most `size` long, the first at most
    `first`."""
    lead, indent, info = block.lead, block.indent, block.info
    for shorter in (info.split(" ")[0], ""):
        if _fence_length(block, measure, lead, indent, info) * 2 > size:
            info = shorter
    if _fence_length(block, measure, lead, indent, info) * 2 > size:
        lead = indent = ""
    room = size - _fence_length(block, measure, lead, indent, info)
    left = min(first - (size - room), room)
    parts: list[list[str]] = [[]]
    for line in _short_lines(block.text, measure, max(1, room - measure.count(indent + "\n"))):
        length = measure.count(f"{indent}{line}\n")
        if length > left and any(parts[-1]):
            parts.append([])
            left = room
        parts[-1].append(line)
        left -= length
    bodies = ("\n".join(part).strip("\n") for part in parts)
    codes = [f"{block.fence}{info}\n{body}\n{block.fence}" for body in bodies if body.strip()]
    return [prefixed(code, lead if number == 0 else indent, indent) for number, code in enumerate(codes)]


def _fence_length(block: Block, measure: Measure, lead: str, indent: str, info: str) -> int:
    return measure.count(prefixed(f"{block.fence}{info}\n{block.fence}", max(lead, indent, key=len), indent)) + 1


def _short_lines(text: str, measure: Measure, most: int) -> list[str]:
    """The lines of `text`, those longer than `most` cut."""
    lines: list[str] = []
    for line in text.split("\n"):
        start = 0
        while measure.count(line[start : start + most * 16 + 1]) > most:
            cut = whole_character_cut(line, start, max(start + 1, measure.end(line, start, most)))
            lines.append(line[start:cut])
            start = cut
        lines.append(line[start:])
    return lines


def split_table(block: Block, measure: Measure, size: int, first: int) -> list[str]:
    """A table as several, each with the header; at most `size` long, the first at most `first`. A row is
    never cut: a header and one row that are longer than that stay together."""
    lines = block.text.split("\n")
    header, rows = "\n".join(lines[:2]), lines[2:]
    if not rows:
        return [block.rendered()]
    base = measure.count(prefixed(header, block.lead, block.indent))
    parts: list[list[str]] = [[]]
    left = first - base
    for row in rows:
        length = measure.count(f"\n{block.indent}{row}")
        if length > left and parts[-1]:
            parts.append([])
            left = size - base
        parts[-1].append(row)
        left -= length
    return [
        prefixed("\n".join([header, *part]), block.lead if number == 0 else block.indent, block.indent)
        for number, part in enumerate(parts)
    ]
