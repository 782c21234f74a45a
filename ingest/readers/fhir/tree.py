"""Values of a resource, read with care: nobody has checked it against the standard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ingest.readers.fields import as_string
from ingest.readers.record import FieldError

Resource = Mapping[str, Any]


def text(element: Resource, key: str) -> str:
    """A string without blanks around it; empty where there is none.

    Raises:
        FieldError: it is neither a string nor a whole number.
    """
    return as_string(element.get(key), key).strip()


def one(element: Resource, key: str) -> Resource:
    """An element with fields of its own; empty where there is none. Of a list, as other releases of FHIR have it, the
    first.

    Raises:
        FieldError: it has no fields.
    """
    return next(every(element, key), {})


def every(element: Resource, key: str) -> Iterator[Resource]:
    """The elements of a list, or the one that stands there without a list.

    Raises:
        FieldError: one has no fields.
    """
    value = element.get(key)
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, dict):
            yield part
        elif part is not None:
            raise FieldError(key, "not an object")


def codes(element: Resource, key: str) -> set[str]:
    """The codes of a status, in small letters: of a concept, or the plain code of other releases of FHIR.

    Raises:
        FieldError: it is neither.
    """
    if isinstance(element.get(key), str):
        return {text(element, key).lower()}
    return {text(coding, "code").lower() for coding in every(one(element, key), "coding")} - {""}


def named(element: Resource, key: str) -> str:
    """What a concept is called: its text, or the name or the code of its first coding that has one.

    Raises:
        FieldError: it is no concept.
    """
    concept = one(element, key)
    codings = list(every(concept, "coding"))
    names = (text(concept, "text"), *(text(c, "display") for c in codings), *(text(c, "code") for c in codings))
    return next(filter(None, names), "")
