"""Structured facts: Condition, MedicationRequest, MedicationStatement, Procedure and Observation.

A fact says that something is so. So what was refuted, not done, or is only being thought of brings none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ingest.readers.coded import Code, Event
from ingest.readers.facts import number
from ingest.readers.fhir.codings import codes_of
from ingest.readers.fhir.lookups import Lookups
from ingest.readers.fhir.references import contained, reference
from ingest.readers.fhir.subjects import day, encounter_id, patient_id
from ingest.readers.fhir.tree import Resource, codes, every, one, text
from ingest.readers.fields import identifier
from ingest.readers.record import FactRecord, FieldError, SkippedError
from ingest.readers.systems import LOCAL
from search_stack.core.schema import StructuredFact

UCUM = "http://unitsofmeasure.org"


@dataclass(frozen=True, slots=True)
class EventType:
    """Where a type of resource has its code and its day, and what brings no fact."""

    code: str
    days: tuple[str, ...]
    """The first that tells a whole day counts."""
    left_out: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By field of a status, codes of what is no fact."""


EVENT_TYPES = {
    "Condition": EventType(
        "code",
        ("onsetDateTime", "onsetPeriod", "recordedDate", "assertedDate"),
        # Only an established diagnosis is one: a differential diagnosis names several, most of which are not so.
        {
            "verificationStatus": frozenset(
                {"refuted", "entered-in-error", "unconfirmed", "provisional", "differential"}
            )
        },
    ),
    "MedicationRequest": EventType(
        "medicationCodeableConcept",
        ("authoredOn",),
        {
            "status": frozenset({"entered-in-error", "cancelled", "draft"}),
            "intent": frozenset({"proposal", "plan", "option"}),
        },
    ),
    "MedicationStatement": EventType(
        "medicationCodeableConcept",
        ("effectiveDateTime", "effectivePeriod", "dateAsserted"),
        {"status": frozenset({"entered-in-error", "intended", "not-taken"})},
    ),
    "Procedure": EventType(
        "code",
        ("performedDateTime", "performedPeriod"),
        {"status": frozenset({"not-done", "entered-in-error", "preparation"})},
    ),
    "Observation": EventType(
        "code",
        ("effectiveDateTime", "effectivePeriod", "effectiveInstant", "issued"),
        {"status": frozenset({"entered-in-error", "cancelled", "registered"})},
    ),
}


def event(resource: Resource, lookups: Lookups, collection: str) -> Iterable[StructuredFact | FactRecord | FieldError]:
    """What an event says now. With an id it takes the place of what it said before, also where it brings no fact now.

    Raises:
        FieldError: as of `facts`; what it said before stays.
        SkippedError: it brings no fact, and has no id.
    """
    if not text(resource, "id"):
        return facts(resource, lookups, collection)
    source_id = event_id(resource)
    try:
        found = list(facts(resource, lookups, collection))
    except SkippedError as e:
        return [FactRecord(source_id, collection, reason=e.reason)]
    own = tuple(replace(one, source_id=source_id) for one in found if isinstance(one, StructuredFact))
    return [*(one for one in found if isinstance(one, FieldError)), FactRecord(source_id, collection, own)]


def event_id(resource: Resource) -> str:
    """
    Raises:
        FieldError: it has none that can be kept.
    """
    return f"{text(resource, 'resourceType')}/{identifier(text(resource, 'id'), 'id')}"


def facts(resource: Resource, lookups: Lookups, collection: str) -> Iterator[StructuredFact | FieldError]:
    """A fact for each coding of the resource; of an Observation also for those of its components, with their values.

    Raises:
        FieldError: it has no patient, or a field of it cannot be taken.
        SkippedError: it brings no fact.
    """
    name = text(resource, "resourceType")
    kind = EVENT_TYPES[name]
    _stop_if_left_out(resource, name, kind)
    shared = Event(
        patient_id(resource, lookups),
        collection,
        day(resource, kind.days),
        encounter_id(resource, "encounter", "context"),
    )
    measured = list(_measured(resource, shared)) if name == "Observation" else []
    if name == "Observation" and not measured:
        raise SkippedError("Observation without a result")
    coded = measured or [(shared, _codes(resource, kind, lookups))]
    found = {(code.system, code.code): (of, code) for of, every_code in coded for code in every_code}
    if not found:
        raise SkippedError(f"{name} without a code")
    for of, code in found.values():
        try:
            yield of.fact(code)
        except FieldError as e:
            yield e


def _stop_if_left_out(resource: Resource, name: str, kind: EventType) -> None:
    for key, left_out in kind.left_out.items():
        for status in sorted(codes(resource, key) & left_out):
            raise SkippedError(f"{name} with {key} {status}")
    if resource.get("doNotPerform") is True:
        raise SkippedError(f"{name} that forbids")


def _codes(resource: Resource, kind: EventType, lookups: Lookups) -> list[Code]:
    found = codes_of(one(resource, kind.code))
    if found or kind.code != "medicationCodeableConcept":
        return found
    pointed = reference(resource, "medicationReference")
    named = text(one(resource, "medicationReference"), "display")
    known: list[Code] | None = []
    if pointed and pointed.contained:
        known = codes_of(one(contained(resource, pointed.id) or {}, "code"))
    elif pointed:
        known = lookups.medication(pointed.id)
    if known or (known is not None and not named):
        return known
    if named:
        return [Code(LOCAL, named, named)]
    raise FieldError("medicationReference", "points at a Medication that is not in the export")


def _measured(observation: Resource, event: Event) -> Iterator[tuple[Event, list[Code]]]:
    """The observation and its components, each that has a result: one with components stands for them."""
    components = [part for part in every(observation, "component") if _has_result(part)]
    if components or _has_result(observation):
        yield _valued(observation, event), codes_of(one(observation, "code"))
    for part in components:
        yield _valued(part, event), codes_of(one(part, "code"))


def _has_result(part: Resource) -> bool:
    """Whether it says that there is none, as of a test that was not performed."""
    return not part.get("dataAbsentReason") or any(key.startswith("value") and part[key] is not None for key in part)


def _valued(part: Resource, event: Event) -> Event:
    """The event with the number that was measured. "Below 5" is no number: its fact has none."""
    quantity = one(part, "valueQuantity")
    unit = text(quantity, "code") if text(quantity, "system") == UCUM else ""
    unit = unit or text(quantity, "unit") or text(quantity, "code")
    if text(quantity, "comparator"):
        return replace(event, unit=unit)
    value = quantity.get("value", part.get("valueInteger"))
    return replace(event, value=_number(value), unit=unit)


def _number(value: object) -> float | None:
    """
    Raises:
        FieldError: it is no number.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise FieldError("value", "not a number")
    return number(str(value))
