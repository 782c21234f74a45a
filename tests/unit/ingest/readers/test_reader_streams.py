"""Bounded lines, and where a damaged file is trusted again."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.readers.resync import IdShapes, shape
from ingest.readers.streams import InputFile, Lines, RecordTooLongError


def test_a_line_of_the_limit_is_read_and_a_longer_one_skipped_whole(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345678\n123456789\nlast")
    with InputFile(path) as source:
        lines = Lines(source, limit=9)
        assert next(lines) == b"12345678\n"
        lines.begin_record()
        with pytest.raises(RecordTooLongError):
            next(lines)
        lines.begin_record()
        assert next(lines) == b"last"
        assert (lines.number, source.position) == (3, 23)


def test_the_limit_holds_for_all_lines_of_a_record(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"123\n" * 3)
    with InputFile(path) as source:
        lines = Lines(source, limit=9)
        assert [next(lines), next(lines)] == [b"123\n", b"123\n"]
        with pytest.raises(RecordTooLongError):
            next(lines)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("RAD-2019", "RAD-7", True),
        ("3fa85f64-5717", "9b2c-11", True),
        ("RAD-2019", "Aspirin", False),
        ("17", "Allergies: penicillin", False),
        ("a_1", "b_2", True),
    ],
)
def test_shapes_of_ids(one: str, other: str, same: bool) -> None:
    assert (shape(one) == shape(other)) is same


def test_before_any_id_is_seen_a_single_word_fits() -> None:
    shapes = IdShapes()
    assert shapes.fits("17")
    assert not shapes.fits("no pain")
    assert not shapes.fits(" ")
