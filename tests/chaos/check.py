"""Whether ledger and index agree with each other and with what was asked for: by id, version and text."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from opensearchpy.helpers import scan

from ingest.ledger import StoredNote
from ingest.ledger.tables import FAILED, INDEXED, PENDING
from search_stack.core.schema import passage_id
from tests.chaos.workload import MARK, Editions, note_id, note_text, patient_id
from tests.engine.conftest import Place

LISTED = 8


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage as the index or a search shows it."""

    id: str
    note_key: int
    note_id: str
    patient_id: str
    begin: int
    end: int
    text: str
    version: int = 0


def edition_of(shown: Shown) -> int:
    """The edition that the text of a passage names.

    Raises:
        ValueError: its text is not one of that note and patient; the message says why.
    """
    marks = {(int(n), int(e)) for n, e in MARK.findall(shown.text)}
    if len(marks) != 1:
        raise ValueError(f"passage {shown.id} names {len(marks)} notes")
    ((number, edition),) = marks
    if shown.note_id != note_id(number):
        raise ValueError(f"passage {shown.id} of {shown.note_id} holds text of {note_id(number)}")
    if shown.patient_id != patient_id(number, edition):
        raise ValueError(f"passage {shown.id} of {shown.note_id} edition {edition} has patient {shown.patient_id}")
    if note_text(number, edition)[shown.begin : shown.end] != shown.text:
        raise ValueError(f"passage {shown.id} is not where it says in {shown.note_id} edition {edition}")
    return edition


def in_index(place: Place, index: str) -> list[Shown]:
    """Every passage of ``index``, as it is stored."""
    place.client.indices.refresh(index=index)
    fields = ["note_key", "note_id", "patient_id", "begin", "end", "text", "note_version"]
    hits = scan(place.client, index=index, size=1000, query={"_source": fields})
    return [_shown(h["_id"], h["_source"]) for h in hits]


def _shown(id: str, source: Mapping[str, Any]) -> Shown:
    values = {name: value for name, value in source.items() if name != "note_version"}
    return Shown(id, **values, version=source["note_version"])


def in_ledger(place: Place) -> dict[int, StoredNote]:
    """Notes by key, but for those that are being deleted or only remembered as such."""
    return {s.key: s for s in place.notes() if s.state in (PENDING, INDEXED, FAILED)}


def unlike_ledger(held: Collection[Shown], stored: Mapping[int, StoredNote]) -> Counter[str]:
    """How many of the passages that an index holds lead to no note, to another one, or to another text of it."""
    wrong: Counter[str] = Counter()
    for shown in held:
        s = stored.get(shown.note_key)
        if s is None:
            wrong["orphaned: no note in the ledger"] += 1
        elif (s.note.note_id, s.note.patient_id) != (shown.note_id, shown.patient_id):
            wrong["wrong: the key leads to another note or patient"] += 1
        elif s.version != shown.version or s.note.text[shown.begin : shown.end] != shown.text:
            wrong["stale: another version or text"] += 1
    places = Counter((s.note_id, s.begin, s.end) for s in held)
    wrong["doubled"] = sum(n - 1 for n in places.values())
    return +wrong


def disagreements(place: Place, wanted: Editions) -> list[str]:
    """Everything in which ledger and index differ from each other or from ``wanted``; empty where they agree."""
    stored = in_ledger(place)
    said = [f"state {s.state}: {s.note.note_id} ({s.last_error})" for s in stored.values() if s.state != INDEXED]
    there = {s.note.note_id: (s.note.patient_id, s.note.text) for s in stored.values()}
    asked = {note_id(n): (patient_id(n, e), note_text(n, e)) for n, e in wanted.items()}
    said += [f"lost from the ledger: {i}" for i in sorted(asked.keys() - there.keys())]
    said += [f"not wanted in the ledger: {i}" for i in sorted(there.keys() - asked.keys())]
    said += [f"another text in the ledger: {i}" for i in sorted(asked.keys() & there.keys()) if asked[i] != there[i]]
    live = place.indexes.live()
    if live is None:
        return [*said, "no index serves"]
    if place.versions() != [live] or place.ledger.building():
        said.append(f"indexes left beside {live}: {place.versions()}, builds {place.ledger.building()}")
    held = in_index(place, live)
    said += [f"{count} passages {what}" for what, count in sorted(unlike_ledger(held, stored).items())]
    keys = {passage_id(key, ordinal) for key, s in stored.items() for ordinal in range(s.passages)}
    if lacking := keys - {s.id for s in held}:
        said.append(f"missing from the index: {len(lacking)} passages, such as {min(lacking)}")
    if extra := {s.id for s in held} - keys:
        said.append(f"too many in the index: {len(extra)} passages, such as {min(extra)}")
    # What a whole new preparation of the ledger's texts gives, to the character.
    if not said and place.found() != place.expected():
        said.append("the index holds other passages than the texts give")
    return said


def settled(place: Place, wanted: Editions, patience: float) -> list[str]:
    """`disagreements`, once there are none or ``patience`` seconds have passed: what sweeps may take a while."""
    deadline = time.monotonic() + patience
    while (said := disagreements(place, wanted)) and time.monotonic() < deadline:
        time.sleep(2)
    return said if len(said) <= LISTED else [*said[:LISTED], f"and {len(said) - LISTED} more"]
