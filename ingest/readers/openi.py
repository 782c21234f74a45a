"""Open-i chest X-ray reports. MeSH and Problems are the radiologists' codes, the gold for
evaluation: they never enter a note."""

from __future__ import annotations

from collections.abc import Mapping as Dict

from ingest.readers.fields import identifier, label, note_text
from search_stack.schema import Note

COLUMNS = ("uid", "image", "indication", "comparison", "findings", "impression")
HEADER = ("uid", "MeSH", "Problems", *COLUMNS[1:])
SECTIONS = (("indication", " "), ("comparison", " "), ("findings", "\n"), ("impression", "\n"))


def note(row: Dict[str, str], collection: str) -> Note:
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
