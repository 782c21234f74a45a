"""Open-i reports, from the real file."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from ingest.readers import Rejected, open_source
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note

HEADER = "uid,MeSH,Problems,image,indication,comparison,findings,impression\n"


def test_every_report_comes_out(data_dir: Path) -> None:
    path = data_dir / "reports" / "openi.csv"
    with path.open(newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    collection = open_source(path)
    notes = [r.item for r in collection]
    assert (collection.format, collection.collection, len(notes)) == ("openi", "openi", 2_271)
    for note, row in zip(notes, rows, strict=True):
        assert isinstance(note, Note)
        assert note.note_id == f"openi-{row['uid']}"
        assert all(row[c].strip() in note.text for c in ("indication", "comparison", "findings", "impression"))
        assert note.text
        assert note.title


def test_a_report_of_which_only_the_exam_is_left_is_a_report(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(f"{HEADER}3,CodeA,CodeB,Xray Chest PA,,,,\n")
    (record,) = open_source(path)
    assert isinstance(record.item, Note)
    assert record.item.text == "EXAM: Xray Chest PA"


def test_sections_stand_in_order_without_the_codes(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(f"{HEADER}3,CodeA,CodeB, ,Pain,, Clear. ,Normal.\n")
    (record,) = open_source(path, collection="mine")
    assert record.item == Note(
        "openi-3",
        "INDICATION: Pain\n\nFINDINGS:\nClear.\n\nIMPRESSION:\nNormal.",
        "openi-3",
        "radiology report",
        title="Chest X-ray",
        collection="mine",
    )


def test_codes_alone_are_no_note(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(f"{HEADER}3,CodeA,CodeB, ,,,,\n")
    assert [r.item for r in open_source(path)] == [Rejected("x.csv", 2, "text", "empty")]


def test_another_header_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("uid,findings\n1,Clear.\n")
    with pytest.raises(AspectraError, match="needs image, indication, comparison, impression"):
        open_source(path, "openi")
