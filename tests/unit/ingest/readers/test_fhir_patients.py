"""FHIR: patients, and whose a resource is."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from ingest.readers import Rejected, Skipped
from search_stack.core.schema import Merge, Note, Patient, Person
from tests.unit.ingest.readers.fhir_export import Resource, condition, document, fact, items, only, rejected


def test_patients(tmp_path: Path) -> None:
    kind = {"resourceType": "Patient"}
    assert items(
        tmp_path,
        kind | {"id": "a_1", "gender": "female", "birthDate": "1950-02-28", "name": [{"family": "unread"}]},
        kind | {"id": "b", "gender": "other", "birthDate": "1950", "deceasedDateTime": "2020-01-01T10:00:00Z"},
        kind | {"id": "c", "gender": "unknown", "deceasedBoolean": True, "deceasedDateTime": None},
        kind | {"gender": "female"},
        kind | {"id": "d", "birthDate": "28.2.1950"},
        kind | {"id": "e", "deceasedDateTime": "9999-12-31"},
        kind | {"id": "f", "deceasedDateTime": "2999-12-31"},
    ) == [
        Patient("a_1", Person("female", date(1950, 2, 28))),
        Patient("b", Person("other", date(1950, 7, 1), date(2020, 1, 1))),
        Patient("c", Person()),
        rejected("id", "empty", 4),
        rejected("birthDate", "not an ISO date", 5),
        Patient("e", Person()),
        Patient("f", Person(death_date=date(2999, 12, 31))),
    ]


def test_days_that_cannot_be_meant(tmp_path: Path) -> None:
    """Who was born this year may have been born today."""
    today = datetime.now(UTC).date()
    found = items(
        tmp_path,
        {"resourceType": "Patient", "id": "a", "birthDate": "2199"},
        {"resourceType": "Patient", "id": "b", "birthDate": str(today.year)},
        document(date="1752-09-14"),
    )
    assert [(i.line, i.field) for i in found if isinstance(i, Rejected)] == [(1, "birth_date"), (3, "date")]
    (child,) = (i for i in found if isinstance(i, Patient))
    assert child.person.birth_date == min(date(today.year, 7, 1), today)


def linked(*links: tuple[str, Any], **more: Any) -> Resource:
    told = [{"type": kind, "other": other} for kind, other in links]
    return {"resourceType": "Patient", "id": "p1", "link": told} | more


OTHER = {"reference": "Patient/p2"}
HERE = Patient("p1", Person())


@pytest.mark.parametrize(
    ("patient", "merges"),
    [
        (linked(("replaced-by", OTHER)), [Merge("p1", "p2")]),
        (linked(("replaced-by", OTHER), active=True), [Merge("p1", "p2")]),
        (linked(("replaces", OTHER), active=False), [Merge("p2", "p1")]),
        (
            linked(("replaces", OTHER), ("replaces", {"reference": "urn:uuid:p3"}), active=True),
            [Merge("p2", "p1"), Merge("p3", "p1"), Merge("p1")],
        ),
        (linked(("replaced-by", {"identifier": {"value": "7"}})), [Merge("p1", "p9")]),
        (linked(("seealso", OTHER), ("refer", OTHER)), []),
        (linked(("seealso", OTHER), active=True), [Merge("p1")]),
        (linked(("replaces", {"reference": "RelatedPerson/p2"})), []),
        (linked(active=False), []),
        (linked(), []),
        (linked(("replaced-by", {}), active=True), [rejected("link", "names no patient")]),
        (linked(("replaced-by", {"reference": "a/b"})), [rejected("link", "a reference that points nowhere")]),
        (linked(("replaced-by", "p2"), active=True), [rejected("link", "not an object")]),
    ],
)
def test_who_is_replaced_by_whom(tmp_path: Path, patient: Resource, merges: list[object]) -> None:
    known = {"resourceType": "Patient", "id": "p9", "identifier": [{"value": "7"}]}
    first, *found = items(tmp_path, patient, known)
    assert (first, found[-1]) == (HERE, Patient("p9", Person()))
    assert found[:-1] == merges


# Whose it is


@pytest.mark.parametrize(
    "subject",
    [
        {"reference": "Patient/p1"},
        {"reference": "Patient/p1/_history/3"},
        {"reference": "https://server.example/fhir/r4/Patient/p1"},
        {"reference": "urn:uuid:p1"},
        {"reference": "p1", "type": "Patient"},
        {"type": "Patient", "identifier": {"system": "mrn", "value": "7"}},
        {"identifier": {"value": "7"}},
        {"reference": "Patient?identifier=mrn|7"},
        {"reference": "#pat"},
    ],
)
def test_every_way_to_name_a_patient(tmp_path: Path, subject: Resource) -> None:
    part = {"resourceType": "Patient", "id": "pat", "identifier": [{"system": "mrn", "value": "7"}]}
    beside = {"resourceType": "Patient", "id": "p1", "identifier": [{"system": "mrn", "value": "7"}]}
    found = only(tmp_path, document(subject=subject, contained=[part]), beside)
    assert isinstance(found, Note)
    assert found.patient_id == "p1"


def test_an_identifier_of_nobody_in_the_export_is_the_id(tmp_path: Path) -> None:
    assert only(tmp_path, condition(subject={"identifier": {"value": "p1"}})) == fact("I48", "icd10")


@pytest.mark.parametrize(
    ("subject", "item"),
    [
        (None, rejected("subject", "empty")),
        ({"display": "a name"}, rejected("subject", "empty")),
        ({"reference": ""}, rejected("subject", "a reference that points nowhere")),
        ({"reference": "Patient/"}, rejected("subject", "empty")),
        ({"reference": "wards/7/beds/2"}, rejected("subject", "a reference that points nowhere")),
        ("Patient/p1", rejected("subject", "not an object")),
        ({"reference": "#gone"}, rejected("subject", "points at a part of the resource that is not there")),
        ({"identifier": {"value": "7"}}, rejected("subject", "several patients have this identifier")),
        ({"reference": "Group/p1"}, Skipped("of no patient, but of a group, a device or a place")),
    ],
)
def test_who_cannot_be_told(tmp_path: Path, subject: object, item: object) -> None:
    two = [{"resourceType": "Patient", "id": i, "identifier": [{"value": "7"}]} for i in ("a", "b")]
    assert only(tmp_path, document(subject=subject), *two) == item


@pytest.mark.parametrize(
    ("old", "new", "whose"),
    [
        ([("replaced-by", "new")], [], "new"),
        ([], [("replaces", "old")], "new"),
        ([("replaced-by", "new")], [("replaces", "old")], "new"),
        ([("replaced-by", "new")], [("replaced-by", "third")], None),
        ([("seealso", "new")], [], None),
        ([("replaced-by", "a/b")], [], None),
        ([], [("replaces", "third")], None),
    ],
)
def test_an_identifier_that_a_replaced_patient_has_too_is_of_who_stays(
    tmp_path: Path, old: list[tuple[str, str]], new: list[tuple[str, str]], whose: str | None
) -> None:
    two = [
        linked(
            *((kind, {"reference": other if "/" in other else f"Patient/{other}"}) for kind, other in links),
            id=id,
            identifier=[{"value": "7"}],
        )
        for id, links in (("old", old), ("new", new))
    ]
    for people in (two, two[::-1]):
        found = only(tmp_path, document(subject={"identifier": {"value": "7"}}), *people)
        several = rejected("subject", "several patients have this identifier")
        assert (found.patient_id if isinstance(found, Note) else found) == (whose or several)
