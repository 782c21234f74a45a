"""A folder of OMOP tables as one source: concepts first, then people, notes and events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ingest.readers.folder import Folder, size
from ingest.readers.format import Format, Rank, Request
from ingest.readers.omop import csv_table
from ingest.readers.omop.concepts import ConceptRow, Concepts
from ingest.readers.omop.files import CSV, PARQUET, Found, find, is_parquet, places
from ingest.readers.omop.items import concept_row, items
from ingest.readers.omop.rows import TableRow
from ingest.readers.omop.tables import CONCEPT, EVENT_TABLES, NOTE, PERSON, TABLES, Table
from ingest.readers.omop.values import Row
from ingest.readers.record import FieldError, Item, Record, Rejected, outcomes
from ingest.readers.source import Opened, Source, Work
from search_stack.core.errors import AspectraError


@dataclass(frozen=True, slots=True)
class _Located:
    """A row with its place in the whole source."""

    found: TableRow
    source: str
    done: int
    last_line: int


class _Reading:
    def __init__(self, request: Request, folder: Folder, found: Found) -> None:
        self.collection = request.collection_name()
        self._request = request
        self._folder = folder
        self._found = found
        self._done = self._lines = 0

    def records(self) -> Iterator[Record]:
        """The rows that are rejected, and at least one record for each row of the other tables than CONCEPT."""
        self._done = self._lines = 0
        with closing(Concepts()) as concepts:
            yield from self._read_concepts(concepts)
            for name in self._found.tables:
                if name != CONCEPT.name:
                    yield from self._read(TABLES[name], concepts)

    def _read(self, table: Table, concepts: Concepts) -> Iterator[Record]:
        for at in self._rows(table):
            row = at.found.row
            if isinstance(row, Rejected):
                yield Record(row, at.done, at.last_line)
                continue
            lines = at.found.last - at.found.line + 1
            make = partial(self._items, row, table, concepts)
            for item in outcomes(make, at.source, at.found.line, lines):
                yield Record(item, at.done, at.last_line)

    def _items(self, row: Row, table: Table, concepts: Concepts) -> Iterator[Item | FieldError]:
        for item in items(row, table, concepts, self.collection):
            yield item if isinstance(item, FieldError) else self._request.within(item)

    def _read_concepts(self, concepts: Concepts) -> Iterator[Record]:
        rejected: list[Record] = []

        def rows() -> Iterator[ConceptRow]:
            for at in self._rows(CONCEPT):
                row = at.found.row
                if isinstance(row, Rejected):
                    rejected.append(Record(row, at.done, at.last_line))
                    continue
                try:
                    yield concept_row(row)
                except FieldError as e:
                    damaged = Rejected(at.source, at.found.line, e.field, e.reason)
                    rejected.append(Record(damaged, at.done, at.last_line))

        concepts.add(rows())
        yield from rejected

    def _rows(self, table: Table) -> Iterator[_Located]:
        for file in self._found.tables.get(table.name, ()):
            read = _reading(file)
            name, before, last = self._folder.name(file), self._lines, 0
            for found in read(self._folder, file, table):
                last = found.last
                yield _Located(found, name, self._done + found.position, before + last)
            self._lines = before + last
            self._done += size(file)


def _reading(file: Path) -> Callable[[Folder, Path, Table], Iterator[TableRow]]:
    if not is_parquet(file):
        return csv_table.rows
    from ingest.readers.omop import parquet_table  # PyArrow, which takes as long to load as all readers

    return parquet_table.rows


def _open(request: Request) -> Source:
    folder = _folder(request)
    found = find(folder)
    if not found.tables.keys() & {PERSON.name, NOTE.name, *EVENT_TABLES}:
        raise AspectraError(
            f"Folder {request.path} holds no table of OMOP.",
            "Name the folder in which person.csv or PERSON.parquet lies, with note and the tables of events.",
        )
    reading = _Reading(request, folder, found)
    work = Work(sum(size(file) for files in found.tables.values() for file in files), "bytes")
    remarks = _remarks(found) + folder.remarks
    return Opened(request.path.name, request.where, "omop", reading.collection, work, reading.records, remarks)


def _remarks(found: Found) -> list[str]:
    remarks = []
    if CONCEPT.name not in found.tables:
        remarks.append("There is no table CONCEPT: concepts are kept as omop:ID, and notes have no type.")
    if found.unread:
        remarks.append(f"Tables that are not read: {', '.join(found.unread)}.")
    return remarks


def _folder(request: Request) -> Folder:
    return Folder(request.path, (*PARQUET, *CSV), request.follow_links)


def _recognise(request: Request) -> Rank:
    """A folder with PERSON or NOTE, and one more table."""
    if request.kind != "folder":
        return Rank.NO
    found = TABLES.keys() & places(_folder(request)).keys()
    return Rank.CONTENT if len(found) > 1 and found & {PERSON.name, NOTE.name} else Rank.NO


FORMAT = Format("omop", _open, recognise=_recognise, holds=("folder",))
