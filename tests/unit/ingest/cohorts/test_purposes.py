"""Cohorts and exports of different purposes know nothing of each other."""

from __future__ import annotations

from datetime import date

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text

from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from ingest.ledger.database import MIGRATIONS, open_database
from search_stack.core.errors import NotKept
from search_stack.core.reach import Reach
from search_stack.core.schema import Note, StructuredFact
from search_stack.query.tree import QueryError
from tests.unit.ingest.cohorts.conftest import Make


def test_a_name_is_free_for_every_purpose(store: Store, make_found: Make) -> None:
    one, two = (Store(store.engine, purpose) for purpose in (1, 2))
    store.save("a", make_found((1, 1, 1)), "mo")
    one.save("a", make_found((2, 2, 2)), "lee")
    two.save("b", make_found((3, 3, 3)), "kim")
    assert [[c.name for c in s.cohorts()] for s in (store, one, two)] == [["a"], ["a"], ["b"]]
    assert [list(s.version("a").patients) for s in (store, one)] == [[1], [2]]
    other = one.cohort("a").id
    for which in ("a", other):
        with pytest.raises(NotKept):
            two.version(which)
        with pytest.raises(NotKept):
            two.delete(which)
    assert two.page(0, 9) == two.cohorts()
    known = Ledger(store.engine).people
    assert [known.within(Reach(purpose=n)).newest_of("a") for n in (0, 1)] == ["a@1", "a@1"]
    assert [list(known.within(Reach(purpose=n)).in_cohort("a@1")) for n in (0, 1)] == [[1], [2]]
    with pytest.raises(QueryError) as e:
        known.within(Reach(purpose=2)).newest_of("a")
    assert "b" in e.value.remedy


def test_only_patients_in_reach_are_known(ledger: Ledger) -> None:
    notes = [Note("a1", "t", "p1", collection="A"), Note("b1", "t", "p2", collection="B")]
    run = ledger.start_run("x", "csv")
    ledger.put([*notes, Note("b2", "t", "p1", collection="B")], run)
    ledger.facts.put([StructuredFact("p3", "ICD10", "I48", date(2020, 1, 1), collection="A")], run)
    near = ledger.within(Reach(frozenset({"A"})))
    assert near.people.numbers(["p1", "p2", "p3", "p4"]) == {"p1": 1, "p3": 3}
    assert [(p.patient_id, p.notes) for p in near.listing.patients(0, 9)] == [("p1", 1), ("p3", 0)]
    assert near.listing.patient(2) is None
    assert [ledger.listing.patient(no) for no in (2**31, 2**63, 10**40)] == [None] * 3  # no database takes them
    assert [n.note_id for n in near.listing.notes(0, 9)] == ["a1"]
    assert near.listing.notes(0, 9, collection="B") == []
    assert [len(r.listing.facts(3, 9)) for r in (near, ledger.within(Reach(frozenset({"B"}))))] == [1, 0]
    assert [near.note(key) is not None for key in (1, 2, 3)] == [True, False, False]
    assert list(near.several([1, 2, 3])) == [1]
    assert (near.counts()["pending"], near.has_collection("B"), near.has_collection_besides("A")) == (1, False, False)
    assert ledger.counts()["pending"] == 3


def test_cohorts_of_before_stay_the_machine_s_with_their_ids(ledger_address: str) -> None:
    older = create_engine(ledger_address)
    with older.begin() as c:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = c
        command.upgrade(config, "0010")
        for name in ("gone", "kept"):
            made = "INSERT INTO cohorts (name, description, made) VALUES (:name, 'd', '2026-01-01')"
            c.execute(text(made), {"name": name})
        c.execute(
            text(
                "INSERT INTO cohort_versions (cohort, number, made, made_by, scheduled, unit, origin, provenance,"
                " steps, patient_count, note_count, undated, patients, evidence, notes, past, digest) SELECT id,"
                " 1, made, 'mo', :no, 'patient', '{}', '{}', '[]', 0, 0, 0, :none, :none, :none, :none, '' FROM cohorts"
                " WHERE name = 'kept'"
            ),
            {"none": b"", "no": False},
        )
        c.execute(text("DELETE FROM cohorts WHERE name = 'gone'"))
    older.dispose()
    engine = open_database(ledger_address)
    with engine.connect() as c:
        joined = (
            "SELECT k.id, name, description, purpose, number FROM cohorts k JOIN cohort_versions v ON v.cohort = k.id"
        )
        assert list(c.execute(text(joined))) == [(2, "kept", "d", 0, 1)]
    with engine.begin() as c:
        c.execute(text("INSERT INTO cohorts (name, description, made, purpose) VALUES ('kept', '', '2026-01-01', 7)"))
        assert c.execute(text("SELECT id FROM cohorts WHERE purpose = 7")).scalar_one() == 3
    with pytest.raises(Exception, match=r"(?i)unique"), engine.begin() as c:
        c.execute(text("INSERT INTO cohorts (name, description, made, purpose) VALUES ('kept', '', '2026-01-01', 7)"))
    engine.dispose()
