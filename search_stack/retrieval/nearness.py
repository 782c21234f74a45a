"""How near the passages of a note are to a query, by the vectors that the index holds: no note is encoded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PassageNear:
    """Where a passage stands in its note, and how near it is to the query."""

    passage_id: str
    note_key: int
    note_version: int
    begin: int
    end: int
    section: str
    cosine: float
    """-1 to 1; it hardly tells "effusion" from "no effusion"."""


def read_near(raw: Mapping[str, Any]) -> PassageNear:
    """A hit of `search_stack.retrieval.dsl.near_in`."""
    source = raw["_source"]
    return PassageNear(
        passage_id=raw["_id"],
        note_key=source["note_key"],
        note_version=source["note_version"],
        begin=source["begin"],
        end=source["end"],
        section=source["section"] or source["aspect"],
        cosine=2 * raw["_score"] - 1,
    )
