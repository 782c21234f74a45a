"""JSON Lines collections."""

from __future__ import annotations

import gzip
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ingest.readers import Rejected, columns_of, open_source
from ingest.readers.fields import INEXACT
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note, Patient


def written(path: Path, *lines: dict[str, Any] | bytes) -> Path:
    path.write_bytes(b"".join((x if isinstance(x, bytes) else json.dumps(x).encode()) + b"\n" for x in lines))
    return path


def items(path: Path) -> list[Note | Patient | Rejected]:
    return [record.item for record in open_source(path, "jsonl")]


def test_every_field_is_read(tmp_path: Path) -> None:
    line = {"ID": 7, "Text": "a\r\nb", "MRN": 12.0, "type": "letter", "date": 20190304, "title": None}
    path = written(tmp_path / "ward.jsonl", line)
    assert items(path) == [Note("7", "a\r\nb", "12", "letter", date(2019, 3, 4), "", "ward")]


@pytest.mark.parametrize(
    ("line", "field", "reason"),
    [
        (b'{"id": "1", "text": "SECRET', "", "not valid JSON: Unterminated string starting at (column 21)"),
        (b'{"id": "1", "text": "\\SECRET"}', "", "not valid JSON: Invalid \\escape (column 22)"),
        (b'{"id": "1", "text": "\xff"}', "", "not valid UTF-8"),
        (b'["SECRET"]', "", "not a JSON object"),
        (b"[" * 200_000, "", "not valid JSON: nested too deeply"),
        (b'{"id": 1' + b"0" * 5000 + b"}", "", "not valid JSON: a number is too long"),
        (b'{"text": "SECRET"}', "note_id", "empty"),
        (b'{"id": true, "text": "SECRET"}', "note_id", "not a string or a whole number"),
        (b'{"id": "1", "text": ["SECRET"]}', "text", "not a string or a whole number"),
        (b'{"id": "1", "text": "\\ud800"}', "text", "holds half a character (a lone surrogate)"),
        (b'{"id": "1"}', "text", "empty"),
        (b'{"id": 9007199254740993.0, "text": "t"}', "note_id", INEXACT),
        (b'{"id": 1e300, "text": "t"}', "note_id", INEXACT),
        (b'{"id": "1", "patient_id": "1.2e+11", "text": "t"}', "patient_id", INEXACT),
    ],
)
def test_a_bad_line_is_rejected_with_its_number(tmp_path: Path, line: bytes, field: str, reason: str) -> None:
    good = {"id": "g", "text": "well"}
    path = written(tmp_path / "a.jsonl", good, b"", line, good)
    note = Note("g", "well", "g", collection="a")
    assert items(path) == [note, Rejected("a.jsonl", 3, field, reason), note]


@pytest.mark.parametrize(
    ("end", "cut"),
    [
        (b'{"id": "2", "text": "no effu', True),
        (b'{"id": "2", "text": "fi\xc3', True),
        (b'{"id": "2", "text": "no effu\n', False),
        (b'{"id": "2"}', False),
    ],
)
def test_a_file_that_ends_inside_a_line_may_have_been_cut_off(tmp_path: Path, end: bytes, cut: bool) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": "1", "text": "t"}\n' + end)
    note, last = items(path)
    assert note == Note("1", "t", "1", collection="a")
    assert isinstance(last, Rejected)
    assert (last.line, last.cut) == (2, cut)


def test_a_last_line_without_its_end_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": "1", "text": "t"}')
    assert items(path) == [Note("1", "t", "1", collection="a")]


def test_a_pair_of_surrogates_is_one_character(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", b'{"id": "1", "text": "\\ud83d\\ude00\\u0000"}')
    assert items(path) == [Note("1", "\U0001f600\ufffd", "1", collection="a")]


def test_an_optional_key_that_first_appears_far_down_is_read(tmp_path: Path) -> None:
    lines = [{"id": str(i), "text": "t"} for i in range(200)]
    path = written(tmp_path / "a.jsonl", *lines, {"id": "x", "text": "t", "patient_id": "p9"})
    last = items(path)[-1]
    assert isinstance(last, Note)
    assert last.patient_id == "p9"


def test_a_whole_number_is_an_id_however_long(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", b'{"id": 9007199254740993, "patient_id": 9007199254740991.0, "text": "t"}')
    assert items(path) == [Note("9007199254740993", "t", "9007199254740991", collection="a")]


def test_gzip_and_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'\xef\xbb\xbf{"id": "1", "text": "t"}'))
    (record,) = open_source(path)
    assert record.item == Note("1", "t", "1", collection="a")
    assert record.done == path.stat().st_size


def test_the_mapping_names_a_key_that_is_not_there(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", {"id": "1", "text": "t"})
    with pytest.raises(AspectraError, match=r"a\.jsonl: column 'who' for patient_id does not exist.*id, text"):
        open_source(path, columns=columns_of({"patient_id": "who"}))


def test_an_array_is_no_collection(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"id": "1", "text": "t"}], indent=1))
    with pytest.raises(AspectraError, match="one object per line"):
        open_source(path)
