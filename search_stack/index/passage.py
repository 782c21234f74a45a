"""One document of the passages index: a row for each field, with what the engine makes of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import date as calendar_day
from datetime import timedelta
from typing import Any

from search_stack.core.schema import passage_id

UNDATED = -1_000_000
"""The day of what has no date; no record is of the year -768."""
SORTED = ("patient_no", "day", "note_key")
"""How the index lies on disk: so evidence is read in its order."""
KEYWORD = {"type": "keyword"}
FOLDED = {"type": "keyword", "normalizer": "folded", "ignore_above": 512}
TEXT = {"type": "text", "analyzer": "clinical", "search_analyzer": "clinical_search"}
LONG = {"type": "long"}
INTEGER = {"type": "integer"}
DAY = {"type": "date", "format": "strict_date"}
FOR_SHOW = {"type": "object", "enabled": False}
KEPT = {"type": "keyword", "index": False, "doc_values": False}
VECTOR = {"type": "knn_vector"}
"""What it measures and how it is searched depends on the encoder and the engine: `search_stack.index.mapping`."""


_EPOCH = calendar_day(1970, 1, 1)


def day_number(day: calendar_day) -> int:
    """Days since 1970-01-01."""
    return (day - _EPOCH).days


def iso_day(number: int) -> str | None:
    """What `day_number` gave, as YYYY-MM-DD; None of what has no date."""
    return None if number == UNDATED else (_EPOCH + timedelta(days=number)).isoformat()


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedPassage:
    """A field's metadata is its property in the engine's mapping."""

    note_id: str = field(metadata=KEYWORD)
    note_key: int = field(metadata=INTEGER)
    note_version: int = field(metadata=LONG)
    patient_id: str = field(metadata=KEYWORD)
    patient_no: int = field(default=0, metadata=INTEGER)
    """The ledger's number of the patient: bitmaps hold it."""
    day: int = field(default=UNDATED, metadata=INTEGER)
    """Of the note, in days since 1970-01-01."""
    note_type: str = field(default="", metadata=FOLDED)
    date: str | None = field(default=None, metadata=DAY)
    title: str = field(default="", metadata=TEXT)
    collection: str = field(default="", metadata=KEYWORD)
    ordinal: int = field(metadata=INTEGER)
    begin: int = field(metadata=INTEGER)
    end: int = field(metadata=INTEGER)
    section: str = field(default="", metadata={**TEXT, "fields": {"name": FOLDED}})
    aspect: str = field(default="", metadata=FOLDED)
    text: str = field(metadata={**TEXT, "fields": {"exact": {"type": "text", "analyzer": "exact"}}})
    wording: str = field(metadata=KEYWORD)
    """Passages of different notes that have it in common say the same word for word: `search_stack.index.wording`."""
    vector: list[float] = field(repr=False, metadata=VECTOR)
    present: list[str] = field(default_factory=list, metadata=KEYWORD)
    """Concepts found present, with all their ancestors; the next five likewise."""
    absent: list[str] = field(default_factory=list, metadata=KEYWORD)
    possible: list[str] = field(default_factory=list, metadata=KEYWORD)
    historical: list[str] = field(default_factory=list, metadata=KEYWORD)
    hypothetical: list[str] = field(default_factory=list, metadata=KEYWORD)
    family: list[str] = field(default_factory=list, metadata=KEYWORD)
    mentioned: list[str] = field(default_factory=list, metadata=KEYWORD)
    """Concepts found with whatever assertion, with their ancestors."""
    own: list[str] = field(default_factory=list, metadata=KEYWORD)
    """What each mention itself says, and its concept, without ancestors: "present pleural-effusion"."""
    status: list[str] = field(default_factory=list, metadata=KEYWORD)
    """Status and concept of each drug, procedure and device itself, and the result of a test: "stopped metformin"."""
    named: list[str] = field(default_factory=list, metadata=KEYWORD)
    """What each mention says, its status too, with its concept and the name by which it is told
    (`search_stack.core.schema.mention_key`)."""
    measured: list[str] = field(default_factory=list, metadata=KEYWORD)
    """What each mention of which a number is told says, its status too, with its concept and each ancestor, and the
    keys of the number (`search_stack.core.amounts`)."""
    placed: list[str] = field(default_factory=list, metadata=KEYWORD)
    """What each mention says, its status too, with its concept, and each site at which that is so
    (`search_stack.core.schema.site_key`)."""
    entities: list[str] = field(default_factory=list, metadata=KEYWORD)
    """Concepts that the passage, its section or its note is about, with their ancestors."""
    findings: list[dict[str, Any]] = field(default_factory=list, metadata=FOR_SHOW)
    """The mentions of `search_stack.core.schema.Finding`; the offsets count in the note."""
    labels: str = field(default="", metadata=KEYWORD)
    """Version of lexicon, rules and code that labelled it."""
    lead: str = field(default="", metadata=KEPT)
    """Opening words of the note, and the words just before the passage: what the models read it with
    (`search_stack.core.context`)."""
    before: str = field(default="", metadata=KEPT)

    @property
    def id(self) -> str:
        return passage_id(self.note_key, self.ordinal)

    def document(self) -> dict[str, Any]:
        return asdict(self)
