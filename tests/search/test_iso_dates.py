"""ISO dates as spans of time, against datetime of the standard library."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baseline import filters as twin
from coldseek_core.search.iso_dates import time_span

DAY = 86_400 * 10**9
ZONES = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
LOCAL = st.datetimes(min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 28))
MOMENTS = st.builds(lambda moment, zone: moment.replace(tzinfo=zone), LOCAL, st.one_of(st.none(), st.just(UTC), ZONES))


def nanoseconds(moment: datetime) -> int:
    since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - datetime(1, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * 10**9 + since.microseconds * 1000


@given(MOMENTS, st.sampled_from(["T", " "]), st.sampled_from(["auto", "minutes", "seconds", "microseconds"]))
def test_a_time_is_one_nanosecond(moment: datetime, separator: str, precision: str) -> None:
    written = moment.isoformat(separator, precision)
    read = nanoseconds(datetime.fromisoformat(written))
    assert time_span(written) == (read, read)
    if moment.tzinfo is UTC:
        assert time_span(written.replace("+00:00", "Z")) == (read, read)


@given(st.dates())
def test_a_date_is_a_day(day: object) -> None:
    begin = nanoseconds(datetime.fromisoformat(str(day)))
    assert time_span(str(day)) == (begin, begin + DAY - 1)


def test_nine_digits_of_a_second() -> None:
    begin, end = time_span("2026-05-01T00:00:00.123456789Z") or (0, 0)
    midnight, _ = time_span("2026-05-01") or (0, 0)
    assert begin == end == midnight + 123_456_789
    assert time_span("2026-05-01T00:00:00.5") == (midnight + 500_000_000,) * 2


@pytest.mark.parametrize(
    "text",
    [
        *("", "2026", "2026-05", "2026-5-1", "20260501", "01.05.2026", "2026/05/01", "2026-05-01 ", " 2026-05-01"),
        *(
            "2026-05-1a",
            "2026-00-01",
            "2026-13-01",
            "2026-05-00",
            "2026-05-32",
            "2026-02-29",
            "1900-02-29",
            "2026-04-31",
        ),
        *(
            "0000-01-01",
            "-001-01-01",
            "+026-05-01",
            "２０２６-05-01",
            "2026-05-٠١",
            "2026-05-²¹",
            "2026-W18-5",
            "2026-121",
        ),
        *("2026-05-01T", "2026-05-01T1", "2026-05-01T10", "2026-05-01T1030", "2026-05-01T10:3", "2026-05-01T24:00"),
        *("2026-05-01T10:60", "2026-05-01T10:30:60", "2026-05-01T10:30:5", "2026-05-01T10:30:", "2026-05-01T10:30.5"),
        *("2026-05-01T10:30:00.", "2026-05-01T10:30:00,5", "2026-05-01T10:30:00.1234567890", "2026-05-01T10:30:00.5x"),
        *("2026-05-01t10:30", "2026-05-01_10:30", "2026-05-01T10:30z", "2026-05-01T10:30 Z", "2026-05-01Z"),
        *("2026-05-01+02:00", "2026-05-01T10:30+0200", "2026-05-01T10:30+02", "2026-05-01T10:30+24:00"),
        *("2026-05-01T10:30+02:60", "2026-05-01T10:30ZZ", "2026-05-01T10:30Z+02:00", "2026-05-01T+02:00", "soon"),
        *("2026-05-01T10:30:-5", "2026-05-01T-1:30", "2026-05-01T10:30\n", "2026-05-01\n", "2026-05-01T10:30:00\x00"),
    ],
)
def test_what_is_none(text: str) -> None:
    assert time_span(text) is None
    assert twin.time_span(text) is None


@given(st.text(st.sampled_from("0123456789-:TZ +.20260501"), max_size=32))
def test_as_the_twin_reads_it(text: str) -> None:
    for one in (text, "2026-05-01" + text, "2026-05-01T10:30" + text):
        assert (time_span(one) is None) == (twin.time_span(one) is None)
