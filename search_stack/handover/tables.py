"""Evidence as a table: CSV, JSON lines; `parquet` has the third form."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from search_stack.handover.cover import Told
from search_stack.handover.files import private_file
from search_stack.handover.row import COLUMNS, MEANINGS, Row

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
