"""Cohorts from the command line, over a table with dates, sexes and ages: hand-checked patients at every step."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.engine
SAID = {
    "pacemaker": "PROCEDURE:\nA dual chamber pacemaker was implanted without complication.",
    "pneumothorax": "FINDINGS:\nThere is a small left apical pneumothorax. No pleural effusion.",
    "effusion": "FINDINGS:\nModerate right pleural effusion.",
    "failure": "ASSESSMENT:\nCongestive heart failure, on diuretics.",
    "clear": "FINDINGS:\nThe lungs are clear. No pneumothorax.",
    "mother": "FAMILY HISTORY:\nMother had breast cancer.",
    "nobody": "FAMILY HISTORY:\nNo family history of breast cancer.",
}
NOTES = (
    # Every criterion of the opening question, a day apart from failing it.
    ("A", "F", "1940-05-01", [("pacemaker", "2020-03-01"), ("pneumothorax", "2020-03-31"), ("failure", "2020-04-01"),
                              ("failure", "2020-06-01"), ("clear", "2020-07-01"), ("nobody", "2020-07-02")]),
    # The pneumothorax is a day too late.
    ("B", "F", "1941-05-01", [("pacemaker", "2020-03-01"), ("pneumothorax", "2020-04-01"), ("failure", "2020-04-01"),
                              ("failure", "2020-06-01")]),
    # An effusion, years before.
    ("C", "F", "1942-05-01", [("effusion", "2015-01-01"), ("pacemaker", "2020-03-01"), ("pneumothorax", "2020-03-02"),
                              ("failure", "2020-04-01"), ("failure", "2020-06-01")]),
    # A man.
    ("D", "M", "1943-05-01", [("pacemaker", "2020-03-01"), ("pneumothorax", "2020-03-02"), ("failure", "2020-04-01"),
                              ("failure", "2020-06-01")]),
    # Sixty at the pacemaker.
    ("E", "F", "1960-01-01", [("pacemaker", "2020-03-01"), ("pneumothorax", "2020-03-02"), ("failure", "2020-04-01"),
                              ("failure", "2020-06-01")]),
    # Heart failure once.
    ("F", "F", "1944-05-01", [("pacemaker", "2020-03-01"), ("pneumothorax", "2020-03-02"), ("failure", "2020-04-01")]),
    # Cancer in the family.
    ("G", "F", "1945-05-01", [("pacemaker", "2020-03-01"), ("pneumothorax", "2020-03-02"), ("failure", "2020-04-01"),
                              ("failure", "2020-06-01"), ("mother", "2020-01-01")]),
    # The pneumothorax has no date.
    ("H", "F", "1946-05-01", [("pacemaker", "2020-03-01"), ("pneumothorax", ""), ("failure", "2020-04-01"),
                              ("failure", "2020-06-01")]),
)  # fmt: skip
OPENING = (
    "women over 60 with a pacemaker and a pneumothorax within 30 days after it, no effusion ever, "
    "heart failure at least twice, family history of cancer excluded"
)


@pytest.fixture
def place(empty_stack: Any, make_csv: Callable[..., Path]) -> Any:
    rows = [
        {"note_id": f"{who}-{n}", "patient_id": who, "sex": sex, "birth_date": born, "date": day, "text": SAID[what]}
        for who, sex, born, told in NOTES
        for n, (what, day) in enumerate(told)
    ]
    status, _, errors = empty_stack.run("ingest", make_csv(rows))
    assert status == 0, errors
    return empty_stack


def counted(place: Any, *query: object) -> dict[str, Any]:
    status, out, errors = place.run("cohort", "run", *query, "--json")
    assert status == 0, errors
    return dict(json.loads(out))


def ids(place: Any, tmp_path: Path, *query: object) -> set[str]:
    counted(place, *query, "--ids", tmp_path / "ids.txt")
    assert (tmp_path / "ids.txt").stat().st_mode & 0o077 == 0
    return set((tmp_path / "ids.txt").read_text().split())


def test_the_opening_question_step_by_step_and_after_a_change_of_a_birth_date(
    place: Any, make_csv: Callable[..., Path], tmp_path: Path
) -> None:
    found = counted(place, OPENING)
    # The note without a date is of no known age, so the filter left it out before time could.
    assert (found["patients"], found["undated"]) == (1, 0)
    assert counted(place, "pneumothorax within 30 days after pacemaker")["undated"] == 1
    assert [(s["step"], s["patients"]) for s in found["attrition"]] == [
        ("female", 7),
        ("older than 60", 6),
        ("pacemaker", 6),
        ("pneumothorax within 30 days after pacemaker", 4),
        ("without pleural effusion", 3),
        ("congestive heart failure in at least 2 notes", 2),
        ("without cancer in the family", 1),
    ]
    assert ids(place, tmp_path, OPENING) == {"A"}
    assert ids(place, tmp_path, json.dumps(found["query"])) == {"A"}
    # What is known of a patient changes without a note being touched.
    table = make_csv([{"patient_id": "E", "sex": "F", "birth_date": "1950-01-01", "death_date": ""}], "patients.csv")
    status, out, _ = place.run("ingest", table, "--format", "patients")
    assert status == 0
    assert "of 1 more or other is known now" in out
    assert ids(place, tmp_path, OPENING) == {"A", "E"}


def test_who_they_are_and_what_their_notes_say(place: Any) -> None:
    told = counted(place, "pneumothorax", "--facets")["facets"]
    by_value = {name: {v["value"]: v["patients"] for v in values} for name, values in told.items()}
    assert by_value["sex"] == {"female": 7, "male": 1}
    # H's note has no date, and so neither year nor age.
    assert by_value["year"] == {"2020": 7}
    assert by_value["age"] == {"40-64": 1, "65-79": 6}
    assert by_value["section"] == {"findings": 8}
    assert by_value["finding"]["pneumothorax"] == by_value["finding"]["pleural effusion ruled out"] == 8
    status, out, _ = place.run("cohort", "run", "pneumothorax", "--facets")
    assert status == 0
    assert "pleural effusion ruled out" in out


def test_questions_in_time_and_the_notes_that_show_them(place: Any, tmp_path: Path) -> None:
    assert ids(place, tmp_path, "pneumothorax before pacemaker") == set()
    assert ids(place, tmp_path, "pleural effusion before pacemaker") == {"C"}
    assert ids(place, tmp_path, "first pneumothorax since 2020-03-31") == {"A", "B"}
    assert ids(place, tmp_path, "pacemaker at age 60") == {"E"}
    assert ids(place, tmp_path, "sex:male") == {"D"}
    # A's family is said not to have it, which is a mention.
    assert ids(place, tmp_path, "family history of breast cancer") == {"G"}
    assert ids(place, tmp_path, 'finding:"breast cancer" unaffected') == {"A"}
    assert ids(place, tmp_path, "any mention of breast cancer") == {"A", "G"}
    assert ids(place, tmp_path, "finding:cancer unaffected") == set()
    assert counted(place, "at least 2 heart failure")["notes"] == 14
    status, out, _ = place.run("search", "pneumothorax within 30 days after pacemaker", "--scope", "patient")
    assert status == 0
    assert all(f"{who} ·" in out for who in "ACDEFG")
    assert not any(f"{who} ·" in out for who in "BH")


def test_what_no_source_tells_is_said(empty_stack: Any, make_csv: Callable[..., Path]) -> None:
    plain = make_csv([{"note_id": "1", "text": SAID["effusion"]}])
    assert empty_stack.run("ingest", plain)[0] == 0
    for line, told in (
        ("effusion sex:female", "No patient's sex is known here."),
        ("effusion age:>60", "No patient's age is known here."),
        ("effusion after pneumothorax", "No note here has a date"),
        ("effusion fact:icd10:I48", "There are no structured facts to ask for."),
    ):
        status, _, errors = empty_stack.run("cohort", "run", line)
        assert status == 1
        assert told in errors
    # A search brings what else is asked for, and says what is not compared.
    status, out, _ = empty_stack.run("search", "effusion after pneumothorax")
    assert status == 0
    assert "No note here has a date" in out
    status, out, _ = empty_stack.run("search", "effusion in women", "--json")
    assert (status, json.loads(out)["counts"]["passages"]) == (0, 1)
    assert empty_stack.run("search", "effusion sex:female")[0] == 1
