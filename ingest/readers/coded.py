"""Structured facts as the readers of clinical databases make them: one code of one event."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from ingest.readers.facts import system, unit
from ingest.readers.fields import identifier, label
from search_stack.core.schema import StructuredFact


@dataclass(frozen=True, slots=True)
class Code:
    """A code of a coding system, named as in `ingest.readers.systems`."""

    system: str
    code: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """What the codes of one record share."""

    patient_id: str
    collection: str
    day: date | None = None
    encounter_id: str = ""
    value: float | None = None
    unit: str = ""

    def fact(self, code: Code) -> StructuredFact:
        """
        Raises:
            FieldError: the code or the unit cannot be kept.
        """
        return StructuredFact(
            patient_id=self.patient_id,
            system=system(code.system),
            code=" ".join(identifier(code.code, "code").split()),
            day=self.day,
            name=" ".join(label(code.name).split()),
            value=self.value,
            unit=unit(self.unit),
            encounter_id=self.encounter_id,
            collection=self.collection,
        )
