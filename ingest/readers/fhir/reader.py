"""FHIR R4, in bulk NDJSON or as servers answer: notes, patients and structured facts from one export.

Fields are read by hand, and only those that are needed. The library fhir-resources would validate each
resource whole, which costs more than it gives: of 10,000 resources it takes 1 ms each, where to parse the JSON
takes 0.08 ms, and it refuses a whole note for an id with an underscore, a date without a zone, an empty description or
a field of another release, all of which servers write. What is needed and cannot be taken rejects the line,
by the field's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from ingest.readers import jsonl_reader
from ingest.readers.fhir.bundles import Entry
from ingest.readers.fhir.documents import document, is_withdrawn, note_id, report
from ingest.readers.fhir.events import EVENT_TYPES, event, event_id
from ingest.readers.fhir.export import TYPE, Export, Told, folder_of, is_fhir
from ingest.readers.fhir.lookups import Lookups
from ingest.readers.fhir.people import merges, patient
from ingest.readers.fhir.tree import Resource
from ingest.readers.format import Format, Rank, Request
from ingest.readers.record import FactRecord, FieldError, Item, Record, SkippedError, Withdrawn, outcomes
from ingest.readers.source import Opened, Source, Work
from search_stack.core.errors import AspectraError

LOOKED_AT = 5
"""Files of a folder whose heads are looked at before it is taken for something else."""
NOTHING = "resource of a type that brings nothing by itself"
_NAME = re.compile(r"[A-Z][A-Za-z]{1,59}")


@dataclass(frozen=True, slots=True)
class _Reading:
    request: Request
    export: Export
    lookups: Lookups
    collection: str

    def records(self) -> Iterator[Record]:
        """At least one for each line that is not blank."""
        for part in self.export.parts():
            for told in part.told:
                for item in outcomes(partial(self._items, told), part.file, part.line):
                    yield Record(item, part.done, place=(part.file, part.line))

    def _items(self, entry: Told) -> Iterable[Item | FieldError]:
        if not isinstance(entry, Entry):
            raise entry
        resource = entry.resource
        kind = resource.get(TYPE)
        if not isinstance(kind, str) or not _NAME.fullmatch(kind):
            raise FieldError(TYPE, "empty, or no type of a resource")
        if entry.deleted:
            return [self._deleted(resource, kind)]
        match kind:
            case "Patient":
                return [self.request.within(patient(resource)), *merges(resource, self.lookups)]
            case "DocumentReference" | "DiagnosticReport" if is_withdrawn(resource):
                return [Withdrawn(note_id(resource, kind), self.collection)]
            case "DocumentReference":
                return [self.request.within(document(resource, self.lookups, self.collection))]
            case "DiagnosticReport":
                return [self.request.within(report(resource, self.lookups, self.collection))]
            case "Bundle":
                raise FieldError(TYPE, "a Bundle within a Bundle")
            case _ if kind in EVENT_TYPES:
                return event(resource, self.lookups, self.collection)
        raise SkippedError(NOTHING)

    def _deleted(self, resource: Resource, kind: str) -> Item:
        if kind in ("DocumentReference", "DiagnosticReport"):
            return Withdrawn(note_id(resource, kind), self.collection)
        if kind in EVENT_TYPES:
            return FactRecord(event_id(resource), self.collection, reason=f"{kind} that was deleted")
        raise SkippedError("Patient that was deleted: see aspectra forget" if kind == "Patient" else NOTHING)


def _open(request: Request) -> Source:
    folder = folder_of(request.path, request.follow_links)
    if next(folder.files(), None) is None:
        linked = " but symbolic links" if folder.links else ""
        raise AspectraError(
            f"Folder {request.path} holds no .ndjson file, and no .json file of a resource{linked}.",
            "Name the folder of a bulk export; --follow-links reads links to files.",
        )
    export = Export(folder)
    reading = _Reading(request, export, Lookups(export.resources), request.collection_name())
    work = Work(folder.total_bytes(), "bytes")
    return Opened(request.path.name, request.where, "fhir", reading.collection, work, reading.records, folder.remarks)


def _recognise(request: Request) -> Rank:
    if request.kind == "file":
        heads = [request.path] if jsonl_reader.FORMAT.rank(request) > Rank.NO else []
    elif request.kind == "folder":
        files = folder_of(request.path, request.follow_links).files()
        heads = [file for file, _ in zip(files, range(LOOKED_AT), strict=False)]
    else:
        heads = []
    return Rank.CONTENT if any(map(is_fhir, heads)) else Rank.NO


FORMAT = Format("fhir", _open, recognise=_recognise, holds=("file", "folder"))
