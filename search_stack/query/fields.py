"""The fields of a query: one row each, for the line, the engine, the page and its sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from search_stack.core.cohort_names import referred
from search_stack.core.errors import AspectraError

_DAY = re.compile(r"\d{4}(?:-\d{1,2}){0,2}")


def day_of(value: str) -> date:
    """2019, 2019-03 and 2019-03-01 are all days: the first of what they name.

    Raises:
        ValueError: it is no date.
    """
    if not _DAY.fullmatch(value):
        raise ValueError(f"{value[:40]} is not a date.")
    try:
        return date(*map(int, [*value.split("-"), "1", "1"][:3]))
    except ValueError:
        raise ValueError(f"{value[:40]} is not a date.") from None


def day_behind(value: str) -> date:
    """The first day after the year, month or day that ``value`` names.

    Raises:
        ValueError: it is no date, or the last that there is.

    >>> day_behind("2019").isoformat(), day_behind("2019-12").isoformat(), day_behind("2019-02-28").isoformat()
    ('2020-01-01', '2020-01-01', '2019-03-01')
    """
    first, named = day_of(value), value.count("-")
    try:
        if named == 2:
            return first + timedelta(days=1)
        months = first.year * 12 + first.month - 1 + (1 if named else 12)
        return date(months // 12, months % 12 + 1, 1)
    except (OverflowError, ValueError):
        raise ValueError(f"{value[:40]} is the last date.") from None


def _whole_day(value: str) -> str:
    return day_of(value).isoformat()


def _spaced(value: str) -> str:
    return " ".join(value.split())


SEXES = {"f": "female", "female": "female", "woman": "female", "m": "male", "male": "male", "man": "male"}


def _sex(value: str) -> str:
    return SEXES.get(value.strip().casefold(), _spaced(value).casefold())


_AGE = re.compile(r"(?P<sign><=|>=|<|>)?(?P<least>\d{1,3})(?:-(?P<most>\d{1,3})|(?P<plus>\+))?")


def _age(value: str) -> str:
    text = re.sub(r"\s", "", value).replace("≥", ">=").replace("≤", "<=").replace("–", "-")
    found = _AGE.fullmatch(text)
    if not found or (found["sign"] and (found["most"] or found["plus"])):
        raise ValueError(f"{value[:40]} is no age.")
    if found["most"] and int(found["most"]) < int(found["least"]):
        raise ValueError(f"{value[:40]} holds no age.")
    return f">={found['least']}" if found["plus"] else text


def age_range(value: str) -> tuple[int | None, int | None]:
    """The least and the greatest age, both included; None where open.

    >>> age_range(">60"), age_range("60-70"), age_range("<18")
    ((61, None), (60, 70), (None, 17))
    """
    found = _AGE.fullmatch(value)
    if not found:
        raise ValueError(f"{value[:40]} is no age.")
    least = int(found["least"])
    if found["sign"]:
        return {
            ">": (least + 1, None),
            ">=": (least, None),
            "<": (None, least - 1),
            "<=": (None, least),
        }[found["sign"]]
    return least, int(found["most"]) if found["most"] else least


_AGES = {">=": "{} or older", "<=": "{} or younger", ">": "older than {}", "<": "younger than {}", "": "{} years old"}


def age_in_words(value: str, words: Mapping[str, str] = _AGES) -> str:
    """An age by the words of its sign, as a chip has it. ``words`` has longer signs before shorter ones, and last "",
    for an age or a range without one.

    >>> [age_in_words(value) for value in (">60", ">=65", "40-60", "50")]
    ['older than 60', '65 or older', '40 to 60 years old', '50 years old']
    """
    sign = next(sign for sign in words if value.startswith(sign))
    return words[sign].format(value.removeprefix(sign).replace("-", " to "))


def _cohort(value: str) -> str:
    try:
        referred(value)
    except AspectraError as e:
        raise ValueError(f"{value[:40]} names no cohort.") from e
    return value


@dataclass(frozen=True, slots=True)
class Field:
    """One row: everything that any part of the product needs to know of a field."""

    key: str
    """Its name on the query line and in JSON."""
    stored: tuple[str, ...]
    """Where the index holds it; a value may be in any of these."""
    example: str
    help: str
    """Beside the example, on the first page."""
    says: Callable[[str], str]
    """On chips and in titles, of the value."""
    facet: str = ""
    """Its heading beside the results; empty where it has none there."""
    bound: str = ""
    """For a day: ``gte`` or ``lt``, how the note's day compares with it."""
    open: bool = True
    """Whether values that no note has are worth asking for; else a misspelt one is told."""
    choices: tuple[str, ...] = ()
    """Values to offer of a field that no passage holds."""
    check: Callable[[str], str] = _spaced
    """The value as a tree holds it; raises ValueError, and says why, where it is none."""

    @property
    def is_day(self) -> bool:
        return bool(self.bound)

    @property
    def is_range(self) -> bool:
        """Whether two of them narrow each other; else several values of one field are alternatives."""
        return self.is_day or self.key in ("age", "cohort")

    @property
    def of_person(self) -> bool:
        """Whether the ledger knows it, and no passage holds it."""
        return not self.stored


FIELDS = (
    Field(
        "section",
        ("aspect", "section.name"),
        "section:impression",
        "part of the note, by topic or heading",
        "in the section {}".format,
        "Section",
        open=False,
    ),
    Field(
        "type",
        ("note_type",),
        'type:"radiology report"',
        "type of note",
        "in notes of the type {}".format,
        "Note type",
        open=False,
    ),
    Field("aspect", ("aspect",), "aspect:treatment", "topic of the section", "under {}".format, open=False),
    Field(
        "after",
        ("date",),
        "after:2019-01-01",
        "from this day on; 2019 or 2019-03 will do",
        "since {}".format,
        bound="gte",
        check=_whole_day,
    ),
    Field(
        "before",
        ("date",),
        "before:2024-01-01",
        "up to the day before",
        "before {}".format,
        bound="lt",
        check=_whole_day,
    ),
    Field("patient", ("patient_id",), "patient:P-00317", "one patient", "of the patient {}".format),
    Field("note", ("note_id",), "note:demo-0001", "one note", "in the note {}".format),
    Field(
        "sex",
        (),
        "sex:female",
        "of the patient, where the source tells it",
        "{}".format,
        "Sex",
        choices=("female", "male"),
        check=_sex,
    ),
    Field("age", (), "age:>60", "of the patient at the note: >60, 40-60, <18", age_in_words, "Age", check=_age),
    Field(
        "cohort",
        (),
        "cohort:copd",
        "patients of a kept cohort: its newest version, or copd@2",
        "in the cohort {}".format,
        check=_cohort,
    ),
    Field("collection", ("collection",), "collection:demo", "where the notes came from", "in the collection {}".format),
)
BY_KEY: Mapping[str, Field] = {f.key: f for f in FIELDS}


def short_day(day: date) -> str:
    """A day as the line may shorten it: the first of a year is that year.

    >>> short_day(date(2019, 1, 1)), short_day(date(2019, 3, 1)), short_day(date(2019, 3, 2))
    ('2019', '2019-03', '2019-03-02')
    """
    if day.day != 1:
        return day.isoformat()
    return f"{day.year:04}" if day.month == 1 else f"{day.year:04}-{day.month:02}"


def checked_value(key: str, value: str) -> str:
    """``value`` of the field ``key`` as a tree holds it: days in full.

    Raises:
        ValueError: it is no date or age where one is needed.
    """
    return BY_KEY[key].check(value)
