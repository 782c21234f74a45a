"""CSV: a header, then one record per row; fields in quotes may hold line ends."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ingest.readers.columns import Columns, bind, known
from ingest.readers.csv_lines import LineBuffer
from ingest.readers.csv_rows import Damage, Row, Rows
from ingest.readers.fields import half_character, mapped_note
from ingest.readers.format import Format, Make, Request
from ingest.readers.record import FieldError, Item, Record, Rejected
from ingest.readers.source import Source
from ingest.readers.streams import RECORD_BYTES, InputFile, Lines, RecordTooLongError
from search_stack.core.errors import AspectraError

DELIMITERS = (",", ";", "\t", "|")


def sniff(path: Path, columns: Columns | None = None) -> tuple[str, list[str]]:
    """The delimiter, and the header's columns: the split that yields most of the columns we
    look for, then most columns at all.

    Raises:
        AspectraError: the file has no header that can be read.
    """
    headers = [(delimiter, _header(path, delimiter)) for delimiter in DELIMITERS]
    delimiter, names = max(headers, key=lambda h: (known(h[1], columns or Columns()), len(h[1])))
    if not names:
        raise AspectraError(
            f"{path}: its first row cannot be read as a header.",
            "The file must be UTF-8, with one row of column names first and quotes that match.",
        )
    return delimiter, names


def _header(path: Path, delimiter: str) -> list[str]:
    csv.field_size_limit(max(csv.field_size_limit(), RECORD_BYTES))
    with InputFile(path) as source:
        lines = LineBuffer(Lines(source))
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        try:
            row = next((row for row in reader if row), [])
        except (csv.Error, RecordTooLongError):
            row = []
        if lines.damage:
            raise lines.damage
    return [] if any(half_character(name) for name in row) else [name.strip() for name in row]


def read(path: Path, delimiter: str, names: list[str], id_column: str, make: Make) -> Iterator[Record]:
    """Yield a record for each row of ``path``, after its header, and for each damage.

    ``make`` builds the note from a row by column name, or raises FieldError.
    """
    csv.field_size_limit(max(csv.field_size_limit(), RECORD_BYTES))
    with InputFile(path) as source:
        for found in Rows(Lines(source), delimiter, len(names), names.index(id_column)):
            item = left_out(path.name, found) if isinstance(found, Damage) else _item(path.name, found, names, make)
            yield Record(item, source.position, found.last)


def left_out(source: str, damage: Damage) -> Rejected:
    """The lines of ``damage`` and why."""
    lines = f"line {damage.line}" if damage.line == damage.last else f"lines {damage.line} to {damage.last}"
    reason = damage.reason if damage.whole and damage.line == damage.last else f"{damage.reason}; {lines} left out"
    return Rejected(source, damage.line, "", reason, damage.last - damage.line + 1, damage.cut)


def _item(source: str, row: Row, names: list[str], make: Make) -> Item | Rejected:
    lines = row.last - row.line + 1
    for name, value in zip(names, row.values, strict=True):
        if half_character(value):
            return Rejected(source, row.line, name, "not valid UTF-8", lines)
    try:
        return make(dict(zip(names, row.values, strict=True)))
    except FieldError as e:
        return Rejected(source, row.line, e.field, e.reason, lines)


def _open(request: Request) -> Source:
    asked = request.columns or Columns()
    delimiter, names = sniff(request.path, asked)
    columns, collection = bind(asked, names, request.shown), request.collection_name()
    make = request.bounded(lambda row: mapped_note(row, columns, collection))
    return request.file("csv", collection, partial(read, request.path, delimiter, names, columns.note_id or "", make))


FORMAT = Format("csv", _open, endings=(".csv", ".tsv", ".psv"), takes_columns=True)
