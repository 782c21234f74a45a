"""Entries for people to read: as JSON, as a table's cells, as CSV."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from access.audit.entry import Entry, Kept
from access.audit.sealing import Seal
from search_stack.handover.tables import CsvLines, guarded

SEALED = "(sealed with a key that is not here)"
SHOWN = 3
"""Patients that a cell names."""
FIELDS = ("number", "at", "person", "action", "outcome", "patients", "notes", "query", "about", "digest")


def audit_json(kept: Kept, seal: Seal) -> dict[str, Any]:
    """The query is the line that was asked; null where no key here opens it."""
    e = kept.entry
    return {
        "number": kept.number,
        "at": kept.at.isoformat(),
        "person": e.person,
        "action": e.action.value,
        "outcome": e.outcome.value,
        "patients": list(e.patients),
        "notes": list(e.notes),
        "query": seal.opened(e.query),
        "about": dict(e.about),
        "digest": kept.digest,
    }


def summary(entry: Entry, seal: Seal, sought: str = "") -> tuple[str, str]:
    """Patients, first the one who is sought, and all else that was kept, in few words."""
    patients = ", ".join(sorted(entry.patients, key=lambda patient: patient != sought)[:SHOWN])
    if (more := len(entry.patients) - SHOWN) > 0:
        patients = f"{patients} and {more:,} more"
    asked = seal.opened(entry.query) if entry.query else ""
    parts = [SEALED if asked is None else asked, *(f"{name} {value}" for name, value in entry.about.items())]
    return patients, "; ".join(part for part in parts if part)


def csv_lines(entries: Iterable[Kept], seal: Seal) -> Iterator[bytes]:
    """A head, then a line for each entry; no cell is one that a spreadsheet takes for a formula."""
    buffer = io.BytesIO()
    lines = CsvLines(buffer, FIELDS)
    yield buffer.getvalue()
    for kept in entries:
        said = audit_json(kept, seal)
        said["query"] = SEALED if said["query"] is None else said["query"]
        buffer.seek(0)
        buffer.truncate()
        lines.write(guarded(_cell(said[name])) for name in FIELDS)
        yield buffer.getvalue()


def _cell(value: Any) -> str:
    """Lists and dictionaries as JSON, empty ones as nothing."""
    if isinstance(value, list | dict):
        return json.dumps(value, sort_keys=True, ensure_ascii=False) if value else ""
    return str(value)
