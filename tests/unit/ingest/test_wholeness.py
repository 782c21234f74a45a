"""Notes and facts held against the digests of what was taken in."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import text

from aspectra.stack.doctor import doctor
from ingest import wholeness
from ingest.ledger import Ledger
from ingest.ledger.database import writing
from ingest.wholeness import examine
from search_stack.core.schema import Note, StructuredFact
from search_stack.core.settings import Settings

ODD = Note("n0", "µ 𝔘 \u2028 \ue000 e\u0301\r\n\tend", "p1", "report", None, "", "c")
FACT = StructuredFact("p1", "loinc", "718-7", day=date(2020, 3, 4), name="Hb", value=9.5, unit="g/dL", collection="c")


def take_in(ledger: Ledger) -> None:
    notes = [ODD, *(replace(ODD, note_id=f"n{n}", text=f"Clear lungs, {n}.") for n in range(1, 8))]
    ledger.put(notes, ledger.start_run("file", "csv"))
    facts = [FACT, replace(FACT, value=9.0), replace(FACT, value=9), replace(FACT, value=None, day=None)]
    ledger.facts.put(facts, ledger.start_run("file", "facts"))


def change(ledger: Ledger, statement: str) -> None:
    with writing(ledger.engine) as c:
        c.execute(text(statement))


def test_what_was_taken_in_is_whole(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    assert str(examine(ledger)) == "what was taken in: notes 0, facts 0"
    monkeypatch.setattr(wholeness, "AT_ONCE", 3)
    take_in(ledger)
    found = examine(ledger)
    assert (found.notes, found.altered_notes, found.altered_facts) == (8, [], [])
    assert found.facts >= 3
    assert str(found) == f"what was taken in: notes 8, facts {found.facts}"


@pytest.mark.parametrize("column", ["text", "patient_id", "type", "title"])
def test_a_note_that_was_changed_shows(ledger: Ledger, column: str) -> None:
    take_in(ledger)
    change(ledger, f"UPDATE notes SET {column} = {column} || '.' WHERE note_id = 'n3'")
    found = examine(ledger)
    assert len(found.altered_notes) == 1
    assert str(found) == f"1 note is not what was taken in (by number: {found.altered_notes[0]})"


def test_a_fact_that_was_changed_shows(ledger: Ledger) -> None:
    take_in(ledger)
    change(ledger, "UPDATE facts SET value = 95 WHERE value = 9.5")
    change(ledger, "UPDATE notes SET text = text || '.'")
    found = examine(ledger)
    assert (len(found.altered_notes), len(found.altered_facts)) == (8, 1)
    assert str(found).startswith("8 notes are not what was taken in (by number: 1, 2, 3, 4, 5, …); 1 fact is not")


def test_the_doctor_looks_where_he_looks_deep(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, cache_dir=tmp_path, engine_port=1)

    def said(deep: bool = True) -> list[tuple[bool, str]]:
        return [(check.ok, check.detail) for check in doctor(settings, deep) if check.name == "notes"]

    assert said() == []
    ledger = Ledger.from_settings(settings)
    ledger.put([ODD], ledger.start_run("file", "csv"))
    assert said() == [(True, "what was taken in: notes 1, facts 0")]
    assert said(deep=False) == []
    change(ledger, "UPDATE notes SET text = 'another'")
    assert said() == [(False, "1 note is not what was taken in (by number: 1)")]
