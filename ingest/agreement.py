"""Whether the index holds what the ledger says, passage by passage."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal

from opensearchpy import OpenSearch

from ingest.ledger import Ledger, StoredNote
from ingest.ledger.tables import INDEXED
from search_stack.core.client import engine_errors
from search_stack.core.settings import Settings

Kind = Literal["other note", "orphaned", "stale", "missing", "ahead"]
MEANING: dict[Kind, str] = {
    "other note": "passages lead to another note",
    "orphaned": "passages belong to no note of the ledger",
    "stale": "passages are of an earlier version of their note, or say something else",
    "missing": "notes lack passages",
    "ahead": "passages are of a later version than the ledger's note",
}
RANGE = 200
"""Keys of notes that are compared at a time."""
PAGE = 2000
_FIELDS = ["note_id", "note_key", "note_version", "patient_id", "note_type", "date", "title", "collection"]
_PLACE = ["ordinal", "begin", "end", "text"]
Source = Mapping[str, Any]


@dataclass(slots=True)
class Agreement:
    """What a comparison found. ``notes`` and ``passages`` were looked at; ``notes`` counts those of the ledger."""

    notes: int = 0
    passages: int = 0
    differences: Counter[Kind] = field(default_factory=Counter)
    keys: set[int] = field(default_factory=set)
    """Keys of notes, of the ledger's or the index's, that differ."""

    def __str__(self) -> str:
        """One line without any id."""
        said = [f"{n:,} {MEANING[kind]}" for kind, n in sorted(self.differences.items())]
        return "; ".join(said) if said else f"{self.notes:,} notes and their {self.passages:,} passages agree"


def compare(ledger: Ledger, client: OpenSearch, settings: Settings, index: str, ranges: Iterable[range]) -> Agreement:
    """Compare notes and passages whose key lies in ``ranges``.

    Of a note that is indexed every passage must be there, of its version, with its text at its place. Of
    any other only whose note it is can be told. A range that differs is looked at once more, since workers go on.
    """
    whole = Agreement()
    for keys in ranges:
        found = _compare(ledger, client, settings, index, keys)
        if found.differences:
            with engine_errors(settings):
                client.indices.refresh(index=index)
            found = _compare(ledger, client, settings, index, keys)
        whole.notes += found.notes
        whole.passages += found.passages
        whole.differences += found.differences
        whole.keys |= found.keys
    return whole


def every_range(ledger: Ledger, greatest: int) -> Iterator[range]:
    """All keys up to that of the last note, and all beyond up to ``greatest``, where no passage may be."""
    last = max(ledger.greatest_key(), greatest)
    for first in range(1, last + 1, RANGE):
        yield range(first, min(first + RANGE, last + 1))


def some_ranges(ledger: Ledger, greatest: int, count: int = 4) -> Iterator[range]:
    """``count`` of those that hold a note of the ledger or the last of the index, drawn at random; all where there
    are no more."""
    held = {*ledger.stretches(RANGE), *([(greatest - 1) // RANGE] if greatest else [])}
    for n in held if len(held) <= count else random.sample(sorted(held), count):
        yield range(n * RANGE + 1, (n + 1) * RANGE + 1)


def greatest_key(client: OpenSearch, settings: Settings, index: str) -> int:
    """The greatest note key of any passage; 0 where there is none."""
    body = {"size": 0, "aggs": {"greatest": {"max": {"field": "note_key"}}}}
    with engine_errors(settings):
        return int(client.search(index=index, body=body)["aggregations"]["greatest"]["value"] or 0)


def _compare(ledger: Ledger, client: OpenSearch, settings: Settings, index: str, keys: range) -> Agreement:
    # The index first: a note is in the ledger before any of its passages is in the index.
    by_key = {k: list(g) for k, g in groupby(_passages(client, settings, index, keys), key=lambda s: s["note_key"])}
    stored = {s.key: s for s in ledger.between(keys.start - 1, keys.stop - 1)}
    out = Agreement(len(stored), sum(map(len, by_key.values())))
    for key in by_key.keys() | stored.keys():
        said = list(_differences(stored.get(key), by_key.get(key, [])))
        out.differences.update(said)
        if said:
            out.keys.add(key)
    return out


def _differences(stored: StoredNote | None, passages: Sequence[Source]) -> Iterator[Kind]:
    if stored is None:
        for _ in passages:
            yield "orphaned"
        return
    for p in passages:
        if p["note_id"] != stored.note.note_id:
            yield "other note"
        elif p["note_version"] > stored.version:
            yield "ahead"
        elif stored.state == INDEXED and not _is_of(p, stored):
            yield "stale"
    if stored.state == INDEXED and {p["ordinal"] for p in passages} != set(range(stored.passages)):
        yield "missing" if len(passages) < stored.passages else "stale"


def _is_of(passage: Source, stored: StoredNote) -> bool:
    note = stored.note
    day = note.date.isoformat() if note.date else None
    about = (note.note_id, stored.key, stored.version, note.patient_id, note.type, day, note.title, note.collection)
    text = note.text[passage["begin"] : passage["end"]]
    return tuple(passage[name] for name in _FIELDS) == about and passage["text"] == text


def _passages(client: OpenSearch, settings: Settings, index: str, keys: range) -> Iterator[Source]:
    body: dict[str, Any] = {
        "size": PAGE,
        "_source": [*_FIELDS, *_PLACE],
        "track_total_hits": False,
        "query": {"range": {"note_key": {"gte": keys.start, "lt": keys.stop}}},
        "sort": [{"note_key": "asc"}, {"ordinal": "asc"}],
    }
    while True:
        with engine_errors(settings):
            hits = client.search(index=index, body=body)["hits"]["hits"]
        yield from (h["_source"] for h in hits)
        if len(hits) < PAGE:
            return
        body["search_after"] = hits[-1]["sort"]
