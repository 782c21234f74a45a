"""A tree as plain data, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any as Data

from search_stack.core.amounts import Amount
from search_stack.core.sites import GRADES, graded, joined
from search_stack.language.sites import site_of
from search_stack.query.amount import amount_of, amount_text
from search_stack.query.fact import fact_of
from search_stack.query.fields import BY_KEY, checked_value
from search_stack.query.nodes import (
    COMPARISONS,
    SAYS,
    AllOf,
    AnyOf,
    Fact,
    FieldIs,
    Finding,
    Leaf,
    Node,
    Not,
    Phrase,
    Timed,
    Topic,
    Words,
)
from search_stack.query.timed import KEYS, timed_json, timed_of
from search_stack.query.tree import DEEPEST, MOST, QueryError, all_of, any_of, is_filter, leaves, not_


def to_json(node: Node) -> dict[str, Data]:
    """Plain data, which `from_json` reads back.

    >>> to_json(Finding("fever", "absent"))
    {'finding': 'fever', 'assertion': 'absent'}
    """
    if isinstance(node, AllOf):
        return {"all": [to_json(c) for c in node.children]}
    if isinstance(node, AnyOf):
        return {"any": [to_json(c) for c in node.children]}
    if isinstance(node, Not):
        return {"not": to_json(node.child)}
    if isinstance(node, Finding):
        less = {"except": list(node.less)} if node.less else {}
        amount = {"value": amount_text(node.amount)} if node.amount else {}
        placed = {key: told for key, told in zip(("severity", "site"), graded(node.site), strict=True) if told}
        return {"finding": node.name, "assertion": node.assertion, **less, **amount, **placed}
    if isinstance(node, Topic):
        return {"entity": node.entity, **({"aspect": node.aspect} if node.aspect else {})}
    if isinstance(node, Words):
        return {"words": node.text}
    if isinstance(node, Phrase):
        return {"phrase": node.text}
    if isinstance(node, Fact):
        compared = {"compare": node.compare, "value": node.value} if node.compare else {}
        unit = {"unit": node.unit} if node.unit else {}
        return {"fact": f"{node.system}:{node.code}", **compared, **unit}
    if isinstance(node, Timed):
        return timed_json(node, to_json)
    return {"field": node.field, "value": node.value}


def from_json(data: object) -> Node:
    """The tree of `to_json`, or one that a person wrote.

    Raises:
        QueryError: it is no tree; the message says where.
    """
    node = _read(data, "query", 0)
    if sum(1 for _ in leaves(node)) > MOST:
        raise QueryError(f"The query has more than {MOST} criteria.", "Leave some out.")
    return node


_KEYS: Mapping[str, frozenset[str]] = {
    "all": frozenset(("all",)),
    "any": frozenset(("any",)),
    "not": frozenset(("not",)),
    "finding": frozenset(("finding", "assertion", "except", "value", "severity", "site")),
    "entity": frozenset(("entity", "aspect")),
    "words": frozenset(("words",)),
    "phrase": frozenset(("phrase",)),
    "fact": frozenset(("fact", "compare", "value", "unit")),
    **KEYS,
    "field": frozenset(("field", "value")),
}


def _read(data: object, where: str, depth: int) -> Node:
    if depth > DEEPEST:
        raise QueryError(f"{where[:80]}: more than {DEEPEST} levels deep.", "Write it flatter.")
    if not isinstance(data, dict):
        raise QueryError(f"{where}: an object is expected.", 'Write it as {"finding": "fever", "assertion": "absent"}.')
    kind = next((k for k in _KEYS if k in data), None)
    if kind is None or not data.keys() <= _KEYS[kind]:
        odd = sorted(map(str, data.keys() - (_KEYS[kind] if kind else set())))
        named = f"{odd[0][:40]} is not known" if odd else "it says nothing"
        raise QueryError(f"{where}: {named}.", f"A node has one of: {', '.join(_KEYS)}.")
    if kind in ("all", "any"):
        parts = data[kind]
        if not isinstance(parts, list) or not parts:
            raise QueryError(f"{where}.{kind}: a list of nodes is expected.", "Give it at least one.")
        children = [_read(p, f"{where}.{kind}[{n}]", depth + 1) for n, p in enumerate(parts)]
        return all_of(children) if kind == "all" else any_of(children)
    if kind == "not":
        return not_(_read(data["not"], f"{where}.not", depth + 1))
    if kind in KEYS:
        return timed_of(kind, data, where, lambda part, there: _operand(part, there, depth + 1))
    return _leaf(kind, data, where)


def _operand(data: object, where: str, depth: int) -> Node:
    node = _read(data, where, depth)
    if is_filter(node):
        raise QueryError(f"{where}: fields alone have no place in time.", "Give it a finding or words.")
    return node


def _leaf(kind: str, data: Mapping[str, object], where: str) -> Leaf:
    text = _text(data, kind, where)
    if kind == "finding":
        assertion = _text(data, "assertion", where) if "assertion" in data else "present"
        if assertion not in SAYS:
            raise QueryError(f"{where}.assertion: {assertion[:40]} is not known.", f"It is one of: {', '.join(SAYS)}.")
        less, found = _less(data, where), Finding(text, assertion, (), _amount(data, where), _site(data, where))
        if less and not found.is_whole:
            raise QueryError(
                f"{where}.except: a value or a site is told of all that count.", "Leave out the one or the other."
            )
        return replace(found, less=less)
    if kind == "entity":
        return Topic(text, _text(data, "aspect", where) if data.get("aspect") else "")
    if kind == "words":
        return Words(text)
    if kind == "phrase":
        return Phrase(text)
    if kind == "fact":
        return _fact(text, data, where)
    if text not in BY_KEY:
        raise QueryError(f"{where}.field: there is no field {text[:40]}.", f"There are: {', '.join(BY_KEY)}.")
    try:
        return FieldIs(text, checked_value(text, _text(data, "value", where)))
    except ValueError as e:
        raise QueryError(f"{where}.value: {e}", f"Write it as {BY_KEY[text].example}.") from e


def _less(data: Mapping[str, object], where: str) -> tuple[str, ...]:
    given = data.get("except", [])
    if not isinstance(given, list):
        raise QueryError(f"{where}.except: a list of names is expected.", "Name narrower findings, or leave it out.")
    return tuple(sorted({_text({"except": name}, "except", where) for name in given}))


def _amount(data: Mapping[str, object], where: str) -> Amount | None:
    if "value" not in data:
        return None
    try:
        return amount_of(str(data["value"]))
    except ValueError as e:
        raise QueryError(f"{where}.value: {e}", "Write it as > 3 or 20-25 %.") from e


def _site(data: Mapping[str, object], where: str) -> str:
    """Where it must be, and how severe there."""
    grade = _text(data, "severity", where) if "severity" in data else ""
    if grade and grade not in GRADES:
        raise QueryError(f"{where}.severity: {grade[:40]} is not known.", f"It is one of: {', '.join(GRADES)}.")
    if "site" not in data:
        return grade
    found = site_of(_text(data, "site", where))
    if found is None or graded(found)[0]:
        raise QueryError(f"{where}.site: this is no place of the body that is known.", "Write it as left lower lobe.")
    return joined(grade, found)


def _fact(text: str, data: Mapping[str, object], where: str) -> Fact:
    compare, value, unit = data.get("compare", ""), data.get("value", 0.0), data.get("unit", "")
    if compare not in ("", *COMPARISONS):
        raise QueryError(f"{where}.compare: it is no comparison.", f"It is one of: {' '.join(COMPARISONS)}")
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise QueryError(f"{where}.value: a number is expected.", "Write it as 8.5.")
    if not isinstance(unit, str):
        raise QueryError(f"{where}.unit: a text is expected.", "Write it as g/dL.")
    try:
        return fact_of(text, str(compare), float(value), unit.strip())
    except ValueError as e:
        raise QueryError(f"{where}.fact: {e}", "Write it as icd10:I48.") from e


def _text(data: Mapping[str, object], key: str, where: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not any(c.isalnum() for c in value):
        raise QueryError(f"{where}.{key}: a text is expected.", "Give it at least one word.")
    cleaned = " ".join(value.replace('"', " ").split())
    return cleaned
