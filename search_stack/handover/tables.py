"""Evidence as a table: CSV, JSON lines, Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from search_stack.handover.cover import Cover, Told
from search_stack.handover.files import private_file
from search_stack.handover.row import COLUMNS, DECIMALS, MEANINGS, NUMBERS, Row

ROWS_AT_ONCE = 8192
"""Rows of a group in Parquet."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
GUARDED = (
    "A text that begins with = + - @ ' or a blank character that spreadsheets skip has an apostrophe before it, so "
    "that none takes it for a formula: whoever reads the file by a program takes one leading apostrophe away."
)


def guarded(cell: str) -> str:
    """``cell`` as no spreadsheet takes for a formula; one apostrophe at its begin taken away, it is as it was.

    >>> guarded("=1+1"), guarded("'twas"), guarded("1-2")
    ("'=1+1", "''twas", '1-2')
    """
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULA) else cell


class CsvLines:
    """Lines of a CSV file in UTF-8, one for each row; None is an empty cell."""

    def __init__(self, file: BinaryIO, columns: Sequence[str]) -> None:
        self._file = file
        self._buffer = io.StringIO()
        # Only what may end a line is quoted: either character does, to those who read it.
        self._writer = csv.writer(self._buffer, lineterminator="\r\n")
        self.rows = -1
        self.write(columns)

    def write(self, cells: Iterable[Any]) -> None:
        self._writer.writerow(["" if c is None else c for c in cells])
        self._file.write((self._buffer.getvalue().removesuffix("\r\n") + "\n").encode())
        self._buffer.seek(0)
        self._buffer.truncate()
        self.rows += 1


def _type(column: str) -> pa.DataType:
    if column in NUMBERS:
        return pa.int64()
    if column in DECIMALS:
        return pa.float64()
    return pa.date32() if column == "date" else pa.string()


def write_csv(path: Path, rows: Iterable[Row], guard: bool) -> Told:
    """
    Args:
        guard: keep spreadsheets from formulas, by `guarded`.
    """
    with private_file(path) as file:
        lines = CsvLines(file, COLUMNS)
        for row in rows:
            cells = row.values()
            lines.write([guarded(c) if guard and isinstance(c, str) else c for c in cells])
    remarks = [GUARDED] if guard else ["Cells are as they are in the source: a spreadsheet may take one for a formula."]
    return Told({path.name: lines.rows}, {path.name: MEANINGS}, remarks)


def write_json_lines(path: Path, rows: Iterable[Row]) -> Told:
    """An object a line, in UTF-8."""
    number = 0
    with private_file(path) as file:
        for row in rows:
            number += 1
            file.write(f"{json.dumps(row.json(), ensure_ascii=False)}\n".encode())
    return Told({path.name: number}, {path.name: MEANINGS})


SCHEMA = pa.schema(
    [
        pa.field(
            name,
            _type(name),
            metadata={"meaning": MEANINGS[name]},
        )
        for name in COLUMNS
    ]
)


def write_parquet(path: Path, rows: Iterable[Row], cover: Cover) -> Told:
    """The cover stands in the file's metadata, under "aspectra"."""
    number = 0
    schema = SCHEMA.with_metadata({"aspectra": json.dumps(cover.json())})
    with private_file(path) as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for group in _groups(rows):
            number += len(group)
            writer.write_table(pa.table(_columns(group), schema=schema), row_group_size=ROWS_AT_ONCE)
    return Told({path.name: number}, {path.name: MEANINGS})


def _groups(rows: Iterable[Row]) -> Iterator[list[Row]]:
    left = iter(rows)
    while group := list(islice(left, ROWS_AT_ONCE)):
        yield group


def _columns(rows: Sequence[Row]) -> list[pa.Array]:
    columns = zip(*(row.values() for row in rows), strict=True)
    return [_array(field, values) for field, values in zip(SCHEMA, columns, strict=True)]


def _array(field: pa.Field, values: tuple[Any, ...]) -> pa.Array:
    if field.type == pa.date32():
        return pa.array(values, pa.string()).cast(pa.date32())
    return pa.array(values, field.type)
