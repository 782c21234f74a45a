"""What a note is called on the page."""

from __future__ import annotations

from search_stack.core.schema import Hit


def note_name(title: str, note_type: str, note_id: str | int) -> str:
    """Its title, else its type, else its id.

    >>> note_name("", "Progress note", "n7"), note_name("", "", "n7")
    ('Progress note', 'Note n7')
    """
    return title or note_type or f"Note {note_id}"


def name_of(hit: Hit) -> str:
    return note_name(hit.title, hit.note_type, hit.note_id)


def type_beside(name: str, note_type: str) -> str:
    """The note's type; empty where its name says it already."""
    return "" if note_type.casefold() == name.casefold() else note_type
