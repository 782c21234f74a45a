"""What a person should know of the structured facts that a query asks for: codes that nobody has, and units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from search_stack.cohorts.plan import code_key
from search_stack.core.codes import code_name, system_name, unit_name
from search_stack.index.engine import Engine, NoIndex
from search_stack.query.fact import fact_text
from search_stack.query.items import Notice
from search_stack.query.nodes import Fact

MOST_SYSTEMS, MOST_UNITS = 50, 20
Numbers = Mapping[str, int]


def fact_notices(asked: Sequence[Fact], engine: Engine) -> tuple[Notice, ...]:
    """What there is to tell of ``asked``; nothing where there is no index of facts."""
    try:
        found = engine([_of_code(fact) for fact in asked])
        missing = [f for f, r in zip(asked, found, strict=True) if not r["hits"]["total"]["value"]]
        systems = _systems(engine) if missing else {}
        elsewhere = engine([_in_systems(f, systems) for f in missing]) if missing else []
    except NoIndex:
        return ()
    told = []
    for fact, response in zip(missing, elsewhere, strict=True):
        numbers = {s: b["doc_count"] for s, b in response["aggregations"]["each"]["buckets"].items()}
        told.append(_nobody(fact, systems, {s: n for s, n in numbers.items() if n}))
    for fact, response in zip(asked, found, strict=True):
        units = {b["key"]: b["doc_count"] for b in response["aggregations"]["valued"]["units"]["buckets"]}
        told.append(_of_units(fact, units) if fact.compare and fact not in missing else "")
    typed = [*missing, *asked]
    return tuple(Notice("fact", said, fact_text(f)) for f, said in zip(typed, told, strict=True) if said)


def _of_code(fact: Fact) -> dict[str, Any]:
    units = {"units": {"terms": {"field": "unit", "size": MOST_UNITS}}}
    return {
        "size": 0,
        "track_total_hits": True,
        "query": {"term": {"under": code_key(fact)}},
        "aggs": {"valued": {"filter": {"exists": {"field": "value"}}, "aggs": units}},
    }


def _systems(engine: Engine) -> Numbers:
    """Facts by system."""
    body = {"size": 0, "track_total_hits": False, "aggs": {"all": {"terms": {"field": "system", "size": MOST_SYSTEMS}}}}
    return {b["key"]: b["doc_count"] for b in engine([body])[0]["aggregations"]["all"]["buckets"]}


def _in_systems(fact: Fact, systems: Numbers) -> dict[str, Any]:
    each = {s: {"term": {"under": f"{s}:{code_name(s, fact.code)}"}} for s in systems}
    return {"size": 0, "track_total_hits": False, "aggs": {"each": {"filters": {"filters": each or _NONE}}}}


_NONE: dict[str, Any] = {"": {"match_none": {}}}
"""Of an index that holds no fact."""


def _nobody(fact: Fact, systems: Numbers, elsewhere: Numbers) -> str:
    said = f"No patient has the code {code_key(fact)}, or one below it."
    if elsewhere:
        return f"{said} It is there as {_listed([f'{s}:{code_name(s, fact.code)}' for s in elsewhere])}."
    if system_name(fact.system) not in systems:
        return f"{said} There are structured facts of the systems {_listed(sorted(systems))}." if systems else said
    return said


def _of_units(fact: Fact, units: Numbers) -> str:
    """``units``: facts with a value, by unit; nothing to tell where all are in one, and it is the one that is named."""
    wanted = unit_name(fact.unit)
    if not units:
        return f"No structured fact of {code_key(fact)} has a value."
    if not fact.unit:
        if len(units) == 1:
            return ""
        example = fact_text(Fact(fact.system, fact.code, fact.compare, fact.value, next(filter(None, units))))
        return (
            f"Values of {code_key(fact)} are in {_numbered(units)}, and were compared whatever their unit. "
            f"Name one, as in fact:{example}"
        )
    others = {unit: n for unit, n in units.items() if unit != wanted}
    return f"Values of {code_key(fact)} in {_numbered(others)} were left out." if others else ""


def _numbered(units: Numbers) -> str:
    return _listed([f"{unit or 'no unit'} ({n:,})" for unit, n in units.items()])


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
