"""Which column of a file is which field of a note."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from search_stack.core.errors import AspectraError
from search_stack.core.files import unreadable

GUESSES = {
    "note_id": ("note_id", "id", "noteid", "row_id", "document_id", "uid"),
    "text": ("text", "note_text", "report", "body", "content"),
    "patient_id": ("patient_id", "patientid", "subject_id", "mrn", "person_id"),
    "type": ("type", "note_type", "category", "modality"),
    "date": ("date", "note_date", "chartdate", "charttime", "study_date"),
    "title": ("title", "description"),  # not "name", which in a hospital's table is mostly a person's
    "encounter_id": ("encounter_id", "visit_id", "hadm_id", "admission_id", "visit_occurrence_id"),
    "sex": ("sex", "gender", "patient_sex"),
    "age": ("age", "patient_age", "age_at_note"),
    "birth_date": ("birth_date", "birthdate", "date_of_birth", "dob"),
    "death_date": ("death_date", "date_of_death", "dod"),
}
OPTIONAL = ("patient_id", "type", "date", "title", "encounter_id", "sex", "age", "birth_date", "death_date")
NAME = re.compile(r"[^\W\d][\w .\-/()]{0,63}")


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns by field. None: guess from common names; "" (optional fields): do not read.

    Several text columns become sections headed by their names, in the order given.
    """

    note_id: str | None = None
    text: tuple[str, ...] | None = None
    patient_id: str | None = None
    type: str | None = None
    date: str | None = None
    title: str | None = None
    encounter_id: str | None = None
    sex: str | None = None
    age: str | None = None
    """At the note, in whole years."""
    birth_date: str | None = None
    death_date: str | None = None
    date_format: str | None = None
    """strptime format of all dates; None takes ISO dates and datetimes and YYYYMMDD."""

    def named(self) -> list[str]:
        """Every column named so far."""
        single = (self.note_id, *(getattr(self, name) for name in OPTIONAL))
        return [*filter(None, single), *(self.text or ())]


KEYS = tuple(f.name for f in fields(Columns))


def columns_of(options: Mapping[str, object], source: str = "Column options") -> Columns:
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
    return Columns(**values)


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


def load_columns(toml_path: Path) -> Columns:
    """Read a mapping, a TOML file with the keys of Columns at its top level.

    Raises:
        AspectraError: the file cannot be read, is not TOML, or has a wrong key.
    """
    try:
        options = tomllib.loads(toml_path.read_text(encoding="utf-8"))
    except OSError as e:
        raise unreadable(f"Mapping {toml_path}", e) from e
    except ValueError as e:  # bad TOML and bad UTF-8 alike
        raise AspectraError(f"Mapping {toml_path} is not valid TOML: {e}.", 'Lines read: note_id = "COLUMN".') from e
    return columns_of(options, f"Mapping {toml_path}")


def bind(columns: Columns, names: Sequence[str], source: str) -> Columns:
    """Tie ``columns`` to those, ``names``, that the file ``source`` has, guessing what is open.

    Raises:
        AspectraError: a named column does not exist, a named or guessed one is there twice, or no
            column is the note's id or text.
    """
    bound = Columns(
        note_id=_named(columns.note_id, "note_id", names, source),
        text=columns.text and tuple(str(_named(c, "text", names, source)) for c in columns.text),
        **{field: _named(getattr(columns, field), field, names, source) for field in OPTIONAL},
        date_format=columns.date_format,
    )
    bound = complete(bound, names, source)
    for field in ("note_id", "text"):
        if not getattr(bound, field):
            raise AspectraError(
                f"{source}: no column is known to be the {field}. {shown(names, chosen=columns.named())}",
                f"Give --column {field}=NAME.",
            )
    return bound


