"""The shapes of answers. Where a dataclass already says a shape, it is the shape."""

from __future__ import annotations

import datetime
from dataclasses import fields
from typing import Any, Literal, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from search_stack.cohorts.changes import Moved, Reason
from search_stack.cohorts.contrast import Difference, Spread
from search_stack.cohorts.rows import Unit
from search_stack.cohorts.version import Provenance
from search_stack.core.schema import Finding, Hit, Section
from search_stack.query.items import Notice
from search_stack.retrieval.answer import Counts, FacetValue, Scope
from search_stack.retrieval.labels import OlderLabels

_HINTS = get_type_hints(Hit)
PassageHit = create_model(
    "Hit",
    __doc__=Hit.__doc__,
    **{f.name: (_HINTS[f.name], ...) for f in fields(Hit) if f.name != "around"},  # type: ignore[call-overload]
)
"""`Hit.json`: what a model reads a passage with is no part of the answer."""

_TEXT = {"type": "string"}
_ETAG = {"description": "The digest: what it names never changes.", "schema": _TEXT}
_SAVED = {
    "ETag": _ETAG,
    "Location": {"description": "Of the version.", "schema": _TEXT},
    "Idempotent-Replayed": {"description": "true where the key came before, and nothing was saved.", "schema": _TEXT},
}


class HitGroup(BaseModel):
    """Hits that belong together in the scope asked for, best first."""

    key: str
    hits: list[PassageHit]
    more: int = Field(
        description="Found besides: of a note or patient that is counted, all its other passages that count; among "
        "passages, those with the same words, each in another note."
    )


class SearchAnswer(BaseModel):
    """One page of an answer; all that are counted are on some page, or have the same words as one that is."""

    scope: Scope
    query: dict[str, Any] = Field(description="The tree that was asked.")
    cohorts: list[str] = Field(description="Versions of kept cohorts that the query names: NAME@3.")
    notices: list[Notice] = Field(
        description="What should be known of the structured facts, filters and procedures that are asked for."
    )
    counts: Counts
    criteria: list[int] = Field(description="How many each criterion has on its own.")
    facets: dict[str, list[FacetValue]]
    facets_in: Scope = Field(description="What the facets but `assertion` count: passages where these are very many.")
    groups: list[HitGroup]
    page: int
    pages: int
    ranked: int = Field(description="How many of those counted were ranked; the others follow by their note.")
    close: int = Field(description="How many more are listed at the end that come close without being counted.")
    folded: int = Field(description="Passages that have the same words as one that is listed, and stand behind it.")
    listed: int = Field(description="How far paging goes.")
    reranked: int
    vectors: bool = Field(description="False where the index holds another encoder's vectors: words alone ranked.")
    older: OlderLabels
    milliseconds: dict[str, float]


class Suggestion(BaseModel):
    """A line that goes on from what was typed, and the passages that it would count."""

    line: str
    kind: str
    passages: int


class Suggestions(BaseModel):
    items: list[Suggestion]


class Step(BaseModel):
    """What is left after this criterion and all before it."""

    step: str
    patients: int
    notes: int


class CohortCount(BaseModel):
    """Exact numbers: nothing is ranked, nothing is estimated."""

    patients: int
    notes: int
    attrition: list[Step]
    undated: int = Field(description="Notes that only a missing date keeps out.")
    generation: str = Field(description="The state of the index; the same one, and the same ledger, count the same.")
    cohorts: list[str] = Field(description="Versions of kept cohorts that the query names: NAME@3.")
    query: dict[str, Any]
    aside: list[str] = []
    notices: list[dict[str, str]] = []


class Edition(BaseModel):
    """A version without what it holds."""

    version: int = Field(description="From 1.")
    patients: int
    notes: int
    undated: int = Field(description="Notes that only a missing date kept out.")
    made: datetime.datetime
    by: str = Field(description="The account that saved it.")
    scheduled: bool
    unit: Unit
    origin: dict[str, Any] = Field(
        description="What made it: query and line; combine, and of which versions; or import, with counts of ids."
    )
    digest: str = Field(description="SHA-256 of all that it holds.")


class Schedule(BaseModel):
    """All null where it is not run by itself."""

    every: int | None = Field(description="Seconds from one run to the next.")
    due: datetime.datetime | None
    looked: datetime.datetime | None = Field(description="When a run last came to its end.")
    problem: str = Field(description="What was wrong with it then.")


class KeptCohort(BaseModel):
    """A cohort that is kept under a name."""

    id: int
    name: str
    description: str
    newest: Edition
    schedule: Schedule


class KeptCohortPage(BaseModel):
    items: list[KeptCohort]
    next: int | None = Field(description="Ask for `after` this; null at the end.")


class CohortWithVersions(KeptCohort):
    """A kept cohort with all its versions, the oldest first."""

    versions: list[Edition]


class KeptVersion(Edition):
    """A version, which never changes."""

    model_config = ConfigDict(openapi_extra={"headers": {"ETag": _ETAG}})  # type: ignore[typeddict-unknown-key]

    cohort: int = Field(description="The id of the cohort.")
    name: str = Field(description="Of the cohort.")
    attrition: list[Step]
    provenance: Provenance


