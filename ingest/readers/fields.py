"""From the values of one record to a note: pure, and strict where an error would be silent."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping as Dict
from datetime import date, datetime

from ingest.readers.mapping import Mapping
from ingest.readers.record import FieldError
from search_stack.schema import Note

ID_LENGTH = 255
SURROGATE = re.compile("[\ud800-\udfff]")


def mapped_note(row: Dict[str, object], columns: Mapping, collection: str) -> Note:
    """Build a note from a row by column name.

    Raises:
        FieldError: a field cannot be taken.
    """
    values = {field: _value(row, getattr(columns, field), field) for field in ("patient_id", "type", "date", "title")}
    note_id = identifier(_value(row, columns.note_id, "note_id"), "note_id")
    return Note(
        note_id=note_id,
        text=note_text(_joined(row, columns.text or ())),
        patient_id=identifier(values["patient_id"], "patient_id") if values["patient_id"].strip() else note_id,
        type=label(values["type"]),
        date=note_date(values["date"], columns.date_format),
        title=label(values["title"]),
        collection=collection,
    )


def as_string(value: object, field: str) -> str:
    """A missing value is empty. A whole number stored as 12.0 is 12: so tables write numbers
    in a column that also has gaps."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise FieldError(field, "not a string or a whole number")
    text = str(value)
    if half_character(text):
        raise FieldError(field, "holds half a character (a lone surrogate)")
    return text


def half_character(text: str) -> bool:
    """Whether a lone surrogate is in the text: from an escape in JSON, or for an undecodable byte."""
    return not text.isascii() and SURROGATE.search(text) is not None


def identifier(value: str, field: str) -> str:
    """An id without blanks around it.

    Raises:
        FieldError: it is empty, too long, or holds a control character.
    """
    value = value.strip()
    if not value:
        raise FieldError(field, "empty")
    if len(value) > ID_LENGTH:
        raise FieldError(field, f"longer than {ID_LENGTH} characters")
    if any(unicodedata.category(c) == "Cc" and c not in "\n\r\t" for c in value):
        raise FieldError(field, "holds a control character")
    return value


def note_text(value: str) -> str:
    """The text as it is, but for NUL, which PostgreSQL cannot store: U+FFFD is as long, so
    offsets stay exact.

    Raises:
        FieldError: it is empty or blank.
    """
    if not value.strip():
        raise FieldError("text", "empty")
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


def note_date(value: str, date_format: str | None = None) -> date | None:
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
        raise FieldError("date", "does not match date_format" if date_format else "not an ISO date") from None
    return moment.date()


def _value(row: Dict[str, object], column: str | None, field: str) -> str:
    return as_string(row.get(column), field) if column else ""


def _joined(row: Dict[str, object], columns: tuple[str, ...]) -> str:
    if len(columns) == 1:
        return _value(row, columns[0], "text")
    texts = ((column, _value(row, column, "text")) for column in columns)
    return "\n\n".join(f"{column.replace('_', ' ').upper()}:\n{text}" for column, text in texts if text.strip())
