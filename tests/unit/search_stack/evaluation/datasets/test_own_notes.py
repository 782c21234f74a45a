"""A site's notes as JSON lines: read, or named by line and field without a word of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.own_notes import OwnNote, load


def test_notes_come_by_id(tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text(
        '{"id": "n1", "text": "Fever.\\u2028Cough."}\n\n{"id": 2, "text": "", "type": "letter", "more": 1}\n'
    )
    assert load(file) == {"n1": OwnNote("n1", "Fever.\u2028Cough."), "2": OwnNote("2", "", "letter")}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{secret", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('["secret"]', "not a JSON object"),
        ('{"text": "secret"}', "id"),
        ('{"id": "", "text": "secret"}', "id"),
        ('{"id": true, "text": "secret"}', "id"),
        ('{"id": "a\\tb", "text": "secret"}', "id"),
        ('{"id": "a\\u001b[2J", "text": "secret"}', "id"),
        ('{"id": "n2"}', "text"),
        ('{"id": "n2", "text": ["secret"]}', "text"),
        ('{"id": "n2", "text": "secret", "type": 3}', "type"),
        ('{"id": "n1", "text": "secret"}', "id: an earlier"),
    ],
)
def test_a_line_that_is_none_is_named(tmp_path: Path, line: str, told: str) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text(json.dumps({"id": "n1", "text": "Fever."}) + f"\n{line}\n")
    with pytest.raises(AspectraError, match=f"notes.jsonl:2: {told}") as raised:
        load(file)
    assert "secret" not in str(raised.value)


def test_a_file_without_a_note_or_none_at_all_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(AspectraError, match="holds no note"):
        load(tmp_path / "empty.jsonl")
    with pytest.raises(AspectraError, match="cannot be read"):
        load(tmp_path / "none.jsonl")
