"""Exact numbers of a search: what is counted, by criterion, by facet and by assertion."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from search_stack.cohorts.clauses import NO_DAY, Clause, all_clauses
from search_stack.cohorts.cohort import FIELD, Asking, Members, apart_from_days, asks_for_days, each_alone, members
from search_stack.cohorts.facets import of_people
from search_stack.cohorts.plan import Plan
from search_stack.cohorts.rows import NONE, Rows
from search_stack.cohorts.standing import Known
from search_stack.query.nodes import Fact, Finding, Node, Not, said_of_kind
from search_stack.query.tree import criteria, is_filter, is_timed, mapped, wanted
from search_stack.retrieval import dsl
from search_stack.retrieval.answer import Counts, FacetValue, Scope

Msearch = Callable[[Sequence[Mapping[str, Any]]], list[dict[str, Any]]]
Facets = dict[str, tuple[FacetValue, ...]]
MOST_PAIRS = 200_000
"""Passages up to which facets are counted in notes or patients; beyond, in passages, which costs less."""


class Memory:
    """A way to the engine that asks nothing twice, and may be told ahead what was answered already."""

    def __init__(self, msearch: Msearch) -> None:
        self._msearch = msearch
        self._known: dict[str, dict[str, Any]] = {}

    def tell(self, bodies: Sequence[Mapping[str, Any]], responses: Sequence[dict[str, Any]]) -> None:
        self._known |= {_key(b): r for b, r in zip(bodies, responses, strict=True)}

    def __call__(self, bodies: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        unknown = [b for b in bodies if _key(b) not in self._known]
        if unknown:
            self.tell(unknown, self._msearch(unknown))
        return [self._known[_key(b)] for b in bodies]


def _key(body: Mapping[str, Any]) -> str:
    return json.dumps(body, sort_keys=True)


def pages(msearch: Msearch, body: Callable[[dict[str, Any] | None], Clause]) -> list[dict[str, Any]]:
    """All buckets of a composite aggregation, page after page."""
    out: list[dict[str, Any]] = []
    response = msearch([body(None)])[0]
    while True:
        page = response["aggregations"]["distinct"]
        out += page["buckets"]
        if len(page["buckets"]) < dsl.BUCKETS:
            return out
        response = msearch([body(page["after_key"])])[0]


def counted(asking: Asking, plan: Plan, scope: Scope) -> Members:
    """What is counted: passages that satisfy the tree each by itself, or the notes or patients that do so together."""
    if scope != "passage":
        return members(asking, asking.resolved(plan), scope)
    plan = by_passages(asking, plan)
    rows = asking.rows([plan.passages()])[0]
    return Members(plan, NONE.note, rows, _undated(asking, plan, rows), asking.generation)


def by_passages(asking: Asking, plan: Plan) -> Plan:
    """``plan`` with all that a passage alone cannot tell."""
    return asking.timed(asking.resolved(plan), "patient")


def _undated(asking: Asking, plan: Plan, rows: Rows) -> int:
    """Notes without a date that satisfy the rest of the query and are not counted all the same."""
    found: set[int] = set()
    if asks_for_days(plan.node):
        rest = apart_from_days(plan.node)
        clause = all_clauses([asking.timed(replace(plan, node=rest), "patient").passages(), NO_DAY]) if rest else NO_DAY
        found = set(asking.rows([clause])[0].notes().tolist())
    if is_timed(plan.node):
        found |= asking.ahead(plan, "patient", lambda e: (e.units(plan.node), e.undated)[1])
    return len(found - set(rows.notes().tolist()))


def ahead(found: Members, scope: Scope) -> list[Clause]:
    """All that the counts are sure to ask, so that it can travel with the search."""
    bodies = [dsl.counts(found.plan)]
    if scope == "passage":
        bodies.append(dsl.each(_criteria(found.plan)))
        choices = list(_choices(found.plan).values())
        return [*bodies, dsl.each(choices)] if choices else bodies
    return bodies + [dsl.facet(found.plan.matching(), name, FIELD[scope]) for name in dsl.FACETS]


def counts(asking: Asking, found: Members, msearch: Msearch) -> Counts:
    notes = found.notes
    if any(isinstance(leaf, Fact) for leaf in wanted(found.plan.node)):  # Its evidence is of no note, unlike the list.
        notes = asking.rows([found.plan.matching()])[0].notes()
    return Counts(
        passages=msearch([dsl.counts(found.plan)])[0]["hits"]["total"]["value"],
        notes=len(notes),
        patients=len(found.patients),
        undated_notes=found.undated,
    )


def each_criterion(asking: Asking, plan: Plan, scope: Scope, msearch: Msearch) -> tuple[int, ...]:
    """How many passages, notes or patients each criterion has on its own, in what the filters beside it leave."""
    return tuple(passages_of(_criteria(plan), msearch)) if scope == "passage" else each_alone(asking, plan, scope)


def _criteria(plan: Plan) -> list[Clause]:
    asked = criteria(plan.node)
    filters = tuple(c for c in asked if is_filter(c))
    inside = [plan.passages(f) for f in filters]

    def alone(node: Node) -> Clause:
        if is_filter(node):
            return plan.passages(node)
        if isinstance(node, Not):
            return all_clauses([*inside, plan.passages(node.child, wanted=False, outer=filters)])
        return all_clauses([*inside, plan.passages(node, outer=filters)])

    return [alone(c) for c in asked]


def passages_of(clauses: Sequence[Clause], msearch: Msearch) -> list[int]:
    """How many passages each of ``clauses`` has."""
    found = msearch([dsl.each(clauses)])[0]["aggregations"]["each"]["buckets"]
    return [found[str(n)]["doc_count"] for n in range(len(clauses))]


def facet_scope(scope: Scope, passages: int) -> Scope:
    """What facets over so many passages count: more pairs of a note or patient and a value would take too long."""
    return "passage" if passages > MOST_PAIRS else scope


def facets(found: Members, scope: Scope, passages: int, known: Known, msearch: Msearch) -> Facets:
    """Facets over all that matches, the commonest value first, years and ages in their order; in the unit of
    `facet_scope`.

    No passage holds whose it is, so sex and age are counted in notes and patients.
    """
    plan = found.plan
    unit = facet_scope(scope, passages)
    if unit == "passage":
        told = msearch([dsl.counts(plan)])[0]["aggregations"]
        return {
            name: tuple(FacetValue(_value(b), b["doc_count"]) for b in told[name]["buckets"]) for name in dsl.FACETS
        }
    people = of_people(found.rows, unit, known)
    out = {name: tuple(FacetValue(*one) for one in values.items()) for name, values in people.items()}
    for name in dsl.FACETS:
        pairs = pages(msearch, lambda after, n=name: dsl.facet(plan.matching(), n, FIELD[unit], after))  # type: ignore[misc]
        numbers = Counter(str(b["key"]["facet"]) for b in pairs)
        ordered = sorted(numbers.items(), key=lambda one: one[0] if name == "year" else (-one[1], one[0]))
        out[name] = tuple(FacetValue(value, n) for value, n in (ordered if name == "year" else ordered[:20]))
    return out


def _value(bucket: Mapping[str, Any]) -> str:
    return str(bucket.get("key_as_string", bucket["key"]))


def by_assertion(asking: Asking, plan: Plan, scope: Scope, msearch: Msearch) -> tuple[FacetValue, ...]:
    """How many there are for each assertion and status of the query's one finding, the rest of it as it is; none where
    it asks for none, or several."""
    if scope != "passage" and plan.needs_keys:
        return ()
    choices = _choices(plan)
    if not choices:
        return ()
    clauses = list(choices.values())
    if scope == "passage":
        numbers = passages_of(clauses, msearch)
    else:
        numbers = [len(rows.units(scope)) for rows in asking.rows(clauses)]
    return tuple(FacetValue(a, n) for a, n in zip(choices, numbers, strict=True) if n)


def _choices(plan: Plan) -> dict[str, Clause]:
    """The query with all that may be said of its one finding, in turn."""
    found = [leaf for leaf in wanted(plan.node) if isinstance(leaf, Finding)]
    if len(found) != 1 or is_timed(plan.node):
        return {}
    trees = {
        a: mapped(plan.node, lambda leaf, a=a: replace(found[0], assertion=a) if leaf == found[0] else leaf)  # type: ignore[misc]
        for a in said_of_kind(plan.kinds[found[0].name])
    }
    return {a: replace(plan, node=tree, within=None).passages() for a, tree in trees.items()}
