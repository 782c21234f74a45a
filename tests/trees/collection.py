"""Small random collections of labelled passages: plain objects, and the documents that the index holds for them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from search_stack.cohorts.rows import Ints, Rows
from search_stack.core.amounts import Amount, keys
from search_stack.core.schema import (
    ASSERTIONS,
    DENIED,
    STATED,
    WHATEVER,
    amount_key,
    at_site,
    passage_id,
    site_key,
)
from search_stack.index.passage import UNDATED, IndexedPassage
from search_stack.language.lexicon.concepts import Concept, Lexicon
from search_stack.language.lexicon.names import common_form
from search_stack.language.sites import covering

PARENTS: Mapping[str, tuple[str, ...]] = {
    "lung disease": (),
    "infection": (),
    "pneumonia": ("lung disease", "infection"),
    "viral pneumonia": ("pneumonia",),
    "effusion": ("lung disease",),
    "fever": (),
    "cough": (),
    "dry cough": ("cough",),
    "fracture": (),
    "rib fracture": ("fracture",),
}
"""Every concept, by name."""
OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "lung disease": ("pulmonopathy",),
    "pneumonia": ("lung inflammation", "PNA"),
    "effusion": ("pleural fluid",),
    "fever": ("pyrexia", "febrile"),
}
VOCABULARY = ("amber", "birch", "cedar", "delta", "ember", "flint")
"""No two of them share a stem, and none is a function word."""
ASPECTS = ("impression", "treatment", "prognosis")
HEADINGS = ("Impression", "plan", "cedar")
TYPES = ("radiology report", "letter", "discharge summary")
COLLECTIONS = ("north", "south")
SITES = (
    *("left", "right", "bilateral", "left knee", "right knee", "bilateral knee", "knee", "leg", "left leg", "hand"),
    *("severe", "mild", "severe left", "severe left knee", "severe right", "mild knee", "mild bilateral"),
)
NUMBERS = 10
"""That are told: 0 and up to it."""
FIRST_DAY, DAYS = date(2018, 1, 1), 1500


@dataclass(frozen=True, slots=True, eq=False)
class Plain:
    """A passage with all that can be asked of it."""

    note: int
    ordinal: int
    patient: str
    type: str
    day: date | None
    title: str
    collection: str
    heading: str
    aspect: str
    text: str
    said: frozenset[tuple[str, str, str]]
    """Concepts as they are mentioned, each with an assertion, and with the name that says it, empty where none does."""
    about: frozenset[str]
    told: frozenset[tuple[str, str, float, tuple[str, ...]]]
    """Concepts of which a number is told, each with an assertion, the number, and where that is."""
    placed: frozenset[tuple[str, str, tuple[str, ...]]]
    """Concepts, each with an assertion, and where in the body that is said."""
    encounter: int
    """-1 where it has none."""

    @property
    def patient_no(self) -> int:
        return int(self.patient.removeprefix("P-")) + 1

    @property
    def sex(self) -> str:
        """Of one patient in four nothing is known."""
        return ("female", "male", "male", "")[self.patient_no % 4]

    @property
    def age(self) -> int:
        """In years at the note; -1 where not known."""
        return -1 if self.day is None or self.patient_no % 5 == 0 else self.day.year - 1940 - self.patient_no

    @property
    def id(self) -> str:
        return passage_id(self.note, self.ordinal)

    @property
    def note_id(self) -> str:
        return f"note-{self.note}"


def lexicon() -> Lexicon:
    ids = {name: f"T:{n}" for n, name in enumerate(PARENTS)}
    return Lexicon(
        Concept(
            ids[name],
            name,
            "finding",
            tuple(ids[p] for p in up),
            synonyms=tuple(n for n in OTHER_NAMES.get(name, ()) if n.islower()),
            abbreviations=tuple(n for n in OTHER_NAMES.get(name, ()) if n.isupper()),
        )
        for name, up in PARENTS.items()
    )


def collection(rng: random.Random, patients: int = 40, notes: int = 100) -> tuple[Plain, ...]:
    """Passages of ``notes``, 1 to 4 of each; one note in eight has no date."""
    return tuple(p for note in range(1, notes + 1) for p in _note(rng, note, f"P-{rng.randrange(patients):02}"))


def _note(rng: random.Random, note: int, patient: str) -> Iterator[Plain]:
    day = None if rng.random() < 0.125 else FIRST_DAY + timedelta(days=rng.randrange(DAYS))
    type_, source = rng.choice(TYPES), rng.choice(COLLECTIONS)
    encounter = rng.choice((-1, 1, 2))
    title = " ".join(rng.sample(VOCABULARY, rng.choice((0, 0, 1))))
    for ordinal in range(rng.randint(1, 4)):
        words = rng.choices((*VOCABULARY, "filler", "treatment"), (*[2] * len(VOCABULARY), 14, 1), k=rng.randint(4, 10))
        yield Plain(
            note=note,
            ordinal=ordinal,
            patient=patient,
            type=type_,
            day=day,
            title=title,
            collection=source,
            heading=rng.choice(("", *HEADINGS)),
            aspect=rng.choice(("", *ASPECTS)),
            text=" ".join(words),
            said=frozenset(_said(rng) for _ in range(rng.randint(0, 4))),
            about=frozenset(rng.sample(tuple(PARENTS), rng.choice((0, 1, 1, 2)))),
            told=frozenset(
                (*_said(rng)[:2], float(rng.randrange(NUMBERS)), _sites(rng)) for _ in range(rng.randint(0, 2))
            ),
            placed=frozenset((*_said(rng)[:2], _sites(rng)) for _ in range(rng.randint(0, 4))),
            encounter=encounter,
        )


def _said(rng: random.Random) -> tuple[str, str, str]:
    name = rng.choice(tuple(PARENTS))
    said = rng.choice(("present", "present", "present", *STATED))
    return name, said, rng.choice((name, *OTHER_NAMES.get(name, ()), ""))


def _sites(rng: random.Random) -> tuple[str, ...]:
    return tuple(rng.sample(SITES, rng.choice((0, 1, 1, 2))))


def document(plain: Plain, lexicon: Lexicon, vector: np.ndarray) -> IndexedPassage:
    """What `search_stack.index.documents.document` would make of a note with such labels."""
    ids = {c.name: c.id for c in lexicon.concepts.values()}
    said = {a: lexicon.closure(ids[name] for name, b, _ in plain.said if a == b) for a in ASSERTIONS}
    return IndexedPassage(
        note_id=plain.note_id,
        note_key=plain.note,
        note_version=1,
        patient_id=plain.patient,
        patient_no=plain.patient_no,
        day=(plain.day - date(1970, 1, 1)).days if plain.day else UNDATED,
        note_type=plain.type,
        date=plain.day.isoformat() if plain.day else None,
        title=plain.title,
        collection=plain.collection,
        ordinal=plain.ordinal,
        begin=0,
        end=len(plain.text),
        section=plain.heading,
        aspect=plain.aspect,
        text=plain.text,
        wording=f"{plain.note}.{plain.ordinal}",
        vector=(vector / np.linalg.norm(vector)).tolist(),
        **said,
        mentioned=lexicon.closure(ids[name] for name, *_ in plain.said),
        own=sorted({f"{said} {ids[name]}" for name, said, _ in plain.said if said in STATED}),
        status=sorted({f"{said} {ids[name]}" for name, said, _ in plain.said if said not in ASSERTIONS}),
        measured=sorted(
            amount_key(asked, at_site(concept, site), key)
            for name, said, number, sites in plain.told
            for asked in (said, WHATEVER)
            for concept in (lexicon.closure((ids[name],)) if asked not in DENIED else [ids[name]])
            for site in ("", *covering(sites))
            for key in keys(Amount(number, number))
        ),
        placed=sorted(
            site_key(said, ids[name], site)
            for name, said, sites in plain.placed
            for site in ((sites if said in DENIED else covering(sites)) or ("",))
        ),
        named=sorted(f"{said} {ids[name]} {common_form(by)}".rstrip() for name, said, by in plain.said),
        entities=lexicon.closure(ids[name] for name in plain.about),
    )


class Known:
    """What a ledger would know of the patients of a collection."""

    def __init__(self, passages: Sequence[Plain]) -> None:
        self._passages = passages
        self._age = {p.note: p.age for p in passages}
        self._encounter = {p.note: p.encounter for p in passages}

    def said(self) -> tuple[bool, bool, bool]:
        return True, True, True

    def of_sex(self, sex: str) -> list[int]:
        return [p.patient_no for p in self._passages if p.sex == sex]

    def stays(self, patient_id: str) -> str:
        return patient_id

    def by_sex(self) -> dict[str, list[int]]:
        return {sex: sorted(set(self.of_sex(sex))) for sex in ("female", "male")}

    def at_age(self, least: int | None, most: int | None) -> list[int]:
        return [p.note for p in self._passages if p.age >= max(0, least or 0) and (most is None or p.age <= most)]

    def ages(self, rows: Rows) -> Ints:
        return np.array([self._age[n] for n in rows.note.tolist()], dtype=np.int64)

    def encounters(self, notes: Ints) -> Ints:
        return np.array([self._encounter[n] for n in notes.tolist()], dtype=np.int64)
