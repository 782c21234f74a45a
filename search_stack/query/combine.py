"""Criteria and the signs between them to one tree.

From the tightest: time, not, and (also where nothing stands between two criteria), or, then what joins whole
statements: but, with, without, a comma. Filters and exclusions beside the rest hold for the whole bracket.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from search_stack.query.items import Item, Mark, Part, Sign, Timing
from search_stack.query.nodes import AllOf, AnyOf, Finding, Node, Not, Words
from search_stack.query.placing import LetGo, timed
from search_stack.query.tree import QueryError, all_of, any_of, fields_of, is_filter, not_

MEANT = "Write it as: effusion OR pneumothorax; effusion NOT pneumothorax."
_LOOSE: tuple[Sign, ...] = ("but",)
_FAMILY = re.compile(r"(?:(?:a|any)\s+)?family\s+(?:history|hx)", re.IGNORECASE)


def combined(items: Sequence[Item], line: str, let_go: LetGo) -> Node | None:
    """The tree of ``items``, without any plain stretch; None where there is no criterion. Words of time that lack one
    go to ``let_go``.

    Raises:
        QueryError: a typed operator lacks a side.
    """
    return _level(items, 0, line, let_go)[0]


def _level(items: Sequence[Item], at: int, line: str, let_go: LetGo) -> tuple[Node | None, int]:
    """One bracket's content from ``at``, and where it ends."""
    flat: list[Mark | Part | Timing] = []
    while at < len(items):
        item = items[at]
        if isinstance(item, Mark) and item.sign == ")":
            break
        if isinstance(item, Mark) and item.sign == "(":
            inner, close = _level(items, at + 1, line, let_go)
            end = items[close].end if close < len(items) else item.end
            if inner is not None:
                flat.append(Part(inner, item.begin, end, bracketed=True))
            elif not any(c.isalnum() for c in line[item.begin : end]):
                raise QueryError("A bracket holds no word.", "Put words into it, or leave it out.")
            at = close + 1
            continue
        if isinstance(item, Mark | Part | Timing):
            flat.append(item)
        at += 1
    return _joined(_settled(_negated(timed(flat, line, let_go), line)), line, let_go), at


def _negated(flat: Sequence[Mark | Part], line: str) -> list[Mark | Part]:
    """Every not and deny put on what follows; one beside the rest, with no sign before, is loose like a filter."""
    out: list[Mark | Part] = []
    pending: list[Mark] = []
    for item in flat:
        if isinstance(item, Mark) and item.sign in ("not", "deny"):
            pending.append(item)
            continue
        if isinstance(item, Part) and pending:
            node = _of_kin(item.node, out[-1] if out else None)
            for mark in reversed(pending):
                node = not_(node) if mark.sign == "not" else denied(node)
            if out and isinstance(out[-1], Part):
                out.append(Mark("but", pending[0].begin, pending[0].begin))
            out.append(Part(node, pending[0].begin, item.end))
            pending = []
            continue
        if pending:
            _check_object(pending[-1], line)
            pending = []
        out.append(item)
    if pending:
        _check_object(pending[-1], line)
    return out


def _of_kin(node: Node, before: Mark | Part | None) -> Node:
    """What is excluded, where it is no more than a family's history of the finding before it: "breast cancer NOT family
    history"."""
    told = isinstance(node, Words) and _FAMILY.fullmatch(node.text)
    if told and isinstance(before, Part) and isinstance(before.node, Finding) and before.node.assertion == "present":
        return Finding(before.node.name, "family")
    return node


def _check_object(mark: Mark, line: str) -> None:
    if mark.typed:
        raise _alone(mark, "after", line)


def denied(node: Node) -> Node:
    """What "no" before a bracket makes of it: neither of its findings."""
    if isinstance(node, Finding) and node.assertion == "present":
        return replace(node, assertion="absent")
    if isinstance(node, AnyOf):
        return all_of(denied(c) for c in node.children)
    return not_(node)


def _settled(flat: list[Mark | Part]) -> list[Mark | Part]:
    """Commas made what their list is: "fever, cough or dyspnea" is one of three; else they join loosely."""
    out: list[Mark | Part] = []
    before = ""
    for n, item in enumerate(flat):
        if not isinstance(item, Mark):
            out.append(item)
            continue
        sign = item.sign
        if sign == "," and not out:
            continue
        if sign == ",":
            # "Fever, cough, or dyspnea": the comma before a link is none.
            if n + 1 < len(flat) and isinstance(flat[n + 1], Mark):
                continue
            behind = next((m.sign for m in flat[n + 1 :] if isinstance(m, Mark) and m.sign != ","), "")
            sign = "or" if behind == "or" and before in ("", ",", "but") else "but"
        before = item.sign
        out.append(Mark(sign, item.begin, item.end, item.typed))
    return out


