"""`aspectra evaluate cohorts` over the demo's notes: what it prints, keeps and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from search_stack.core.settings import Settings
from tests.commands import run

pytestmark = pytest.mark.engine


def counted(stack: Settings, line: str, ids: Path) -> list[str]:
    done = run(stack, "cohort", "run", line, "--ids", ids)
    assert done.status == 0, done.errors
    return ids.read_text().split()


def test_questions_are_measured_beside_their_words(stack: Settings, tmp_path: Path) -> None:
    has, denied = (counted(stack, line, tmp_path / "ids.txt") for line in ("pneumothorax", "no pneumothorax"))
    only_denied = sorted(set(denied) - set(has))
    assert has
    assert only_denied
    questions = tmp_path / "questions.jsonl"
    rows = [
        {"line": "patients with pneumothorax", "patients": has},
        {"line": "pneumothorax ruled out", "patients": denied},
        # Wrong on purpose: one who is counted is not meant, one is debatable, and one is meant who is not counted.
        {"line": "pneumothorax", "patients": [*has[2:], only_denied[0]], "debatable": [has[0]]},
        {"line": "pneumothorax", "patients": has[:1], "among": [has[0], only_denied[0]]},
        {"line": "(", "patients": []},
    ]
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    wrong, figures = tmp_path / "wrong.jsonl", tmp_path / "figures.json"
    done = run(stack, "evaluate", "cohorts", "--data", questions, "--wrong", wrong, "--json", figures)
    assert done.status == 0, done.errors
    assert "Patients of 5 questions" in done.out
    assert "1 questions were refused" in done.out
    kept = json.loads(figures.read_text())
    assert (kept["questions"], kept["aspectra"]["exact"]["value"], kept["aspectra"]["refused"]) == (5, 0.6, 1)
    # A note that denies it holds the word all the same.
    assert kept["words"]["patients"]["precision"] < kept["aspectra"]["patients"]["precision"]
    told = [json.loads(line) for line in wrong.read_text().splitlines()]
    assert [(one["line"], one["wrong"], one["missed"], one["refused"]) for one in told] == [
        ("pneumothorax", [has[1]], [only_denied[0]], False),
        ("(", [], [], True),
    ]
    assert wrong.stat().st_mode & 0o077 == 0


def test_questions_of_notes_that_are_not_here_are_refused(stack: Settings, tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"line": "gout", "patients": ["nobody"]}\n', encoding="utf-8")
    done = run(stack, "evaluate", "cohorts", "--data", questions)
    assert done.status == 1
    assert "1 of the patients are not here." in done.errors
