"""Days that cannot be meant: searches by time and ages are worked out from what passes here."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ingest.readers.record import FieldError, Item
from search_stack.core.schema import Note, Patient

EARLIEST = date(1850, 1, 1)
"""Before any record that is still read. What databases write for an unknown day, as 1753 or 0001, is before it too."""


NEVER = 9999
"""The year of an end that has not come, as databases write it."""


def plausible(item: Item, latest: date) -> Item:
    """The item, without a death that is none. ``latest`` is the last day that any of its days may be, its facts' apart:
    they may be planned.

    Raises:
        FieldError: a note is of a day before `EARLIEST` or after ``latest``, or a patient was born after it or a note.
    """
    day = item.date if isinstance(item, Note) else None
    if day and day < EARLIEST:
        raise FieldError("date", f"before {EARLIEST.year}")
    if day and day > latest:
        raise FieldError("date", _after(latest))
    if not isinstance(item, Note | Patient):
        return item
    born, died = item.person.birth_date, item.person.death_date
    if born and day and born > day:
        raise FieldError("birth_date", "after the note's day")
    if born and born > latest:
        raise FieldError("birth_date", _after(latest))
    if died and died.year == NEVER:
        return replace(item, person=replace(item.person, death_date=None))
    return item


def _after(latest: date) -> str:
    return f"after {latest} (ASPECTRA_LATEST_DAY)"
