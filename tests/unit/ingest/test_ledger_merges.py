"""Two ids of one person: what came under either counts as one patient, whichever came first."""

from __future__ import annotations

from datetime import date
from itertools import permutations

import pytest
from pyroaring import BitMap
from sqlalchemy import insert, select, update

from ingest.ledger import Ledger
from ingest.ledger.database import writing
from ingest.ledger.ledger import now
from ingest.ledger.queue import Queue
from ingest.ledger.tables import DELETING, INDEXED, PENDING, cohort_versions, cohorts, facts, notes
from ingest.wholeness import examine
from search_stack.core.reach import Reach
from search_stack.core.schema import Merge, Note, Patient, Person, StructuredFact

DAY, BORN = date(2020, 6, 15), date(1950, 1, 2)


def note(note_id: str, patient_id: str) -> Note:
    return Note(note_id, f"Text of {note_id}.", patient_id, date=DAY, collection="c")


def fact(patient_id: str, code: str = "I48") -> StructuredFact:
    return StructuredFact(patient_id, "icd10", code, DAY, collection="c")


def put(ledger: Ledger, *told: Note | StructuredFact) -> None:
    run = ledger.start_run("file", "csv")
    ledger.put([one for one in told if isinstance(one, Note)], run)
    ledger.facts.put([one for one in told if isinstance(one, StructuredFact)], run)


def merge(ledger: Ledger, *pairs: tuple[str, str]) -> list[str]:
    return list(ledger.merges.put([Merge(*pair) for pair in pairs]))


def whose(ledger: Ledger) -> dict[str, str]:
    """The patient as whom each note counts, and each fact by its code; the number is that patient's."""
    found = [(s.note.note_id, s.note.patient_id, s.patient_no) for s in ledger.after(0, 100)]
    found += [(f.code, f.patient_id, f.patient_no) for f in ledger.facts.after(0, 100)]
    ids = {no: patient.patient_id for patient in ledger.listing.patients(0, 100) for no in [patient.no]}
    assert all(ids[no] == patient for _, patient, no in found)
    return {name: patient for name, patient, _ in found}


def settle(ledger: Ledger) -> None:
    """Have the index show all that waits."""
    ledger.facts.settle(ledger.facts.waiting(100))
    with writing(ledger.engine) as c:
        c.execute(update(notes).values(state=INDEXED, attempts=0))


def waiting(ledger: Ledger) -> list[str]:
    """Notes and codes that are to be written to the index anew."""
    with ledger.engine.connect() as c:
        own = list(c.execute(select(notes.c.note_id).where(notes.c.state == PENDING)).scalars())
    return sorted([*own, *(f.code for f in ledger.facts.waiting(100))])


def test_whichever_comes_first_both_ids_count_as_the_one_who_stays(ledger_address: str, ledger: Ledger) -> None:
    put(ledger, note("n1", "A"), note("n2", "B"), note("n3", "C"), fact("A"), fact("B", "I49"))
    settle(ledger)
    assert merge(ledger, ("A", "B")) == ["merged"]
    assert whose(ledger) == {"n1": "B", "n2": "B", "n3": "C", "I48": "B", "I49": "B"}
    assert waiting(ledger) == ["I48", "n1"]  # and nothing else is written anew
    put(ledger, note("n4", "A"), fact("A", "I50"))
    assert (whose(ledger)["n4"], whose(ledger)["I50"]) == ("B", "B")
    # Merged before anything else is known of either.
    assert merge(ledger, ("X", "Y")) == ["merged"]
    put(ledger, note("n5", "X"), fact("X", "I51"))
    assert (whose(ledger)["n5"], whose(ledger)["I51"]) == ("Y", "Y")
    assert examine(ledger).altered_notes == examine(ledger).altered_facts == []


@pytest.mark.parametrize("order", [*permutations([("A", "B"), ("B", "C"), ("D", "B")])])
def test_a_chain_ends_at_the_last_one_in_whatever_order_it_is_told(
    ledger: Ledger, order: tuple[tuple[str, str], ...]
) -> None:
    put(ledger, *(note(f"n{id}", id) for id in "ABCD"), fact("A"))
    for pair in order:
        assert merge(ledger, pair) == ["merged"]
    assert set(whose(ledger).values()) == {"C"}
    assert len(set(ledger.people.numbers("ABCD").values())) == 1


def test_the_same_again_changes_nothing(ledger: Ledger) -> None:
    put(ledger, note("n1", "A"), note("n2", "B"), fact("A"))
    merge(ledger, ("A", "B"))
    settle(ledger)
    generation = ledger.people.generation()
    assert merge(ledger, ("A", "B"), ("B", ""), ("nobody", "")) == ["unchanged"] * 3
    run = ledger.start_run("file", "csv")
    assert ledger.put([note("n1", "A"), note("n2", "B")], run) == ["unchanged", "unchanged"]
    assert ledger.facts.put([fact("A")], run)["new facts"] == 0
    assert (waiting(ledger), ledger.people.generation()) == ([], generation)
    assert ledger.people.numbers(["nobody"]) == {}


@pytest.mark.parametrize("circle", [[("A", "A")], [("A", "B"), ("B", "A")], [("A", "B"), ("B", "C"), ("C", "A")]])
def test_a_circle_is_refused_and_what_was_merged_stays_so(ledger: Ledger, circle: list[tuple[str, str]]) -> None:
    put(ledger, *(note(f"n{id}", id) for id in "ABC"))
    *sound, _ = circle
    assert merge(ledger, *circle) == [*["merged"] * len(sound), "circle"]
    before = whose(ledger)
    assert merge(ledger, circle[-1]) == ["circle"]
    assert whose(ledger) == before
    assert merge(ledger, ("A", "D")) == ["merged"]
    assert whose(ledger)["nA"] == "D"


