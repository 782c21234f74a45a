"""One patient forgotten: nothing of them is found in any table or index, nothing of others is lost."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from opensearchpy.helpers import scan
from sqlalchemy import select

from access.audit.entry import Action
from access.audit.trail import Trail, Wanted, commander
from aspectra.stack import down, up
from ingest.cohorts.store import Store
from ingest.ledger.forgetting import Forgetting
from ingest.ledger.tables import audit, metadata, notes, patients
from ingest.review.store import Reviews
from ingest.wholeness import examine
from search_stack.index.facts import facts_alias
from search_stack.review.decisions import Given
from search_stack.review.marks import Item

pytestmark = pytest.mark.engine
OURS = ("Q-old-7001", "Q-new-7002")
SECRET = "gossamer"
FACTS = "patient_id,day,system,code,name,value,unit\n" + "".join(
    f"{patient},2020-03-04,icd10,I48.{n},Rhythm of {patient},,\n" for n, patient in enumerate((*OURS, "Q-other"))
)
PEOPLE = "patient_id,sex,birth_date\n" + "".join(f"{patient},female,1950-01-02\n" for patient in (*OURS, "Q-other"))
ROWS = [
    *(
        {"note_id": f"{p}-n{n}", "patient_id": p, "date": "2020-03-04", "text": f"Mild {SECRET}. There is fever."}
        for p in OURS
        for n in range(3)
    ),
    {"note_id": "other", "patient_id": "Q-other", "date": "2020-03-04", "text": "There is fever."},
]


@pytest.fixture
def place(empty_stack: Any, make_csv: Callable[..., Path], tmp_path: Path) -> Any:
    """Two ids of one person, and somebody else; both in a kept cohort and reviewed."""
    place = empty_stack
    store = Store.of(place.ledger)
    for cohort in store.cohorts():
        store.delete(cohort.id)
    bring(place, make_csv(ROWS))
    for format, content in (
        ("facts", FACTS),
        ("patients", PEOPLE),
        ("merges", f"patient_id,replaced_by\n{OURS[0]},{OURS[1]}\n"),
    ):
        path = tmp_path / f"{format}.csv"
        path.write_text(content)
        bring(place, path, format)
    assert place.run("cohort", "save", "febrile", "fever")[0] == 0
    assert place.run("cohort", "save", "named", f"patient:{OURS[1]} fever")[0] == 0
    febrile = next(one for one in store.cohorts() if one.name == "febrile")
    reviews = Reviews(place.ledger.engine, febrile.id)
    for patient in numbers(place, OURS[1], "Q-other"):
        made = reviews.decide("lee", Given(patient, 1, "e" * 64, "include", comment=f"{SECRET} is old"))
        reviews.undo("lee", made.id)
        reviews.decide("lee", Given(patient, 1, "e" * 64, "exclude"))
        note = next(stored.key for stored in place.notes() if stored.patient_no == patient)
        reviews.mark("lee", patient, Item("fever", "fever", SECRET, "present", note, 1, 0, 5), "right")
    return place


def bring(place: Any, path: Path, format: str = "auto") -> None:
    status, out, errors = place.run("ingest", path, "--format", format)
    assert status == 0, (out, errors)


def numbers(place: Any, *patient_ids: str) -> list[int]:
    found = place.ledger.people.numbers(patient_ids)
    return [found[id] for id in patient_ids]


def everywhere(place: Any) -> str:
    """All that the ledger holds but the trail and the queries of kept cohorts, and all indexes."""
    with place.ledger.engine.connect() as c:
        tables = [t for t in metadata.sorted_tables if t is not audit]
        rows = [
            {k: v for k, v in row._mapping.items() if k not in ("origin", "steps", "source")}
            for t in tables
            for row in c.execute(select(t))
        ]
    held = [
        hit["_source"]
        for index in (place.indexes.alias, facts_alias(place.settings))
        for hit in scan(place.client, index=index)
    ]
    return repr(rows) + json.dumps(held)


def assert_forgotten(place: Any, before: int) -> None:
    place.client.indices.refresh(index="_all")
    found = everywhere(place)
    # Of what was said of the other patient, words stay.
    assert found.count(SECRET) == before
    assert not any(id in found for id in OURS)
    assert [s.note.note_id for s in place.notes()] == ["other"]
    assert place.ledger.facts.counts()["indexed"] == 1
    assert place.ledger.listing.patients_called([*OURS, "Q-other"])[0].sex == "female"
    place.assert_whole(1)
    whole = examine(place.ledger)
    assert (whole.altered_notes, whole.altered_facts) == ([], [])


def test_nothing_of_a_patient_is_left_and_all_of_the_others(
    place: Any, make_csv: Callable[..., Path], tmp_path: Path
) -> None:
    stays, other = numbers(place, OURS[1], "Q-other")
    assert all(id in everywhere(place) for id in OURS)
    assert place.run("forget", "--patient", "nobody", "--yes")[0] == 1
    assert len(place.notes()) == 7
    status, out, errors = place.run("forget", "--patient", OURS[0])  # nobody sits at the terminal
    assert status == 0, (out, errors)
    assert "Forgotten: 6 notes, 2 facts, 4 words of reviewers" in out
    assert "by a number that is nobody's: febrile@1, named@1." in out
    assert "whose query names the id, to be deleted with their cohort: named@1." in out
    assert "Not reached: backups" in out
    assert SECRET not in out
    assert_forgotten(place, 2)
    # The kept version is as it was, and goes on being readable.
    version = Store.of(place.ledger).version("febrile", 1)
    assert set(version.patients) == {stays, other}
    assert place.run("cohort", "show", "febrile")[0] == 0
    status, out, errors = place.run("cohort", "export", "febrile", "--format", "csv", "--output", tmp_path / "out.csv")
    assert status == 0, (out, errors)
    # What was done is kept, without a word of a note.
    trail = Trail.from_settings(place.settings, place.ledger)
    (entry,) = (one.entry for one in trail.entries(Wanted(action=Action.FORGET), 9))
    assert (entry.person, sorted(entry.patients)) == (commander(), sorted(OURS))
    assert entry.about == {"what": "forget", "notes": 6, "facts": 2, "decisions": 4}
    assert place.run("forget", "--patient", OURS[0], "--yes")[0] == 1
    # A later export that brings the patient takes it in anew, as somebody new.
    bring(place, make_csv(ROWS))
    assert len(place.notes()) == 7
    assert not {*numbers(place, *OURS)} & {stays, other}


def test_reviewers_words_go_with_a_note_that_is_deleted(place: Any) -> None:
    assert everywhere(place).count(f"{SECRET} is old") == 2
    status, out, errors = place.run("delete", "other", "--keep-words", "--yes")
    assert status == 0, errors
    assert "1 decisions of reviewers on their patients keep their words, which may quote them." in out
    assert everywhere(place).count(f"{SECRET} is old") == 2
    status, out, errors = place.run("delete", *(f"{id}-n0" for id in OURS), "--yes")
    assert status == 0, errors
    assert "2 notes deleted.\n1 decisions of reviewers on their patients lost their words" in out
    assert SECRET not in out
    assert everywhere(place).count(f"{SECRET} is old") == 1
    # Another note of theirs, of whom nothing is said any more.
    assert "reviewers" not in place.run("delete", f"{OURS[0]}-n1", "--yes")[1]


def test_what_was_interrupted_is_finished_by_the_same_command(place: Any) -> None:
    down(place.settings, ["worker"])  # its sweep must not be quicker
    held = Forgetting(place.ledger.engine).held(OURS[1])
    assert held is not None
    Forgetting(place.ledger.engine).mark(held)  # killed before anything was taken out
    assert all(id in everywhere(place) for id in OURS)
    process = place.start("forget", "--patient", OURS[1], "--yes")
    place.wait(lambda: len(place.notes()) < 7 or process.poll() is not None)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    place.end(process)
    if place.ledger.people.numbers([OURS[1]]):
        assert place.run("forget", "--patient", OURS[1], "--yes")[0] == 0
    assert_forgotten(place, 2)
    up(place.settings, ["worker"])


def test_what_comes_in_meanwhile_keeps_its_patient(place: Any, make_csv: Callable[..., Path]) -> None:
    forgetting = Forgetting(place.ledger.engine)
    held = forgetting.held(OURS[1])
    assert held is not None
    forgetting.mark(held)
    bring(place, make_csv(ROWS[:1]))
    assert place.run("delete", "nothing", "--yes")[0] == 1  # finishes what is marked
    assert not forgetting.close(held)
    with place.ledger.engine.connect() as c:
        assert list(c.execute(select(notes.c.note_id).order_by(notes.c.key)).scalars()) == [f"{OURS[0]}-n0", "other"]
        assert set(OURS) <= set(c.execute(select(patients.c.patient_id)).scalars())
    assert place.run("forget", "--patient", OURS[0], "--yes")[0] == 0
    assert_forgotten(place, 2)
