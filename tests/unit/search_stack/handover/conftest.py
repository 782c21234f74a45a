"""Rows as they are handed over, and the cover that goes with them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pyroaring import BitMap

from search_stack.cohorts.version import Asked, Found, Left, Provenance
from search_stack.handover.cover import Cover
from search_stack.handover.row import Row

PASSAGE = "No evidence of pleural effusion."
TREE = {"all": [{"finding": "pleural effusion", "assertion": "absent"}, {"not": {"finding": "fever"}}]}


def finding(**more: Any) -> Row:
    given: dict[str, Any] = {
        "patient_id": "12",
        "patient_no": 1,
        "kind": "finding",
        "note_id": "77",
        "note_key": 5,
        "encounter_id": "E1",
        "note_type": "radiology",
        "date": "2020-01-02",
        "state": "as found",
        "section": "IMPRESSION",
        "criterion": "pleural effusion ruled out",
        "concept": "pleural-effusion",
        "name": "pleural effusion",
        "assertion": "absent",
        "status": "recent",
        "experiencer": "patient",
        "sites": "left chest",
        "begin": 115,
        "end": 131,
        "words": "pleural effusion",
        "trigger": "No evidence of",
        "trigger_begin": 100,
        "trigger_end": 114,
        "passage_begin": 100,
        "passage_end": 132,
        "passage": PASSAGE,
        "verdict": "include",
    }
    return Row(**(given | more))


def words(**more: Any) -> Row:
    given: dict[str, Any] = {
        "patient_id": "12",
        "patient_no": 1,
        "kind": "passage",
        "note_id": "78",
        "note_key": 6,
        "date": "2021-05-06",
        "state": "as found",
        "criterion": "dizzy",
        "begin": 0,
        "end": 5,
        "words": "Dizzy",
        "spans": "0-5",
        "passage_begin": 0,
        "passage_end": 12,
        "passage": "Dizzy today.",
        "verdict": "include",
    }
    return Row(**(given | more))


@pytest.fixture
def rows() -> list[Row]:
    """Of three patients: one with two notes, one whose evidence has no date, one without evidence."""
    return [
        finding(),
        words(),
        Row(patient_id="13", patient_no=2, kind="note", note_key=9, state="deleted"),
        Row(patient_id="14", patient_no=3, kind="patient"),
    ]


@pytest.fixture
def cover() -> Cover:
    seen = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    found = Found(
        unit="patient",
        origin=Asked(TREE, "no pleural effusion, no fever"),
        patients=BitMap([1, 2, 3]),
        provenance=Provenance(seen, "0123456789abcdef" * 2, 3, 99, "g1", ("v1",), "lex", "rules", "bi@1", "", "0.1"),
        steps=(Left("no pleural effusion", 4, 5),),
        undated=2,
    )
    return Cover(
        form="omop",
        found=found,
        description="",
        by="mo",
        began=datetime(2024, 6, 1, 10, 0, tzinfo=UTC),
        program="0.1.0",
        generation="g2",
        lexicon="lex",
        text=True,
        definition=42,
    )
