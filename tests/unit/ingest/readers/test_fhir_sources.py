"""FHIR: bundles, histories, files and folders."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ingest.readers import FactRecord, Rejected, Skipped, Withdrawn, Work, json_text, open_source
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note, Patient, Person, StructuredFact
from tests.unit.ingest.readers.fhir_export import (
    ICD,
    NO_SIDE_BY_SIDE,
    Resource,
    bundle,
    concept,
    condition,
    document,
    fact,
    items,
    observation,
    rejected,
    written,
)

EXAMPLE = Path(__file__).parents[4] / "docs" / "examples" / "fhir"


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
