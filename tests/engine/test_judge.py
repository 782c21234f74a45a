"""`aspectra judge`, as a person uses it: grades typed into a real terminal, and what they measure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from aspectra.stack.own import child_environment
from ingest.ledger import Ledger
from search_stack.core.settings import Settings
from search_stack.evaluation.datasets.judgments import Judgment, load
from tests.commands import run
from tests.terminal import Person

pytestmark = pytest.mark.engine


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "queries.tsv"
    rows = ("query\tkind\tneed", "pneumothorax\tfinding\tA pneumothorax is there.", "finding:nosuchthing\t\t")
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


def grade_all(own: Mapping[str, str], file: Path, *more: str) -> str:
    """Grade by whether the word is there; in the middle one goes back, stops and starts again."""
    person = Person(own, "judge", str(file), "--depth", "3", *more)
    shown = person.sees("1 of ", "Query: pneumothorax", "Need: A pneumothorax is there.")
    number = int(shown.partition("1 of ")[2].split()[0])
    assert number >= 3
    person.types("0")
    person.sees("2 of ")
    person.types("b")
    shown = person.sees("1 of ", "You said: not.")
    person.types(grade_of(shown))
    person.sees("2 of ")
    person.types("x")
    assert f"1 graded now, {number - 1} left" in person.ends()
    person = Person(own, "judge", str(file), "--depth", "3", *more)
    for n in range(2, number + 1):
        person.types(grade_of(person.sees(f"{n} of {number}")))
    return person.ends()


def grade_of(shown: str) -> str:
    said = shown.partition("Query:")[0].lower()
    return "0" if "no pneumothorax" in said else "2" if "pneumothorax" in said else "1"


def test_grades_become_judgments_that_the_ranking_is_measured_by(stack: Settings, file: Path) -> None:
    own = child_environment(stack)
    told = grade_all(own, file)
    assert "0 left" in told
    out = file.with_name("queries.tsv.judgments.tsv")
    assert out.stat().st_mode & 0o077 == 0
    found = load(out)
    notes = {s.note.note_id: s.note.text for s in Ledger.from_settings(stack).after(0, 100_000)}
    assert {j.grade for j in found} >= {2}
    assert all(("pneumothorax" in notes[j.note][j.begin : j.end].lower()) == (j.grade != 1) for j in found if j.grade)
    grade_all(own, file, "--reading", "2")
    again = [j for j in load(out) if j.reading == 2]
    assert {(j.place, j.grade) for j in again} == {(j.place, j.grade) for j in found}
    done = run(stack, "evaluate", "judgments", out)
    assert done.status == 0, done.errors
    assert "finding" in done.out
    assert isinstance(found[0], Judgment)


def test_where_nothing_can_be_graded_it_is_said(stack: Settings, tmp_path: Path) -> None:
    file = tmp_path / "queries.txt"
    file.write_text("finding:nosuchthing\n", encoding="utf-8")
    done = run(stack, "judge", file)
    assert done.status == 1
    assert "1 queries could not be read" in done.out
    assert "There is no passage to grade." in done.errors
    assert run(stack, "judge", tmp_path / "none").status == 1
