"""MTSamples: transcribed notes of many specialties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from ingest.readers import jsonl_reader
from ingest.readers.columns import need
from ingest.readers.fields import as_string, identifier, label, note_text
from ingest.readers.format import Format, Rank, Request
from ingest.readers.source import Source
from search_stack.core.schema import Note

KEYS = ("id", "specialty", "name", "description", "headings", "text")
NEEDED = ("id", "specialty", "name", "text")

# A note has several specialties; the first line that is among them names its type, so the
# kinds of document come before the departments, which file procedures and visits as well.
TYPES = (
    ("Discharge Summary", "discharge summary"),
    ("Letters", "letter"),
    ("SOAP / Chart / Progress Notes", "progress note"),
    ("Surgery", "operative note"),
    ("Emergency Room Reports", "emergency department note"),
    ("Radiology", "radiology report"),
    ("Consult - History and Phy.", "consultation"),
)


def note(row: Mapping[str, object], collection: str) -> Note:
    """Build a note from an object.

    Raises:
        FieldError: the id or the text is empty or no string.
    """
    note_id = f"mtsamples-{identifier(as_string(row.get('id'), 'note_id'), 'note_id')}"
    specialty = row.get("specialty")
    return Note(
        note_id=note_id,
        text=note_text(as_string(row.get("text"), "text")),
        patient_id=note_id,
        type=note_type([specialty] if isinstance(specialty, str) else specialty if isinstance(specialty, list) else ()),
        title=label(as_string(row.get("name"), "title")),
        collection=collection,
    )


def note_type(specialties: Iterable[object]) -> str:
    """The type of a note with these specialties.

    >>> note_type(["Cardiovascular / Pulmonary", "Radiology"])
    'radiology report'
    >>> note_type(["Dentistry"])
    'clinical note'
    """
    among = {s for s in specialties if isinstance(s, str)}
    return next((name for specialty, name in TYPES if specialty in among), "clinical note")


def _open(request: Request) -> Source:
    need(NEEDED, jsonl_reader.columns(request.path), request.shown, "mtsamples")
    collection = request.collection_name("mtsamples")
    make = request.bounded(lambda row: note(row, collection))
    return request.file("mtsamples", collection, partial(jsonl_reader.read, request.path, make))


def _recognise(request: Request) -> Rank:
    is_json = jsonl_reader.FORMAT.rank(request) > Rank.NO
    return Rank.CONTENT if is_json and set(KEYS) <= set(jsonl_reader.head_keys(request.path)) else Rank.NO


FORMAT = Format("mtsamples", _open, recognise=_recognise)
