"""The resources that stand together in a Bundle, each as if it stood on a line of its own; also those that the server
has deleted, of which bulk exports tell in Bundles of the type transaction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ingest.readers.fhir.references import located
from ingest.readers.fhir.tree import Resource, every, one, text
from ingest.readers.record import FieldError

READ = ("collection", "transaction", "batch", "searchset", "document")
"""Types of a Bundle. Others tell of one resource several times, as history, or of what is not yet so, as message."""


@dataclass(frozen=True, slots=True)
class Entry:
    resource: Resource
    """Of one that is deleted, type and id alone."""
    deleted: bool = False


def entries(resource: Resource) -> Iterator[Entry | FieldError]:
    """The resource itself, or those of the Bundle that it is.

    Raises:
        FieldError: a Bundle of a type that cannot be read as resources side by side.
    """
    if resource.get("resourceType") != "Bundle":
        yield Entry(resource)
        return
    if text(resource, "type") not in READ:
        raise FieldError("type", f"of a Bundle, is none of {', '.join(READ)}")
    for entry in every(resource, "entry"):
        try:
            if (found := _entry(entry)) is not None:
                yield found
        except FieldError as e:
            yield e


def _entry(entry: Resource) -> Entry | None:
    request = one(entry, "request")
    if text(request, "method") == "DELETE":
        gone = located(text(request, "url"))
        if gone is None or not gone.type or not gone.id:
            raise FieldError("request", "deletes what has no type or no id")
        return Entry({"resourceType": gone.type, "id": gone.id}, deleted=True)
    resource = one(entry, "resource")
    if not resource:
        return None
    at = located(text(entry, "fullUrl"))
    return Entry(resource if text(resource, "id") or at is None or not at.id else {**resource, "id": at.id})