class LeftOut(BaseModel):
    """An id that brought no patient of its own; it is not repeated."""

    position: int = Field(description="In the list, from 1.")
    reason: str


class SavedVersion(KeptVersion):
    """A version as it was saved, and what else is to be known of the request."""

    model_config = ConfigDict(openapi_extra={"headers": _SAVED})  # type: ignore[typeddict-unknown-key]

    aside: list[str] = Field([], description="Of a line, what was left aside; not told again with a replay.")
    notices: list[dict[str, str]] = Field([], description="Of a line, what was guessed; not told again with a replay.")
    left_out: list[LeftOut] = Field([], description="Of a list of ids.")


class Member(BaseModel):
    """A patient of a version, and the extent of the evidence."""

    no: int
    patient_id: str | None
    first_day: datetime.date | None = Field(description="Null where nothing in the evidence is dated.")
    last_day: datetime.date | None
    notes: int


class MemberPage(BaseModel):
    items: list[Member]
    next: int | None = Field(description="Ask for `after` this; null at the end.")


class EvidenceRow(BaseModel):
    patient_no: int
    day: datetime.date | None = Field(description="Null where it is not known.")
    note_key: int | None = Field(description="Null where a structured fact shows it.")


class EvidencePage(BaseModel):
    items: list[EvidenceRow]
    next: int | None = Field(description="Ask for `after` this; null at the end.")


class MovedEvidence(BaseModel):
    """A piece of evidence that came, went or was rewritten."""

    moved: Moved
    note: str | None = Field(description="The id in the source, where the note is still there.")
    key: int | None = Field(description="Null where it is a structured fact.")
    day: datetime.date | None
    why: Reason


class MovedPatient(BaseModel):
    patient: str | None = Field(description="The id in the source.")
    number: int
    evidence: list[MovedEvidence]


class Changes(BaseModel):
    """From a version to a later one, or to what its query finds now. Numbers and reasons are of all patients, the
    lists of this page's."""

    old: str = Field(alias="from", description="NAME@1.")
    new: str | None = Field(alias="to", description="NAME@2; null: now.")
    generation: str = Field(description="The state of the index then or now.")
    patients: dict[Literal["from", "to"], int]
    counts: dict[Literal["new", "gone", "changed"], int]
    reasons: dict[Literal["new", "gone", "changed"], dict[Reason, int]]
    other_than_before: list[str] = Field(description="What else is other: the query, the lexicon, the rules, …")
    new_patients: list[MovedPatient] = Field(alias="new")
    gone: list[MovedPatient]
    changed: list[MovedPatient] = Field(description="In both, by other evidence.")
    next: int | None = Field(description="Ask for `after` this; null at the end.")


class Overlap(BaseModel):
    only_first: int
    both: int
    only_second: int


class Ages(BaseModel):
    """At the last note of each patient."""

    first: Spread
    second: Spread
    standardised: float | None


class Comparison(BaseModel):
    """Two versions side by side."""

    first: str
    second: str
    patients: Overlap
    age: Ages
    differences: list[Difference] = Field(description="The greatest of each kind first.")


class Patient(BaseModel):
    """What the ledger knows of a patient."""

    no: int
    patient_id: str
    sex: str
    birth_date: datetime.date | None
    death_date: datetime.date | None
    notes: int


class PatientPage(BaseModel):
    items: list[Patient]
    next: int | None = Field(description="Ask for `after` this; null at the end.")


class Note(BaseModel):
    """What is known of a note besides its text."""

    key: int
    note_id: str
    patient_no: int
    patient_id: str
    collection: str
    type: str
    date: datetime.date | None
    title: str
    encounter_id: str
    age: int | None = Field(description="Of the patient at the note, in whole years.")
    version: int
    state: str = Field(description="indexed: it can be found; pending: not yet; failed: not at all.")
    text_version: int = Field(
        description="The version that brought the text; those after it only moved the note to another patient."
    )


class NotePage(BaseModel):
    items: list[Note]
    next: int | None = Field(description="Ask for `after` this; null at the end.")


class WholeNote(Note):
    """A note with its labels. Offsets are in characters of ``text``, half-open."""

    text: str
    sections: list[Section]
    findings: list[Finding]


class ExportedVersion(BaseModel):
    name: str
    version: int


class Export(BaseModel):
    """A cohort handed over."""

    export: int = Field(description="Its number.")
    of: ExportedVersion | None = Field(description="Null where a query was handed over by the command line.")
    format: str
    state: str = Field(description="waiting, running, done or failed.")
    stage: str = Field(description="What ``done`` and ``total`` count: patients or rows.")
    done: int
    total: int
    asked: datetime.datetime
    by: str
    finished: datetime.datetime | None
    problem: str = Field(description="Why it failed, or waits.")
    files: list[str] = Field(description="What can be fetched, once it is done; nothing of one written elsewhere.")


class ExportPage(BaseModel):
    items: list[Export]
    next: int | None = Field(description="Ask for `after` this; null at the end.")


FILE = {"description": "The file.", "content": {"application/octet-stream": {"schema": {"type": "string"}}}}
