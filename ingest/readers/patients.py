"""A table of patients, CSV: patient_id, and what is known of sex, birth_date and death_date."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ingest.readers import csv_reader
from ingest.readers.columns import GUESSES, guessed, shown
from ingest.readers.fields import identifier, person
from ingest.readers.format import Format, Request
from ingest.readers.source import Source
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Patient

TOLD = ("sex", "birth_date", "death_date")


def patient(row: Mapping[str, str], columns: Mapping[str, str]) -> Patient:
    """Build a patient from a row; ``columns``: by field.

    Raises:
        FieldError: the id is empty, or a date is none.
    """
    values = {field: row[columns[field]] if field in columns else "" for field in TOLD}
    return Patient(identifier(row[columns["patient_id"]], "patient_id"), person(values))


def _open(request: Request) -> Source:
    delimiter, names = csv_reader.sniff(request.path)
    columns = guessed({f: GUESSES[f] for f in ("patient_id", *TOLD)}, names, request.shown)
    if "patient_id" not in columns or not columns.keys() & set(TOLD):
        wanted = f"format patients needs one column patient_id, and one of {', '.join(TOLD)}"
        raise AspectraError(f"{request.shown}: {wanted}. {shown(names)}", "Name them so in the header.")
    id_column = columns["patient_id"]
    make = request.bounded(partial(patient, columns=columns))
    read = partial(csv_reader.read, request.path, delimiter, names, id_column, make)
    return request.file("patients", request.collection_name("patients"), read)


FORMAT = Format("patients", _open)
