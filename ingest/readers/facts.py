"""A table of structured facts, CSV: patient_id, system, code, and where known day, name, value, unit, encounter_id."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

from ingest.readers import csv_reader
from ingest.readers.columns import guessed, shown
from ingest.readers.fields import identifier, label, note_date
from ingest.readers.format import Format, Request
from ingest.readers.record import FieldError
from ingest.readers.source import Source
from search_stack.core.errors import AspectraError
from search_stack.core.schema import StructuredFact

FACT_COLUMNS = {
    "patient_id": ("patient_id", "patientid", "subject_id", "mrn", "person_id"),
    "system": ("system", "code_system", "codesystem", "coding_system", "vocabulary", "vocabulary_id", "terminology"),
    "code": ("code", "concept_code", "source_code"),
    "day": ("day", "date", "event_date", "start_date", "charttime", "chartdate", "time"),
    "name": ("name", "code_name", "display", "description", "concept_name", "label"),
    "value": ("value_as_number", "valuenum", "numeric_value", "value", "result"),
    "unit": ("unit", "units", "value_unit", "valueuom", "unit_source_value"),
    "encounter_id": ("encounter_id", "visit_id", "hadm_id", "admission_id", "visit_occurrence_id"),
}
"""The names that each field's column goes by."""
NEEDED = ("patient_id", "system", "code")
LONGEST_SYSTEM = LONGEST_UNIT = 64


def fact(row: Mapping[str, str], columns: Mapping[str, str], collection: str) -> StructuredFact:
    """Build a fact from a row; ``columns``: by field.

    Raises:
        FieldError: an id, the system or the code is empty or too long, the day is none, or the value is no number.
    """
    values = {field: row[columns[field]] if field in columns else "" for field in FACT_COLUMNS}
    return StructuredFact(
        patient_id=identifier(values["patient_id"], "patient_id"),
        system=system(values["system"]),
        code=identifier(values["code"], "code"),
        day=note_date(values["day"], field="day"),
        name=label(values["name"]),
        value=number(values["value"]),
        unit=unit(values["unit"]),
        encounter_id=identifier(values["encounter_id"], "encounter_id") if values["encounter_id"].strip() else "",
        collection=collection,
    )


def system(value: str) -> str:
    """A system in small letters.

    Raises:
        FieldError: it is empty, too long, or holds a colon, which parts it from the code in a query.
    """
    name = identifier(value, "system").casefold()
    if len(name) > LONGEST_SYSTEM:
        raise FieldError("system", f"longer than {LONGEST_SYSTEM} characters")
    if ":" in name:
        raise FieldError("system", "holds a colon")
    return name


def unit(value: str) -> str:
    """
    Raises:
        FieldError: it is too long.
    """
    name = label(value)
    if len(name) > LONGEST_UNIT:
        raise FieldError("unit", f"longer than {LONGEST_UNIT} characters")
    return name


def number(value: str) -> float | None:
    """A decimal number with a point; None where the value is empty.

    Raises:
        FieldError: it is no number, as "<0.5", "7,8" or "positive".
    """
    value = value.strip()
    if not value:
        return None
    try:
        found = float(value)
    except ValueError:
        found = math.nan
    if not math.isfinite(found) or "_" in value:
        raise FieldError("value", "not a number")
    return found


def _open(request: Request) -> Source:
    delimiter, names = csv_reader.sniff(request.path)
    columns = guessed(FACT_COLUMNS, names, request.shown)
    if missing := [field for field in NEEDED if field not in columns]:
        wanted = f"format facts needs the columns {', '.join(NEEDED)}, and there is no {missing[0]}"
        raise AspectraError(f"{request.shown}: {wanted}. {shown(names, FACT_COLUMNS)}", "Name them so in the header.")
    collection = request.collection_name()
    make = partial(fact, columns=columns, collection=collection)
    read = partial(csv_reader.read, request.path, delimiter, names, columns["patient_id"], make)
    return request.file("facts", collection, read)


FORMAT = Format("facts", _open)
