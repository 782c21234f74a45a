"""The notes of a patient, as every page orders them, and of what parts they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ingest.ledger.listing import ListedNote
from search_stack.language.sections import sections
from ui.note_text import anchor, section_name
from ui.services import services

MOST_NOTES = 5_000
Outline = tuple[tuple[str, str], ...]
"""Of each section its name and where it stands on the note's page."""


def notes_of(patient_no: int) -> list[ListedNote]:
    """In the order of their days, those without one last."""
    found = services().ledger.listing.notes(0, MOST_NOTES, patient_no=patient_no)
    return sorted(found, key=lambda n: (n.date is None, n.date, n.key))


def outlines(notes: Sequence[int]) -> Mapping[int, Outline]:
    """By key, the outline of each of ``notes`` that has more than one section."""
    texts = ((key, stored.note.text) for key, stored in services().ledger.several(notes).items())
    found = {key: sections(text) for key, text in texts}
    return {
        key: tuple((section_name(one, n), anchor(n)) for n, one in enumerate(parts, 1))
        for key, parts in found.items()
        if len(parts) > 1
    }
