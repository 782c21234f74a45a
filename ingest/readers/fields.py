"""From the values of one record to a note: pure, and strict where an error would be silent."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime

from ingest.readers.columns import OPTIONAL, Columns
from ingest.readers.days import today
from ingest.readers.record import FieldError
from search_stack.core.schema import Note, Person

ID_LENGTH = 255
EXACT = 2**53
"""Below it a floating-point number holds every whole number."""
INEXACT = "a number in scientific notation, or too large for a floating-point one: digits may be lost"
_SCIENTIFIC = re.compile(r"-?\d(?:[.,]\d+)?e\+\d+", re.IGNORECASE)
OLDEST = 130
_AGE = re.compile(
    r"[>≥]?=?\s*(?P<n>\d{1,3})(?:\.\d+)?\s*(?:\+|y|yo|yrs?|years?(?:\s+old)?|(?P<unit>m|mos?|months?|w|wks?|weeks?|d|days?))?",
    re.IGNORECASE,
)
_IN_A_YEAR = {"m": 12, "w": 52, "d": 365}
FEW_NULS, ONE_NUL_IN = 3, 100
"""How many NULs a text may hold, whatever its length, and in how many characters one more."""
SURROGATE = re.compile("[\ud800-\udfff]")


def mapped_note(row: Mapping[str, object], columns: Columns, collection: str) -> Note:
    """Build a note from a row by column name.

    Raises:
        FieldError: a field cannot be taken.
    """
    values = {field: _value(row, getattr(columns, field), field) for field in OPTIONAL}
    day = note_date(values["date"], columns.date_format)
    note_id = identifier(_value(row, columns.note_id, "note_id"), "note_id")
    return Note(
        note_id=note_id,
        text=note_text(_joined(row, columns.text or ())),
        patient_id=identifier(values["patient_id"], "patient_id") if values["patient_id"].strip() else note_id,
        type=label(values["type"]),
        date=day,
        title=label(values["title"]),
        collection=collection,
        encounter_id=identifier(values["encounter_id"], "encounter_id") if values["encounter_id"].strip() else "",
        age=age(values["age"]),
        person=person(values, columns.date_format, day),
    )


def person(values: Mapping[str, str], date_format: str | None = None, seen: date | None = None) -> Person:
    """What the fields sex, birth_date and death_date tell of a patient, who was there on the day ``seen``.

    Raises:
        FieldError: a date is none.
    """
    return Person(
        sex(values["sex"]),
        _born(values["birth_date"], date_format, seen or today()),
        note_date(values["death_date"], date_format, "death_date"),
    )


def sex(value: str) -> str:
    """ "female" and "male" for their usual short forms, nothing for what says that it is not known, else as written.

    >>> sex("F"), sex("unknown"), sex("Intersex")
    ('female', '', 'intersex')
    """
    word = label(value).casefold()
    return {"f": "female", "w": "female", "m": "male", "u": "", "unk": "", "unknown": "", "?": ""}.get(word, word)[:32]


def age(value: str) -> int | None:
    """Whole years: 62, 62.0, 062Y, 62 years; 90+ is 90, 006M is 0. None where the value is empty.

    Raises:
        FieldError: it is no age.
    """
    value = value.strip()
    if not value:
        return None
    found = _AGE.fullmatch(value)
    years = int(found["n"]) // _IN_A_YEAR.get((found["unit"] or "")[:1].lower(), 1) if found else OLDEST + 1
    if years > OLDEST:
        raise FieldError("age", "not an age in whole years")
    return years


def as_string(value: object, field: str) -> str:
    """A missing value is empty. A whole number stored as 12.0 is 12: so tables write numbers
    in a column that also has gaps. One from `EXACT` on may have been another, so it is written as
    what it is, which is no `identifier`."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value) if abs(value) < EXACT else f"{value:.16e}"
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise FieldError(field, "not a string or a whole number")
    text = str(value)
    if half_character(text):
        raise FieldError(field, "holds half a character (a lone surrogate)")
    return text


def spelt(name: str) -> str:
    """The name of a file, with U+FFFD for each byte that is not UTF-8: what stands for those no database takes.

    >>> spelt("m\\udce4rz.csv") == "m\\ufffdrz.csv"
    True
    """
    return SURROGATE.sub("\ufffd", name)


def half_character(text: str) -> bool:
    """Whether a lone surrogate is in the text: from an escape in JSON, or for an undecodable byte."""
    return not text.isascii() and SURROGATE.search(text) is not None


def identifier(value: str, field: str) -> str:
    """An id without blanks around it.

    Raises:
        FieldError: it is empty, too long, holds a control character, or is a number that has lost its last digits: a
            spreadsheet makes 1.23457E+11 of every id that begins with 123457.
    """
    value = value.strip()
    if not value:
        raise FieldError(field, "empty")
    if len(value) > ID_LENGTH:
        raise FieldError(field, f"longer than {ID_LENGTH} characters")
    if _SCIENTIFIC.fullmatch(value):
        raise FieldError(field, INEXACT)
    if not value.isprintable() and any(unicodedata.category(c) == "Cc" and c not in "\n\r\t" for c in value):
        raise FieldError(field, "holds a control character")
    return value


def note_text(value: str) -> str:
    """The text as it is, but for NUL, which PostgreSQL cannot store: U+FFFD is as long, so
    offsets stay exact. UTF-16 that nobody has marked decodes as UTF-8, with a NUL beside each letter:
    words that no search finds.

    Raises:
        FieldError: it is empty or blank, or holds more than a few NULs.
    """
    if not value.strip():
        raise FieldError("text", "empty")
    if value.count("\0") > max(FEW_NULS, len(value) // ONE_NUL_IN):
        raise FieldError("text", "many NUL characters: UTF-16 without a byte order mark? Save it as UTF-8")
    return value.replace("\0", "\ufffd")


def within(note: Note, limit: int) -> Note:
    """The note itself, if its text has at most ``limit`` characters.

    Raises:
        FieldError: it has more.
    """
    if len(note.text) > limit:
        reason = f"{len(note.text):,} characters; at most {limit:,} (ASPECTRA_NOTE_CHARACTERS)"
        raise FieldError("text", reason)
    return note


def label(value: str) -> str:
    """A type or title without blanks around it."""
    return value.strip().replace("\0", "\ufffd")


def note_date(value: str, date_format: str | None = None, field: str = "date") -> date | None:
    """The day as written, whatever the time zone; None where the value is empty.

    Raises:
        FieldError: it is in none of the formats.
    """
    value = value.strip()
    if not value:
        return None
    try:
        moment = datetime.strptime(value, date_format) if date_format else datetime.fromisoformat(value)
    except ValueError:
        raise FieldError(field, "does not match date_format" if date_format else "not an ISO date") from None
    return moment.date()


def _born(value: str, date_format: str | None, seen: date) -> date | None:
    """A birth date. Of two digits of a year strptime makes one up to 2068: who was seen before is older."""
    born = note_date(value, date_format, "birth_date")
    if born and born > seen and date_format and "%y" in date_format:
        with suppress(ValueError):  # 1900 has no 29 February
            return born.replace(year=born.year - 100)
    return born


def _value(row: Mapping[str, object], column: str | None, field: str) -> str:
    return as_string(row.get(column), field) if column else ""


def _joined(row: Mapping[str, object], columns: tuple[str, ...]) -> str:
    if len(columns) == 1:
        return _value(row, columns[0], "text")
    texts = ((column, _value(row, column, "text")) for column in columns)
    return "\n\n".join(f"{column.replace('_', ' ').upper()}:\n{text}" for column, text in texts if text.strip())
