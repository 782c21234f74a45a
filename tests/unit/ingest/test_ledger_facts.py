"""What the ledger keeps of structured facts and of the codes above them."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy.exc import DatabaseError

from ingest.ledger import Ledger
from ingest.ledger.database import open_database
from ingest.ledger.facts import fact_hash
from ingest.ledger.move import move
from ingest.ledger.tables import DELETING, INDEXED, PENDING
from ingest.readers import open_source
from ingest.run.rejects import Rejects
from ingest.run.replacing import retire
from ingest.run.taking_in import take_in
from ingest.work.fact_writer import indexed_fact
from search_stack.core.schema import CodeParent, Note, Patient, Person, StructuredFact

DAY = date(2020, 3, 4)


def fact(patient: str = "p1", code: str = "I48.0", system: str = "icd10", **more: object) -> StructuredFact:
    return StructuredFact(patient, system, code, **{"day": DAY, "collection": "c", **more})  # type: ignore[arg-type]


def put(ledger: Ledger, *batch: StructuredFact) -> tuple[int, int]:
    """Put facts in a run of their own; how many were new, and how many were there."""
    told = ledger.facts.put(batch, ledger.start_run("file", "facts"))
    return told["new facts"], told["unchanged facts"]


def codes(ledger: Ledger, *rows: tuple[str, ...], run: int = 0) -> list[str]:
    return list(ledger.codes.put([CodeParent(*row) for row in rows], run or ledger.start_run("file", "codes")))


def settle(ledger: Ledger) -> int:
    """Have the index show all that waits; how many facts that were."""
    waiting = ledger.facts.waiting(10_000)
    ledger.facts.settle(waiting)
    return len(waiting)


def under(ledger: Ledger) -> dict[str, list[str]]:
    """What stands above each fact, by its code."""
    found = ledger.facts.after(0, 100)
    parents = ledger.codes.parents({(f.system, f.code) for f in found})
    return {f.code: indexed_fact(f, parents).under for f in found}


# Facts


def test_a_fact_is_taken_in_once_and_numbered_like_notes(ledger: Ledger) -> None:
    ledger.put([Note("n1", "text", "p2", collection="c")], ledger.start_run("file", "csv"))
    assert put(ledger, fact("p1"), fact("p2"), fact("p1")) == (2, 1)
    assert put(ledger, fact("p2"), fact("p3", day=None, value=7.5, unit="g/dL")) == (1, 1)
    assert [(f.patient_no, f.patient_id, f.day, f.value) for f in ledger.facts.waiting(10)] == [
        (2, "p1", DAY, None),
        (1, "p2", DAY, None),
        (3, "p3", None, 7.5),
    ]
    assert ledger.facts.counts() == {PENDING: 3, INDEXED: 0, DELETING: 0}


@pytest.mark.parametrize(
    "more",
    [
        {"code": "I48.1"}, {"system": "icd9"}, {"day": None}, {"value": 1.0}, {"unit": "g"}, {"name": "AF"},
        {"encounter_id": "e"}, {"collection": "d"}, {"patient": "p2"}, {"source_id": "Condition/1"},
    ],
)  # fmt: skip
def test_facts_that_differ_in_anything_are_two(more: dict[str, object]) -> None:
    assert fact_hash(fact(**more)) != fact_hash(fact())  # type: ignore[arg-type]


def test_a_system_is_kept_in_one_spelling(ledger: Ledger) -> None:
    assert put(ledger, fact(system="ICD-10"), fact(system="icd10")) == (1, 1)
    assert ledger.facts.waiting(1)[0].system == "icd10"


def test_more_facts_than_one_statement_takes(ledger: Ledger) -> None:
    many = [fact(f"p{n % 7}", f"I{n:04}") for n in range(2100)]
    assert put(ledger, *many) == (2100, 0)
    assert settle(ledger) == 2100
    assert put(ledger, *many) == (0, 2100)
    assert ledger.facts.counts()[INDEXED] == 2100


def test_what_a_later_run_did_not_bring_goes_where_it_is_asked_for(ledger: Ledger) -> None:
    put(ledger, fact("p1"), fact("p2"), fact("p3", collection="other"))
    settle(ledger)
    run = ledger.start_run("file", "facts")
    ledger.facts.put([fact("p1")], run)
    later = ledger.start_run("file", "facts")
    ledger.facts.put([fact("p4")], later)  # of a run that goes on beside it
    assert ledger.facts.retire("c", run) == 1
    gone, fresh = ledger.facts.waiting(10)
    assert (gone.patient_id, gone.state, gone.version) == ("p2", DELETING, 2)
    assert fresh.patient_id == "p4"
    # Brought back before the index was told.
    assert put(ledger, fact("p2")) == (1, 0)
    ledger.facts.settle([gone])
    assert [(f.patient_id, f.version) for f in ledger.facts.waiting(10)] == [("p2", 3), ("p4", 1)]


RECORD = ("c", "Condition/1")


def said(ledger: Ledger, *batch: StructuredFact, records: tuple[tuple[str, str], ...] = (RECORD,)) -> tuple[int, ...]:
    """What becomes of all that ``records`` say: new, unchanged, gone."""
    told = ledger.facts.put(batch, ledger.start_run("file", "fhir"), records)
    return told["new facts"], told["unchanged facts"], told["gone facts"]


def held(ledger: Ledger) -> list[tuple[str, str]]:
    """Code and state of each fact, in order of code."""
    return sorted((f.code, f.state) for f in ledger.facts.waiting(100))


def test_what_a_record_says_takes_the_place_of_what_it_said_before(ledger: Ledger) -> None:
    one, other = (fact(code=code, source_id="Condition/1") for code in ("I48.0", "I48.1"))
    assert said(ledger, one) == (1, 0, 0)
    assert said(ledger, one) == (0, 1, 0)
    assert said(ledger, one, other) == (1, 1, 0)
    assert said(ledger, other) == (0, 1, 1)
    assert held(ledger) == [("I48.0", DELETING), ("I48.1", PENDING)]
    moved = fact("p2", code="I48.1", source_id="Condition/1")
    assert said(ledger, moved) == (1, 0, 1)
    assert said(ledger) == (0, 0, 1)
    assert said(ledger) == (0, 0, 0)
    # Brought back before the index was told: the version goes on.
    assert said(ledger, one) == (1, 0, 0)
    assert [(f.code, f.version) for f in ledger.facts.waiting(10) if f.state == PENDING] == [("I48.0", 3)]


def test_a_record_speaks_for_itself_and_its_collection_alone(ledger: Ledger) -> None:
    mine = fact(source_id="Condition/1")
    others = [fact(source_id="Condition/2"), fact(collection="d", source_id="Condition/1"), fact()]
    put(ledger, mine, *others)
    assert ledger.facts.counts()[PENDING] == 4
    assert said(ledger) == (0, 0, 1)
    assert ledger.facts.counts() == {PENDING: 3, INDEXED: 0, DELETING: 1}


def test_a_fact_of_a_time_without_ids_gets_that_of_the_record_that_says_it(ledger: Ledger) -> None:
    put(ledger, fact(), fact(code="I50"))
    settle(ledger)
    mine = fact(source_id="Condition/1")
    assert said(ledger, mine) == (0, 1, 0)
    assert ledger.facts.waiting(10) == []  # the index holds no id
    assert ledger.facts.several([1])[1] == mine
    twin = fact(source_id="Condition/2")
    assert said(ledger, twin, records=(("c", "Condition/2"),)) == (1, 0, 0)
    assert said(ledger) == (0, 0, 1)
    assert held(ledger) == [("I48.0", DELETING), ("I48.0", PENDING)]


def test_more_records_than_one_statement_takes(ledger: Ledger) -> None:
    many = [fact(f"p{n % 7}", source_id=f"Condition/{n}") for n in range(1100)]
    records = tuple((f.collection, f.source_id) for f in many)
    assert said(ledger, *many, records=records) == (1100, 0, 0)
    assert said(ledger, *many[:10], records=records) == (0, 10, 1090)


def test_settling_says_nothing_of_what_changed_meanwhile(ledger: Ledger) -> None:
    put(ledger, fact("p1"), fact("p2"))
    read = ledger.facts.waiting(10)
    codes(ledger, ("icd10", "I48", "heart"))
    assert ledger.codes.follow() == 2
    ledger.facts.settle(read)
    assert ledger.facts.counts()[PENDING] == 2
    assert settle(ledger) == 2
    assert ledger.facts.counts() == {PENDING: 0, INDEXED: 2, DELETING: 0}


def test_keys_are_never_given_again(ledger: Ledger) -> None:
    put(ledger, fact("p1"), fact("p2"))
    before = ledger.facts.waiting(10)[-1].key
    ledger.facts.mark_deleting("c")
    settle(ledger)
    assert ledger.facts.counts() == {PENDING: 0, INDEXED: 0, DELETING: 0}
    put(ledger, fact("p3"))
    assert ledger.facts.waiting(1)[0].key > before


def test_a_ledger_that_moves_takes_facts_and_codes_along_and_takes_no_more(ledger: Ledger, tmp_path: Path) -> None:
    put(ledger, fact("p1", value=0.1), fact("p2"))
    codes(ledger, ("icd10", "I48", "heart", "AF"))
    before = ledger.facts.after(0, 10)
    run = ledger.start_run("file", "facts")
    address = f"sqlite:///{tmp_path / 'moved.sqlite3'}"
    move(ledger.engine, address, lambda *_: None)
    with pytest.raises(DatabaseError):
        ledger.facts.put([fact("p3")], run)
    moved = Ledger(open_database(address))
    assert moved.facts.after(0, 10) == before
    assert codes(moved, ("icd10", "I48", "heart", "AF")) == ["unchanged"]
    put(moved, fact("p3"))
    assert moved.facts.after(0, 10)[-1].key > before[-1].key
    moved.engine.dispose()


def test_sex_age_and_days_are_known_by_facts_alone(ledger: Ledger) -> None:
    ledger.learn([Patient("p1", Person("female", date(1950, 1, 2)))])
    assert ledger.people.said() == (False, False, False)
    put(ledger, fact("p1", day=None))
    assert ledger.people.said() == (True, False, False)
    put(ledger, fact("p2"))
    assert ledger.people.said() == (True, False, True)
    put(ledger, fact("p1"))
    assert ledger.people.said() == (True, True, True)


# Codes


def test_a_table_of_parents_stands_above_facts_beside_the_form_of_their_codes(ledger: Ledger) -> None:
    put(ledger, fact(code="I48.0"), fact(code="I50"), fact(code="3", system="snomed"), fact(code="38", system="snomed"))
    table = [("ICD10", "I48", "I30-I52"), ("icd10", "I30-I52", "IX"), ("snomed", "3", "2"), ("snomed", "2", "1")]
    assert codes(ledger, *table) == ["new"] * 4
    assert under(ledger) == {
        "I48.0": ["icd10:I30-I52", "icd10:I48", "icd10:I48.0", "icd10:IX"],
        "I50": ["icd10:I50"],
        "3": ["snomed:1", "snomed:2", "snomed:3"],
        "38": ["snomed:38"],
    }


def test_only_the_facts_below_a_change_are_written_anew(ledger: Ledger) -> None:
    put(ledger, fact(code="I480"), fact(code="I50"), fact(code="I48", system="icd9"))
    settle(ledger)
    assert codes(ledger, ("icd10", "I48", "heart"), ("icd10", "I99", "heart")) == ["new", "new"]
    assert (ledger.codes.follow(), ledger.codes.follow()) == (1, 0)
    assert [(f.code, f.version) for f in ledger.facts.waiting(10)] == [("I480", 2)]
    settle(ledger)
    # A name alone changes nothing for facts; the same row again changes nothing at all.
    assert codes(ledger, ("icd10", "I48", "heart", "AF"), ("icd10", "I99", "heart")) == ["changed", "unchanged"]
    assert ledger.codes.follow() == 0
    twice = [("x", "1", "2", "a"), ("x", "1", "2", "b"), ("x", "1", "2", "b")]
    assert codes(ledger, *twice) == ["new", "changed", "unchanged"]
    assert codes(ledger, twice[-1]) == ["unchanged"]
    ledger.codes.follow()
    # A row that goes is followed too.
    run = ledger.start_run("file", "codes")
    assert codes(ledger, ("icd10", "I99", "heart"), run=run) == ["unchanged"]
    assert ledger.codes.retire(["icd10"], run) == 1
    assert ledger.codes.follow() == 1
    assert under(ledger)["I480"] == ["icd10:I48", "icd10:I48.0"]
    assert codes(ledger, ("icd10", "I48", "heart", "AF")) == ["new"]


@pytest.mark.parametrize(
    "table",
    [
        [("x", "1", "1")],
        [("x", "1", "2"), ("x", "2", "1")],
        [("x", "1", "2"), ("x", "2", "3"), ("x", "3", "1")],
        [("icd10", "I48", "I48.0")],  # by the form of the codes it is below already
        [("icd10", "I48", "A"), ("icd10", "A", "I48.1")],
    ],
)
def test_a_row_that_would_close_a_circle_is_not_taken(ledger: Ledger, table: list[tuple[str, ...]]) -> None:
    *good, bad = table
    assert codes(ledger, *good) == ["new"] * len(good)
    assert codes(ledger, bad) == ["circle"]
    assert codes(ledger, *good, bad)[-1] == "circle"
    assert codes(ledger, (bad[0], bad[1], "another")) == ["new"]


def test_a_circle_is_rejected_with_its_line_and_the_rest_goes_in(tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    path.write_text("system,code,parent\nx,1,2\nx,2,1\nx,2,3\n")
    ledger = Ledger(open_database(f"sqlite:///{tmp_path / 'ledger.sqlite3'}"))
    rejects = Rejects(tmp_path / "run-1.jsonl", 10)
    source = open_source(path, "codes")
    run = ledger.start_run("a", "codes")
    totals = take_in(source, source.name, ledger, run, rejects, lambda *_: None)
    rejects.close()
    assert (totals["codes"], totals["new codes"], totals["rejected"], totals["lines"]) == (2, 2, 1, 4)
    assert '"source": "codes.csv", "line": 3, "field": "parent"' in rejects.path.read_text()
    assert retire(source, ledger, run, totals) == {"kept back": 1}
    whole = totals - Counter(rejected=1, left_out=1)  # as though nothing had been left out
    assert retire(source, ledger, run + 1, whole) == {"gone codes": 2}
    ledger.engine.dispose()
