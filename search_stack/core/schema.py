"""What a note, a section, a passage and a hit are. Every offset is a character offset into
the note's stored text, half-open: ``note.text[begin:end]`` is the mention."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from search_stack.core.amounts import Amount
from search_stack.core.context import NOTHING, Surroundings


def answering(assertion: str, kind: str) -> tuple[str, ...]:
    """What is said of mentions that answer a question for ``assertion`` of a concept of ``kind``: whoever asks for an
    act of before, "s/p colectomy", takes one that is told as done.

    >>> answering("historical", "procedure"), answering("historical", "disorder")
    (('historical', 'present'), ('historical',))
    """
    return (assertion, "present") if assertion == "historical" and kind == "procedure" else (assertion,)


@dataclass(frozen=True, slots=True)
class Person:
    """What a source tells of a patient besides notes; empty or None where it does not."""

    sex: str = ""
    """"female", "male", or another word of the source."""
    birth_date: date | None = None
    death_date: date | None = None


UNKNOWN = Person()


@dataclass(frozen=True, slots=True)
class Patient:
    """What a table of patients tells of one of them."""

    patient_id: str
    person: Person


@dataclass(frozen=True, slots=True)
class Merge:
    """Two ids of one person: what comes under ``patient_id`` counts as of ``replaced_by``."""

    patient_id: str
    replaced_by: str = ""
    """Empty where it is a patient of its own, whatever was said before."""


@dataclass(frozen=True, slots=True)
class Note:
    """One clinical document of one patient."""

    note_id: str
    text: str
    patient_id: str
    type: str = ""
    date: date | None = None
    title: str = ""
    collection: str = ""
    """Where it came from; "demo" marks the synthetic notes."""
    encounter_id: str = ""
    age: int | None = None
    """Of the patient at the note, in whole years, where the source says it."""
    person: Person = UNKNOWN


@dataclass(frozen=True, slots=True)
class StructuredFact:
    """A diagnosis, drug, procedure or measured value of a patient, as a code."""

    patient_id: str
    system: str
    """Lower case: icd10, loinc, atc, …"""
    code: str
    day: date | None = None
    name: str = ""
    """What the code means, as the source says it."""
    value: float | None = None
    unit: str = ""
    encounter_id: str = ""
    collection: str = ""
    source_id: str = ""
    """Of the record of its collection that says it, such as Condition/1; empty where that has no id."""


@dataclass(frozen=True, slots=True)
class CodeParent:
    """A code of a system, and one that stands above it."""

    system: str
    code: str
    parent: str = ""
    """Empty for a code that is only named."""
    name: str = ""
    """What the code means."""


@dataclass(frozen=True, slots=True)
class Section:
    """A headed part of a note; ``heading`` is as written, ``aspect`` its normalised topic."""

    begin: int
    end: int
    heading_begin: int
    heading_end: int
    heading: str
    aspect: str


ASSERTIONS = ("present", "absent", "possible", "historical", "hypothetical", "family")
UNAFFECTED = "unaffected"
"""What is said of a finding that relatives are said not to have: "no family history of cancer"."""
STATED = (*ASSERTIONS, "allergy", UNAFFECTED)
"""What one mention says: see `Finding.says`."""
DENIED = ("absent", UNAFFECTED)
"""Those that say nothing of anything wider: who lacks one kind may have another."""
_ACTS = ("done", "planned", "past", "not done")
STATUSES_OF = {
    "procedure": _ACTS,
    "device": _ACTS,
    "drug": ("taking", "given", "started", "stopped", "held", "allergy", "not taken", "planned"),
}
"""How far a concept of each kind may have come; other kinds have no status."""
STATUSES = tuple(dict.fromkeys(status for statuses in STATUSES_OF.values() for status in statuses))
RESULTS = ("normal", "abnormal")
"""What a test that was done may have found: negative is normal, positive abnormal."""
MARKS = (*STATUSES, *RESULTS)
"""All that a mention may tell beside its assertion."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A mention of a lexicon concept in a note, with what the note says of it.

    The trigger is the words that decided the assertion; None where nothing but the mention
    itself did (then it is present) or where the section did.
    """

    concept: str
    name: str
    kind: str
    begin: int
    end: int
    assertion: str
    """One of `ASSERTIONS`."""
    trigger_begin: int | None = None
    trigger_end: int | None = None
    temporality: str = "recent"
    """"recent", "historical" or "hypothetical"."""
    experiencer: str = "patient"
    """"patient", "family" or "other"."""
    status: str = ""
    """How far a drug, procedure or device has come, one of `STATUSES`; of what relatives have not, `UNAFFECTED`."""
    value: float | None = None
    """The number that says it ("temp 39.2"); None where words do."""
    unit: str = ""
    """Of the value, in lower case; empty where none is written."""
    names: tuple[str, ...] = ()
    """Those of the concept that stand there, as `search_stack.language.lexicon.names.common_form` has them; none where
    no name says it: a number, a normal statement, another pipeline's mention."""
    amounts: tuple[Amount, ...] = ()
    """What numbers beside it tell of it: "creatinine of 3.2"."""
    sites: tuple[str, ...] = ()
    """Where in the body it is, and how severe there (`search_stack.core.sites`): "left", "right lower lobe", "severe
    knee", "mild"."""
    result: str = ""
    """What a test found, one of `RESULTS`; empty where that is not told."""

    @classmethod
    def stored(cls, source: Mapping[str, Any]) -> Finding:
        """What the index holds of it."""
        amounts = tuple(Amount.stored(told) for told in source.get("amounts", ()))
        return cls(
            **{
                **source,
                "names": tuple(source.get("names", ())),
                "amounts": amounts,
                "sites": tuple(source.get("sites", ())),
            }
        )

    @property
    def is_normal(self) -> bool:
        """Whether the words themselves say that all is well: "heart size is normal" and no cardiomegaly."""
        return self.assertion == "absent" and (self.begin, self.end) == (self.trigger_begin, self.trigger_end)

    @property
    def counts_as(self) -> tuple[str, ...]:
        """The assertions, the status and the result that a question may ask it by.

        A history of asthma is present, and a history; an act that was done before is done. Who is allergic to a drug
        does not have it, and what relatives are said not to have does not run in the family.

        >>> Finding("asthma", "asthma", "disorder", 11, 17, "present", temporality="historical").counts_as
        ('present', 'historical')
        >>> Finding("colectomy", "colectomy", "procedure", 4, 13, "historical", status="past").counts_as
        ('present', 'historical', 'past')
        >>> Finding("aspirin", "aspirin", "drug", 12, 19, "present", status="allergy").counts_as
        ('allergy',)
        >>> Finding("cancer", "cancer", "disorder", 21, 27, "family", status="unaffected").counts_as
        ('unaffected',)
        """
        if self.says not in ASSERTIONS:
            return (self.says,)
        before = self.assertion == "historical" and self.kind == "procedure"
        both = before or (self.assertion == "present" and self.temporality == "historical")
        asserted = ("present", "historical") if both else (self.assertion,)
        return (*asserted, *filter(None, (self.status, self.result)))

    @property
    def says(self) -> str:
        """One of `STATED`: its assertion, but "allergy" of a drug that the patient does not bear, and "unaffected" of
        what the family is said not to have."""
        allergic = self.status == "allergy" and self.assertion in ("present", "historical")
        return self.status if allergic or self.status == UNAFFECTED else self.assertion


