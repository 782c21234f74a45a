"""The note of a hit, beside the list of hits."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.ledger.listing import ListedPatient
from ui.heat import Heat
from ui.note_name import note_name
from ui.note_page import Lit, Reading
from ui.note_row import Matches, NoteRow, note_rows
from ui.note_text import Block
from ui.place import Place
from ui.time_axis import Axis, axis
from ui.wording import counted, who


@dataclass(frozen=True, slots=True)
class BesidePage:
    name: str
    day: str
    patient_id: str
    who: str
    record: str
    """Address of the patient's page."""
    url: str
    """Of the whole note, at the passage."""
    axis: Axis | None
    """The days of the patient's notes; None where none has one."""
    here: str
    """Address of the note's own dot on it."""
    told: str
    """What the axis shows, in words."""
    heat: Heat
    lit: tuple[Lit, ...]
    blocks: tuple[Block, ...]
    sections: tuple[str, ...]
    """Of each passage, where it stands."""
    position: int
    """Of the passages the one that was chosen, from 1."""
    notice: str


def beside_page(own: Reading, passage_id: str, place: Place, patient: ListedPatient | None) -> BesidePage:
    note = own.stored.note
    passages = own.matches
    if own.hit and passage_id not in (one.passage_id for one in passages):
        passages = sorted((*passages, own.hit), key=lambda one: one.begin)
    matches = Matches.of(own.sought, own.spots) if own.sought else Matches()
    rows = note_rows(own.record, matches, place)
    ids = [one.passage_id for one in passages]
    return BesidePage(
        name=note_name(note.title, note.type, note.note_id),
        day=note.date.isoformat() if note.date else "",
        patient_id=note.patient_id,
        who=who(patient.sex, patient.birth_date) if patient else "",
        record=place.record(own.stored.patient_no, own.stored.key),
        url=place.at(own.stored.key, passage_id) if passage_id else place.note(own.stored.key),
        axis=axis(rows, ()),
        here=next((row.url for row in rows if row.key == own.stored.key), ""),
        told=_told(rows),
        heat=own.heat(place),
        lit=own.lit,
        blocks=own.blocks(passages, own.near),
        sections=tuple(one.section or one.aspect for one in passages),
        position=ids.index(passage_id) + 1 if passage_id in ids else min(1, len(ids)),
        notice=own.notice,
    )


def _told(rows: tuple[NoteRow, ...]) -> str:
    days = sorted(row.day for row in rows if row.day)
    when = f", {days[0]} to {days[-1]}" if days else ""
    lit = sum(bool(row.hues) for row in rows)
    return f"{counted(len(rows), 'note')}{when}" + (f"; {lit:,} of them show the search" if lit else "")
