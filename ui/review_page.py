"""The pages of a review: whose turn it is, what is filled in, how far everybody is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ingest.cohorts.records import Cohort
from ingest.ledger.listing import ListedPatient
from search_stack.review.decisions import VERDICTS, Decision, Standing, Verdict
from search_stack.review.fields import Field, Value
from search_stack.review.queue import Since
from ui.evidence_view import EvidenceView
from ui.frame import Frame

KEYS: Mapping[Verdict, str] = {"include": "i", "exclude": "e", "doubt": "d"}
DONE: Mapping[Verdict, str] = {"include": "included", "exclude": "excluded", "doubt": "left in doubt"}


@dataclass(frozen=True, slots=True)
class Typed:
    """What a form holds: as kept, or as it was typed and could not be."""

    reason: str = ""
    comment: str = ""
    values: Mapping[int, str] | None = None
    quotes: Mapping[int, str] | None = None


@dataclass(frozen=True, slots=True)
class FieldView:
    field: Field
    value: str
    quote: str


@dataclass(frozen=True, slots=True)
class Before:
    """What the reader decided of this patient."""

    decision: Decision
    since: Since

    @property
    def said(self) -> str:
        return DONE[self.decision.verdict]


@dataclass(frozen=True, slots=True)
class Count:
    """How far somebody is."""

    who: str
    decided: int
    total: int


@dataclass(frozen=True, slots=True)
class SaidView:
    """What somebody decided."""

    reviewer: str
    verdict: Verdict
    reason: str
    comment: str
    filled: tuple[tuple[str, str, str], ...]
    """Field, value and quote."""
    made: datetime
    version: int
    since: Since
    of: tuple[str, ...]
    """Ids that it was decided of, where these are not all that there are of the patient."""
    words_gone: datetime | None
    final: bool = False
    """It was adjudicated."""


@dataclass(frozen=True, slots=True)
class PatientReview:
    frame: Frame
    cohort: Cohort
    patient: ListedPatient
    record: str
    """Address of the whole record."""
    asked: str
    """The query, in words."""
    evidence: EvidenceView
    notice: str
    problem: str
    fields: tuple[FieldView, ...]
    typed: Typed
    reasons: tuple[str, ...]
    """That the reader gave before."""
    before: Before | None
    torn: tuple[SaidView, ...]
    """What the reader decided of ids that are one patient now, and differs."""
    mine: Count
    others: tuple[Count, ...]
    undo: int | None
    """The decision that an undo takes back."""
    next: str
    """Address of the one after; empty where there is none."""
    verdicts: tuple[tuple[Verdict, str], ...] = tuple(KEYS.items())


@dataclass(frozen=True, slots=True)
class ReviewDone:
    """Nobody is left to be decided."""

    frame: Frame
    cohort: Cohort
    mine: Count
    others: tuple[Count, ...]
    verdicts: tuple[tuple[Verdict, int], ...]
    changed: tuple[tuple[str, str], ...]
    """Addresses and ids of patients whose evidence has changed since."""
    undo: int | None


def counts(standing: Standing, members: frozenset[int], me: str) -> tuple[Count, tuple[Count, ...]]:
    """How far the reader is, and how far others are: numbers only, so that nobody hears what they decided."""
    of = {name: len(members & standing.of(name).keys()) for name in (*standing.reviewers, me)}
    told = {name: Count(name, number, len(members)) for name, number in of.items()}
    return told[me], tuple(told[name] for name in sorted(told) if name != me)


def field_views(fields: tuple[Field, ...], typed: Typed) -> tuple[FieldView, ...]:
    values, quotes = typed.values or {}, typed.quotes or {}
    return tuple(FieldView(one, values.get(one.id, ""), quotes.get(one.id, "")) for one in fields)


def typed_of(decision: Decision | None, quotes: Mapping[int, str]) -> Typed:
    """What a decision was filled in with.

    Args:
        quotes: words of the notes, by the id of the field.
    """
    if decision is None:
        return Typed()
    values: Mapping[int, Value] = decision.given.values
    return Typed(decision.given.reason, decision.given.comment, {f: v.said for f, v in values.items()}, quotes)


def tally(own: Mapping[int, Decision], members: frozenset[int]) -> tuple[tuple[Verdict, int], ...]:
    said = [one.verdict for patient, one in own.items() if patient in members]
    return tuple((verdict, said.count(verdict)) for verdict in VERDICTS)
