"""What the Binary resources of an export hold. They may be larger than all the rest of it together, so they lie in a
temporary database, and of what nobody can read only the type."""

from __future__ import annotations

from collections.abc import Iterable

from ingest.readers.fhir.attachments import kind_of, may_be_text
from ingest.readers.fhir.tree import Resource, text
from ingest.readers.record import FieldError
from ingest.readers.scratch import filling, scratch_database


class Binaries:
    def __init__(self, resources: Iterable[Resource]) -> None:
        self._db = scratch_database()
        self._db.execute("CREATE TABLE binary (id TEXT PRIMARY KEY, type TEXT, data TEXT)")
        with filling(self._db, "The resources of type Binary"):
            for resource in resources:
                try:
                    id, type, data = (text(resource, key) for key in ("id", "contentType", "data"))
                except FieldError:
                    continue  # who points at it is told that it is not there
                row = (id, type, data if may_be_text(kind_of(type)) else "")
                self._db.execute("INSERT OR IGNORE INTO binary VALUES (?, ?, ?)", row)

    def find(self, id: str) -> Resource | None:
        found = self._db.execute("SELECT type, data FROM binary WHERE id = ?", (id,)).fetchone()
        return {"contentType": found[0], "data": found[1]} if found else None
