"""The tables of the Common Data Model 5.4 that are read, and their columns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    needed: tuple[str, ...]
    optional: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.needed, *self.optional)

    @property
    def id(self) -> str:
        """Column of the rows' own ids, where the table has such."""
        return f"{self.name}_id"


@dataclass(frozen=True, slots=True)
class EventTable:
    """Events of a person with a standard concept, a source concept and the source's own code."""

    table: Table
    concept: str
    source_concept: str
    source_value: str
    days: tuple[str, str]
    """Its date, and the date-time that stands for it where it is empty."""


def _events(name: str, prefix: str, start: str, *more: str) -> EventTable:
    days = (f"{start}_date", f"{start}_datetime")
    codes = (f"{prefix}_concept_id", f"{prefix}_source_concept_id", f"{prefix}_source_value")
    optional = (*codes[1:], *days, "visit_occurrence_id", *more)
    return EventTable(Table(name, ("person_id", codes[0]), optional), *codes, days)


CONCEPT = Table("concept", ("concept_id", "concept_name", "vocabulary_id", "concept_code"))
PERSON = Table(
    "person",
    ("person_id",),
    (
        "gender_concept_id",
        "gender_source_value",
        "year_of_birth",
        "month_of_birth",
        "day_of_birth",
        "birth_datetime",
    ),
)
DEATH = Table("death", ("person_id",), ("death_date", "death_datetime"))
NOTE = Table(
    "note",
    ("note_id", "person_id", "note_text"),
    (
        "note_date",
        "note_datetime",
        "note_title",
        "note_class_concept_id",
        "note_type_concept_id",
        "visit_occurrence_id",
    ),
)
MEASUREMENT = _events(
    "measurement",
    "measurement",
    "measurement",
    "operator_concept_id",
    "value_as_number",
    "value_source_value",
    "unit_concept_id",
    "unit_source_value",
)
EVENTS = (
    _events("condition_occurrence", "condition", "condition_start"),
    _events("drug_exposure", "drug", "drug_exposure_start"),
    _events("procedure_occurrence", "procedure", "procedure"),
    MEASUREMENT,
)
EVENT_TABLES = {e.table.name: e for e in EVENTS}
TABLES = {t.name: t for t in (CONCEPT, PERSON, DEATH, NOTE, *(e.table for e in EVENTS))}
"""In the order in which they are read."""
UNREAD = ("observation", "device_exposure", "specimen", "episode", "note_nlp")
"""Tables with clinical events that are not read: who has them is told."""
