"""What else the notes of an answer say: findings by assertion, each number what asking for that too would leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from search_stack.cohorts.clauses import Clause, all_clauses, among
from search_stack.cohorts.cohort import FIELD, Members
from search_stack.cohorts.plan import Plan
from search_stack.language.lexicon.concepts import CONDITIONS, Lexicon
from search_stack.query.nodes import AllOf, Finding
from search_stack.query.tree import criteria, is_filter
from search_stack.retrieval.answer import FacetValue, FindingCounts, Scope

Msearch = Callable[[Sequence[Mapping[str, Any]]], list[dict[str, Any]]]
SAID = ("present", "absent", "possible", "historical", "family")
LISTED = 10
MENTIONS = 500
"""Pairs of an assertion and a concept, the commonest, among which these are looked for."""
MOST_BUCKETS = 50_000
"""Of one search; the engine refuses more than 65,535."""
MOST_UNITS = 20_000
"""Notes or patients of which it is told: of more it would take dozens of searches, and seconds."""


def mentions(found: Members, scope: Scope) -> Clause:
    """What is mentioned most in what the answer finds."""
    own = {"terms": {"field": "own", "size": MENTIONS}}
    return {"size": 0, "track_total_hits": False, "query": _inside(found, scope), "aggs": {"own": own}}


def findings(
    found: Members, scope: Scope, unit: Scope, lexicon: Lexicon, msearch: Msearch
) -> tuple[FindingCounts, ...]:
    """
    Args:
        unit: what is counted: passages where those of ``scope`` are very many.
    """
    told = msearch([mentions(found, scope)])[0]["aggregations"]["own"]["buckets"]
    names = _commonest(told, frozenset(found.plan.ids.values()), lexicon)
    if not names or (unit != "passage" and len(found.units) > MOST_UNITS):
        return ()
    asked = [Finding(name, said) for name, said in product(names, SAID)]
    numbers = dict(zip(asked, _numbers(asked, found, unit, lexicon, msearch), strict=True))
    each = (
        FindingCounts(name, tuple(FacetValue(said, n) for said in SAID if (n := numbers[Finding(name, said)])))
        for name in names
    )
    return tuple(sorted((one for one in each if one.counts), key=lambda one: (-one.present, -one.most, one.name)))


def _commonest(told: Sequence[Mapping[str, Any]], asked: frozenset[str], lexicon: Lexicon) -> list[str]:
    """Names of the findings that most passages say to be present, then of those that most mention; but for those that
    are ``asked`` for: these have their own place, at the criterion."""
    present: Counter[str] = Counter()
    passages: Counter[str] = Counter()
    for bucket in told:
        said, _, concept = bucket["key"].partition(" ")
        known = lexicon.concepts.get(concept)
        # Of drugs and procedures it is asked how far they have come, and vital signs everybody has.
        if said in SAID and known and known.kind in CONDITIONS and concept not in asked:
            passages[known.name] += bucket["doc_count"]
            present[known.name] += bucket["doc_count"] if said == "present" else 0
    return sorted(passages, key=lambda name: (-present[name], -passages[name], name))[:LISTED]


def _numbers(
    asked: Sequence[Finding], found: Members, unit: Scope, lexicon: Lexicon, msearch: Msearch
) -> Iterator[int]:
    """How many of the answer's ``unit`` say each."""
    plan = Plan.of(AllOf(tuple(asked)), lexicon)
    mentioned: Clause = {"terms": {"mentioned": sorted(set(plan.ids.values()))}}
    query = all_clauses([_inside(found, unit), mentioned])
    together = len(asked) if unit == "passage" else max(1, MOST_BUCKETS // len(found.units))
    parts = [asked[n : n + together] for n in range(0, len(asked), together)]
    bodies = [_each(query, [plan.holds(one) for one in part], unit, len(found.units)) for part in parts]
    for part, response in zip(parts, msearch(bodies), strict=True):
        buckets = response["aggregations"]["each"]["buckets"]
        for n in range(len(part)):
            bucket = buckets[str(n)]
            yield bucket["doc_count"] if unit == "passage" else len(bucket["units"]["buckets"])


def _each(query: Clause, clauses: Sequence[Clause], unit: Scope, units: int) -> Clause:
    """Passages of each of ``clauses``, or the notes or patients that they are of, one bucket each: exact."""
    named = {str(n): clause for n, clause in enumerate(clauses)}
    each: Clause = {"filters": {"filters": named}}
    if unit != "passage":
        each["aggs"] = {"units": {"terms": {"field": FIELD[unit], "size": max(1, units)}}}
    return {"size": 0, "track_total_hits": False, "query": query, "aggs": {"each": each}}


def _inside(found: Members, unit: Scope) -> Clause:
    """Where one more criterion would be looked for: in the passages that are counted, or in what the filters leave of
    the notes or patients."""
    plan = found.plan
    if unit == "passage":
        return plan.matching()
    filters = [plan.passages(c) for c in criteria(plan.node) if is_filter(c)]
    return all_clauses([among(FIELD[unit], found.units.tolist()), *filters])
