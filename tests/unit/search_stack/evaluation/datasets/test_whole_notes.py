"""Notes annotated in full: how they are read, and what is wrong in them named."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_stack.core.errors import AspectraError
from search_stack.evaluation.datasets.gold import PARTS, part_of
from search_stack.evaluation.datasets.whole_notes import COLUMNS, FILE, Heading, WholeMention, WholeNote, load

HEADING = ("n", "section", "0", "5", "plan", "", "")
MENTION = ("n", "mention", "7", "12", "symptom", "absent", "")


def written(folder: Path, *rows: tuple[str, ...]) -> Path:
    file = folder / "notes.tsv"
    file.write_text("".join("\t".join(row) + "\n" for row in (COLUMNS, *rows)))
    return file


def test_rows_of_a_note_come_together(tmp_path: Path) -> None:
    other = ("m", "mention", "3", "9", "drug", "present", "taking")
    assert load(written(tmp_path, HEADING, other, MENTION)) == [
        WholeNote("n", (Heading(0, 5, "plan"),), (WholeMention(7, 12, "symptom", "absent", ""),)),
        WholeNote("m", (), (WholeMention(3, 9, "drug", "present", "taking"),)),
    ]


@pytest.mark.parametrize(
    ("row", "column", "value", "told"),
    [
        (MENTION, "what", "word", "what"),
        (MENTION, "note", "", "note"),
        (MENTION, "kind", "anatomy", "kind"),
        (MENTION, "assertion", "", "assertion"),
        (MENTION, "end", "7", "offsets"),
        (MENTION, "begin", "-1", "offsets"),
        (HEADING, "kind", "", "kind"),
        (HEADING, "assertion", "present", "assertion"),
        (HEADING, "status", "done", "status"),
        (HEADING, "end", "", "offsets"),
    ],
)
def test_what_cannot_be_is_named_by_line(
    tmp_path: Path, row: tuple[str, ...], column: str, value: str, told: str
) -> None:
    wrong = {**dict(zip(COLUMNS, row, strict=True)), column: value}
    with pytest.raises(AspectraError, match=f"notes.tsv:3: .*{told}"):
        load(written(tmp_path, MENTION, tuple(wrong.values())))


def test_a_file_without_a_note_or_a_column_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AspectraError, match="holds no note"):
        load(written(tmp_path))
    (tmp_path / "other.tsv").write_text("note\twhat\n")
    with pytest.raises(AspectraError, match=r"other.tsv:1: there is no column begin"):
        load(tmp_path / "other.tsv")


def test_ours_are_whole() -> None:
    notes = load(FILE)
    assert len(notes) == 60
    assert {part_of(n.note) for n in notes} == set(PARTS)
    assert all(n.mentions and n.headings for n in notes)
