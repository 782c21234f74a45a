"""Passages like one that is shown, by the vector that the index holds of it: nothing is encoded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from search_stack.core.schema import ASSERTIONS, Hit
from search_stack.index.engine import Engine
from search_stack.retrieval import dsl
from search_stack.retrieval.hits import read_hit


@dataclass(frozen=True, slots=True)
class Near:
    hit: Hit
    cosine: float
    """-1 to 1."""


@dataclass(frozen=True, slots=True)
class Similar:
    """What is near to a passage, the nearest first; nothing of its own note."""

    passage: Hit
    of_patient: tuple[Near, ...]
    of_others: tuple[Near, ...]
    again: tuple[Hit, ...]
    """Passages of other notes that have the same words, the newest first."""
    times: int
    """Notes that these are the first of."""


def similar(engine: Engine, passage_id: str, size: int) -> Similar | None:
    """At most ``size`` passages of the same patient, of others, and with the same words; None where there is no such
    passage."""
    found = engine([dsl.with_vector(passage_id)])[0]["hits"]["hits"]
    if not found:
        return None
    source = found[0]["_source"]
    vector, note, patient, wording = (source[name] for name in ("vector", "note_key", "patient_no", "wording"))
    near = [dsl.of_patient(vector, note, patient, size), dsl.of_others(vector, wording, patient, size)]
    here, elsewhere, again = (r["hits"] for r in engine([*near, dsl.said_again(wording, note, size)]))
    of_patient, of_others = (tuple(map(_near, one["hits"])) for one in (here, elsewhere))
    return Similar(
        read_hit(found[0]), of_patient, of_others, tuple(map(read_hit, again["hits"])), again["total"]["value"]
    )


def otherwise(passage: Hit, other: Hit) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What ``other`` says of findings that ``passage`` names too, and ``passage`` does not: name and assertions.

    A vector hardly tells them apart.
    """
    names = {f.concept: f.name for f in passage.findings}
    told = ((name, _said(other, concept) - _said(passage, concept)) for concept, name in names.items())
    return tuple((name, tuple(a for a in ASSERTIONS if a in said)) for name, said in told if said)


def _said(hit: Hit, concept: str) -> set[str]:
    return {f.assertion for f in hit.findings if f.concept == concept}


def _near(raw: Mapping[str, Any]) -> Near:
    return Near(read_hit(raw), 2 * raw["_score"] - 1)
