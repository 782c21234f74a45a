"""FHIR: which resources bring facts, and which bring none."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from ingest.readers import FactRecord, Skipped
from tests.unit.ingest.readers.fhir_export import (
    ICD,
    PATIENT,
    UCUM,
    Resource,
    concept,
    condition,
    fact,
    items,
    observation,
    only,
    rejected,
)


@pytest.mark.parametrize("status", ["refuted", "entered-in-error", "unconfirmed", "provisional", "differential"])
def test_what_is_not_established_is_no_diagnosis(tmp_path: Path, status: str) -> None:
    for written_as in ({"coding": [{"code": status}]}, status):
        found = only(tmp_path, condition(verificationStatus=written_as))
        assert found == Skipped(f"Condition with verificationStatus {status}")


@pytest.mark.parametrize("status", [None, {"coding": [{"code": "confirmed"}]}, {}, {"text": "confirmed"}])
def test_what_is_established_is_a_diagnosis(tmp_path: Path, status: object) -> None:
    assert only(tmp_path, condition(verificationStatus=status)) == fact("I48", "icd10")


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("Procedure", {"status": "not-done"}),
        ("Procedure", {"status": "entered-in-error"}),
        ("Procedure", {"status": "preparation"}),
        ("Observation", {"status": "entered-in-error"}),
        ("Observation", {"status": "cancelled"}),
        ("Observation", {"status": "registered"}),
        ("MedicationRequest", {"status": "cancelled"}),
        ("MedicationRequest", {"intent": "proposal"}),
        ("MedicationStatement", {"status": "not-taken"}),
    ],
)
def test_what_did_not_happen_brings_no_fact(tmp_path: Path, kind: str, fields: Resource) -> None:
    coded = {"code": concept("1"), "medicationCodeableConcept": concept("1")}
    ((key, value),) = fields.items()
    found = only(tmp_path, {"resourceType": kind, "subject": PATIENT} | coded | fields)
    assert found == Skipped(f"{kind} with {key} {value}")


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("Procedure", "completed"),
        ("Procedure", "in-progress"),
        ("Observation", "preliminary"),
        ("MedicationRequest", "stopped"),
        ("MedicationStatement", "active"),
    ],
)
def test_what_happened_brings_one(tmp_path: Path, kind: str, status: str) -> None:
    coded = {"code": concept("1"), "medicationCodeableConcept": concept("1")}
    assert only(tmp_path, {"resourceType": kind, "status": status, "subject": PATIENT} | coded) == fact("1")


def test_a_request_that_forbids_brings_none(tmp_path: Path) -> None:
    request = {"resourceType": "MedicationRequest", "subject": PATIENT, "medicationCodeableConcept": concept("1")}
    assert only(tmp_path, request | {"doNotPerform": True}) == Skipped("MedicationRequest that forbids")
    assert only(tmp_path, request | {"doNotPerform": False}) == fact("1")


@pytest.mark.parametrize(
    ("kind", "fields", "day"),
    [
        ("Condition", {"onsetDateTime": "2019-03-04", "recordedDate": "2020-01-01"}, date(2019, 3, 4)),
        ("Condition", {"onsetDateTime": "2019", "recordedDate": "2020-01-01"}, date(2020, 1, 1)),
        ("Condition", {"onsetPeriod": {"start": "2019-03-04"}}, date(2019, 3, 4)),
        ("Condition", {"onsetString": "in childhood"}, None),
        ("Procedure", {"performedPeriod": {"start": "2019-03-04T10:00:00Z"}}, date(2019, 3, 4)),
        ("Procedure", {"performedDateTime": "2019-03"}, None),
        ("Observation", {"effectiveInstant": "2019-03-04T10:00:00Z"}, date(2019, 3, 4)),
        ("Observation", {"issued": "2019-03-04T10:00:00Z"}, date(2019, 3, 4)),
    ],
)
def test_the_day_of_a_fact(tmp_path: Path, kind: str, fields: Resource, day: date | None) -> None:
    found = only(tmp_path, {"resourceType": kind, "subject": PATIENT, "code": concept("1")} | fields)
    assert found == fact("1", day=day)


def test_every_coding_is_a_fact_and_each_once(tmp_path: Path) -> None:
    codings = [
        {"system": ICD, "code": "I48"},
        {"system": "http://hl7.org/fhir/sid/icd-10-cm", "code": "I48", "display": "again"},
        {"system": "http://snomed.info/sct", "code": "49436004", "display": "Atrial fibrillation"},
        {"code": "AF 1"},
        {"system": "http://no.code"},
    ]
    assert items(tmp_path, condition(code={"text": "Fibrillation", "coding": codings})) == [
        fact("I48", "icd10", name="Fibrillation"),
        fact("49436004", "snomed", name="Atrial fibrillation"),
        fact("AF 1", "local", name="Fibrillation"),
    ]


def test_words_alone_are_a_code_of_no_system(tmp_path: Path) -> None:
    assert only(tmp_path, condition(code={"text": "Atrial  fibrillation"})) == fact(
        "Atrial fibrillation", "local", name="Atrial fibrillation"
    )
    assert only(tmp_path, condition(code={"coding": [{}]})) == Skipped("Condition without a code")


def test_a_code_that_cannot_be_kept_costs_no_other(tmp_path: Path) -> None:
    codings = [{"system": ICD, "code": "I" * 256}, {"system": ICD, "code": "I48"}]
    assert items(tmp_path, condition(code={"coding": codings})) == [
        rejected("code", "longer than 255 characters"),
        fact("I48", "icd10"),
    ]


@pytest.mark.parametrize(
    ("fields", "value", "unit"),
    [
        ({"valueQuantity": {"value": 7.5, "unit": "gram", "system": UCUM, "code": "g/dL"}}, 7.5, "g/dL"),
        ({"valueQuantity": {"value": 7, "unit": "g/dL"}}, 7.0, "g/dL"),
        ({"valueQuantity": {"value": "7.50", "unit": "g/dL"}}, 7.5, "g/dL"),
        ({"valueQuantity": {"value": 0, "code": "1"}}, 0.0, "1"),
        ({"valueQuantity": {"value": 5, "comparator": "<", "unit": "mg/L"}}, None, "mg/L"),
        ({"valueInteger": 3}, 3.0, ""),
        ({"valueString": "5"}, None, ""),
        ({"valueCodeableConcept": {"text": "negative"}}, None, ""),
        ({}, None, ""),
    ],
)  # fmt: skip
def test_values(tmp_path: Path, fields: Resource, value: float | None, unit: str) -> None:
    assert items(tmp_path, observation(**fields)) == [fact(value=value, unit=unit)]


@pytest.mark.parametrize("value", ["<5", "7,5", True, [7], float("inf"), "1e999"])
def test_what_is_no_number_rejects_its_observation(tmp_path: Path, value: object) -> None:
    assert items(tmp_path, observation(valueQuantity={"value": value})) == [rejected("value", "not a number")]


def test_components_are_facts_beside_what_they_are_parts_of(tmp_path: Path) -> None:
    parts = [
        {"code": concept("8480-6"), "valueQuantity": {"value": 148, "unit": "mmHg"}},
        {"code": concept("8462-4"), "dataAbsentReason": {"text": "not done"}},
    ]
    pressure = observation(code=concept("85354-9"), component=parts, effectiveDateTime="2019-03-04")
    day = date(2019, 3, 4)
    assert items(tmp_path, pressure) == [
        fact("85354-9", day=day),
        fact("8480-6", value=148.0, unit="mmHg", day=day),
    ]
    absent = observation(component=parts[1:], dataAbsentReason={"text": "not done"})
    assert items(tmp_path, absent) == [Skipped("Observation without a result")]


def test_an_event_with_an_id_says_all_that_it_says_at_once(tmp_path: Path) -> None:
    codings = [{"system": ICD, "code": "I48"}, {"system": ICD, "code": "I" * 256}, {"code": "AF"}]
    assert items(
        tmp_path, condition(id="c1", code={"coding": codings}), condition(id="", code={"coding": codings[:1]})
    ) == [
        rejected("code", "longer than 255 characters"),
        FactRecord(
            "Condition/c1",
            "x",
            (fact("I48", "icd10", source_id="Condition/c1"), fact("AF", "local", source_id="Condition/c1")),
        ),
        fact("I48", "icd10"),
    ]


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (condition(verificationStatus="refuted"), "Condition with verificationStatus refuted"),
        (condition(code={}), "Condition without a code"),
        (observation(status="cancelled"), "Observation with status cancelled"),
        ({"resourceType": "Procedure", "status": "entered-in-error"}, "Procedure with status entered-in-error"),
    ],
)
def test_an_event_with_an_id_that_brings_no_fact_takes_back_what_it_said(
    tmp_path: Path, event: Resource, reason: str
) -> None:
    assert items(tmp_path, event | {"id": "7"}) == [FactRecord(f"{event['resourceType']}/7", "x", reason=reason)]
    assert items(tmp_path, event) == [Skipped(reason)]


def test_an_event_that_cannot_be_read_takes_nothing_back(tmp_path: Path) -> None:
    assert items(
        tmp_path,
        condition(id="c1", subject={}),
        observation(id="o1", valueQuantity={"value": "<5"}),
        condition(id="c" * 256),
    ) == [
        rejected("subject", "empty"),
        rejected("value", "not a number", 2),
        rejected("id", "longer than 255 characters", 3),
    ]


MEDICATION = {"resourceType": "Medication", "id": "m1", "code": concept("C03CA01", "http://www.whocc.no/atc")}

BY_NAME = fact("Lasix", "local", name="Lasix")


@pytest.mark.parametrize(
    ("medication", "item"),
    [
        ({"medicationReference": {"reference": "Medication/m1"}}, fact("C03CA01", "atc")),
        ({"medicationReference": {"reference": "#m"}, "contained": [MEDICATION | {"id": "m"}]}, fact("C03CA01", "atc")),
        ({"medicationReference": {"reference": "Medication/9", "display": "Lasix"}}, BY_NAME),
        ({"medicationReference": {"display": "Lasix"}}, BY_NAME),
        (
            {"medicationReference": {"reference": "Medication/9"}},
            rejected("medicationReference", "points at a Medication that is not in the export"),
        ),
        ({}, Skipped("MedicationRequest without a code")),
    ],
)  # fmt: skip
def test_medications(tmp_path: Path, medication: Resource, item: object) -> None:
    request = {"resourceType": "MedicationRequest", "status": "active", "subject": PATIENT}
    assert only(tmp_path, request | medication, MEDICATION) == item
