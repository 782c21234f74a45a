"""References between resources, in the forms that servers write."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ingest.readers.fhir.tree import Resource, one, text
from ingest.readers.record import FieldError

_TYPE = re.compile(r"[A-Z][A-Za-z]+")
_QUERY = re.compile(r"(?P<type>[A-Z][A-Za-z]+)\?identifier=(?P<token>[^&]+)")


@dataclass(frozen=True, slots=True)
class Reference:
    """What is pointed at: a resource by its id, or by an identifier such as a hospital's number."""

    type: str
    """Of the resource; empty where the reference does not say."""
    id: str = ""
    contained: bool = False
    """Whether ``id`` is that of a part of the resource itself."""
    system: str = ""
    identifier: str = ""

    def of(self, type: str) -> bool:
        return self.type in ("", type)


def reference(element: Resource, key: str) -> Reference | None:
    """The reference at ``key``; None where there is none.

    ``Patient/1``, ``https://server/fhir/Patient/1/_history/2``, ``urn:uuid:…``, ``#p``,
    ``Patient?identifier=system|1``, a bare id, or an identifier without any of these.

    Raises:
        FieldError: it points nowhere.
    """
    found = one(element, key)
    if not found:
        return None
    kind = text(found, "type").rpartition("/")[2]
    where = text(found, "reference")
    if where:
        return _located(where, kind, key)
    identifier = one(found, "identifier")
    if value := text(identifier, "value"):
        return Reference(kind, system=text(identifier, "system"), identifier=value)
    if text(found, "display"):
        return None  # a name alone
    raise FieldError(key, "a reference that points nowhere")


def located(where: str) -> Reference | None:
    """What an address points at; None where it is that of no resource."""
    try:
        return _located(where, "", "url")
    except FieldError:
        return None


def _located(where: str, kind: str, key: str) -> Reference:
    if where.startswith("#"):
        return Reference(kind, where[1:], contained=True)
    if where.lower().startswith("urn:"):
        return Reference(kind, where.rpartition(":")[2])
    if query := _QUERY.search(where):
        system, _, value = query["token"].rpartition("|")
        return Reference(query["type"], system=system, identifier=value)
    path = where.partition("?")[0].partition("#")[0].partition("|")[0].partition("/_history")[0]
    *before, id = path.split("/")
    if not before:
        return Reference(kind, id)
    if not _TYPE.fullmatch(before[-1]):
        raise FieldError(key, "a reference that points nowhere")
    return Reference(before[-1], id)


def contained(resource: Resource, id: str) -> Resource | None:
    """The part of ``resource`` that has this id."""
    parts = resource.get("contained")
    found = (p for p in parts if isinstance(p, dict)) if isinstance(parts, list) else ()
    return next((p for p in found if p.get("id") in (id, f"#{id}")), None)
