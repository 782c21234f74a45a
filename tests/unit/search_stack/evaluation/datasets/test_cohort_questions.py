"""Cohort questions as JSON lines; what is wrong is said with file, line and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.cohort_questions import CohortQuestion, load


def written(folder: Path, *rows: str) -> Path:
    file = folder / "questions.jsonl"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return file


def test_a_question_has_its_patients(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        '{"line": " no fever ", "patients": ["a", "b"], "debatable": ["b"], "among": ["a", "b", "c"], "why": "so"}',
        "",
        '{"line": "gout", "patients": []}',
    )
    assert load(file) == [
        CohortQuestion("no fever", frozenset("a"), frozenset("b"), frozenset("abc")),
        CohortQuestion("gout", frozenset()),
    ]
    assert len(load(file, 1)) == 1


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("gout", ":2: this is no JSON."),
        ('["gout"]', ":2: this is no object."),
        ('{"patients": []}', ":2: line: there is none."),
        ('{"line": " ", "patients": []}', ":2: line: there is none."),
        ('{"line": "gout"}', ":2: patients: it is missing."),
        ('{"line": "gout", "patients": "a"}', ":2: patients: this is no list of ids."),
        ('{"line": "gout", "patients": [1]}', ":2: patients: this is no list of ids."),
        ('{"line": "gout", "patients": ["a"], "debatable": {}}', ":2: debatable: this is no list of ids."),
        ('{"line": "gout", "patients": ["a"], "among": ["b"]}', ":2: patients: one is not in among."),
    ],
)
def test_what_is_amiss_is_said_with_line_and_field(tmp_path: Path, row: str, says: str) -> None:
    file = written(tmp_path, '{"line": "gout", "patients": []}', row)
    with pytest.raises(AspectraError) as told:
        load(file)
    assert told.value.message == f"{file}{says}"


def test_a_file_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match="holds no question"):
        load(written(tmp_path))
