"""Open-i chest X-ray reports. MeSH and Problems are the radiologists' codes, the gold for
evaluation: they never enter a note."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ingest.readers import csv_reader
from ingest.readers.columns import need
from ingest.readers.fields import identifier, label, note_text
from ingest.readers.format import Format, Rank, Request
from ingest.readers.source import Source
from search_stack.core.schema import Note

COLUMNS = ("uid", "image", "indication", "comparison", "findings", "impression")
HEADER = ("uid", "MeSH", "Problems", *COLUMNS[1:])
SECTIONS = (("indication", " "), ("comparison", " "), ("findings", "\n"), ("impression", "\n"))


def note(row: Mapping[str, str], collection: str) -> Note:
    """Build a note from a row.

    Raises:
        FieldError: the id or every section is empty.
    """
    note_id = f"openi-{identifier(row['uid'], 'note_id')}"
    parts = ((column, gap, row[column].strip()) for column, gap in SECTIONS)
    text = "\n\n".join(f"{column.upper()}:{gap}{value}" for column, gap, value in parts if value)
    title = label(row["image"])
    if not text and title:
        text = f"EXAM: {title}"  # a report of which nothing else is left is still a report
    return Note(
        note_id=note_id,
        text=note_text(text),
        patient_id=note_id,
        type="radiology report",
        title=title or "Chest X-ray",
        collection=collection,
    )


def _open(request: Request) -> Source:
    delimiter, names = csv_reader.sniff(request.path)
    need(COLUMNS, names, request.shown, "openi")
    collection = request.collection_name("openi")
    make = request.bounded(lambda row: note(row, collection))
    return request.file("openi", collection, partial(csv_reader.read, request.path, delimiter, names, "uid", make))


def _recognise(request: Request) -> Rank:
    is_csv = csv_reader.FORMAT.rank(request) > Rank.NO
    return Rank.CONTENT if is_csv and set(HEADER) <= set(csv_reader.sniff(request.path)[1]) else Rank.NO


FORMAT = Format("openi", _open, recognise=_recognise)
