"""FHIR: which resources bring which notes, patients and facts, and which bring none."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from ingest.readers import FactRecord, Rejected, Skipped, Withdrawn, Work, json_text, open_source
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Merge, Note, Patient, Person, StructuredFact

EXAMPLE = Path(__file__).parents[4] / "docs" / "examples" / "fhir"
Resource = dict[str, Any]
PATIENT = {"reference": "Patient/p1"}
UTF16 = "many NUL characters: UTF-16 without a byte order mark? Save it as UTF-8"
ELSEWHERE = "the text, or a part of it, is elsewhere and not in the export"
NONE_OF = "is none of text/plain, text/html, application/xhtml+xml"
UNKNOWN_SET = "a character set that is not known"
NO_SIDE_BY_SIDE = "of a Bundle, is none of collection, transaction, batch, searchset, document, history"
UCUM = "http://unitsofmeasure.org"
LOINC, ICD = "http://loinc.org", "http://hl7.org/fhir/sid/icd-10"


def written(path: Path, *resources: Resource | str) -> Path:
    lines = (r if isinstance(r, str) else json.dumps(r) for r in resources)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def items(tmp_path: Path, *resources: Resource | str) -> list[Any]:
    return [r.item for r in open_source(written(tmp_path / "x.ndjson", *resources), "fhir")]


def only(tmp_path: Path, *resources: Resource) -> Any:
    """What the first resource brings; the others stand beside it in the export."""
    first, *_ = items(tmp_path, *resources)
    return first


def base(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


BLANK = {"contentType": "text/plain", "data": base(" \n")}
EMPTY = {"contentType": "text/html", "data": base("<html></html>")}
PAGE = {"contentType": "application/xhtml+xml", "data": base("<p>No effusion.</p>")}


def concept(code: str, system: str = LOINC, display: str = "") -> Resource:
    return {"coding": [{"system": system, "code": code, "display": display}]}


def document(**more: Any) -> Resource:
    attachment = {"contentType": "text/plain", "data": base("No effusion.")}
    return {
        "resourceType": "DocumentReference",
        "id": "d1",
        "status": "current",
        "subject": PATIENT,
        "content": [{"attachment": attachment}],
    } | more


def attached(**attachment: Any) -> Resource:
    return document(content=[{"attachment": attachment}])


def report(**more: Any) -> Resource:
    return {"resourceType": "DiagnosticReport", "id": "r1", "status": "final", "subject": PATIENT} | more


def condition(**more: Any) -> Resource:
    return {"resourceType": "Condition", "subject": PATIENT, "code": concept("I48", ICD)} | more


def observation(**more: Any) -> Resource:
    return {"resourceType": "Observation", "status": "final", "subject": PATIENT, "code": concept("718-7")} | more


def fact(code: str = "718-7", system: str = "loinc", **more: Any) -> StructuredFact:
    return StructuredFact("p1", system, code, collection="x", **more)


def rejected(field: str, reason: str, line: int = 1) -> Rejected:
    return Rejected("x.ndjson", line, field, reason)


# Bundles


def bundle(*entries: Resource, type: str = "collection") -> Resource:
    return {"resourceType": "Bundle", "type": type, "entry": list(entries)}


@pytest.mark.parametrize("type", ["collection", "transaction", "batch", "searchset", "document"])
def test_the_resources_of_a_bundle_are_read_as_on_lines_of_their_own(tmp_path: Path, type: str) -> None:
    own = [
        {"resourceType": "Patient", "id": "p1"},
        document(subject={"identifier": {"value": "7"}}),
        condition(id="c1"),
        {"resourceType": "Patient", "id": "p2", "identifier": [{"value": "7"}]},
        {"resourceType": "Encounter"},
        condition(subject={}),
        observation(status="cancelled"),
    ]
    alone = items(tmp_path, *own)
    assert {one.__class__ for one in alone} == {Patient, Note, FactRecord, Skipped, Rejected}
    together = items(tmp_path, bundle(*({"resource": one} for one in own), type=type))
    assert together == [replace(one, line=1) if isinstance(one, Rejected) else one for one in alone]


def test_a_resource_of_a_bundle_without_an_id_has_that_of_its_address(tmp_path: Path) -> None:
    urn, other = "urn:uuid:aaaa-1", "https://server.example/fhir/Patient/9"
    who = {"reference": urn}
    assert items(
        tmp_path,
        bundle(
            {"fullUrl": urn, "resource": {"resourceType": "Patient"}},
            {"fullUrl": other, "resource": {"resourceType": "Patient", "id": "8"}},
            {"fullUrl": "urn:uuid:bbbb-2", "resource": condition(subject=who)},
            {"resource": {"resourceType": "Patient"}},
            {"request": {"method": "GET", "url": "Patient/1"}},
            type="transaction",
        ),
    ) == [
        Patient("aaaa-1", Person()),
        Patient("8", Person()),
        FactRecord(
            "Condition/bbbb-2",
            "x",
            (StructuredFact("aaaa-1", "icd10", "I48", collection="x", source_id="Condition/bbbb-2"),),
        ),
        rejected("id", "empty"),
    ]


def test_what_a_server_says_it_deleted_is_taken_back(tmp_path: Path) -> None:
    def gone(url: str) -> Resource:
        return {"request": {"method": "DELETE", "url": url}}

    urls = (
        "DocumentReference/d1",
        "DiagnosticReport/r1",
        "Condition/c1",
        "Patient/p1",
        "Encounter/e1",
        "Condition?code=1",
    )
    assert items(tmp_path, bundle(*map(gone, urls), type="transaction")) == [
        Withdrawn("DocumentReference/d1", "x"),
        Withdrawn("DiagnosticReport/r1", "x"),
        FactRecord("Condition/c1", "x", reason="Condition that was deleted"),
        Skipped("Patient that was deleted: see aspectra forget"),
        Skipped("resource of a type that brings nothing by itself"),
        rejected("request", "deletes what has no type or no id"),
    ]


def test_what_a_bundle_lacks_is_told(tmp_path: Path) -> None:
    nested = bundle({"resource": bundle({"resource": condition()})})
    assert items(tmp_path, bundle(), nested, bundle("x")) == [  # type: ignore[arg-type]  # as somebody may write it
        Skipped("Bundle without a resource"),
        rejected("resourceType", "a Bundle within a Bundle", 2),
        rejected("entry", "not an object", 3),
    ]


# Sources


def laid_out(path: Path, *values: Resource, **form: Any) -> Path:
    """As a server answers where it is asked to, or `jq` prints it."""
    path.write_text("".join(json.dumps(one, indent=2, ensure_ascii=False, **form) + "\n" for one in values))
    return path


EVERYTHING = bundle(
    {"resource": {"resourceType": "Patient", "id": "p1", "gender": "female"}},
    {"resource": condition(id="c1", code=concept("I48", ICD))},
    {"resource": document(id="d1", description="größer")},
    {"resource": {"resourceType": "Condition", "id": "c2"}},
    {"fullUrl": "urn:uuid:1"},
    type="searchset",
)


@pytest.mark.parametrize("portion", [3, 2**16])
@pytest.mark.parametrize("form", [{}, {"sort_keys": True}, {"separators": (" ,", " : ")}], ids=["jq", "jq -S", "HAPI"])
def test_a_bundle_over_several_lines_is_read_entry_by_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: dict[str, Any], portion: int
) -> None:
    monkeypatch.setattr(json_text, "PORTION", portion)
    path = laid_out(tmp_path / "everything.json", EVERYTHING, **form)
    lines = path.read_text().split("\n")
    begins = [n for n, line in enumerate(lines, 1) if line == "    {"]
    source = open_source(path)
    assert (source.format, source.collection) == ("fhir", "everything")
    found = [r.item for r in source]
    # The type of a Bundle may stand behind its entries; what is wrong with one is told by its line.
    *sound, wrong = found
    assert [type(one) for one in sound] == [Patient, FactRecord, Note]
    assert wrong == Rejected("everything.json", begins[3], "subject", "empty")
    apart = items(tmp_path, *(one["resource"] for one in EVERYTHING["entry"][:3]))
    assert [replace(one, collection="") for one in sound[2:]] == [replace(one, collection="") for one in apart[2:]]
    assert sound[0] == apart[0]
    packed = tmp_path / "packed.json.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert len(list(open_source(packed))) == 4


def test_resources_over_several_lines_one_after_the_other(tmp_path: Path) -> None:
    # As of jq '.entry[].resource'; the entries of a List are not those of a Bundle.
    listed = {"entry": [{"item": {"reference": "Condition/c1"}}], "resourceType": "List", "status": "current"}
    path = laid_out(tmp_path / "x.json", listed, *(one["resource"] for one in EVERYTHING["entry"][:3]))
    nothing, *found = [r.item for r in open_source(path)]
    assert nothing == Skipped("resource of a type that brings nothing by itself")
    assert [type(one) for one in found] == [Patient, FactRecord, Note]
    assert [r.item for r in open_source(laid_out(tmp_path / "y.json", bundle()))] == [
        Skipped("Bundle without a resource")
    ]


def test_behind_damage_over_several_lines_nothing_is_read_and_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = laid_out(tmp_path / "x.json", EVERYTHING)
    whole = path.read_text()
    place = whole.index('"Condition"')
    for text, reason in (
        (whole[:place], "not valid JSON: Expecting value"),
        (whole[:place] + "secret" + whole[place:], "not valid JSON: Expecting value"),
        (whole[:place] + '"x" "y"' + whole[place:], "not valid JSON: Expecting ',' delimiter"),
        (whole[: whole.rindex("]")], "not valid JSON: another character is expected"),
    ):
        path.write_text(text)
        *sound, last = [r.item for r in open_source(path, "fhir")]
        assert isinstance(last, Rejected)
        assert (last.reason, last.cut) == (f"{reason}; nothing behind it was read", True)
        assert isinstance(sound[0], Patient)
    path.write_bytes(whole.encode("latin-1"))
    assert [r.item for r in open_source(path, "fhir")][-1].reason == "not valid UTF-8; nothing behind it was read"  # type: ignore[union-attr]
    path.write_text(whole)
    monkeypatch.setattr(json_text, "PORTION", 64)
    monkeypatch.setattr(json_text, "RECORD_BYTES", 256)
    *_, last = [r.item for r in open_source(path, "fhir")]
    assert isinstance(last, Rejected)
    assert (last.reason, last.cut) == ("longer than 0 MiB; nothing behind it was read", True)


def test_a_bundle_on_a_line_that_is_too_long_for_a_record_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_text, "RECORD_BYTES", 200)
    path = tmp_path / "x.json"
    path.write_text(json.dumps(EVERYTHING))
    assert [type(r.item) for r in open_source(path)] == [Patient, FactRecord, Note, Rejected]


def test_a_folder_of_json_files_is_read_but_for_those_of_something_else(tmp_path: Path) -> None:
    folder = tmp_path / "synthea"
    folder.mkdir()
    laid_out(folder / "a.json", EVERYTHING, sort_keys=True)
    laid_out(folder / "manifest.json", {"transactionTime": "2020", "output": [{"type": "Patient"}]})
    (folder / "b.json").write_text(json.dumps({"resourceType": "Patient", "id": "p2"}) + "\n")
    (folder / "notes.json").write_text('{"text": "No fever."}\n')
    source = open_source(folder)
    assert [type(r.item) for r in source] == [Patient, FactRecord, Note, Rejected, Patient]
    assert source.remarks == ["2 files of other kinds were left out: .json."]


def version(number: int, day: str, **resource: Any) -> Resource:
    meta = {"versionId": str(number), "lastUpdated": day}
    return {"resource": {**resource, "meta": meta}, "request": {"method": "PUT", "url": "x"}}


def gone(url: str, **response: str) -> Resource:
    return {"request": {"method": "DELETE", "url": url}, "response": {"status": "204", **response}}


def test_of_a_history_the_newest_version_counts(tmp_path: Path) -> None:
    def coded(id: str, code: str) -> Resource:
        return condition(id=id, code=concept(code, ICD))

    page_one = bundle(
        version(2, "2020-01-02T01:00:00+02:00", **coded("c1", "I49")),
        version(1, "2020-01-02T00:30:00.123456789Z", **coded("c1", "I48")),  # later, whatever its number
        gone("Condition/c2/_history/10"),
        version(9, "", **coded("c2", "I48")),
        {"resource": coded("c3", "I50")},  # nothing says which is newer: the first is
        gone("Condition/c3"),
        version(3, "2020-01-03T00:00:00Z", **document(id="d1")),
        gone("DocumentReference/d1", lastModified="2020-01-04T00:00:00Z"),
        gone("DocumentReference/d2", etag='W/"1"'),
        version(2, "", **document(id="d2")),
        type="history",
    )
    page_two = bundle(
        version(11, "", **coded("c2", "I51")),
        version(1, "2020-01-01T00:00:00Z", **coded("c1", "I52")),
        type="history",
    )
    for pages in (
        items(tmp_path, page_one, page_two),
        [r.item for r in open_source(laid_out(tmp_path / "x.json", page_one, page_two), "fhir")],
    ):
        facts = {f.source_id: (f.reason, [one.code for one in f.facts]) for f in pages if isinstance(f, FactRecord)}
        assert facts == {
            "Condition/c1": ("", ["I48"]),
            "Condition/c2": ("", ["I51"]),
            "Condition/c3": ("", ["I50"]),
        }
        assert [f.note_id for f in pages if isinstance(f, Note | Withdrawn)] == [
            "DocumentReference/d1",
            "DocumentReference/d2",
        ]
        assert [type(f) for f in pages if isinstance(f, Note | Withdrawn)] == [Withdrawn, Note]
        assert pages.count(Skipped("older version of a resource in a history")) == 7
    # Names that other resources use are those of the newest version too.
    named = bundle(
        {"resource": {"resourceType": "Medication", "id": "m1", "meta": {"versionId": "1"}, "code": concept("old")}},
        {"resource": {"resourceType": "Medication", "id": "m1", "meta": {"versionId": "2"}, "code": concept("new")}},
        {
            "resource": {
                "resourceType": "MedicationRequest",
                "id": "r",
                "subject": {"reference": "Patient/p1"},
                "medicationReference": {"reference": "Medication/m1"},
            }
        },
        type="history",
    )
    (asked,) = (one for one in items(tmp_path, named) if isinstance(one, FactRecord))
    assert [one.code for one in asked.facts] == ["new"]


def test_the_example_is_read_whole() -> None:
    source = open_source(EXAMPLE)
    records = list(source)
    assert (source.format, source.collection) == ("fhir", "fhir")
    assert source.work == Work(records[-1].done, "bytes")
    assert [r.done for r in records] == sorted(r.done for r in records)
    kinds = [type(r.item).__name__ for r in records]
    assert {k: kinds.count(k) for k in kinds} == {
        "Note": 4,
        "Patient": 3,
        "FactRecord": 11,
        "Skipped": 3,
        "Withdrawn": 1,
    }
    said = [f for r in records if isinstance(one := r.item, FactRecord) for f in one.facts]
    facts = {(f.patient_id, f.system, f.code) for f in said}
    assert len(said) == 11
    assert {("f101", "icd10", "I48.91"), ("f101", "icd10", "I50.9"), ("f101", "atc", "C03CA01")} <= facts
    assert [r.item for r in source] == [r.item for r in records]


def test_a_folder_a_packed_file_and_links(tmp_path: Path) -> None:
    folder = tmp_path / "ward"
    (folder / "more").mkdir(parents=True)
    (folder / "more" / "a.ndjson.gz").write_bytes(gzip.compress(json.dumps(document()).encode()))
    written(folder / "b.ndjson", "{")
    (folder / "c.ndjson").symlink_to(written(tmp_path / "c.ndjson", document(id="d2")))
    (folder / "notes.md").write_text("not read")
    source = open_source(folder, "fhir")
    assert [r.item for r in source] == [
        Rejected("b.ndjson", 1, "", "not valid JSON: Expecting property name enclosed in double quotes (column 2)"),
        Note("DocumentReference/d1", "No effusion.", "p1", collection="ward"),
    ]
    links, others = source.remarks
    assert links.startswith("1 symbolic links were left out.")
    assert others == "1 files of other kinds were left out: .md."
    assert len(list(open_source(folder, "fhir", follow_links=True, collection="x"))) == 3


def test_a_folder_without_a_file_of_resources_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match=r"holds no \.ndjson file"):
        open_source(tmp_path, "fhir")


@pytest.mark.parametrize(
    ("line", "field", "reason"),
    [
        ("[]", "", "not a JSON object"),
        ("{}", "resourceType", "empty, or no type of a resource"),
        ('{"resourceType": 3}', "resourceType", "empty, or no type of a resource"),
        ('{"resourceType": "Mr Smith"}', "resourceType", "empty, or no type of a resource"),
        ('{"resourceType": "Bundle", "type": "message"}', "type", NO_SIDE_BY_SIDE),
        ('{"resourceType": "Bundle"}', "type", NO_SIDE_BY_SIDE),
    ],
)
def test_lines_that_are_no_resource(tmp_path: Path, line: str, field: str, reason: str) -> None:
    assert items(tmp_path, line) == [rejected(field, reason)]


def test_a_file_that_ends_inside_a_line_may_have_been_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "x.ndjson"
    path.write_text(json.dumps(condition()) + "\n" + json.dumps(condition())[:40])
    whole, last = [r.item for r in open_source(path, "fhir")]
    assert whole == fact("I48", "icd10")
    assert isinstance(last, Rejected)
    assert (last.line, last.cut) == (2, True)


def test_a_note_beyond_the_limit_is_rejected(tmp_path: Path) -> None:
    path = written(tmp_path / "x.ndjson", document())
    (record,) = open_source(path, "fhir", note_characters=5)
    assert record.item == rejected("text", "12 characters; at most 5 (ASPECTRA_NOTE_CHARACTERS)")


# Patients


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


# Notes


def test_every_field_of_a_document_is_read(tmp_path: Path) -> None:
    more = {
        "type": {"coding": [{"code": "11506-3", "display": "Progress note"}]},
        "date": "2019-03-04T23:30:00+02:00",
        "content": [{"attachment": {"contentType": "text/plain", "title": "Visit", "data": base("No effusion.")}}],
        "context": {"encounter": [{"reference": "EpisodeOfCare/1"}, {"reference": "Encounter/e1"}]},
        "id": "a_b",
        "description": "",
        "extension": [{}],
        "unknown": {"field": 1},
    }
    assert only(tmp_path, document(**more)) == Note(
        "DocumentReference/a_b", "No effusion.", "p1", "Progress note", date(2019, 3, 4), "Visit", "x", "e1"
    )


@pytest.mark.parametrize(
    ("fields", "day"),
    [
        ({"date": "2019-03-04"}, date(2019, 3, 4)),
        ({"date": "2019-03", "context": {"period": {"start": "2019-03-02"}}}, date(2019, 3, 2)),
        ({"date": "2019"}, None),
        ({}, None),
    ],
)
def test_the_day_of_a_document(tmp_path: Path, fields: Resource, day: date | None) -> None:
    assert only(tmp_path, document(**fields)).date == day


def test_a_malformed_date_rejects_the_note(tmp_path: Path) -> None:
    assert only(tmp_path, document(date="4.3.2019")) == rejected("date", "not an ISO date")


@pytest.mark.parametrize(
    ("attachment", "text"),
    [
        ({"contentType": "text/plain", "data": base("fièvre")}, "fièvre"),
        ({"contentType": "text/plain; charset=ISO-8859-1", "data": base("fièvre".encode("latin-1"))}, "fièvre"),
        ({"contentType": 'TEXT/PLAIN;charset="windows-1252"', "data": base(b"\x93ok\x94")}, "\u201cok\u201d"),
        ({"contentType": "text/plain", "data": base("fièvre".encode("utf-16"))}, "fièvre"),
        ({"contentType": "text/plain", "data": base("\ufefffever")}, "fever"),
        ({"data": base("fever")}, "fever"),
        ({"contentType": "text/plain", "data": "ZmV2\n ZXI="}, "fever"),
        ({"contentType": "text/html", "data": base("<p>No <b>fever</b></p>")}, "No fever"),
        ({"contentType": "application/xhtml+xml", "data": base("<p>No fever</p>")}, "No fever"),
        ({"contentType": "text/html", "data": base(b'<meta charset="latin1"><p>fi\xe8vre</p>')}, "fièvre"),
    ],
)
def test_attachments_that_are_read(tmp_path: Path, attachment: Resource, text: str) -> None:
    assert only(tmp_path, attached(**attachment)).text == text


@pytest.mark.parametrize(
    ("attachment", "field", "reason"),
    [
        ({"url": "Binary/1"}, "url", ELSEWHERE),
        ({"contentType": "text/plain"}, "data", "empty"),
        (
            {"contentType": "application/pdf", "data": base("%PDF")},
            "contentType",
            "is none of text/plain, text/html, application/xhtml+xml",
        ),
        ({"contentType": "text/plain", "data": "%%%"}, "data", "not base64"),
        ({"contentType": "text/plain", "data": "ZmV"}, "data", "not base64"),
        (
            {"contentType": "text/plain", "data": base(b"\xff")},
            "data",
            "not in its character set, which is UTF-8 where none is named",
        ),
        ({"contentType": "text/plain; charset=rot13", "data": base("x")}, "contentType", UNKNOWN_SET),
        ({"contentType": "text/plain; charset=unicode_escape", "data": base("x")}, "contentType", UNKNOWN_SET),
        ({"contentType": "text/html", "data": base("<p> </p>")}, "text", "empty"),
        ({"contentType": "text/plain", "data": base("No fever".encode("utf-16-le"))}, "text", UTF16),
        ({"contentType": "text/html", "data": base("<p>No fever</p>".encode("utf-16-le"))}, "text", UTF16),
        ({"contentType": "text/plain", "data": 7.5}, "data", "not a string or a whole number"),
    ],
)  # fmt: skip
def test_attachments_that_are_not_read(tmp_path: Path, attachment: Resource, field: str, reason: str) -> None:
    assert only(tmp_path, attached(**attachment)) == rejected(field, reason)


def test_of_several_forms_the_plainest_is_read(tmp_path: Path) -> None:
    forms = [
        {"contentType": "application/pdf", "data": base("%PDF")},
        {"contentType": "text/html", "data": base("<p>page</p>")},
        {"contentType": "text/plain", "data": base("plain")},
        {"contentType": "text/html", "url": "Binary/1"},
    ]
    assert only(tmp_path, document(content=[{"attachment": a} for a in forms])).text == "plain"
    assert only(tmp_path, document(content=[{"attachment": a} for a in forms[:2]])).text == "page"


def binary(type: str = "text/plain", data: str | bytes = "No effusion.", id: str = "b1") -> Resource:
    return {"resourceType": "Binary", "id": id, "contentType": type, "data": base(data)}


@pytest.mark.parametrize(
    "url", ["Binary/b1", "Binary/b1/_history/2", "https://server.example/fhir/Binary/b1", "urn:uuid:b1", "#b1"]
)
def test_an_attachment_in_a_binary_of_the_export(tmp_path: Path, url: str) -> None:
    pointing = attached(contentType="text/plain", url=url, title="Visit")
    inside, beside = ([binary()], []) if url == "#b1" else ([], [binary()])
    found = only(tmp_path, pointing | {"contained": inside}, *beside)
    assert (found.text, found.title) == ("No effusion.", "Visit")
    assert only(tmp_path, report(presentedForm=[{"url": url}], contained=inside), *beside).text == "No effusion."


def test_a_binary_in_another_file_of_the_folder(tmp_path: Path) -> None:
    written(tmp_path / "Binary.ndjson", binary(id="b0", data="of another"), binary())
    written(tmp_path / "DocumentReference.ndjson", attached(contentType="text/plain", url="Binary/b1"))
    found = [r.item for r in open_source(tmp_path, "fhir")]
    assert [i.text for i in found if isinstance(i, Note)] == ["No effusion."]


@pytest.mark.parametrize(
    ("told", "own", "data", "text"),
    [
        ("text/plain", "application/octet-stream", "<p>", "<p>"),
        ("", "text/html", "<p>ok</p>", "ok"),
        ("", "application/octet-stream", "<html><p>ok</p></html>", "ok"),
        ("text/plain; charset=latin1", "text/plain", b"fi\xe8vre", "fi\xe8vre"),
        ("text/plain", "text/plain; charset=latin1", b"fi\xe8vre", "fi\xe8vre"),
    ],
)
def test_the_content_type_of_an_attachment_in_a_binary(
    tmp_path: Path, told: str, own: str, data: str | bytes, text: str
) -> None:
    assert only(tmp_path, attached(contentType=told, url="Binary/b1"), binary(own, data)).text == text


@pytest.mark.parametrize(
    ("attachment", "field", "reason"),
    [
        ({"url": "Binary/b2"}, "url", ELSEWHERE),
        ({"url": "#b1"}, "url", ELSEWHERE),
        ({"url": "https://files.example/letters/b1"}, "url", ELSEWHERE),
        ({"url": "Patient/b1"}, "url", ELSEWHERE),
        ({"contentType": "text/plain", "url": "Binary/b1"}, "contentType", NONE_OF),
    ],
)
def test_binaries_that_are_not_there_or_no_text(tmp_path: Path, attachment: Resource, field: str, reason: str) -> None:
    assert only(tmp_path, attached(**attachment), binary("application/pdf", "%PDF")) == rejected(field, reason)


def test_texts_in_the_same_form_are_parts_of_the_note(tmp_path: Path) -> None:
    plain = [{"contentType": "text/plain", "data": base(text)} for text in ("First.", "Second.", "First.", " ")]
    page = {"contentType": "text/html", "data": base("<p>page</p>")}
    content = [{"attachment": a} for a in (page, *plain)]
    assert only(tmp_path, document(content=content)).text == "First.\n\nSecond."
    damaged = {"attachment": {"contentType": "text/plain", "data": "%"}}
    assert only(tmp_path, document(content=[*content, damaged])).text == "page"
    assert only(tmp_path, document(content=[*content[1:], damaged])) == rejected("data", "not base64")


def test_a_part_that_is_elsewhere_is_missed(tmp_path: Path) -> None:
    first = {"contentType": "text/plain", "data": base("First.")}
    other = {"contentType": "text/plain; charset=utf-8", "url": "Binary/b1"}
    page = {"contentType": "text/html", "data": base("<p>page</p>")}

    def read(*attachments: Resource, beside: tuple[Resource, ...] = ()) -> Any:
        return only(tmp_path, document(content=[{"attachment": a} for a in attachments]), *beside)

    assert read(first, other, beside=(binary(data="Second."),)).text == "First.\n\nSecond."
    assert read(first, other) == read(other, first) == read(other) == rejected("url", ELSEWHERE)
    assert read(first, other, page).text == "page"  # the whole of it in another form
    for no_part in ({"url": "Binary/b1"}, {"contentType": "application/pdf", "url": "Binary/b1"}, page | {"data": ""}):
        assert read(first, no_part).text == "First."


@pytest.mark.parametrize(
    ("begins", "item"),
    [
        ("{\\rtf1 No fever}", "contentType"),
        ("%PDF-1.7", "contentType"),
        ("<html><body>No fever</body></html>", "No fever"),
        ("\ufeff\n<!DOCTYPE HTML><p>No fever", "No fever"),
        ("<5 mg. No fever", "<5 mg. No fever"),
    ],
)
def test_without_a_content_type_the_first_bytes_tell(tmp_path: Path, begins: str, item: str) -> None:
    found = only(tmp_path, attached(data=base(begins)))
    assert (found.field if isinstance(found, Rejected) else found.text) == item


@pytest.mark.parametrize("status", ["additional", None])
def test_a_narrative_stands_in_for_an_attachment_elsewhere(tmp_path: Path, status: str | None) -> None:
    told = {"text": {"status": status, "div": "<div>No fever.</div>"}, "content": [{"attachment": {"url": "x"}}]}
    assert only(tmp_path, document(**told)).text == "No fever."


@pytest.mark.parametrize("status", ["generated", "extensions", "empty"])
def test_a_narrative_of_the_fields_is_no_document(tmp_path: Path, status: str) -> None:
    told = {"text": {"status": status, "div": "<div>Document d1</div>"}, "content": [{"attachment": {"url": "x"}}]}
    assert only(tmp_path, document(**told)) == rejected("url", ELSEWHERE)


@pytest.mark.parametrize(
    "fields", [{"status": "entered-in-error"}, {"status": "superseded"}, {"docStatus": "entered-in-error"}]
)
def test_a_document_that_was_withdrawn_is_named(tmp_path: Path, fields: Resource) -> None:
    assert only(tmp_path, document(**fields)) == Withdrawn("DocumentReference/d1", "x")
    assert only(tmp_path, document(**fields, content=[], subject={})) == Withdrawn("DocumentReference/d1", "x")


def test_a_report_that_was_withdrawn_is_named(tmp_path: Path) -> None:
    assert only(tmp_path, report(status="cancelled")) == Withdrawn("DiagnosticReport/r1", "x")


def test_every_field_of_a_report_is_read(tmp_path: Path) -> None:
    more = {
        "category": [{"text": "Radiology"}, {"text": "Imaging"}],
        "code": concept("36643-5", LOINC, "Chest X-ray"),
        "encounter": {"reference": "https://server.example/Encounter/e1"},
        "effectivePeriod": {"start": "2019-03-04T10:00:00Z"},
        "presentedForm": [{"contentType": "text/plain", "data": base("No effusion.")}],
    }
    assert only(tmp_path, report(**more)) == Note(
        "DiagnosticReport/r1", "No effusion.", "p1", "Radiology", date(2019, 3, 4), "Chest X-ray", "x", "e1"
    )


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"conclusion": "No effusion."}, "No effusion."),
        ({"text": {"status": "generated", "div": "<div>Clear.</div>"}}, "Clear."),
        ({"text": {"div": "<div>Clear.</div>"}, "conclusion": "No effusion."}, "Clear.\n\nCONCLUSION:\nNo effusion."),
        ({"text": {"div": "<div>Clear. No  effusion.</div>"}, "conclusion": "No effusion."}, "Clear. No effusion."),
        ({"conclusion": "No effusion.", "presentedForm": [{"url": "Binary/1"}]}, "No effusion."),
        ({"conclusion": "No effusion.", "presentedForm": [EMPTY]}, "No effusion."),
        ({"text": {"div": "<div>Clear.</div>"}, "presentedForm": [EMPTY]}, "Clear."),
        ({"conclusion": "Clear.", "presentedForm": [BLANK, EMPTY, PAGE]}, "No effusion."),
    ],
)
def test_a_report_without_a_form_that_can_be_read(tmp_path: Path, fields: Resource, text: str) -> None:
    assert only(tmp_path, report(**fields)).text == text


def test_a_report_without_words(tmp_path: Path) -> None:
    results = {"result": [{"reference": "Observation/1"}]}
    assert only(tmp_path, report(**results)) == Skipped("DiagnosticReport without a text")
    elsewhere = report(presentedForm=[{"contentType": "application/pdf", "url": "Binary/1"}])
    assert only(tmp_path, elsewhere) == rejected("url", ELSEWHERE)


# Facts


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