def complete(bound: Columns, names: Sequence[str], source: str) -> Columns:
    """Guess the fields that have no column yet; a column serves one field.

    Raises:
        AspectraError: a column that is guessed is there twice.
    """
    wanted = {field: guesses for field, guesses in GUESSES.items() if getattr(bound, field) is None}
    found = guessed(wanted, names, source, bound.named(), by_option=True)
    values: dict[str, Any] = {field: (column,) if field == "text" else column for field, column in found.items()}
    return replace(bound, **values)


def guessed(
    wanted: Mapping[str, Sequence[str]],
    names: Sequence[str],
    source: str,
    taken: Iterable[str] = (),
    by_option: bool = False,
) -> dict[str, str]:
    """Columns among ``names`` for the fields ``wanted``, by the names that each goes by; a column serves one field.
    ``by_option``: whether a person may name them.

    Raises:
        AspectraError: a column that is wanted is there twice, as after a join. Which one counts nobody can tell, and to
            read neither would be silent: notes without their patient_id would each be a patient of their own.
    """
    used = set(taken)
    out: dict[str, str] = {}
    for field, guesses in wanted.items():
        free = {_plain(n): n for n in reversed(names) if n not in used}
        column = next((free[g] for g in guesses if g in free), None)
        if column is None:
            continue
        if names.count(column) > 1:
            option = f", or name the column to use: --column {field}=NAME" if by_option else ""
            raise AspectraError(
                f"{source}: column {column!r}, which is read as {field}, is there more than once. {shown(names)}",
                f"Rename all but one of them in the header{option}.",
            )
        out[field] = column
        used.add(column)
    return out


def _named(column: str | None, field: str, names: Sequence[str], source: str) -> str | None:
    """The column as the file spells it: exactly, or else but for capitals and blanks."""
    if not column:
        return column
    found = [n for n in names if n == column] or [n for n in names if _plain(n) == _plain(column)]
    if len(found) != 1:
        what = "is there more than once" if found else "does not exist"
        raise AspectraError(
            f"{source}: column {column!r} for {field} {what}. {shown(names, chosen=[column])}",
            f"Give --column {field}=NAME.",
        )
    return found[0]


def _plain(name: str) -> str:
    return name.strip().casefold().replace(" ", "_").replace("-", "_")


def known(names: Iterable[str], columns: Columns) -> int:
    """How many names are columns that the person names or a guess would take."""
    wanted = {g for guesses in GUESSES.values() for g in guesses} | {_plain(c) for c in columns.named()}
    return sum(_plain(n) in wanted for n in names)


def shown(names: Sequence[str], wanted: Mapping[str, Sequence[str]] = GUESSES, chosen: Iterable[str] = ()) -> str:
    """Columns for an error. Where a header is missing its place is taken by data, which must not be shown: so one at
    least is a column that ``wanted`` or ``chosen`` names and all look like names, or none is shown."""
    filled = [n for n in names if n]
    expected = {guess for guesses in wanted.values() for guess in guesses} | {_plain(name) for name in chosen}
    if not expected & set(map(_plain, filled)):
        count = "Its one column has no name" if len(filled) == 1 else f"None of its {len(filled)} columns has a name"
        return f"{count} that is known, such as {', '.join(wanted)}: is the header missing?"
    if not all(NAME.fullmatch(n) for n in filled):
        return "Its columns are not shown, since not all look like names: is the header missing?"
    more = f" and {len(filled) - 40} more" if len(filled) > 40 else ""
    return f"Its columns: {', '.join(filled[:40])}{more}."


def each(columns: Iterable[str]) -> dict[str, tuple[str]]:
    """Columns that go by their own names only."""
    return {name: (_plain(name),) for name in columns}


def need(wanted: Sequence[str], names: Sequence[str], source: str, format: str) -> None:
    """
    Raises:
        AspectraError: a column that ``format`` needs is not among ``names``.
    """
    if missing := [c for c in wanted if c not in names]:
        raise AspectraError(
            f"{source}: format {format} needs {', '.join(missing)}. {shown(names, each(wanted))}",
            "Give another --format.",
        )
