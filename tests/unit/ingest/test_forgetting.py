"""What of a patient is marked, what goes at once, and when the id goes, in each kind of database."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from sqlalchemy import select

from ingest.handover.export import Order
from ingest.handover.jobs import Jobs, Query
from ingest.ledger import Ledger
from ingest.ledger.forgetting import Forgetting, Held
from ingest.ledger.tables import DELETING, PENDING, facts, notes, patients, runs
from search_stack.core.schema import Merge, Note, Patient, Person, StructuredFact


def put(ledger: Ledger, *patient_ids: str) -> None:
    run = ledger.start_run("file", "csv")
    ledger.put([Note(f"n-{id}", "There is fever.", id, collection="c") for id in patient_ids], run)
    ledger.facts.put([StructuredFact(id, "icd10", "I48", collection="c") for id in patient_ids], run)
    ledger.learn([Patient(id, Person("female", date(1950, 1, 2))) for id in patient_ids])


def states(ledger: Ledger) -> dict[str, tuple[str, str]]:
    """Of each patient, by the id that the note has, the states of note and fact."""
    joined = select(notes.c.note_id, notes.c.state, facts.c.state).join(facts, facts.c.key == notes.c.key)
    with ledger.engine.connect() as c:
        return {row[0].removeprefix("n-"): (row[1], row[2]) for row in c.execute(joined)}


def held(ledger: Ledger, patient_id: str) -> Held:
    found = Forgetting(ledger.engine).held(patient_id)
    assert found is not None
    return found


def empty(ledger: Ledger) -> None:
    ledger.remove(ledger.deleting(100))
    ledger.facts.settle(f for f in ledger.facts.waiting(100) if f.state == DELETING)


def test_all_ids_of_the_person_go_and_nobody_else(ledger: Ledger) -> None:
    put(ledger, "A", "B", "C", "D")
    ledger.merges.put([Merge("A", "B"), Merge("C", "A")])
    forgetting = Forgetting(ledger.engine)
    for id in "ABC":
        assert sorted(held(ledger, id).ids) == ["A", "B", "C"]
        assert (held(ledger, id).ids[0], held(ledger, id).notes, held(ledger, id).facts) == ("B", 3, 3)
    assert forgetting.held("nobody") is None
    generation = ledger.people.generation()
    whole = held(ledger, "A")
    forgetting.mark(whole)
    assert ledger.people.generation() > generation
    assert states(ledger) == {**dict.fromkeys("ABC", (DELETING, DELETING)), "D": (PENDING, PENDING)}
    known = {p.patient_id: (p.sex, p.birth_date) for p in ledger.listing.patients(0, 9)}
    assert known == {"B": ("", None), "D": ("female", date(1950, 1, 2))}
    # The id stays until the indexes are clean: by it the command is given again.
    assert not forgetting.close(whole)
    assert held(ledger, "C").notes == 3
    empty(ledger)
    assert forgetting.close(whole)
    assert forgetting.held("A") is forgetting.held("B") is forgetting.held("C") is None
    with ledger.engine.connect() as c:
        assert sorted(c.execute(select(patients.c.patient_id)).scalars()) == [
            "(forgotten 1)",
            "(forgotten 2)",
            "(forgotten 3)",
            "D",
        ]


def test_who_comes_again_is_somebody_new(ledger: Ledger) -> None:
    put(ledger, "A")
    whole = held(ledger, "A")
    Forgetting(ledger.engine).mark(whole)
    empty(ledger)
    assert Forgetting(ledger.engine).close(whole)
    put(ledger, "A")
    assert ledger.people.numbers(["A"]) == {"A": 2}


def test_a_patient_of_whom_there_are_no_notes_is_forgotten_too(ledger: Ledger) -> None:
    ledger.learn([Patient("A", Person("female"))])
    whole = held(ledger, "A")
    assert (whole.notes, whole.facts, whole.decisions) == (0, 0, 0)
    Forgetting(ledger.engine).mark(whole)
    assert Forgetting(ledger.engine).close(whole)
    assert ledger.people.numbers(["A"]) == {}


def test_paths_and_orders_that_name_the_patient_name_nobody(ledger: Ledger, tmp_path: Path) -> None:
    put(ledger, "Q-7", "Q-7-1")
    for path in ("/in/Q-7.json", "/in/Q-7_notes.csv", "/in/Q-7-1.json"):
        ledger.start_run(path, "fhir")
    jobs = Jobs(ledger.engine)
    lines = ('patient:"Q-7" age:>=7', "patient:Q-7-1")
    trees = [
        {"all": [{"field": "patient", "value": one}, {"field": "age", "value": ">=7"}]} for one in ("Q-7", "Q-7-1")
    ]
    for number, (tree, line) in enumerate(zip(trees, lines, strict=True)):
        jobs.add(Query(tree, line, "patient"), Order("csv", tmp_path / f"{number}.csv"), True, None, "mo")
    whole = held(ledger, "Q-7")
    assert Forgetting(ledger.engine).exports(whole) == [str(tmp_path / "0.csv")]
    Forgetting(ledger.engine).mark(whole)
    empty(ledger)
    assert Forgetting(ledger.engine).close(whole)
    with ledger.engine.connect() as c:
        sources = list(c.execute(select(runs.c.source).order_by(runs.c.id)).scalars())[1:]
    assert sources == ["/in/(forgotten 1).json", "/in/(forgotten 1)_notes.csv", "/in/Q-7-1.json"]
    asked = [job.of for job in jobs.all()][::-1]
    assert asked == [
        Query(
            {"all": [{"field": "patient", "value": "(forgotten 1)"}, {"field": "age", "value": ">=7"}]},
            'patient:"(forgotten 1)" age:>=7',
            "patient",
        ),
        Query(trees[1], lines[1], "patient"),
    ]
