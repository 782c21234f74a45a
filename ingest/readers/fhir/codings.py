"""Concepts of FHIR as codes."""

from __future__ import annotations

from ingest.readers import systems
from ingest.readers.coded import Code
from ingest.readers.fhir.tree import Resource, every, text


def codes_of(concept: Resource) -> list[Code]:
    """Each coding of the concept once; where there is none its text, as a code of no system.

    Raises:
        FieldError: a coding is none.
    """
    named = text(concept, "text")
    found: dict[tuple[str, str], Code] = {}
    for coding in every(concept, "coding"):
        system, code = systems.of_uri(text(coding, "system")), text(coding, "code")
        if code:
            found.setdefault((system, code), Code(system, code, text(coding, "display") or named))
    return list(found.values()) or ([Code(systems.LOCAL, named, named)] if named else [])
