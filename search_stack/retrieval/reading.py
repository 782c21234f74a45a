"""Passages read from the engine: by id, by place in the stable order, by note or patient, all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from search_stack.cohorts.clauses import Clause, among
from search_stack.cohorts.cohort import FIELD
from search_stack.cohorts.plan import Plan
from search_stack.cohorts.rows import Ints, Unit
from search_stack.core.schema import Hit
from search_stack.index.engine import Engine
from search_stack.retrieval import dsl
from search_stack.retrieval.answer import Group
from search_stack.retrieval.evidence import Shown, ShownFact, Sought, Spot
from search_stack.retrieval.evidence import named as named_clauses
from search_stack.retrieval.grouping import named
from search_stack.retrieval.hits import read_fact, read_hit, read_shown, read_spot


def fetch(engine: Engine, plan: Plan, ids: Sequence[str]) -> dict[str, Hit]:
    """The passages ``ids`` with highlights, by id; one deleted meanwhile is left out."""
    if not ids:
        return {}
    response = engine([dsl.fetch(plan, ids)])[0]
    return {h["_id"]: read_hit(h, plan.named) for h in response["hits"]["hits"]}


def by_words(engine: Engine, words: str, size: int) -> list[Hit]:
    """The passages that the engine's BM25 puts first for the words as they are: what we are measured beside."""
    return [read_hit(h) for h in engine([dsl.by_words(words, size)])[0]["hits"]["hits"]]


def notes_there(engine: Engine, ids: Sequence[str]) -> set[str]:
    """Which notes the index holds, by the ids that they came with."""
    pages = [ids[n : n + dsl.BUCKETS] for n in range(0, len(ids), dsl.BUCKETS)]
    found = (r["aggregations"]["values"]["buckets"] for r in engine([dsl.notes_among(page) for page in pages]))
    return {bucket["key"] for buckets in found for bucket in buckets}


def passages_from(
    engine: Engine, plan: Plan, begin: int, size: int, without: Sequence[str], sort: dsl.Sort = dsl.IN_ORDER
) -> list[Group]:
    """``size`` matching passages in a stable order from the ``begin``-th, the wordings ``without`` not counted."""
    after: Sequence[Any] | None = None
    while begin:
        step = min(begin, dsl.BUCKETS)
        found = engine([dsl.in_order(plan, step, after, without, False, sort)])[0]["hits"]["hits"]
        if len(found) < step:
            return []
        after = found[-1]["sort"]
        begin -= step
    found = engine([dsl.in_order(plan, size, after, without, True, sort)])[0]["hits"]["hits"]
    return [Group(h["_id"], (read_hit(h, plan.named),), 0) for h in found]


def best_of(
    engine: Engine, plan: Plan, unit: Unit, numbers: Sequence[int], size: int, sort: dsl.Sort | None = None
) -> list[Group]:
    """Notes or patients with their best passages that match, or the first ones by ``sort``."""
    if not numbers:
        return []
    responses = engine([dsl.of_unit(plan, FIELD[unit], number, size, sort) for number in numbers])
    out = []
    for response in responses:
        hits = tuple(read_hit(h, plan.named) for h in response["hits"]["hits"])
        if hits:
            out.append(Group(named(unit, hits[0]), hits, response["hits"]["total"]["value"] - len(hits)))
    return out


def in_order(engine: Engine, plan: Plan, size: int, by: str = "") -> Iterator[Hit]:
    """All matching passages, by note, or first by another field."""
    after: Sequence[Any] | None = None
    sort: dsl.Sort = [{by: "asc"}, *dsl.IN_ORDER] if by else dsl.IN_ORDER
    while True:
        found = engine([dsl.in_order(plan, size, after, (), True, sort)])[0]["hits"]["hits"]
        yield from (read_hit(h, plan.named) for h in found)
        if len(found) < size:
            return
        after = found[-1]["sort"]


def evidence(engine: Engine, sought: Sought, notes: Ints, size: int) -> Iterator[Shown]:
    """The passages of ``notes``, by key, that show what is sought, in the order of their notes."""
    clauses, own = named_clauses(sought.criteria), among("note_key", notes)
    if len(notes) and clauses:
        hits = _all(engine, size, lambda after: dsl.evidence(sought.plan, own, clauses, size, after))
        yield from map(read_shown, hits)


def spots(engine: Engine, sought: Sought, notes: Ints) -> Iterator[Spot]:
    """Where the passages of `evidence` stand, in the same order: a fifth of its time."""
    clauses, own = named_clauses(sought.criteria), among("note_key", notes)
    if len(notes) and clauses:
        hits = _all(engine, dsl.BUCKETS, lambda after: dsl.spots(sought.plan, own, clauses, dsl.BUCKETS, after))
        yield from map(read_spot, hits)


def fact_evidence(engine: Engine, sought: Sought, patients: Ints, size: int) -> Iterator[ShownFact]:
    """The structured facts of ``patients``, by number, that show what is sought, by patient and day."""
    clauses, own = named_clauses(sought.facts), among("patient_no", patients)
    if len(patients) and clauses:
        hits = _all(engine, size, lambda after: dsl.fact_evidence(own, clauses, size, after))
        yield from map(read_fact, hits)


def _all(engine: Engine, size: int, body: Callable[[Sequence[Any] | None], Clause]) -> Iterator[Mapping[str, Any]]:
    """Every hit, ``size`` at a time."""
    after: Sequence[Any] | None = None
    while True:
        found = engine([body(after)])[0]["hits"]["hits"]
        yield from found
        if len(found) < size:
            return
        after = found[-1]["sort"]
