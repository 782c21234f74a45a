"""A synthetic collection: patients, their notes and what is found in them, the same for the same seed. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from search_stack.cohorts.rows import UNDATED, Ints
from search_stack.core.schema import passage_id
from search_stack.index.passage import day_number, iso_day
from search_stack.language.lexicon.concepts import Concept, Lexicon

FINDINGS = 500
COMMONEST = 0.4
"""Part of the notes in which the commonest finding is present; the one of rank r has a part smaller by r."""
ASSERTED = {"present": 1.0, "absent": 0.3, "historical": 0.1, "family": 0.05, "possible": 0.1}
"""How often each assertion is made, beside `present`."""
TYPES = ("radiology report", "progress note", "discharge summary", "letter", "operative note")
ASPECTS = ("findings", "impression", "history", "plan")
SEXES = ("female", "male", "")
SEX_PARTS = (0.5, 0.45, 0.05)
PASSAGES_OF_A_NOTE = 2
UNDATED_PART = 0.03
FIRST, LAST = date(2010, 1, 1), date(2025, 1, 1)
BORN, BORN_LAST = date(1925, 1, 1), date(2009, 1, 1)


def finding(rank: int) -> str:
    """The name of the finding that is ``rank``-th in frequency, from 0 on."""
    return f"synthetic finding {rank}"


def lexicon() -> Lexicon:
    return Lexicon(Concept(_id(n), finding(n), "finding") for n in range(FINDINGS))


def _id(rank: int) -> str:
    return f"S:{rank}"


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """P patients, N notes, Q passages, M mentions. Patients and notes count from 1, as in a ledger."""

    born: Ints
    """(P,) in days since 1970."""
    sex: Ints
    """(P,) a place in `SEXES`."""
    patient: Ints
    """(N,)"""
    day: Ints
    """(N,)"""
    type: Ints
    """(N,) a place in `TYPES`."""
    note: Ints
    """(Q,) in order."""
    aspect: Ints
    """(Q,) a place in `ASPECTS`."""
    mentions: Ints
    """(M, 3): passage, finding and assertion, by their places, in order of the passage."""

    def holding(self, rank: int, assertion: str = "present") -> Ints:
        """Notes, sorted, in which a finding is so asserted."""
        passage, found, asserted = self.mentions.T
        said = (found == rank) & (asserted == list(ASSERTED).index(assertion))
        return np.unique(self.note[passage[said]])

    def documents(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Passages by id, as the index holds them, without vectors and nearly without text."""
        starts = np.searchsorted(self.mentions[:, 0], np.arange(len(self.note) + 1)).tolist()
        found, asserted = self.mentions[:, 1].tolist(), self.mentions[:, 2].tolist()
        ids, names = [_id(n) for n in range(FINDINGS)], list(ASSERTED)
        notes, aspects = self.note.tolist(), self.aspect.tolist()
        patients, days, types = self.patient.tolist(), self.day.tolist(), self.type.tolist()
        ordinal = 0
        for place, note in enumerate(notes):
            ordinal = ordinal + 1 if place and notes[place - 1] == note else 0
            said: dict[str, list[str]] = {"mentioned": []}
            for m in range(starts[place], starts[place + 1]):
                said.setdefault(names[asserted[m]], []).append(ids[found[m]])
                said["mentioned"].append(ids[found[m]])
            day = days[note - 1]
            yield (
                passage_id(note, ordinal),
                {
                    "note_id": f"note-{note}",
                    "note_key": note,
                    "note_version": 1,
                    "patient_id": f"patient-{patients[note - 1]}",
                    "patient_no": patients[note - 1],
                    "day": day,
                    "date": iso_day(day),
                    "note_type": TYPES[types[note - 1]],
                    "collection": "synthetic",
                    "ordinal": ordinal,
                    "begin": 0,
                    "end": 0,
                    "aspect": ASPECTS[aspects[place]],
                    "text": "synthetic passage",
                    **said,
                },
            )


def world(patients: int, passages: int, seed: int) -> World:
    """Some patients have many notes and most have few; each note has `PASSAGES_OF_A_NOTE` on average."""
    rng = np.random.default_rng(seed)
    notes = max(1, passages // PASSAGES_OF_A_NOTE)
    weights = rng.lognormal(sigma=1.0, size=patients)
    day = rng.integers(day_number(FIRST), day_number(LAST), size=notes)
    # Each note has one passage; the others fall where they fall.
    note = np.sort(np.r_[np.arange(1, notes + 1), rng.integers(1, notes + 1, size=max(0, passages - notes))])
    return World(
        born=rng.integers(day_number(BORN), day_number(BORN_LAST), size=patients),
        sex=rng.choice(len(SEXES), size=patients, p=SEX_PARTS),
        patient=rng.choice(patients, size=notes, p=weights / weights.sum()) + 1,
        day=np.where(rng.random(notes) < UNDATED_PART, UNDATED, day),
        type=rng.integers(len(TYPES), size=notes),
        note=note,
        aspect=rng.integers(len(ASPECTS), size=len(note)),
        mentions=_mentions(rng, note, notes),
    )


def _mentions(rng: np.random.Generator, note: Ints, notes: int) -> Ints:
    first = np.searchsorted(note, np.arange(1, notes + 1))
    many = np.bincount(note, minlength=notes + 1)[1:]
    parts = []
    for rank in range(FINDINGS):
        for asserted, often in enumerate(ASSERTED.values()):
            chosen = rng.choice(notes, size=int(notes * COMMONEST * often / (rank + 1)), replace=False)
            passage = first[chosen] + rng.integers(many[chosen])
            parts.append(np.stack([passage, np.full(len(chosen), rank), np.full(len(chosen), asserted)], axis=1))
    every = np.concatenate(parts)
    return np.asarray(every[np.argsort(every[:, 0], kind="stable")])
