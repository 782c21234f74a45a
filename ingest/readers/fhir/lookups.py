"""What a reference may only be followed to with the whole export in hand: a patient by an identifier, a medication, and
the content of an attachment. Each is read once, and only if some resource asks for it; so what is kept grows with the
patients and the medications of an export, not with its events, and on the disk with its texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from functools import cached_property

from ingest.readers.coded import Code
from ingest.readers.fhir.binaries import Binaries
from ingest.readers.fhir.codings import codes_of
from ingest.readers.fhir.links import links
from ingest.readers.fhir.tree import Resource, every, one, text
from ingest.readers.record import FieldError


class Lookups:
    def __init__(self, resources: Callable[[str], Iterator[Resource]]) -> None:
        self._resources = resources
        """All sound resources of a type in the export."""

    def patient(self, system: str, value: str) -> str | None:
        """The id of the patient with this identifier; empty where there are two, None where there is none."""
        return self._patients.get((system, value))

    def medication(self, id: str) -> list[Code] | None:
        """Codes of the medication with this id; None where it is not in the export."""
        return self._medications.get(id)

    def binary(self, id: str) -> Resource | None:
        """Content type and data of the Binary with this id; None where it is not in the export."""
        return self._binaries.find(id)

    @cached_property
    def _binaries(self) -> Binaries:
        return Binaries(self._resources("Binary"))

    @cached_property
    def _patients(self) -> dict[tuple[str, str], str]:
        owners: dict[tuple[str, str], tuple[str, ...]] = {}
        replaced: set[str] = set()
        for patient in self._resources("Patient"):
            try:
                keys = [(text(i, "system"), text(i, "value")) for i in every(patient, "identifier")]
                id = text(patient, "id")
            except FieldError:
                continue  # its own line is rejected for that
            with suppress(FieldError):
                replaced |= {id if kind == "replaced-by" else other.id for kind, other in links(patient)}
            for system, value in keys:
                for key in {(system, value), ("", value)}:
                    owners[key] = tuple(dict.fromkeys((*owners.get(key, ()), id)))
        return {key: _one_of(ids, replaced) for key, ids in owners.items()}

    @cached_property
    def _medications(self) -> dict[str, list[Code]]:
        found: dict[str, list[Code]] = {}
        for medication in self._resources("Medication"):
            try:
                found[text(medication, "id")] = codes_of(one(medication, "code"))
            except FieldError:
                continue
        return found


def _one_of(ids: Sequence[str], replaced: Collection[str]) -> str:
    """Whose an identifier is, which who stays shares with those who are replaced; empty where two remain."""
    left = [id for id in ids if id not in replaced] or ids
    return left[0] if len(left) == 1 else ""
