"""What a Patient says of other Patients who are the same person."""

from __future__ import annotations

from collections.abc import Iterator

from ingest.readers.fhir.references import Reference, reference
from ingest.readers.fhir.tree import Resource, every, text
from ingest.readers.record import FieldError


def links(patient: Resource) -> Iterator[tuple[str, Reference]]:
    """Who replaces the patient ("replaced-by"), and whom the patient replaces ("replaces").

    Raises:
        FieldError: a link names nobody.
    """
    for link in every(patient, "link"):
        kind, other = text(link, "type"), reference(link, "other")
        if kind in ("replaced-by", "replaces"):
            if other is None:
                raise FieldError("link", "names no patient")
            if other.of("Patient"):
                yield kind, other