WHATEVER = "any"
"""Stands for every assertion, in a question and before the amounts of a mention."""


def amount_key(said: str, concept: str, key: str) -> str:
    """What the index tells of an amount of a mention: `mention_key`, and a key of `search_stack.core.amounts`."""
    return f"{said} {concept} {key}"


def at_site(concept: str, site: str) -> str:
    """A concept at a site, in what the index tells of mentions."""
    return f"{concept}@{site}" if site else concept


def site_key(said: str, concept: str, site: str = "") -> str:
    """What the index tells of where a mention is; without a site, that nothing is told.

    >>> site_key("present", "pleural-effusion", "left"), site_key("present", "pleural-effusion")
    ('present pleural-effusion @left', 'present pleural-effusion @')
    """
    return f"{said} {concept} @{site}"


def mention_key(said: str, concept: str, name: str = "") -> str:
    """What the index tells of one mention: what is said, the concept, and by which name, where that is told.

    >>> mention_key("absent", "pleural-effusion"), mention_key("present", "pleural-effusion", "chest fluid")
    ('absent pleural-effusion', 'present pleural-effusion chest fluid')
    """
    return f"{said} {concept} {name}".rstrip()


@dataclass(frozen=True, slots=True)
class Entity:
    """A concept that a note, section or passage is about; the offsets are of its first mention."""

    concept: str
    name: str
    kind: str
    level: str
    """Where it dominates: "note" (also its title), "section" or "passage"."""
    begin: int
    end: int
    mentions: int


@dataclass(frozen=True, slots=True)
class Passage:
    """Whole sentences inside one section: the unit of retrieval."""

    ordinal: int
    begin: int
    end: int
    text: str
    section: str
    aspect: str


def passage_id(note_key: int, ordinal: int) -> str:
    """Deterministic, so that every retry overwrites and nothing is there twice.

    The ledger's own key stands for the note: an id from a hospital may be too long for the
    engine or say who the patient is.
    """
    return f"{note_key}.{ordinal}"


@dataclass(frozen=True, slots=True)
class Scores:
    """What every stage gave a hit; None where the stage did not see it. Ranks start at 1."""

    bm25: float | None = None
    bm25_rank: int | None = None
    knn: float | None = None
    """Cosine similarity, -1 to 1."""
    knn_rank: int | None = None
    hybrid: float = 0.0
    hybrid_rank: int = 0
    cross: float | None = None
    """The cross-encoder's own score, unbounded."""
    rerank: float | None = None
    """Cross-encoder, k-NN and BM25, interpolated: what the reranked passages are ordered by."""
    rerank_rank: int | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage with its scores and the words that matched, as spans of ``text``."""

    passage_id: str
    note_id: str
    note_key: int
    patient_id: str
    note_type: str
    date: str | None
    title: str
    collection: str
    section: str
    aspect: str
    begin: int
    end: int
    text: str
    highlights: tuple[tuple[int, int], ...]
    scores: Scores
    matched: str
    """"every word" of the query, "some words", "meaning" (k-NN alone), or "filters" without words."""
    findings: tuple[Finding, ...] = ()
    """What the passage says; the offsets count in the note."""
    around: Surroundings = NOTHING
    """What the reranker may read the passage with."""
    tier: int = 0
    """0 satisfies every criterion; else a finding is 1 past only, 2 possible only, 3 not mentioned, but close, 4 denied
    only in part."""

    def json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "around"}
