"""What a note, a section, a passage and a hit are. Every offset is a character offset into
the note's stored text, half-open: ``note.text[begin:end]`` is the mention."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

from search_stack.context import NOTHING, Surroundings


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


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    """One document of the passages index: field for field, the mapping's properties."""

    note_id: str
    note_key: int
    note_version: int
    patient_id: str
    note_type: str
    date: str | None
    title: str
    collection: str
    ordinal: int
    begin: int
    end: int
    section: str
    aspect: str
    text: str
    vector: list[float] = field(repr=False)
    present: list[str] = field(default_factory=list)
    """Concepts found present, with all their ancestors; the next five likewise."""
    absent: list[str] = field(default_factory=list)
    possible: list[str] = field(default_factory=list)
    historical: list[str] = field(default_factory=list)
    hypothetical: list[str] = field(default_factory=list)
    family: list[str] = field(default_factory=list)
    mentioned: list[str] = field(default_factory=list)
    """Concepts found with whatever assertion, with their ancestors."""
    entities: list[str] = field(default_factory=list)
    """Concepts that the passage, its section or its note is about, with their ancestors."""
    findings: list[dict[str, Any]] = field(default_factory=list)
    """The mentions of `Finding`, for show; the offsets count in the note."""
    labels: str = ""
    """Version of lexicon, rules and code that labelled it."""
    lead: str = ""
    """Opening words of the note, and the words just before the passage: what the models read it with
    (`search_stack.context`)."""
    before: str = ""

    @property
    def id(self) -> str:
        return passage_id(self.note_key, self.ordinal)

    def document(self) -> dict[str, Any]:
        return asdict(self)


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
    """0 satisfies every criterion; else a finding is 1 past only, 2 possible only, 3 not mentioned, but close."""

    def json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "around"}
