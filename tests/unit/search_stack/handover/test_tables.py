"""Evidence as a table, read back."""

from __future__ import annotations

import csv
import json
import stat
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.handover import parquet
from search_stack.handover.cover import Cover
from search_stack.handover.parquet import write_parquet
from search_stack.handover.row import COLUMNS, MEANINGS, NUMBERS, Row
from search_stack.handover.tables import guarded, write_csv, write_json_lines
from tests.unit.search_stack.handover.conftest import PASSAGE, finding

FORMULAS = ["=HYPERLINK(1)", "+1", "-no effusion", "@cmd", "\t=1", "\r=1", " =1", "'quoted"]


def test_every_column_says_what_it_means() -> None:
    assert all(MEANINGS[name].endswith(".") for name in COLUMNS)
    assert {"begin", "end", "note_key", "patient_no"} <= NUMBERS
    assert not {"patient_id", "note_id", "date", "passage"} & NUMBERS


def test_csv_by_hand(tmp_path: Path, rows: list[Row]) -> None:
    told = write_csv(tmp_path / "a.csv", rows, guard=True)
    lines = (tmp_path / "a.csv").read_bytes().split(b"\n")
    assert lines[0].decode() == ",".join(COLUMNS)
    assert lines[1].decode() == (
        "12,1,finding,77,5,E1,radiology,2020-01-02,as found,IMPRESSION,pleural effusion ruled out,pleural-effusion,"
        "pleural effusion,,,,,absent,recent,,,patient,left chest,115,131,pleural effusion,,No evidence of,100,114,100,"
        f"132,{PASSAGE},include"
    )
    assert lines[4].decode() == "14,3,patient" + "," * 31
    assert lines[5:] == [b""]
    assert told.rows == {"a.csv": 4}
    assert stat.S_IMODE((tmp_path / "a.csv").stat().st_mode) == 0o600


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula_unless_it_is_asked_for(tmp_path: Path, text: str) -> None:
    row = finding(patient_id=text, words=text, passage=f'{text}, "quoted"\nnext line')
    for guard in (True, False):
        write_csv(tmp_path / "a.csv", [row], guard)
        with (tmp_path / "a.csv").open(newline="") as file:
            (read,) = csv.DictReader(file)
        mark = "'" if guard else ""
        assert (read["patient_id"], read["words"], read["passage"]) == (mark + text, mark + text, mark + row.passage)
        assert read["begin"] == "115"


@given(st.text(max_size=5))
def test_what_was_guarded_can_be_put_back(text: str) -> None:
    cell = guarded(text)
    assert not cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert cell.removeprefix("'") == text


def test_ordinary_text_is_left_alone() -> None:
    assert [guarded(t) for t in ("", "a-b", "1+1", "pH = 7", PASSAGE)] == ["", "a-b", "1+1", "pH = 7", PASSAGE]


def test_json_lines_hold_every_column(tmp_path: Path, rows: list[Row]) -> None:
    odd = finding(words="=1 “ä”\u2028", passage="a\nb")
    told = write_json_lines(tmp_path / "a.jsonl", [*rows, odd])
    read = [json.loads(line) for line in (tmp_path / "a.jsonl").read_bytes().splitlines()]
    assert [tuple(r) for r in read] == [COLUMNS] * 5
    assert [Row(**r) for r in read] == [*rows, odd]
    assert told.rows == {"a.jsonl": 5}


@pytest.mark.parametrize("at_once", [2, 8192])
def test_parquet_reads_back(
    tmp_path: Path, rows: list[Row], cover: Cover, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(parquet, "ROWS_AT_ONCE", at_once)
    told = write_parquet(tmp_path / "a.parquet", rows, cover)
    table = pq.read_table(tmp_path / "a.parquet")
    assert table.column_names == list(COLUMNS)
    assert table.schema.field("begin").type == pa.int64()
    assert table.schema.field("date").type == pa.date32()
    assert table.schema.field("date").metadata == {b"meaning": MEANINGS["date"].encode()}
    assert json.loads(table.schema.metadata[b"aspectra"]) == cover.json()
    read = table.to_pylist()
    assert read[0]["date"] == date(2020, 1, 2)
    assert [Row(**(r | {"date": r["date"] and r["date"].isoformat()})) for r in read] == rows
    assert told.rows == {"a.parquet": 4}
    assert pq.ParquetFile(tmp_path / "a.parquet").num_row_groups == -(-4 // at_once)


def test_nothing_is_a_table_with_columns(tmp_path: Path, cover: Cover) -> None:
    write_parquet(tmp_path / "a.parquet", [], cover)
    write_csv(tmp_path / "a.csv", [], guard=True)
    assert pq.read_table(tmp_path / "a.parquet").shape == (0, len(COLUMNS))
    assert (tmp_path / "a.csv").read_text() == ",".join(COLUMNS) + "\n"
