"""Filters again, in pure Python: every condition is tried on every chunk."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, time
from typing import Any, NamedTuple

from baseline.tokens import LENGTH_KINDS, Token

_DATE = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):(\d\d))?)?", re.ASCII
)


class FilteredChunk(NamedTuple):
    """What filters see of a chunk: its document's id, path and metadata, and the tokens of its fields."""

    document_id: str
    path: str
    metadata: Mapping[str, Any]
    fields: Sequence[list[Token]]


def kept_rows(
    chunks: Sequence[FilteredChunk], conditions: Mapping[str, Any], analyse: Callable[[str], list[Token]]
) -> frozenset[int]:
    """The chunks that meet all conditions. `analyse`: what made the tokens."""
    return frozenset(
        row
        for row, chunk in enumerate(chunks)
        if all(_meets(chunk, name, value, analyse) for name, value in conditions.items())
    )


def _meets(chunk: FilteredChunk, name: str, value: Any, analyse: Callable[[str], list[Token]]) -> bool:
    if name == "document_ids":
        return chunk.document_id in value
    if name == "filename":
        names = [value] if isinstance(value, str) else value
        return chunk.path in names or chunk.path.split("/")[-1] in names
    if name == "metadata":
        return all(_meets_key(chunk.metadata.get(key), wanted) for key, wanted in value.items())
    wanted = _wanted(analyse(value))
    if name == "contains":
        held = {token.term for tokens in chunk.fields for token in tokens}
        return all(term in held for _, term in wanted)
    if name == "phrase":
        return any(_has_phrase(tokens, wanted) for tokens in chunk.fields)
    raise ValueError(f"there is no condition {name!r}")


def _meets_key(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        return all(_meets_operator(value, operator, operand) for operator, operand in wanted.items())
    return _meets_operator(value, "in" if isinstance(wanted, list | tuple) else "eq", wanted)


def _meets_operator(value: Any, operator: str, operand: Any) -> bool:
    if operator == "exists":
        return (value is not None) == operand
    if value is None:
        return False
    if operator in ("ne", "nin"):
        return not _meets_operator(value, {"ne": "eq", "nin": "in"}[operator], operand)
    values = value if isinstance(value, list) else [value]
    if operator == "eq":
        return any(_same(one, operand) for one in values)
    if operator == "in":
        return any(_same(one, other) for one in values for other in operand)
    return any(_compared(one, operator, operand) for one in values)


def _kind(value: Any) -> str:
    return "boolean" if isinstance(value, bool) else "text" if isinstance(value, str) else "number"


def _same(one: Any, other: Any) -> bool:
    return _kind(one) == _kind(other) and one == other


def _compared(value: Any, operator: str, operand: Any) -> bool:
    if _kind(value) != _kind(operand) or _kind(value) == "boolean":
        return False
    if _kind(value) == "number":
        first = last = value
        begin = end = operand
    else:
        found, asked = time_span(value), time_span(operand)
        if found is None or asked is None:
            return False
        (first, last), (begin, end) = found, asked
    return {"gt": first > end, "gte": first >= begin, "lt": last < begin, "lte": last <= end}[operator]


def time_span(text: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """First and last moment of an ISO date or date with a time: seconds from year 1, and nanoseconds within one."""
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction, sign, hours, minutes = found.groups()
    try:
        begin = date(int(year), int(month), int(day)).toordinal() * 86_400
        clock = time(int(hour or 0), int(minute or 0), int(second or 0))
        offset = time(int(hours or 0), int(minutes or 0))
    except ValueError:
        return None
    if hour is None:
        return (begin, 0), (begin + 86_399, 999_999_999)
    shift = (offset.hour * 60 + offset.minute) * (-60 if sign == "+" else 60)
    moment = begin + clock.hour * 3600 + clock.minute * 60 + clock.second + shift, int((fraction or "").ljust(9, "0"))
    return moment, moment


def _wanted(tokens: list[Token]) -> list[tuple[int, str]]:
    """What a text asks for: each term with the number of the word that it is read at."""
    wanted: list[tuple[int, str]] = []
    number = 0
    for order, token in enumerate(tokens):
        after = tokens[order + 1] if order + 1 < len(tokens) else None
        has_alias = after is not None and after.kind == "ALIAS"
        named = order > 0 and token.kind == "ALIAS" and tokens[order - 1].kind == "NAME"
        if named or (token.kind == "NAME" and not has_alias) or token.kind not in ("NAME", "LOOSE_NAME", "ALIAS"):
            wanted.append((number, token.term))
        number += token.kind in LENGTH_KINDS
    return wanted


def _has_phrase(tokens: list[Token], wanted: list[tuple[int, str]]) -> bool:
    held: list[set[str]] = [set()]
    for token in tokens:
        held[-1].add(token.term)
        if token.kind in LENGTH_KINDS:
            held.append(set())
    return any(
        all(begin + place < len(held) and term in held[begin + place] for place, term in wanted)
        for begin in range(len(held))
    )
