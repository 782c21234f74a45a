"""Patients, and which of them are one person."""

from __future__ import annotations

from collections.abc import Iterator

from ingest.readers.days import birth_date, whole_day
from ingest.readers.fhir.links import links
from ingest.readers.fhir.lookups import Lookups
from ingest.readers.fhir.subjects import named_patient
from ingest.readers.fhir.tree import Resource, text
from ingest.readers.fields import identifier, sex
from ingest.readers.record import FieldError
from search_stack.core.schema import Merge, Patient, Person


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


def merges(resource: Resource, lookups: Lookups) -> Iterator[Merge | FieldError]:
    """Whom the patient is replaced by, and whom it replaces. One that is in use and names nobody who replaces it is a
    patient of its own; one that is not in use may have been merged by a server that tells so at the other end alone."""
    own = text(resource, "id")
    replaced = False
    try:
        for kind, other in links(resource):
            named = named_patient(other, lookups, "link")
            replaced |= kind == "replaced-by"
            yield Merge(own, named) if kind == "replaced-by" else Merge(named, own)
    except FieldError as e:
        yield FieldError("link", e.reason)
        return
    if not replaced and resource.get("active") is True:
        yield Merge(own)
