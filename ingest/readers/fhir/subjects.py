"""Whose a resource is, of which encounter, of what day: what notes and facts read alike."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ingest.readers.days import whole_day
from ingest.readers.fhir.lookups import Lookups
from ingest.readers.fhir.references import Reference, contained, reference
from ingest.readers.fhir.tree import Resource, every, one, text
from ingest.readers.fields import identifier
from ingest.readers.record import FieldError, SkippedError


def patient_id(resource: Resource, lookups: Lookups) -> str:
    """The patient's id, as ``Patient.id`` has it. A patient who is told by an identifier alone is the one of the export
    that has it, else goes by the identifier.

    Raises:
        FieldError: it names no patient, or an identifier that several have.
        SkippedError: it is of a group, a device or a place.
    """
    key = "subject" if resource.get("subject") else "patient"
    found = reference(resource, key)
    if not found:
        raise FieldError("subject", "empty")
    if found.contained:
        found = _of_part(contained(resource, found.id))
    if not found.of("Patient"):
        raise SkippedError("of no patient, but of a group, a device or a place")
    return named_patient(found, lookups, "subject")


def named_patient(found: Reference, lookups: Lookups, field: str) -> str:
    """The id of the patient at whom ``field`` points.

    Raises:
        FieldError: it names none, or an identifier that several have.
    """
    if not found.identifier:
        return identifier(found.id, field)
    known = lookups.patient(found.system, found.identifier)
    if known == "":
        raise FieldError(field, "several patients have this identifier")
    return identifier(known or found.identifier, field)


def _of_part(part: Resource | None) -> Reference:
    """A patient who is told of within the resource has no id that others could use, but an identifier perhaps."""
    if part is None:
        raise FieldError("subject", "points at a part of the resource that is not there")
    found = next(every(part, "identifier"), {})
    if text(part, "resourceType") == "Patient" and not text(found, "value"):
        raise FieldError("subject", "a patient within the resource, without an identifier")
    return Reference(text(part, "resourceType"), system=text(found, "system"), identifier=text(found, "value"))


def encounter_id(resource: Resource, *keys: str) -> str:
    """The id of the encounter that the first of ``keys`` names; empty where none does.

    Raises:
        FieldError: it is no id.
    """
    for key in keys:
        for element in every(resource, key):
            found = reference({key: element}, key)
            if found and found.of("Encounter") and not found.contained and (found.id or found.identifier):
                return identifier(found.id or found.identifier, key)
    return ""


def day(resource: Resource, keys: Sequence[str]) -> date | None:
    """The day at the first of ``keys`` that has a whole one: a date, or the start of a period.

    Raises:
        FieldError: one before it is no date.
    """
    for key in keys:
        value = resource.get(key)
        written = text(one(resource, key), "start") if isinstance(value, dict) else text(resource, key)
        if found := whole_day(written, key):
            return found
    return None
