"""CSV: a header, then one record per row; fields in quotes may hold line ends."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

from ingest.readers.fields import half_character
from ingest.readers.mapping import Mapping, known
from ingest.readers.record import FieldError, Record, Rejected
from ingest.readers.resync import IdShapes
from ingest.readers.streams import RECORD_BYTES, Lines, RecordTooLongError, Source
from search_stack.errors import AspectraError
from search_stack.schema import Note

DELIMITERS = (",", ";", "\t", "|")
MakeNote = Callable[[dict[str, str]], Note]


def sniff(path: Path, mapping: Mapping | None = None) -> tuple[str, list[str]]:
    """The delimiter, and the header's columns: the split that yields most of the columns we
    look for, then most columns at all.

    Raises:
        AspectraError: the file has no header that can be read.
    """
    headers = [(delimiter, _header(path, delimiter)) for delimiter in DELIMITERS]
    delimiter, names = max(headers, key=lambda h: (known(h[1], mapping or Mapping()), len(h[1])))
    if not names:
        raise AspectraError(
            f"{path}: its first row cannot be read as a header.",
            "The file must be UTF-8, with one row of column names first and quotes that match.",
        )
    return delimiter, names


def _header(path: Path, delimiter: str) -> list[str]:
    with Source(path) as source:
        row = next((row for _, row in _rows(Lines(source), delimiter)), "empty")
    if isinstance(row, str) or any(half_character(name) for name in row):
        return []
    return [name.strip() for name in row]


def read(path: Path, delimiter: str, names: list[str], id_column: str, make: MakeNote) -> Iterator[Record]:
    """Yield a record for each row of ``path``, after its header.

    ``make`` builds the note from a row by column name, or raises FieldError.
    """
    shapes, damage = IdShapes(), ""
    damaged_line = 0
    with Source(path) as source:
        lines = Lines(source)
        rows = _rows(lines, delimiter)
        next(rows, None)
        for line, row in rows:
            if isinstance(row, str):
                damage, damaged_line = (damage, damaged_line) if damage else (row, line)
                continue
            note_id = row[names.index(id_column)] if len(row) == len(names) else ""
            if damage:
                if not shapes.fits(note_id):
                    continue
                yield Record(_damaged(path, damaged_line, line - 1, damage), source.position)
                damage = ""
            item = _item(path.name, line, row, names, make)
            if isinstance(item, Note):
                shapes.add(note_id)
            yield Record(item, source.position)
        if damage:
            yield Record(_damaged(path, damaged_line, lines.number, damage), source.position)


def _rows(lines: Lines, delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    """Each row with the line where it starts; in place of a broken row, the reason. Bytes
    that are not UTF-8 come as lone surrogates."""
    csv.field_size_limit(max(csv.field_size_limit(), RECORD_BYTES))
    # map, not a generator: it goes on after a line has raised
    reader = csv.reader(map(_decode, lines), delimiter=delimiter, strict=True)
    while True:
        lines.begin_record()
        first = lines.number + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except RecordTooLongError as e:
            yield first, str(e)
        except csv.Error:
            yield first, "quotes or line ends do not match"
        else:
            if row:
                yield first, row


def _decode(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape")


def _damaged(path: Path, first: int, last: int, reason: str) -> Rejected:
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    return Rejected(path.name, first, "", f"{reason}; {lines} left out")


def _item(source: str, line: int, row: list[str], names: list[str], make: MakeNote) -> Note | Rejected:
    if len(row) != len(names):
        columns = "1 column" if len(row) == 1 else f"{len(row)} columns"
        return Rejected(source, line, "", f"{columns} where the header has {len(names)}")
    for name, value in zip(names, row, strict=True):
        if half_character(value):
            return Rejected(source, line, name, "not valid UTF-8")
    try:
        return make(dict(zip(names, row, strict=True)))
    except FieldError as e:
        return Rejected(source, line, e.field, e.reason)
