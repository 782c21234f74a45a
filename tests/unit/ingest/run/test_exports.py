"""Exports of clinical databases in the ledger: each item once, and what brings nothing counted."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import func, select

from ingest.ledger import Ledger
from ingest.ledger.database import open_database
from ingest.ledger.tables import DELETING, PENDING, facts, notes, patients, runs
from ingest.readers import open_source
from ingest.run.rejects import Rejects
from ingest.run.summary import SKIPPED, summary
from ingest.run.taking_in import take_in

ICD = "http://hl7.org/fhir/sid/icd-10"
EXAMPLES = Path(__file__).parents[4] / "docs" / "examples"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    found = Ledger(open_database(f"sqlite:///{tmp_path / 'ledger.sqlite3'}"))
    yield found
    found.engine.dispose()


@pytest.mark.parametrize(
    ("name", "notes_", "facts_", "people", "skipped"), [("omop", 4, 12, 3, 0), ("fhir", 4, 11, 3, 7)]
)
def test_an_export_taken_in_twice_changes_nothing(
    ledger: Ledger, tmp_path: Path, name: str, notes_: int, facts_: int, people: int, skipped: int
) -> None:
    seen: list[Counter[str]] = []
    for _ in range(2):
        source = open_source(EXAMPLES / name)
        rejects = Rejects(tmp_path / "rejects.jsonl", 10)
        run = ledger.start_run(source.origin, source.format)
        seen.append(take_in(source, source.name, ledger, run, rejects, lambda _: None))
        done = summary(seen[-1], ledger, 0, 1.0, rejects)
        assert (done.notes, done.facts, sum(done.skipped.values()), done.rejected) == (notes_, facts_, skipped, 0)
        assert not done.loud
    first, again = seen
    assert (first["new"], first["new facts"], first["told"]) == (notes_, facts_, people)
    assert (again["unchanged"], again["unchanged facts"], again["told"]) == (notes_, facts_, 0)
    with ledger.engine.connect() as c:
        assert c.scalar(select(func.count()).select_from(facts)) == facts_
        assert c.scalar(select(func.count()).select_from(patients)) == people


def test_an_age_counts_from_the_birth_date_of_an_export(ledger: Ledger, tmp_path: Path) -> None:
    for name in ("omop", "fhir"):
        source = open_source(EXAMPLES / name)
        run = ledger.start_run(source.origin, source.format)
        take_in(source, source.name, ledger, run, Rejects(tmp_path / "r", 1), lambda _: None)
    with ledger.engine.connect() as c:
        ages = {row.note_id: row.age for row in c.execute(select(notes.c.note_id, notes.c.age))}
    assert (ages["5001"], ages["5003"]) == (69, 73)
    assert (ages["DiagnosticReport/r1"], ages["DiagnosticReport/r2"]) == (69, 73)


def taken(ledger: Ledger, folder: Path, collection: str, *documents: tuple[str, str]) -> Counter[str]:
    """What becomes of documents, by id and status."""
    file = folder / f"{collection}.ndjson"
    content = [{"attachment": {"contentType": "text/plain", "data": "Tm8gZmV2ZXIu"}}]
    told = {"resourceType": "DocumentReference", "subject": {"reference": "Patient/p1"}, "content": content}
    file.write_text("".join(json.dumps(told | {"id": i, "status": status}) + "\n" for i, status in documents))
    run = ledger.start_run(str(file), "fhir")
    source = open_source(file, "fhir")
    return take_in(source, source.name, ledger, run, Rejects(folder / "rejects.jsonl", 10), lambda _: None)


def states(ledger: Ledger) -> dict[str, str]:
    with ledger.engine.connect() as c:
        return {row.note_id: row.state for row in c.execute(select(notes.c.note_id, notes.c.state))}


def test_a_document_that_is_withdrawn_goes_where_its_own_collection_says_so(ledger: Ledger, tmp_path: Path) -> None:
    assert taken(ledger, tmp_path, "ward", ("d1", "current"), ("d2", "current"))["new"] == 2
    elsewhere = taken(ledger, tmp_path, "clinic", ("d1", "entered-in-error"))
    assert (elsewhere["withdrawn"], states(ledger)["DocumentReference/d1"]) == (0, PENDING)
    # Whatever the order: a server that exports it in two states has withdrawn it.
    again = taken(ledger, tmp_path, "ward", ("d1", "entered-in-error"), ("d1", "current"), ("d3", "superseded"))
    assert again["withdrawn"] == 1
    assert [n for name, n in again.items() if name.startswith(SKIPPED)] == [1]
    assert states(ledger) == {"DocumentReference/d1": DELETING, "DocumentReference/d2": PENDING}


def conditions(ledger: Ledger, folder: Path, *told: tuple[str, str, str]) -> Counter[str]:
    """What becomes of diagnoses, by id, code and verification."""
    file = folder / "ward.ndjson"
    shared = {"resourceType": "Condition", "subject": {"reference": "Patient/p1"}}
    lines = [
        shared | {"id": i, "verificationStatus": status, "code": {"coding": [{"system": ICD, "code": code}]}}
        for i, code, status in told
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    source = open_source(file, "fhir")
    run = ledger.start_run(source.origin, source.format)
    return take_in(source, source.name, ledger, run, Rejects(folder / "rejects.jsonl", 10), lambda _: None)


def counted(ledger: Ledger) -> list[str]:
    """Codes of the facts that are to count."""
    with ledger.engine.connect() as c:
        return sorted(c.execute(select(facts.c.code).where(facts.c.state != DELETING)).scalars())


def test_of_a_diagnosis_that_comes_again_the_last_word_counts(ledger: Ledger, tmp_path: Path) -> None:
    conditions(ledger, tmp_path, ("1", "I48", "confirmed"), ("2", "I48", "confirmed"), ("3", "I50", "confirmed"))
    assert counted(ledger) == ["I48", "I48", "I50"]
    again = conditions(ledger, tmp_path, ("1", "I49", "confirmed"), ("3", "I50", "refuted"))
    assert (again["new facts"], again["gone facts"]) == (1, 2)
    assert again[f"{SKIPPED}Condition with verificationStatus refuted"] == 1
    assert counted(ledger) == ["I48", "I49"]  # the second says I48 still
    # In one export too, where a server tells of two versions.
    conditions(ledger, tmp_path, ("1", "I10", "confirmed"), ("4", "I11", "confirmed"), ("1", "I12", "confirmed"))
    assert counted(ledger) == ["I11", "I12", "I48"]
    assert conditions(ledger, tmp_path, ("4", "I11", "entered-in-error"))["facts"] == 0
    assert counted(ledger) == ["I12", "I48"]


def exported(ledger: Ledger, folder: Path, *resources: dict[str, object]) -> Counter[str]:
    file = folder / "bulk.ndjson"
    file.write_text("".join(json.dumps(one) + "\n" for one in resources))
    source = open_source(file, "fhir")
    run = ledger.start_run(source.origin, source.format)
    with closing(Rejects(folder / "rejects.jsonl", 10)) as rejects:
        return take_in(source, source.name, ledger, run, rejects, lambda _: None)


def person(id: str, active: bool | None = True, **links: str) -> dict[str, object]:
    """``links``: type of each, and the id at its other end."""
    told = [{"type": kind.replace("_", "-"), "other": {"reference": f"Patient/{end}"}} for kind, end in links.items()]
    return {"resourceType": "Patient", "id": id, "link": told} | ({} if active is None else {"active": active})


def letter(id: str, patient: str) -> dict[str, object]:
    content = [{"attachment": {"contentType": "text/plain", "data": "Tm8gZmV2ZXIu"}}]
    shared = {"resourceType": "DocumentReference", "status": "current", "content": content}
    return shared | {"id": id, "subject": {"reference": f"Patient/{patient}"}}


def whose(ledger: Ledger) -> str:
    """The patient of each letter, in order of its id."""
    with ledger.engine.connect() as c:
        return "".join(c.execute(select(notes.c.patient_id).order_by(notes.c.note_id)).scalars())


LETTERS = [letter("1", "A"), letter("2", "B")]


@pytest.mark.parametrize(
    "people",
    [
        [person("A", False, replaced_by="B"), person("B", replaces="A")],
        [person("A", False, replaced_by="B"), person("B")],
        [person("A", True), person("B", replaces="A")],
        [person("A", False), person("B", replaces="A")],
    ],
)
@pytest.mark.parametrize("backwards", [False, True])
def test_a_patient_who_was_replaced_counts_once_whatever_comes_first(
    ledger: Ledger, tmp_path: Path, people: list[dict[str, object]], backwards: bool
) -> None:
    people = people[::-1] if backwards else people
    assert exported(ledger, tmp_path, *LETTERS, *people)["merged"] == 1
    assert whose(ledger) == "BB"
    assert exported(ledger, tmp_path, *people, *LETTERS)["merged"] == 0
    assert whose(ledger) == "BB"


def test_a_patient_who_is_in_use_and_replaced_by_nobody_any_more_is_its_own_again(
    ledger: Ledger, tmp_path: Path
) -> None:
    exported(ledger, tmp_path, *LETTERS, person("A", False, replaced_by="B"))
    for says_nothing in (person("A", False), person("A", None), person("B")):
        assert exported(ledger, tmp_path, says_nothing)["unmerged"] == 0
        assert whose(ledger) == "BB"
    assert exported(ledger, tmp_path, person("A"))["unmerged"] == 1
    assert whose(ledger) == "AB"


def test_a_circle_of_merges_is_rejected_with_its_line(ledger: Ledger, tmp_path: Path) -> None:
    totals = exported(ledger, tmp_path, person("A", replaced_by="B"), person("B", replaced_by="A"), *LETTERS)
    assert (totals["merged"], totals["rejected"], whose(ledger)) == (1, 1, "BB")
    assert '"source": "bulk.ndjson", "line": 2, "field": "replaced_by"' in (tmp_path / "rejects.jsonl").read_text()


def test_a_table_of_merges_serves_notes_of_any_source(ledger: Ledger, tmp_path: Path) -> None:
    table = tmp_path / "merges.csv"
    table.write_text("patient_id,replaced_by\nA,B\nB,A\n")
    exported(ledger, tmp_path, *LETTERS)
    for content, expected, told in (
        ("A,B\nB,A\n", "BB", {"merges": 1, "merged": 1, "rejected": 1}),
        ("A,\n", "AB", {"merges": 1, "unmerged": 1}),
        ("A,\n", "AB", {}),
    ):
        table.write_text(f"patient_id,replaced_by\n{content}")
        source = open_source(table, "merges")
        with closing(Rejects(tmp_path / "rejects.jsonl", 10)) as rejects:
            run = ledger.start_run(source.origin, source.format)
            totals = take_in(source, source.name, ledger, run, rejects, lambda _: None)
        assert whose(ledger) == expected
        assert {k: n for k, n in totals.items() if n and k in ("merges", "merged", "unmerged", "rejected")} == told


def test_what_a_server_deleted_is_taken_out(ledger: Ledger, tmp_path: Path) -> None:
    coding = {"coding": [{"system": ICD, "code": "I48"}]}
    told = {"resourceType": "Condition", "id": "c1", "subject": {"reference": "Patient/A"}, "code": coding}
    exported(
        ledger, tmp_path, *LETTERS, {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": told}]}
    )
    assert counted(ledger) == ["I48"]
    gone = [
        {"request": {"method": "DELETE", "url": url}} for url in ("Condition/c1", "DocumentReference/1", "Patient/A")
    ]
    totals = exported(ledger, tmp_path, {"resourceType": "Bundle", "type": "transaction", "entry": gone})
    assert (totals["gone facts"], totals["withdrawn"]) == (1, 1)
    assert totals[f"{SKIPPED}Patient that was deleted: see aspectra forget"] == 1
    assert counted(ledger) == []
    assert states(ledger) == {"DocumentReference/1": DELETING, "DocumentReference/2": PENDING}


def test_a_history_takes_out_what_its_newest_versions_do_not_say(ledger: Ledger, tmp_path: Path) -> None:
    def told(code: str, version: str) -> dict[str, object]:
        coding = {"coding": [{"system": ICD, "code": code}]}
        own = {"resourceType": "Condition", "id": f"c{code}", "subject": {"reference": "Patient/A"}, "code": coding}
        return {"resource": {**own, "meta": {"versionId": version}}, "request": {"method": "PUT", "url": "Condition"}}

    def history(*entries: dict[str, object]) -> Counter[str]:
        return exported(ledger, tmp_path, {"resourceType": "Bundle", "type": "history", "entry": list(entries)})

    exported(ledger, tmp_path, *LETTERS)
    assert history(told("I48", "1"), told("I49", "1"))["new facts"] == 2
    gone = [
        {"request": {"method": "DELETE", "url": url}}
        for url in ("Condition/cI48/_history/2", "Condition/cI49/_history/2", "DocumentReference/1/_history/2")
    ]
    totals = history(*gone, told("I49", "3"), told("I49", "1"), told("I48", "1"))
    assert (totals["gone facts"], totals["withdrawn"]) == (1, 1)
    assert totals[f"{SKIPPED}older version of a resource in a history"] == 3
    assert counted(ledger) == ["I49"]
    assert states(ledger) == {"DocumentReference/1": DELETING, "DocumentReference/2": PENDING}


def test_names_that_are_not_utf_8_are_spelt_so_that_the_ledger_takes_them(ledger: Ledger, tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/m\xe4rz"))
    folder.mkdir()
    table = Path(os.fsdecode(os.fsencode(folder) + b"/n\xf6tes.csv"))
    table.write_text("id,text\n1,Clear lungs.\n2,\n")
    (folder / "letter.txt").write_text("No fever.")
    named = os.fsdecode(b"w\xe4rd")
    for where, collection, expected in (
        (table, None, "n\ufffdtes"),
        (folder, None, "m\ufffdrz"),
        (table, named, "w\ufffdrd"),
    ):
        source = open_source(where, collection=collection)
        assert source.collection == expected
        run = ledger.start_run(source.origin, source.format)
        with closing(Rejects(tmp_path / "rejects.jsonl", 10)) as rejects:
            take_in(source, source.name, ledger, run, rejects, lambda _: None)
    with ledger.engine.connect() as c:
        kept = dict(c.execute(select(notes.c.note_id, notes.c.collection)).all())  # type: ignore[arg-type]
        origins = c.execute(select(runs.c.source).order_by(runs.c.id)).scalars().all()
    assert kept == {"1": "n\ufffdtes", "letter": "m\ufffdrz"}
    assert origins[:2] == [f"{tmp_path}/m\ufffdrz/n\ufffdtes.csv", f"{tmp_path}/m\ufffdrz"]
    assert "n\\ufffdtes.csv" in (tmp_path / "rejects.jsonl").read_text()
