"""ISO 8601 dates and times as spans of time, so that texts that hold them can be compared.

What is read: `2026-05-01`, and behind it, after a T or a space, `10:30`, `10:30:15` or `10:30:15.25` (up to nine digits
of a second), with `Z`, an offset such as `+02:00`, or nothing, which is UTC. A date is its whole day in UTC.
"""

_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_SECOND = 1_000_000_000
_DAY = 86_400 * _SECOND


def time_span(text: str) -> "tuple[int, int] | None":
    """The first and the last nanosecond that a text stands for, counted from a fixed day on; None if it is no ISO date
    or date with a time. A time is one nanosecond.
    """
    if len(text) < 10 or not text.isascii() or text[4] != "-" or text[7] != "-":
        return None
    year, month, day = _number(text[:4]), _number(text[5:7]), _number(text[8:10])
    if year < 1 or not 1 <= month <= 12 or not 1 <= day <= _days_of(year, month):
        return None
    begin = _days_before(year, month, day) * _DAY
    if len(text) == 10:
        return begin, begin + _DAY - 1
    time = _time_of_day(text[11:]) if text[10] in "T " else None
    return None if time is None else (begin + time, begin + time)


def _number(digits: str) -> int:
    """The number of some ASCII characters, -1 if they are not all digits."""
    return int(digits) if digits.isdigit() else -1


def _is_leap_year(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_of(year: int, month: int) -> int:
    return 29 if month == 2 and _is_leap_year(year) else _MONTH_DAYS[month - 1]


def _days_before(year: int, month: int, day: int) -> int:
    """Days from the first one of year 1 to this one."""
    past = year - 1
    leap_day = 1 if month > 2 and _is_leap_year(year) else 0
    return past * 365 + past // 4 - past // 100 + past // 400 + sum(_MONTH_DAYS[: month - 1]) + leap_day + day - 1


def _time_of_day(text: str) -> "int | None":
    """Nanoseconds from midnight in UTC, less than 0 or more than a day where the offset makes it so."""
    clock, offset = text, 0
    if text[-1:] == "Z":
        clock = text[:-1]
    elif text[-6:-5] in ("+", "-"):
        minutes = _minutes(text[-5:])
        if minutes < 0:
            return None
        clock, offset = text[:-6], minutes if text[-6] == "+" else -minutes
    minutes = _minutes(clock[:5])
    seconds = _seconds(clock[5:])
    if minutes < 0 or seconds < 0:
        return None
    return (minutes - offset) * 60 * _SECOND + seconds


def _minutes(text: str) -> int:
    """Of `hh:mm`; -1 if it is none."""
    hour, minute = _number(text[:2]), _number(text[3:])
    if len(text) != 5 or text[2] != ":" or not 0 <= hour < 24 or not 0 <= minute < 60:
        return -1
    return 60 * hour + minute


def _seconds(text: str) -> int:
    """Nanoseconds of nothing, `:ss` or `:ss.f`; -1 if it is none of these."""
    if not text:
        return 0
    second, fraction = _number(text[1:3]), text[4:]
    if text[0] != ":" or len(text) < 3 or not 0 <= second < 60:
        return -1
    if len(text) == 3:
        return second * _SECOND
    if text[3] != "." or not fraction.isdigit() or len(fraction) > 9:
        return -1
    return second * _SECOND + int(fraction.ljust(9, "0"))
