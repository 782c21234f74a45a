"""Patients."""

from __future__ import annotations

from ingest.readers.days import birth_date, whole_day
from ingest.readers.fhir.tree import Resource, text
from ingest.readers.fields import identifier, sex
from search_stack.core.schema import Patient, Person


def patient(resource: Resource) -> Patient:
    """
    Raises:
        FieldError: it has no id, or a date is none.
    """
    return Patient(
        identifier(text(resource, "id"), "id"),
        Person(
            sex(text(resource, "gender")),
            birth_date(text(resource, "birthDate"), "birthDate"),
            whole_day(text(resource, "deceasedDateTime"), "deceasedDateTime"),
        ),
    )
