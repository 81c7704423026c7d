"""What a filter asks of one metadata key, as a test of a document's value. Nothing is coerced."""

from ..columns.mapping import shown
from ..errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Test = Callable[[object], bool]  # of a document's value, None where the document lacks the key
    Span = tuple[Any, Any]  # the least and the greatest of what is compared

OPERATORS = ("eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "exists")


def mapping_of(value: "Any", message: str) -> "dict[Any, Any]":
    """`value` as a dict. Filters come from outside, whatever the annotations say; any mapping will do."""
    try:
        return {key: value[key] for key in value.keys()}  # noqa: SIM118 - a list has no keys
    except (AttributeError, TypeError, KeyError) as error:
        raise UsageError(f"{message}, not {shown(value)}") from error


def metadata_test(key: str, condition: "Any") -> "Test":
    """Whether a document's value meets `condition`: a scalar it equals, a list of which it equals one, or a mapping
    of operators, all of which it must meet.

    - `eq` a scalar, `in` a list: as those without an operator. `ne`, `nin`: the document has the key, and its value
      does not meet `eq`, `in`.
    - `gt`, `gte`, `lt`, `lte`: a number, which numbers are compared with, or an ISO date (see `iso_dates`), which
      texts that are ISO dates are compared with. A date is its whole day: what is on that day is neither before nor
      behind it. `gte` asks that the value does not begin before the operand, `lte` that it does not end behind it.
    - `exists`: True or False, whether the document has the key.

    Of a value that is a list, one item must meet what is asked (`ne`, `nin`: none may equal what is given). A document
    that lacks the key meets `exists: False` alone: `ne` and `nin` are no way around a missing value. Types are compared
    as they are: 2 is not "2", True is not 1, and 2 equals 2.0. Raises UsageError for another operator or operand.
    """
    what = f"filter metadata {key!r}"
    if isinstance(condition, list | tuple):
        return _equals_one(_scalars(what, condition))
    if not hasattr(condition, "keys"):
        return _equals_one([_scalar(what, condition)])
    operators = mapping_of(condition, f"{what} must be a value, a list of values or a mapping of operators")
    known = ", ".join(OPERATORS)
    if not operators:
        # It would keep every document, which whoever left an operator out did not mean.
        raise UsageError(f"{what} must be a text, number, boolean, a list of these, or have an operator of: {known}")
    tests: list[Test] = []
    for operator, operand in operators.items():
        if operator not in OPERATORS:
            raise UsageError(f"{what} has no operator {shown(operator)}; there are: {known}")
        tests.append(_operator_test(f"{what} {operator!r}", operator, operand))
    return tests[0] if len(tests) == 1 else lambda value: all(test(value) for test in tests)


def _operator_test(what: str, operator: str, operand: "Any") -> "Test":
    if operator == "exists":
        if not isinstance(operand, bool):
            raise UsageError(f"{what} must be True or False, not {shown(operand)}")
        return lambda value: (value is not None) is operand
    if operator in ("eq", "ne"):
        test = _equals_one([_scalar(what, operand)])
    elif operator in ("in", "nin"):
        if not isinstance(operand, list | tuple):
            raise UsageError(f"{what} must be a list of values, not {shown(operand)}")
        test = _equals_one(_scalars(what, operand))
    else:
        return _compares(what, operator, operand)
    return test if operator in ("eq", "in") else lambda value: value is not None and not test(value)


def _scalars(what: str, values: "Any") -> "list[object]":
    return [_scalar(what, value) for value in values]


def _scalar(what: str, value: "Any") -> object:
    if not isinstance(value, str | int | float | bool):
        raise UsageError(f"{what}: a value must be a text, number or boolean, not {shown(value)}")
    return value


def _items(value: "Any") -> "list[object]":
    """The items of a document's list, a scalar alone, and nothing of a value that is missing."""
    if isinstance(value, list):
        return value  # pyright: ignore[reportUnknownVariableType]
    return [] if value is None else [value]


def _equals_one(options: "list[object]") -> "Test":
    return lambda value: any(_equal(item, option) for item in _items(value) for option in options)


def _equal(one: object, other: object) -> bool:
    """Equality without coercion: 2 is not "2", and True is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one == other
    return one == other


def _compares(what: str, operator: str, operand: "Any") -> "Test":
    span = _span_of(operand)
    if span is None:
        raise UsageError(
            f"{what} must be a number or an ISO date such as '2026-05-01' or '2026-05-01T10:30:00Z', "
            f"not {shown(operand)}"
        )
    begin, end = span
    of_texts = isinstance(operand, str)
    dates: dict[str, Span | None] = {}  # many documents have the same

    def test(value: object) -> bool:
        for item in _items(value):
            if isinstance(item, str) != of_texts:
                continue
            if isinstance(item, str):
                if item not in dates:
                    dates[item] = _span_of(item)
                found = dates[item]
            else:
                found = _span_of(item)
            if found is not None and _is_in_order(operator, found, begin, end):
                return True
        return False

    return test


def _is_in_order(operator: str, found: "Span", begin: "Any", end: "Any") -> bool:
    if operator == "gt":
        return found[0] > end
    if operator == "gte":
        return found[0] >= begin
    if operator == "lt":
        return found[1] < begin
    return found[1] <= end


def _span_of(value: object) -> "Span | None":
    """What is compared of a number or an ISO date; None for anything else, also for NaN."""
    if isinstance(value, str):
        from .iso_dates import time_span  # few filters ask for dates

        return time_span(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return None
    return value, value
