"""From a stored note to the passages that stand for it in the index."""

from __future__ import annotations

from ingest.ledger import StoredNote
from ingest.passages import passages
from ingest.sections import sections
from search_stack.inference.models import Encoder
from search_stack.schema import IndexedPassage, Passage


def split(stored: StoredNote, encoder: Encoder, limit: int) -> list[Passage]:
    """Passages of at most ``limit`` tokens, and never more than the encoder reads."""
    text = stored.note.text
    room = min(limit, encoder.max_tokens - 2)
    return passages(text, sections(text), encoder.count_tokens, room)


def document(stored: StoredNote, passage: Passage, vector: list[float]) -> IndexedPassage:
    note = stored.note
    return IndexedPassage(
        note_id=note.note_id,
        note_key=stored.key,
        note_version=stored.version,
        patient_id=note.patient_id,
        note_type=note.type,
        date=note.date.isoformat() if note.date else None,
        title=note.title,
        collection=note.collection,
        ordinal=passage.ordinal,
        begin=passage.begin,
        end=passage.end,
        section=passage.section,
        aspect=passage.aspect,
        text=passage.text,
        vector=vector,
    )
