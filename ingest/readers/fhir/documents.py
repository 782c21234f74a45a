"""Notes: DocumentReference and DiagnosticReport."""

from __future__ import annotations

from ingest.readers.fhir.attachments import best, narrative, resolved
from ingest.readers.fhir.lookups import Lookups
from ingest.readers.fhir.subjects import day, encounter_id, patient_id
from ingest.readers.fhir.tree import Resource, codes, every, named, one, text
from ingest.readers.fields import identifier, label, note_text
from ingest.readers.record import FieldError, SkippedError
from search_stack.core.schema import Note

WITHDRAWN = frozenset({"entered-in-error", "superseded", "cancelled"})
"""Of a document or a report that nobody should read any more."""


def document(resource: Resource, lookups: Lookups, collection: str) -> Note:
    """The note of a DocumentReference: its attachments are one document, in several forms or parts.

    Raises:
        FieldError: it has no text that can be read, or no patient.
    """
    attachments = [one(content, "attachment") for content in every(resource, "content")]
    context = one(resource, "context")
    attachment, written = _attached(attachments, resource, lookups, _told(resource))
    if not written:
        raise FieldError("text", "empty")
    return Note(
        note_id=note_id(resource, "DocumentReference"),
        text=note_text(written),
        patient_id=patient_id(resource, lookups),
        type=label(named(resource, "type") or named(resource, "category")),
        date=day(resource, ("date",)) or day(attachment, ("creation",)) or day(context, ("period",)),
        title=label(text(attachment, "title") or text(resource, "description")),
        collection=collection,
        encounter_id=encounter_id(context, "encounter") or encounter_id(resource, "encounter"),
    )


def report(resource: Resource, lookups: Lookups, collection: str) -> Note:
    """The note of a DiagnosticReport: the report as it was issued, or else what the resource itself says of it.

    Raises:
        FieldError: it has no text that can be read, or no patient.
        SkippedError: it holds results without a text.
    """
    attachment, written = _attached(list(every(resource, "presentedForm")), resource, lookups, _reported(resource))
    if not written:
        raise SkippedError("DiagnosticReport without a text")
    return Note(
        note_id=note_id(resource, "DiagnosticReport"),
        text=note_text(written),
        patient_id=patient_id(resource, lookups),
        type=label(named(resource, "category") or named(resource, "code")),
        date=day(resource, ("effectiveDateTime", "effectivePeriod", "issued")),
        title=label(text(attachment, "title") or named(resource, "code")),
        collection=collection,
        encounter_id=encounter_id(resource, "encounter", "context"),
    )


def is_withdrawn(resource: Resource) -> bool:
    return any(codes(resource, key) & WITHDRAWN for key in ("status", "docStatus"))


def note_id(resource: Resource, kind: str) -> str:
    """
    Raises:
        FieldError: it has no id.
    """
    return f"{kind}/{identifier(text(resource, 'id'), 'id')}"


def _attached(
    attachments: list[Resource], resource: Resource, lookups: Lookups, otherwise: str
) -> tuple[Resource, str]:
    """The attachment that is read, and its text; without one that can be read and is not empty, ``otherwise`` is the
    text."""
    try:
        found, written = best([resolved(attachment, resource, lookups.binary) for attachment in attachments])
    except FieldError:
        if otherwise:
            return {}, otherwise
        raise
    return (found, written) if written else ({}, otherwise)


def _told(document: Resource) -> str:
    """The narrative, where it is more than the resource's fields once more."""
    part = document.get("text")
    generated = isinstance(part, dict) and text(part, "status") in ("generated", "extensions")
    return "" if generated else narrative(document)


def _reported(report: Resource) -> str:
    """The narrative and the conclusion, which is a section where the narrative does not hold it."""
    told, conclusion = narrative(report), text(report, "conclusion")
    if not conclusion or " ".join(conclusion.split()) in " ".join(told.split()):
        return told
    return f"{told}\n\nCONCLUSION:\n{conclusion}" if told else conclusion
