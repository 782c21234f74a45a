"""The opening question over the synthetic patients: the answer that the README tells, checked by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from search_stack.core.settings import Settings
from tests import commands
from ui.home_page import DEMO_EXAMPLES, EXAMPLES

pytestmark = pytest.mark.engine
OPENING = (
    "women over 60 with a pacemaker and a pneumothorax within 30 days after it, no effusion ever, "
    "heart failure at least twice, family history of cancer excluded"
)
STEPS = [
    # Of the 53 patients of stories 28 are women, and of the others seven whose one note says so; 17 of them, and one of
    # these, have a note from the age of 61 on.
    ("female", 35, 196),
    ("older than 60", 18, 111),
    # P-02059 and P-04919, each with a pneumothorax on the film of the day.
    ("pacemaker", 2, 14),
    ("pneumothorax within 30 days after pacemaker", 2, 14),
    # Effusions of both are denied, or possible.
    ("without pleural effusion", 2, 14),
    # P-02059 has none, and a mother with breast cancer.
    ("congestive heart failure in at least 2 notes", 1, 7),
    ("without cancer in the family", 1, 7),
]


def counted(stack: Settings, tmp_path: Path, line: str) -> tuple[dict[str, Any], list[str]]:
    """What `aspectra cohort run` prints, and the ids that it writes."""
    ids = tmp_path / "ids.txt"
    done = commands.run(stack, "cohort", "run", line, "--json", "--ids", ids)
    assert done.status == 0, done.errors
    return json.loads(done.out), ids.read_text().split()


def steps(found: dict[str, Any]) -> list[tuple[str, int, int]]:
    return [(step["step"], step["patients"], step["notes"]) for step in found["attrition"]]


@pytest.mark.parametrize("code", [None, "icd10:I48"])
def test_the_opening_question_has_one_patient_without_a_code_and_with(
    stack: Settings, tmp_path: Path, code: str | None
) -> None:
    found, ids = counted(stack, tmp_path, f"{OPENING}, fact:{code}" if code else OPENING)
    assert steps(found) == STEPS + [(f"the code {code}", 1, 7)] * bool(code)
    assert (found["patients"], found["notes"], found["undated"]) == (1, 7, 0)
    assert ids == ["P-04919"]


@pytest.mark.parametrize("line", [line for line, _ in (*EXAMPLES, *DEMO_EXAMPLES)])
def test_every_example_of_the_start_page_finds_somebody(stack: Settings, tmp_path: Path, line: str) -> None:
    assert counted(stack, tmp_path, line)[0]["patients"]


def test_a_code_keeps_those_who_have_it_or_one_below_it(stack: Settings, tmp_path: Path) -> None:
    found, ids = counted(stack, tmp_path, "women over 60 with fact:icd10:I48, heart failure at least twice")
    # P-05782 and P-04919 of five; three more have an I48 and no heart failure in two notes.
    assert steps(found) == [
        ("female", 35, 196),
        ("older than 60", 18, 111),
        ("the code icd10:I48", 5, 0),
        ("congestive heart failure in at least 2 notes", 2, 8),
    ]
    assert sorted(ids) == ["P-04919", "P-05782"]
    assert counted(stack, tmp_path, "fact:icd10:I48")[0]["patients"] == 10
    assert counted(stack, tmp_path, "fact:icd10:I48.0")[0]["patients"] == 2


@pytest.mark.parametrize(
    ("line", "who"),
    [
        ("nodule larger than 8 mm", ["P-03708", "P-06884", "P-09224"]),
        ("nodule between 6 and 7 mm", ["P-02765", "P-06352"]),
        ("nodule under 5 mm", ["P-01535", "P-03708", "P-09052"]),
        ("nodule > 1.5 cm", ["P-03708", "P-09224"]),
    ],
)
def test_a_number_counts_whose_notes_tell_it(stack: Settings, tmp_path: Path, line: str, who: list[str]) -> None:
    """Read by hand: eight patients have a nodule with its size, of 3 to 18 mm."""
    _, ids = counted(stack, tmp_path, line)
    assert sorted(ids) == who
