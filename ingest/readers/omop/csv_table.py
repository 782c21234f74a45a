"""Rows of a table's CSV file."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from ingest.readers.csv_reader import left_out, sniff
from ingest.readers.csv_rows import Damage, Rows
from ingest.readers.fields import half_character
from ingest.readers.folder import Folder
from ingest.readers.omop.rows import TableRow, checked
from ingest.readers.omop.tables import CONCEPT, Table
from ingest.readers.record import Rejected
from ingest.readers.streams import RECORD_BYTES, InputFile, Lines, RecordTooLongError

TAB = "\t"


def rows(folder: Folder, file: Path, table: Table) -> Iterator[TableRow]:
    """
    Raises:
        AspectraError: the file cannot be read to its end, or lacks a column.
    """
    csv.field_size_limit(max(csv.field_size_limit(), RECORD_BYTES))
    delimiter, header = sniff(file)
    names = checked([name.strip().lower() for name in header], table, str(file))
    name = folder.name(file)
    with folder.open(file) as source:
        if table is CONCEPT and delimiter == TAB:
            yield from _unquoted(source, name, names)
            return
        own = table.id if table.id in names else table.needed[0]
        for found in Rows(Lines(source), delimiter, len(names), names.index(own)):
            if isinstance(found, Damage):
                yield TableRow(left_out(name, found), source.position, found.line, found.last)
            else:
                yield _row(found.values, names, table, name, source.position, found.line, found.last)


def _row(values: list[str], names: list[str], table: Table, name: str, position: int, line: int, last: int) -> TableRow:
    read = {column: value for column, value in zip(names, values, strict=True) if column in table.columns}
    bad = next((column for column, value in read.items() if half_character(value)), None)
    if bad:
        return TableRow(Rejected(name, line, bad, "not valid UTF-8", last - line + 1), position, line, last)
    return TableRow(read, position, line, last)


def _unquoted(source: InputFile, name: str, names: list[str]) -> Iterator[TableRow]:
    """Athena writes vocabularies with tabs and without quoting: a quote there is part of a concept's name."""
    lines = Lines(source)
    read = [names.index(column) for column in CONCEPT.columns]
    while True:
        lines.begin_record()
        try:
            line = next(lines).decode("utf-8", "surrogateescape").rstrip("\r\n")
        except StopIteration:
            return
        except RecordTooLongError as e:
            yield TableRow(Rejected(name, lines.number, "", str(e)), source.position, lines.number, lines.number)
            continue
        if lines.number == 1 or not line:
            continue
        values = line.split(TAB)
        if len(values) == len(names):
            wanted = [_bare(values[at]) for at in read]
            yield _row(wanted, list(CONCEPT.columns), CONCEPT, name, source.position, lines.number, lines.number)
        else:
            reason = f"{len(values)} columns where the header has {len(names)}"
            yield TableRow(Rejected(name, lines.number, "", reason), source.position, lines.number, lines.number)


def _bare(value: str) -> str:
    """Without quotes around it, which other tools write."""
    if len(value) > 1 and value[0] == value[-1] == '"' and value.count('"') % 2 == 0:
        inner = value[1:-1]
        return inner.replace('""', '"') if '"' not in inner.replace('""', "") else value
    return value