def _joined(flat: list[Mark | Part], line: str, let_go: LetGo) -> Node | None:
    inner, before, after = _trimmed(flat)
    for marks, where in ((before, "before"), (reversed(after), "after")):
        for mark in marks:
            word = line[mark.begin : mark.end]
            if mark.typed or (mark.sign == "or" and (word.isupper() or not word.isalpha())):
                raise _alone(mark, where, line)
            if mark.sign == "or":
                let_go.append((mark.begin, mark.end))
    if not inner:
        return None
    held, extras = _extras(inner)
    groups: list[list[list[Part]]] = [[[]]]
    previous: Mark | None = None
    for item in held:
        if isinstance(item, Mark):
            previous = _stronger(previous, item, line)
            continue
        if previous is not None and previous.sign in _LOOSE:
            groups.append([[]])
        elif previous is not None and previous.sign == "or":
            groups[-1].append([])
        groups[-1][-1].append(item)
        previous = None
    placed = [(e.begin, e.node) for e in extras]
    for group in groups:
        alternatives = [a for a in group if a]
        if len(alternatives) > 1:
            placed.append((alternatives[0][0].begin, any_of(all_of(p.node for p in a) for a in alternatives)))
        else:
            placed += [(p.begin, p.node) for a in alternatives for p in a]
    return all_of(node for _, node in sorted(placed, key=lambda one: one[0]))


def _trimmed(flat: Sequence[Mark | Part]) -> tuple[list[Mark | Part], list[Mark], list[Mark]]:
    """What stands between the first and the last criterion, and the signs before and after."""
    before = list(takewhile(lambda i: isinstance(i, Mark), flat))
    after = list(takewhile(lambda i: isinstance(i, Mark), reversed(flat[len(before) :])))[::-1]
    inner = list(flat[len(before) : len(flat) - len(after)])
    return inner, [m for m in before if isinstance(m, Mark)], [m for m in after if isinstance(m, Mark)]


def _alone(mark: Mark, where: str, line: str) -> QueryError:
    return QueryError(f"The operator {line[mark.begin : mark.end]} lacks a word {where} it.", MEANT)


def _stronger(one: Mark | None, other: Mark, line: str) -> Mark:
    """Which of two signs side by side counts: or; of the others the typed one."""
    if one is None:
        return other
    if one.typed and other.typed:
        raise _alone(one, "after", line)
    return one if one.sign == "or" or (one.typed and other.sign != "or") else other


def _extras(flat: list[Mark | Part]) -> tuple[list[Mark | Part], list[Part]]:
    """What holds for the whole bracket taken out: filters that no OR joins to a neighbour.

    Where several of one field stand behind different criteria, each stays with its own.
    """
    filters = [n for n, item in enumerate(flat) if isinstance(item, Part) and is_filter(item.node)]
    if len(filters) == len([i for i in flat if isinstance(i, Part)]):
        return flat, []
    fields = [_fields_of(flat[n]) for n in filters]
    kept: set[int] = set()
    for n, mine in zip(filters, fields, strict=True):
        joined = any(0 <= m < len(flat) and isinstance(f := flat[m], Mark) and f.sign == "or" for m in (n - 1, n + 1))
        apart = any(
            other != n and theirs & mine and _criteria_between(flat, n, other, filters)
            for other, theirs in zip(filters, fields, strict=True)
        )
        if joined or apart:
            kept.add(n)
    out: list[Mark | Part] = []
    extras: list[Part] = []
    for n, item in enumerate(flat):
        if n in filters and n not in kept and isinstance(item, Part):
            extras.append(item)
            behind = flat[n + 1] if n + 1 < len(flat) else None
            if out and isinstance(sign := out[-1], Mark) and sign.typed and isinstance(behind, Mark) and behind.typed:
                out.pop()  # "stroke AND sex:F AND afib": one AND is left between both
        else:
            out.append(item)
    return _trimmed(out)[0], extras


def _fields_of(item: Mark | Part) -> frozenset[str]:
    return fields_of(item.node) if isinstance(item, Part) else frozenset()


def _criteria_between(flat: list[Mark | Part], a: int, b: int, filters: list[int]) -> bool:
    return any(isinstance(flat[n], Part) and n not in filters for n in range(min(a, b) + 1, max(a, b)))


def mixes(node: Node, ways: Sequence[Node] = ()) -> bool:
    """Whether and and or meet in it, so that brackets say something; ``ways`` are alternatives that nobody typed."""
    if isinstance(node, AllOf | AnyOf):
        other = AnyOf if isinstance(node, AllOf) else AllOf
        return any(isinstance(c, other) or mixes(c, ways) for c in node.children if not is_filter(c) and c not in ways)
    return isinstance(node, Not) and mixes(node.child, ways)
