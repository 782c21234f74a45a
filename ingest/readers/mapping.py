"""Which column of a file is which field of a note."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from collections.abc import Mapping as Dict
from dataclasses import dataclass, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from search_stack.errors import AspectraError

GUESSES = {
    "note_id": ("note_id", "id", "noteid", "row_id", "document_id", "uid"),
    "text": ("text", "note_text", "report", "body", "content"),
    "patient_id": ("patient_id", "patientid", "subject_id", "mrn", "person_id"),
    "type": ("type", "note_type", "category", "modality"),
    "date": ("date", "note_date", "chartdate", "charttime", "study_date"),
    "title": ("title", "description", "name"),
}
OPTIONAL = ("patient_id", "type", "date", "title")
NAME = re.compile(r"[^\W\d][\w .\-/()]{0,63}")


@dataclass(frozen=True, slots=True)
class Mapping:
    """Columns by field. None: guess from common names; "" (optional fields): do not read.

    Several text columns become sections headed by their names, in the order given.
    """

    note_id: str | None = None
    text: tuple[str, ...] | None = None
    patient_id: str | None = None
    type: str | None = None
    date: str | None = None
    title: str | None = None
    date_format: str | None = None
    """strptime format of the dates; None takes ISO dates and datetimes and YYYYMMDD."""

    def columns(self) -> list[str]:
        """Every column named so far."""
        single = (self.note_id, self.patient_id, self.type, self.date, self.title)
        return [*filter(None, single), *(self.text or ())]


KEYS = tuple(f.name for f in fields(Mapping))


def mapping_of(options: Dict[str, object], source: str = "Column options") -> Mapping:
    """Check options, ``source`` names their origin in errors.

    Raises:
        AspectraError: a key is unknown, or a value is of the wrong kind.
    """
    values: dict[str, Any] = {}
    for key, value in options.items():
        if key not in KEYS:
            raise AspectraError(f"{source}: unknown key {key!r}.", f"Keys are {', '.join(KEYS)}.")
        if (
            key == "text"
            and isinstance(value, (list, tuple))
            and value
            and all(isinstance(v, str) and v for v in value)
        ):
            values[key] = tuple(value)
        elif isinstance(value, str) and (value or key in OPTIONAL):
            values[key] = (value,) if key == "text" else value
        else:
            kind = "a column name or a list of them" if key == "text" else "a string"
            raise AspectraError(f"{source}: {key} must be {kind}.", f'For example {key} = "…".')
    if "date_format" in values:
        _check_date_format(values["date_format"], source)
    return Mapping(**values)


def _check_date_format(date_format: str, source: str) -> None:
    day = datetime(2001, 2, 3)
    try:
        sound = datetime.strptime(day.strftime(date_format), date_format).date() == day.date()
    except ValueError:
        sound = False
    if not sound:
        raise AspectraError(
            f"{source}: date_format {date_format!r} does not give a day.",
            "Use strptime directives for year, month and day, such as %d.%m.%Y.",
        )


def load_mapping(toml_path: Path) -> Mapping:
    """Read a mapping from a TOML file with the keys of Mapping at its top level.

    Raises:
        AspectraError: the file cannot be read, is not TOML, or has a wrong key.
    """
    try:
        options = tomllib.loads(toml_path.read_text(encoding="utf-8"))
    except OSError as e:
        raise AspectraError(f"Mapping {toml_path} cannot be read: {e.strerror}.", "Check the path.") from e
    except ValueError as e:  # bad TOML and bad UTF-8 alike
        raise AspectraError(f"Mapping {toml_path} is not valid TOML: {e}.", 'Lines read: note_id = "COLUMN".') from e
    return mapping_of(options, f"Mapping {toml_path}")


def bind(mapping: Mapping, names: Sequence[str], source: str) -> Mapping:
    """Tie the mapping to the columns ``names`` of the file ``source``, guessing what is open.

    Raises:
        AspectraError: a named column does not exist or is there twice, or no column is the
            note's id or text.
    """
    bound = Mapping(
        note_id=_named(mapping.note_id, "note_id", names, source),
        text=mapping.text and tuple(str(_named(c, "text", names, source)) for c in mapping.text),
        **{field: _named(getattr(mapping, field), field, names, source) for field in OPTIONAL},
        date_format=mapping.date_format,
    )
    bound = complete(bound, names)
    for field in ("note_id", "text"):
        if not getattr(bound, field):
            raise AspectraError(
                f"{source}: no column is known to be the {field}. {shown(names)}", f"Give --column {field}=NAME."
            )
    return bound


def complete(bound: Mapping, names: Sequence[str]) -> Mapping:
    """Guess the fields that have no column yet; a column serves one field."""
    taken = set(bound.columns())
    guessed: dict[str, Any] = {}
    for field, guesses in GUESSES.items():
        if getattr(bound, field) is not None:
            continue
        free = {_plain(n): n for n in reversed(names) if n not in taken and names.count(n) == 1}
        column = next((free[g] for g in guesses if g in free), None)
        if column is not None:
            guessed[field] = (column,) if field == "text" else column
            taken.add(column)
    return replace(bound, **guessed)


def _named(column: str | None, field: str, names: Sequence[str], source: str) -> str | None:
    """The column as the file spells it: exactly, or else but for capitals and blanks."""
    if not column:
        return column
    found = [n for n in names if n == column] or [n for n in names if _plain(n) == _plain(column)]
    if len(found) != 1:
        what = "is there more than once" if found else "does not exist"
        raise AspectraError(
            f"{source}: column {column!r} for {field} {what}. {shown(names)}", f"Give --column {field}=NAME."
        )
    return found[0]


def _plain(name: str) -> str:
    return name.strip().casefold().replace(" ", "_").replace("-", "_")


def known(names: Iterable[str], mapping: Mapping) -> int:
    """How many names are columns that the mapping names or a guess would take."""
    wanted = {g for guesses in GUESSES.values() for g in guesses} | {_plain(c) for c in mapping.columns()}
    return sum(_plain(n) in wanted for n in names)


def shown(names: Sequence[str]) -> str:
    """Columns for an error. Where a header is missing its place is taken by data, which must
    not be shown: so all look like names, or none is shown."""
    filled = [n for n in names if n]
    if not filled or not all(NAME.fullmatch(n) for n in filled):
        return "Its columns are not shown, since not all look like names: is the header missing?"
    more = f" and {len(filled) - 40} more" if len(filled) > 40 else ""
    return f"Its columns: {', '.join(filled[:40])}{more}."
