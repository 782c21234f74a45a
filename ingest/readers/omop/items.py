"""From rows of the tables to notes, patients and structured facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ingest.readers.coded import Code, Event
from ingest.readers.days import birth_of
from ingest.readers.fields import label, note_text, sex
from ingest.readers.omop.concepts import ConceptRow, Concepts
from ingest.readers.omop.tables import DEATH, EVENT_TABLES, MEASUREMENT, NOTE, PERSON, EventTable, Table
from ingest.readers.omop.values import Row, concept, day, decimal, key, key_if_any, text, whole
from ingest.readers.record import FieldError, SkippedError
from ingest.readers.systems import LOCAL, OMOP
from search_stack.core.schema import Note, Patient, Person, StructuredFact

SEXES = {8507: "male", 8532: "female"}
EXACT = frozenset({0, 4172703})
"""Operators of a value that is what was measured: none, and "=". Others say that it is below or above."""


def concept_row(row: Row) -> ConceptRow:
    """
    Raises:
        FieldError: it has no id or no code.
    """
    id = concept(row, "concept_id")
    code = text(row, "concept_code").strip()
    if not code:
        raise FieldError("concept_code", "empty")
    return id, text(row, "vocabulary_id"), code, text(row, "concept_name").strip()


def patient(row: Row) -> Patient:
    """
    Raises:
        FieldError: it has no id, or there is no such birthday.
    """
    gender = SEXES.get(concept(row, "gender_concept_id")) or sex(text(row, "gender_source_value"))
    born = day(row, "birth_datetime")
    if born is None and (year := whole(row, "year_of_birth")) is not None:
        born = birth_of(year, whole(row, "month_of_birth"), whole(row, "day_of_birth"), "year_of_birth")
    return Patient(key(row, "person_id"), Person(gender, born))


def dead(row: Row) -> Patient:
    """
    Raises:
        FieldError: it has no id, or the day is none.
    """
    return Patient(key(row, "person_id"), Person(death_date=day(row, "death_date", "death_datetime")))


def note(row: Row, concepts: Concepts, collection: str) -> Note:
    """
    Raises:
        FieldError: a field cannot be taken.
    """
    kinds = (concepts.name(concept(row, column)) for column in ("note_class_concept_id", "note_type_concept_id"))
    return Note(
        note_id=key(row, "note_id"),
        text=note_text(text(row, "note_text")),
        patient_id=key(row, "person_id"),
        type=label(next(filter(None, kinds), "")),
        date=day(row, "note_date", "note_datetime"),
        title=label(text(row, "note_title")),
        collection=collection,
        encounter_id=key_if_any(row, "visit_occurrence_id"),
    )


def facts(row: Row, events: EventTable, concepts: Concepts, collection: str) -> Iterator[StructuredFact | FieldError]:
    """A fact for the standard concept of an event, and one for the source's code where it is another.

    Raises:
        FieldError: it has no patient, or a field of it cannot be taken.
        SkippedError: it has no code at all.
    """
    value, unit = _measured(row, concepts) if events is MEASUREMENT else (None, "")
    event = Event(
        key(row, "person_id"), collection, day(row, *events.days), key_if_any(row, "visit_occurrence_id"), value, unit
    )
    codes = _codes(row, events, concepts)
    if not codes:
        raise SkippedError("event without a concept and without a code of the source")
    for code in codes:
        try:
            yield event.fact(code)
        except FieldError as e:
            yield e


def _codes(row: Row, events: EventTable, concepts: Concepts) -> list[Code]:
    """The source's own value is a code where no concept says what it is."""
    standard, source = concept(row, events.concept), concept(row, events.source_concept)
    found = [concepts.find(id) or Code(OMOP, str(id)) for id in (standard, source) if id]
    written = text(row, events.source_value).strip()
    if written and not (source and concepts.find(source)):
        found.append(Code(LOCAL, written))
    return list(dict.fromkeys(found))


def _measured(row: Row, concepts: Concepts) -> tuple[float | None, str]:
    """The number, and its unit. "Below 5" is no number: its fact has none."""
    unit = concepts.find(concept(row, "unit_concept_id"))
    written = text(row, "value_source_value").strip()
    exact = concept(row, "operator_concept_id") in EXACT and not written.startswith(("<", ">", "≤", "≥"))
    number = decimal(row, "value_as_number")
    return number if exact else None, unit.code if unit else text(row, "unit_source_value").strip()


def items(
    row: Row, table: Table, concepts: Concepts, collection: str
) -> Iterable[Note | Patient | StructuredFact | FieldError]:
    """What a row of ``table``, other than CONCEPT, brings.

    Raises:
        FieldError: a field that is needed cannot be taken.
        SkippedError: it brings nothing.
    """
    if table is PERSON:
        return [patient(row)]
    if table is DEATH:
        return [dead(row)]
    if table is NOTE:
        return [note(row, concepts, collection)]
    return facts(row, EVENT_TABLES[table.name], concepts, collection)
