"""Criteria in time, one row of each face: JSON, the query line, words for a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any as Data

from search_stack.query.fields import day_of
from search_stack.query.nodes import (
    TOGETHER,
    AllOf,
    AtAge,
    AtLeast,
    During,
    Near,
    Node,
    Pick,
    Timed,
    Together,
)
from search_stack.query.tree import QueryError, all_of, is_filter, parts

MOST_DAYS = 100_000
"""Between two notes of a patient."""
KEYS: Mapping[str, frozenset[str]] = {
    "at_least": frozenset(("at_least", "unit", "of")),
    "first": frozenset(("first",)),
    "last": frozenset(("last",)),
    "during": frozenset(("during", "after", "before")),
    "at_age": frozenset(("at_age", "least", "most")),
    "near": frozenset(("near", "to", "least", "most")),
    "together": frozenset(("together", "by")),
}
"""By the key that tells the kind of node, all that it may hold."""
Reader = Callable[[object, str], Node]


def together(by: str, children: Sequence[Node]) -> Node:
    """`Together` in normal form: over the children of their `AllOf`; of one criterion, that. Filters hold for all of
    it: fever and cough on one day, both in letters."""
    whole = all_of(children)
    if not isinstance(whole, AllOf):
        return whole
    filters = [c for c in whole.children if is_filter(c)]
    held = tuple(c for c in whole.children if c not in filters)
    if filters and held:
        return all_of([*filters, together(by, held)])
    return Together(by, whole.children)  # type: ignore[arg-type]  # one of TOGETHER


# --- JSON ---


def timed_json(node: Timed, of: Callable[[Node], dict[str, Data]]) -> dict[str, Data]:
    """Plain data, its parts by ``of``."""
    if isinstance(node, AtLeast):
        return {"at_least": node.number, "unit": node.unit, "of": of(node.child)}
    if isinstance(node, Pick):
        return {node.which: of(node.child)}
    if isinstance(node, During):
        days = {"after": node.after, "before": node.before}
        return {"during": of(node.child), **{k: v for k, v in days.items() if v}}
    if isinstance(node, Together):
        return {"together": [of(c) for c in node.children], "by": node.by}
    bounds = {k: v for k, v in (("least", node.least), ("most", node.most)) if v is not None}
    if isinstance(node, AtAge):
        return {"at_age": of(node.child), **bounds}
    return {"near": of(node.child), "to": of(node.anchor), **bounds}


def timed_of(kind: str, data: Mapping[str, object], where: str, read: Reader) -> Node:
    """The node of ``data``, whose parts ``read`` reads.

    Raises:
        QueryError: a number, day or unit is none.
    """
    if kind == "together":
        by, several = data.get("by", "note"), data["together"]
        if by not in TOGETHER:
            raise QueryError(f"{where}.by: it is no unit.", f"It is one of: {', '.join(TOGETHER)}.")
        if not isinstance(several, list) or not several:
            raise QueryError(f"{where}.together: a list of nodes is expected.", "Give it at least two.")
        return together(by, [read(c, f"{where}.together[{n}]") for n, c in enumerate(several)])
    if kind == "at_least":
        unit = data.get("unit", "notes")
        if unit not in ("notes", "days"):
            raise QueryError(f"{where}.unit: it is no unit.", "It is one of: notes, days.")
        number = _number(data, "at_least", where)
        if number is None or number < 1:
            raise QueryError(f"{where}.at_least: a number from 1 on is expected.", "Write it as 2.")
        child = read(data.get("of"), f"{where}.of")
        return AtLeast(number, unit, child)
    child = read(data[kind], f"{where}.{kind}")
    if kind in ("first", "last"):
        return Pick(kind, child)  # type: ignore[arg-type]
    if kind == "during":
        return during(_day(data, "after", where), _day(data, "before", where), child)
    least, most = _number(data, "least", where), _number(data, "most", where)
    if least is not None and most is not None and least > most:
        raise QueryError(f"{where}: least is above most.", "Swap them.")
    if kind == "at_age":
        return AtAge(least, most, child)
    return Near(least, most, child, read(data.get("to"), f"{where}.to"))


def during(after: str, before: str, child: Node) -> Node:
    """
    Raises:
        QueryError: no day is left.
    """
    if after and before and after >= before:
        raise QueryError(f"Since {after} and before {before} leave no day.", "Swap them.")
    return During(after, before, child) if after or before else child


def _number(data: Mapping[str, object], key: str, where: str) -> int | None:
    value = data.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MOST_DAYS:
        raise QueryError(f"{where}.{key}: a whole number is expected.", f"From -{MOST_DAYS:,} to {MOST_DAYS:,}.")
    return value


def _day(data: Mapping[str, object], key: str, where: str) -> str:
    value = data.get(key) or ""
    try:
        return day_of(str(value)).isoformat() if value else ""
    except ValueError as e:
        raise QueryError(f"{where}.{key}: {e}", "Write it as 2019-01-01.") from e


# --- the line ---


def timed_line(node: Timed, operand: Callable[[Node], str]) -> str:
    """As the query line has it; `search_stack.query.timing` reads it back."""
    if isinstance(node, Together):
        return f"SAME {node.by.upper()} ({' '.join(map(operand, node.children))})"
    child = operand(parts(node)[0])
    if isinstance(node, AtLeast):
        return f"AT LEAST {node.number} {node.unit.upper()} OF {child}"
    if isinstance(node, Pick):
        return f"{node.which.upper()} {child}"
    if isinstance(node, During):
        last = (date.fromisoformat(node.before) - timedelta(days=1)).isoformat() if node.before else "*"
        return f"{child} DURING {node.after or '*'} TO {last}"
    if isinstance(node, AtAge):
        return f"{child} AT AGE {_open(node.least)} TO {_open(node.most)}"
    anchor = operand(node.anchor)
    return f"{child} {_relation(node)} {anchor}"


def _relation(node: Near) -> str:
    return {(1, None): "AFTER", (None, -1): "BEFORE"}.get(
        (node.least, node.most), f"{_open(node.least)} TO {_open(node.most)} DAYS AFTER"
    )


def _open(bound: int | None) -> str:
    return "*" if bound is None else str(bound)


# --- words for a person ---


def timed_words(node: Timed, say: Callable[[Node], str]) -> str:
    """As a person would say it, its parts by ``say``."""
    if isinstance(node, Together):
        return f"{' and '.join(map(say, node.children))} in the same {node.by}"
    child = say(parts(node)[0])
    if isinstance(node, AtLeast):
        where = "in at least {} notes" if node.unit == "notes" else "on at least {} days"
        return f"{child} {where.format(node.number)}"
    if isinstance(node, Pick):
        return f"the {node.which} {child}"
    if isinstance(node, During):
        bounds = [f"since {node.after}" if node.after else "", f"before {node.before}" if node.before else ""]
        return " ".join([child, *filter(None, bounds)])
    if isinstance(node, AtAge):
        return f"{child} at {_range(node.least, node.most)}"
    return f"{child} {near_words(node)} {say(node.anchor)}"


def _range(least: int | None, most: int | None) -> str:
    if least is not None and most is not None:
        return f"age {least} to {most}" if least != most else f"age {least}"
    if least is None and most is None:
        return "any known age"
    return f"age {least} or older" if least is not None else f"age {most} or younger"


def near_words(node: Near) -> str:
    """Where the evidence lies, as words before the anchor."""
    least, most = node.least, node.most
    if least is None and most is None:
        return "at any time beside"
    if most is None:
        return _after_only(least or 0)
    if least is None:
        return _before_only(most)
    if least == most:
        return "on the day of" if not least else f"exactly {abs(least)} days {'after' if least > 0 else 'before'}"
    if least == 0:
        return f"within {most} days after"
    if most == 0:
        return f"within {-least} days before"
    if least == -most:
        return f"within {most} days of"
    if least > 0:
        return f"{least} to {most} days after"
    if most < 0:
        return f"{-most} to {-least} days before"
    return f"from {-least} days before to {most} days after"


def _after_only(least: int) -> str:
    if least < 0:
        return f"not more than {-least} days before"
    return ("on the day of or after", "after")[least] if least < 2 else f"at least {least} days after"


def _before_only(most: int) -> str:
    if most > 0:
        return f"not more than {most} days after"
    return ("on the day of or before", "before")[-most] if most > -2 else f"at least {-most} days before"