def test_a_merge_that_is_taken_back_gives_each_its_own(ledger: Ledger) -> None:
    put(ledger, *(note(f"n{id}", id) for id in "ABCD"), fact("A"), fact("B", "I49"), fact("C", "I50"))
    merge(ledger, ("A", "B"), ("B", "C"), ("D", "C"))
    settle(ledger)
    assert merge(ledger, ("B", "")) == ["unmerged"]
    assert whose(ledger) == {"nA": "B", "nB": "B", "nC": "C", "nD": "C", "I48": "B", "I49": "B", "I50": "C"}
    assert waiting(ledger) == ["I48", "I49", "nA", "nB"]
    assert merge(ledger, ("A", "D")) == ["merged"]
    assert whose(ledger)["nA"] == "C"
    assert merge(ledger, ("A", ""), ("D", "")) == ["unmerged"] * 2
    assert {name: id for name, id in whose(ledger).items() if name[0] == "n"} == {f"n{id}": id for id in "ABCD"}
    assert examine(ledger).altered_notes == examine(ledger).altered_facts == []


def test_a_worker_that_read_the_note_before_the_merge_is_powerless(ledger: Ledger) -> None:
    put(ledger, note("n1", "A"))
    queue = Queue(ledger, 4, 60, 3)
    (read,) = queue.begin(queue.claim() or "")
    merge(ledger, ("A", "B"))
    assert queue.reserve([(read, 1)]) == set()
    queue.finish([(read, 1)])
    (anew,) = queue.begin(queue.claim() or "")
    assert (anew.note.patient_id, anew.version, anew.attempts) == ("B", read.version + 1, 0)


def test_what_is_being_deleted_stays_so(ledger: Ledger) -> None:
    put(ledger, note("n1", "A"), note("n2", "A"), fact("A"), fact("A", "I49"))
    ledger.mark_deleting(["n1"])
    ledger.facts.mark_deleting("c")
    put(ledger, fact("A", "I49"))
    merge(ledger, ("A", "B"))
    with ledger.engine.connect() as c:
        assert dict(map(tuple, c.execute(select(notes.c.note_id, notes.c.state)))) == {"n1": DELETING, "n2": PENDING}
        assert dict(map(tuple, c.execute(select(facts.c.code, facts.c.state)))) == {"I48": DELETING, "I49": PENDING}


def test_what_is_not_known_of_who_stays_is_what_is_known_of_the_other(ledger: Ledger) -> None:
    ledger.learn([Patient("A", Person("female", BORN)), Patient("B", Person("male"))])
    put(ledger, note("n1", "B"))
    assert ledger.people.at_age(0, None) == []
    merge(ledger, ("A", "B"))
    known = ledger.listing.patients_called(["A"])
    assert [(p.patient_id, p.sex, p.birth_date, p.notes) for p in known] == [("B", "male", BORN, 1)]
    assert ledger.people.at_age(70, 70) == [1]
    # Told of the other one later, too; what who stays says of itself wins.
    told = ledger.learn([Patient("A", Person("female", date(1951, 1, 2), date(2021, 1, 1)))])
    assert told == {"patients": 1, "told": 1, "without notes": 0}
    (found,) = ledger.listing.patients_called(["B"])
    assert (found.sex, found.birth_date, found.death_date) == ("male", BORN, date(2021, 1, 1))


def test_a_patient_who_was_merged_is_found_by_either_id_and_listed_once(ledger: Ledger) -> None:
    put(ledger, note("n1", "A"), note("n2", "B"))
    own = ledger.people.numbers(["A", "B"])
    merge(ledger, ("A", "B"))
    assert ledger.people.numbers(["A", "B"]) == {"A": own["B"], "B": own["B"]}
    assert ledger.within(Reach(frozenset({"c"}), 1)).people.numbers(["A"]) == {"A": own["B"]}
    assert ledger.within(Reach(frozenset({"d"}), 1)).people.numbers(["A"]) == {}
    assert [ledger.people.stays(id) for id in ("A", "B", "nobody")] == ["B", "B", "nobody"]
    assert ledger.within(Reach(frozenset({"d"}), 1)).people.stays("A") == "A"
    assert [p.patient_id for p in ledger.listing.patients(0, 10)] == ["B"]
    assert ledger.listing.patient(own["A"]) == ledger.listing.patient(own["B"])
    assert [n.note_id for n in ledger.listing.notes(0, 10, patient_no=own["B"])] == ["n1", "n2"]


def test_a_kept_cohort_holds_who_stays_when_it_is_asked_for(ledger: Ledger) -> None:
    put(ledger, note("n1", "A"), note("n2", "B"), note("n3", "C"))
    own = ledger.people.numbers("ABC")
    empty = dict.fromkeys(("origin", "provenance", "steps", "made_by", "digest"), "")
    empty |= dict.fromkeys(("evidence", "notes", "past"), b"") | dict.fromkeys(("note_count", "undated"), 0)
    kept = BitMap([own["A"], own["C"]]).serialize()
    with writing(ledger.engine) as c:
        c.execute(insert(cohorts).values(id=1, name="af", description="", made=now()))
        row = {"cohort": 1, "number": 1, "made": now(), "scheduled": False, "unit": "patient", "patient_count": 2}
        c.execute(insert(cohort_versions).values(row | empty | {"patients": kept}))
    merge(ledger, ("A", "B"))
    assert ledger.people.in_cohort("af@1") == [own["B"], own["C"]]
