"""The resources that stand together in a Bundle, each as if it stood on a line of its own; also those that the server
has deleted, of which bulk exports tell in Bundles of the type transaction, and servers in histories."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ingest.readers.fhir.references import located
from ingest.readers.fhir.tree import Resource, every, one, text
from ingest.readers.record import FieldError

HISTORY = "history"
READ = ("collection", "transaction", "batch", "searchset", "document", HISTORY)
"""Types of a Bundle. Others tell of what is not yet so, as message, or of what became of a request."""
_VERSION = re.compile(r'(?:^|/_history/|")(\d{1,18})"?$')


@dataclass(frozen=True, slots=True)
class Stamp:
    """Which version of a resource an entry of a history is."""

    at: datetime | None
    number: int | None
    place: tuple[int, int, int] = (0, 0, 0)
    """Of the entry in the export."""

    def newer(self, other: Stamp) -> bool:
        """By time, else by number; a history tells the newest first."""
        if self.at and other.at and self.at != other.at:
            return self.at > other.at
        if self.number is not None and other.number is not None and self.number != other.number:
            return self.number > other.number
        return self.place < other.place


@dataclass(frozen=True, slots=True)
class Entry:
    resource: Resource
    """Of one that is deleted, type and id alone."""
    deleted: bool = False
    stamp: Stamp | None = None
    """Of an entry of a history."""


def entries(resource: Resource) -> Iterator[Entry | FieldError]:
    """The resource itself, or those of the Bundle that it is.

    Raises:
        FieldError: a Bundle of a type that cannot be read as resources side by side.
    """
    if resource.get("resourceType") != "Bundle":
        yield Entry(resource)
        return
    kind = bundle_type(resource)
    for element in every(resource, "entry"):
        yield from entry(element, kind)


def bundle_type(bundle: Resource) -> str:
    """
    Raises:
        FieldError: as of `entries`.
    """
    if (kind := text(bundle, "type")) not in READ:
        raise FieldError("type", f"of a Bundle, is none of {', '.join(READ)}")
    return kind


def entry(element: Resource, kind: str) -> Iterator[Entry | FieldError]:
    """What an entry of a Bundle of that type brings; nothing where it has no resource."""
    try:
        found = _entry(element)
        if found and kind == HISTORY:
            found = replace(found, stamp=_stamp(element, found.resource))
    except FieldError as e:
        yield e
        return
    if found is not None:
        yield found


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


def _stamp(entry: Resource, resource: Resource) -> Stamp:
    meta, response, request = one(resource, "meta"), one(entry, "response"), one(entry, "request")
    times = (_instant(text(meta, "lastUpdated")), _instant(text(response, "lastModified")))
    told = (text(meta, "versionId"), text(response, "etag"), text(request, "url"), text(entry, "fullUrl"))
    numbers = (int(found[1]) for one in told if (found := _VERSION.search(one)))
    return Stamp(next(filter(None, times), None), next(numbers, None))


def _instant(written: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(written)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
