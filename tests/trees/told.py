"""Random notes as people would bring them, and what ledger and index say of them as the plain passages of `brute`."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from ingest.ledger import Ledger, StoredNote
from ingest.ledger.tables import notes, patients
from search_stack.core.schema import Finding as Labelled
from search_stack.index.documents import LabelledPassage, document
from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.concepts import VITAL_SIGN, Lexicon
from search_stack.language.lexicon.names import common_form, other_names
from tests.trees import brute, grow
from tests.trees.collection import COLLECTIONS, DAYS, FIRST_DAY, TYPES, VOCABULARY, Plain

NAMED = (
    "pneumonia",
    "airspace opacity",
    "nodular opacity",
    "pleural effusion",
    "rib fracture",
    "fever",
    "cough",
    "asthma",
)
OTHER_NAMES = {
    "pneumonia": ("lung infection",),
    "pleural effusion": ("pleural fluid",),
    "rib fracture": ("broken rib",),
    "fever": ("pyrexia", "febrile"),
}
"""Of those, what a note may say instead."""
SAYINGS = (
    "There is {}.",
    "{} is seen again.",
    "No {}.",
    "Possible {}.",
    "History of {}.",
    "Mother had {}.",
    "Return if {} occurs.",
    "{} of 7 mm.",
    "No {} of 3.",
    "{} was 2.",
)
HEADINGS = ("FINDINGS", "IMPRESSION", "PLAN", "TREATMENT", "CEDAR")
Row = dict[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Told(Plain):
    """A passage whose note and patient are as the ledger has them."""

    name: str
    number: int
    known_sex: str
    known_age: int | None

    @property
    def note_id(self) -> str:
        return self.name

    @property
    def patient_no(self) -> int:
        return self.number

    @property
    def sex(self) -> str:
        return self.known_sex

    @property
    def age(self) -> int:
        return -1 if self.known_age is None else self.known_age


def rows(rng: random.Random, ids: Iterable[int], patients: int) -> list[Row]:
    """Notes with the ids, as a table has them; of one patient in four nothing is known, and one note in eight has no
    date."""
    return [_row(rng, n, rng.randrange(patients)) for n in ids]


def _row(rng: random.Random, number: int, patient: int) -> Row:
    day = FIRST_DAY + timedelta(days=rng.randrange(DAYS))
    return {
        "note_id": f"n{number}",
        "patient_id": f"P-{patient:02}",
        "date": "" if rng.random() < 0.125 else day.isoformat(),
        "type": rng.choice(TYPES),
        "collection": rng.choice(COLLECTIONS),
        "encounter_id": rng.choice(("", "1", "2")),
        "sex": ("female", "male", "male", "")[patient % 4],
        "birth_date": "" if patient % 5 == 0 else f"{1940 + patient}-06-15",
        "text": "\n\n".join(f"{heading}:\n{_said(rng)}" for heading in rng.sample(HEADINGS, rng.randint(1, 3))),
    }


def _said(rng: random.Random) -> str:
    told = [rng.choice(SAYINGS).format(_called(rng)) for _ in range(rng.randint(0, 3))]
    return " ".join([*told, " ".join(rng.choices((*VOCABULARY, "filler"), k=rng.randint(3, 6))) + "."])


def _called(rng: random.Random) -> str:
    name = rng.choice(NAMED)
    return rng.choice((name, *OTHER_NAMES.get(name, ())))


@contextmanager
def hierarchy(lexicon: Lexicon) -> Iterator[None]:
    """Random trees and what they mean are of this lexicon's concepts, and of what it calls them."""
    every = {c.name: tuple(lexicon.concepts[p].name for p in c.parents) for c in lexicon.concepts.values()}
    above = {lexicon.concepts[id].name for id in lexicon.closure(c.id for c in _named(lexicon))}
    brute.is_kind_of.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(brute, "PARENTS", every)
        patch.setattr(grow, "PARENTS", {name: every[name] for name in sorted(above)})
        patch.setattr(grow, "OTHER_NAMES", OTHER_NAMES)
        yield
    brute.is_kind_of.cache_clear()


def _named(lexicon: Lexicon) -> list[Any]:
    return [c for c in lexicon.concepts.values() if c.name in NAMED]


class View:
    """Makes plain passages of documents, with what the ledger knows of their notes and patients."""

    def __init__(self, ledger: Ledger, lexicon: Lexicon) -> None:
        with ledger.engine.connect() as c:
            self._sex: dict[int, str] = dict(c.execute(select(patients.c.no, patients.c.sex)).all())  # type: ignore[arg-type]
            wanted = select(notes.c.key, notes.c.age, notes.c.encounter_id)
            self._notes = {key: (age, encounter) for key, age, encounter in c.execute(wanted)}
        self._names = {c.id: c.name for c in lexicon.concepts.values()}
        self._called = {c.id: {common_form(n): n for n in (*other_names(c), c.name)} for c in lexicon.concepts.values()}

    def knows_as_much_as(self, other: View) -> bool:
        """Whether the ledger said the same when the two were made."""
        return self._sex == other._sex and self._notes == other._notes

    def stored(self, note: StoredNote, parts: Iterable[LabelledPassage], labeller: Labeller) -> Iterator[Told]:
        """The passages that a note in the ledger must have."""
        return (self.of(document(note, part, [], labeller).document()) for part in parts)

    def of(self, source: Mapping[str, Any]) -> Told:
        age, encounter = self._notes[source["note_key"]]
        said = ((*one.split(" ", 2), "")[:3] for one in source["named"])
        return Told(
            note=source["note_key"],
            ordinal=source["ordinal"],
            patient=source["patient_id"],
            type=source["note_type"],
            day=date.fromisoformat(source["date"]) if source["date"] else None,
            title=source["title"],
            collection=source["collection"],
            heading=source["section"],
            aspect=source["aspect"],
            text=" ".join(re.findall(r"\w+", source["text"].lower())),
            said=frozenset((self._names[c], assertion, self._called[c].get(by, by)) for assertion, c, by in said),
            about=frozenset(self._names[id] for id in source["entities"]),
            told=frozenset(
                (self._names[f.concept], said, amount.least, f.sites)
                for f in map(Labelled.stored, source["findings"])
                for said in f.counts_as
                for amount in f.amounts
                if amount.least is not None and amount.least == amount.most and not amount.unit
            ),
            placed=frozenset(
                (self._names[f.concept], said, f.sites)
                for f in map(Labelled.stored, source["findings"])
                for said in f.counts_as
                if f.kind != VITAL_SIGN
            ),
            encounter=int(encounter or -1),
            name=source["note_id"],
            number=source["patient_no"],
            known_sex=self._sex[source["patient_no"]] or "",
            known_age=age,
        )


def same(one: Told, other: Told) -> bool:
    """Whether both say the same."""
    return all(getattr(one, f.name) == getattr(other, f.name) for f in fields(Told))
