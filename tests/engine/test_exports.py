"""Exports of clinical databases end to end: cohorts over their notes, patients and facts together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ingest.readers import open_source
from ingest.run import run_ingest
from search_stack.retrieval.searcher import Searcher

pytestmark = pytest.mark.engine
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
COHORTS = {
    "pneumothorax": {"101", "f101"},  # of 102 and f102 the notes exclude it
    "pneumothorax fact:icd10:I48": {"101", "f101"},
    "fact:icd10:I50": {"101", "f101"},
    "fact:icd10:I26": set(),  # refuted
    "fact:loinc:718-7<8": {"101", "f101"},
    "fact:loinc:718-7": {"101", "102", "f101"},
    "fact:loinc:1988-5": {"102", "f102"},
    "fact:loinc:1988-5<10": set(),  # below 5 is no number
    "fact:loinc:8480-6>140": {"f102"},
    "fact:atc:C03": {"101", "f101"},
    "fact:local:LOC-77": {"102"},
    "pneumothorax sex:female age:>60": {"101", "f101"},
}


def test_notes_and_codes_of_an_export_are_asked_for_together(empty_stack: Any) -> None:
    for again in (False, True):
        for name in ("omop", "fhir"):
            done = run_ingest(open_source(EXAMPLES / name), empty_stack.ledger, empty_stack.settings)
            assert (done.new, done.unchanged, done.rejected, done.failed) == (
                0 if again else 4,
                4 if again else 0,
                0,
                0,
            )
            assert (done.new_facts > 0) != again
    searcher = Searcher.from_settings(empty_stack.settings, empty_stack.ledger)
    for line, expected in COHORTS.items():
        found, _ = searcher.cohort(searcher.understand(line).query, "patient")
        assert set(empty_stack.ledger.people.ids(found.patients).values()) == expected, line


def test_the_command_tells_what_was_left_out_by_rule(empty_stack: Any) -> None:
    status, out, errors = empty_stack.run("ingest", EXAMPLES / "fhir")
    assert status == 0, errors
    assert "4 notes: 4 new" in out
    assert "11 facts: 11 new" in out
    assert "Left out by rule: " in out
    assert "1 × Condition with verificationStatus refuted" in out
