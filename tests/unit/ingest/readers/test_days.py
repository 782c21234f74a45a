"""Dates that are known in whole or in part."""

from __future__ import annotations

from datetime import date

import pytest

from ingest.readers.days import birth_date, whole_day
from ingest.readers.record import FieldError


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2019-03-04", date(2019, 3, 4)),
        ("20190304", date(2019, 3, 4)),
        (" 2019-03-04 ", date(2019, 3, 4)),
        ("2019-03-04T23:59:60.1234567+02:00", date(2019, 3, 4)),
        ("2019-03-04 00:00:00 UTC", date(2019, 3, 4)),
        ("2019-03-04T23:30:00Z", date(2019, 3, 4)),
        ("2019-03", None),
        ("2019", None),
        ("", None),
    ],
)
def test_whole_days(written: str, day: date | None) -> None:
    assert whole_day(written, "date") == day


@pytest.mark.parametrize("written", ["04.03.2019", "2019-02-30", "2019-13", "2019-3-4", "x", "0000-01-01", "19"])
def test_what_is_no_date_is_refused(written: str) -> None:
    for read in (whole_day, birth_date):
        with pytest.raises(FieldError, match=r"^f: not an ISO date$"):
            read(written, "f")


@pytest.mark.parametrize(
    ("written", "born"),
    [
        ("1958-02-28", date(1958, 2, 28)),
        ("1958-02", date(1958, 2, 15)),
        ("1958", date(1958, 7, 1)),
        ("", None),
    ],
)
def test_a_birth_date_is_the_middle_of_what_is_known(written: str, born: date | None) -> None:
    assert birth_date(written, "f") == born
