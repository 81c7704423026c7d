"""What a filter asks of one metadata key, as tests of a document's value. Nothing is coerced."""

from ..columns.mapping import shown
from ..errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Test = Callable[[object], bool]  # of a document's value, None where the document lacks the key
    Order = Callable[[Any, Any, Any, Any], bool]

OPERATORS = ("eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "exists")


def mapping_of(value: "Any", message: str) -> "dict[Any, Any]":
    """`value` as a dict. Filters come from outside, whatever the annotations say; any mapping will do."""
    try:
        return {key: value[key] for key in value.keys()}  # noqa: SIM118 - a list has no keys
    except (AttributeError, TypeError, KeyError) as error:
        raise UsageError(f"{message}, not {shown(value)}") from error


def metadata_tests(key: str, condition: "Any") -> "list[Test]":
    """What a document's value must pass to meet `condition`: a scalar that it equals, a list of which it equals one, or
    a mapping of operators, all of which it must meet.

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
        return [_equals_one(_scalars(what, condition))]
    if not hasattr(condition, "keys"):
        return [_equals_one([_scalar(what, condition)])]
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
    return tests


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


def _equals_one(options: "list[Any]") -> "Test":
    """Equality without coercion: 2 is not "2", and True is not 1."""
    booleans = [option for option in options if isinstance(option, bool)]
    texts = frozenset(option for option in options if isinstance(option, str))
    numbers = frozenset(option for option in options if not isinstance(option, str | bool))

    def test(value: object) -> bool:
        if isinstance(value, str):
            return value in texts
        if isinstance(value, list):
            return not texts.isdisjoint(value)  # pyright: ignore[reportUnknownArgumentType]
        if isinstance(value, bool):
            return value in booleans
        return value in numbers

    return test


def _compares(what: str, operator: str, operand: "Any") -> "Test":
    if _is_number(operand):
        return _NUMBER_TESTS[operator](operand)
    if isinstance(operand, str):
        from .iso_dates import time_span  # few filters ask for dates

        span = time_span(operand)
        if span is not None:
            return _dates_compare(_DATE_ORDERS[operator], *span, time_span)
    raise UsageError(
        f"{what} must be a number or an ISO date such as '2026-05-01' or '2026-05-01T10:30:00Z', not {shown(operand)}"
    )


def _is_number(operand: object) -> bool:
    """Whether it can be compared; NaN cannot."""
    return isinstance(operand, int | float) and not isinstance(operand, bool) and operand == operand


# A column's values are of these types exactly, and a boolean of another.
_NUMBERS = (int, float)
_NUMBER_TESTS: "dict[str, Callable[[Any], Test]]" = {
    "gt": lambda limit: lambda value: type(value) in _NUMBERS and value > limit,
    "gte": lambda limit: lambda value: type(value) in _NUMBERS and value >= limit,
    "lt": lambda limit: lambda value: type(value) in _NUMBERS and value < limit,
    "lte": lambda limit: lambda value: type(value) in _NUMBERS and value <= limit,
}
# Of the first and the last moment of a value, and of an operand.
_DATE_ORDERS: "dict[str, Order]" = {
    "gt": lambda first, _last, _begin, end: first > end,
    "gte": lambda first, _last, begin, _end: first >= begin,
    "lt": lambda _first, last, begin, _end: last < begin,
    "lte": lambda _first, last, _begin, end: last <= end,
}


def _dates_compare(
    order: "Order", begin: int, end: int, time_span: "Callable[[str], tuple[int, int] | None]"
) -> "Test":
    def is_in_order(text: str) -> bool:
        found = time_span(text)
        return found is not None and order(*found, begin, end)

    def test(value: object) -> bool:
        if isinstance(value, list):
            return any(map(is_in_order, value))  # pyright: ignore[reportUnknownArgumentType]
        return isinstance(value, str) and is_in_order(value)

    return test
