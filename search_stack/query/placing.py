"""The operators of time put on the criteria that each of them takes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from search_stack.query.items import Mark, Part, Timing
from search_stack.query.nodes import During, Near, Node, Not, Words
from search_stack.query.timing import MEANT
from search_stack.query.tree import QueryError, all_of, any_of, is_filter, leaves, not_

_ABOUT = frozenset(("in", "on", "taking", "receiving"))
"""Between two criteria: what stands behind them only says more of the one before."""
_NO = re.compile(r"(?<!\w)(?:no|not|never)\s+(?:(?:been|on|had|given|any|an?|taking)\s+)*$", re.IGNORECASE)
_CLAUSE = frozenset(("who", "that", "which", "whom", "were", "was", "started", "put", "given", "commenced"))
"""Between two criteria they begin a statement about the second."""
LetGo = list[tuple[int, int]]
"""Where in the line words of time stand that lack a criterion."""


def timed(flat: Sequence[Mark | Part | Timing], line: str, let_go: LetGo) -> list[Mark | Part]:
    """Every operator of time put on its criteria; one in plain language that lacks them goes to ``let_go``.

    Raises:
        QueryError: a typed one lacks them.
    """
    items = _anchors(_ahead(_whole_names(flat, line), line, let_go))
    out: list[Mark | Part] = []
    waiting: Timing | None = None
    for item in items:
        if isinstance(item, Timing):
            if waiting is not None:
                _lacks(waiting, line, let_go)
            waiting = item if item.takes == "both" and _last(out) is not None else None
            if waiting is None and not _behind(out, item, line):
                _lacks(item, line, let_go)
            continue
        if waiting is not None and isinstance(item, Part) and not is_filter(item.node):
            at = _subject(out, line) if waiting.wide else _last(out)
            before = out[at] if at is not None else item
            if isinstance(before, Part) and at is not None:
                begin, child = _alternatives(out, at) if waiting.wide else (at, before)
                out[begin : at + 1] = [Part(_over(waiting, child, line, item.node), before.begin, item.end)]
            waiting = None
            continue
        out.append(item)
    if waiting is not None:
        _lacks(waiting, line, let_go)
    return out


def _whole_names(flat: Sequence[Mark | Part | Timing], line: str) -> list[Mark | Part | Timing]:
    """Where time is compared, names that share words are one criterion, and so are words and the name beside them:
    "central line insertion", "stenosis after prolonged intubation"."""
    times = [item for item in flat if isinstance(item, Timing)]
    if not times:
        return list(flat)
    related = any(item.takes != "next" for item in times)  # "First seizure, normal MRI" is not of the first MRI
    out: list[Mark | Part | Timing] = []
    for item in flat:
        before = out[-1] if out else None
        if isinstance(item, Part) and isinstance(before, Part) and _are_one(before, item, line, related):
            both = all_of([before.node, item.node])
            out[-1] = replace(before, node=both, end=max(before.end, item.end))
        else:
            out.append(item)
    return out


def _are_one(one: Part, other: Part, line: str, related: bool) -> bool:
    if any(is_filter(p.node) or p.bracketed for p in (one, other)):
        return False
    worded = all(isinstance(leaf, Words) for leaf in leaves(other.node)) != any(
        isinstance(leaf, Words) for leaf in leaves(one.node)
    )
    at_once = related and worded and not isinstance(other.node, Not) and not line[one.end : other.begin].strip()
    return one.begin <= other.begin < one.end or at_once


def _alternatives(out: Sequence[Mark | Part], last: int) -> tuple[int, Part]:
    """All criteria up to ``last`` that an or joins, and where they begin."""
    parts = [part for part in out[last : last + 1] if isinstance(part, Part)]
    at = last
    while at >= 2 and isinstance(sign := out[at - 1], Mark) and isinstance(part := out[at - 2], Part):
        if sign.sign not in ("or", ",") or (sign.sign == "," and at == last) or is_filter(part.node):
            break
        parts.insert(0, part)
        at -= 2
    whole = parts[0] if len(parts) == 1 else replace(parts[0], node=any_of(p.node for p in parts))
    return at, whole


def _anchors(items: list[Mark | Part | Timing]) -> list[Mark | Part | Timing]:
    """All criteria behind a wide operator that an or joins made one: "stroke after warfarin, apixaban or heparin"."""
    out: list[Mark | Part | Timing] = []
    at = 0
    while at < len(items):
        item = items[at]
        wide = bool(out) and isinstance(before := out[-1], Timing) and before.takes == "both" and before.wide
        end = _end_of_list(items, at) if wide and isinstance(item, Part) else at
        if end > at and isinstance(item, Part):
            parts = [part for part in items[at : end + 1] if isinstance(part, Part)]
            item = Part(any_of(part.node for part in parts), item.begin, parts[-1].end)
        out.append(item)
        at = end + 1
    return out


def _end_of_list(items: Sequence[Mark | Part | Timing], at: int) -> int:
    """Where a list of alternatives that begins at ``at`` ends; ``at`` where there is but one."""
    end = at
    while at + 2 < len(items):
        sign, part = items[at + 1 : at + 3]
        if not (isinstance(sign, Mark) and sign.sign in ("or", ",") and not sign.typed and isinstance(part, Part)):
            break
        # What stands before another operator belongs to that: "stroke after surgery or fever within a week of it".
        if is_filter(part.node) or isinstance(part.node, Not) or _takes_before(items, at + 3):
            break
        at += 2
        if sign.sign == "or":
            end = at
    return end


def _takes_before(items: Sequence[Mark | Part | Timing], at: int) -> bool:
    return at < len(items) and isinstance(item := items[at], Timing) and item.takes != "next"


def _ahead(items: list[Mark | Part | Timing], line: str, let_go: LetGo) -> list[Mark | Part | Timing]:
    """Those that take the next criterion, the innermost first."""
    for at in range(len(items) - 1, -1, -1):
        item = items[at]
        if not isinstance(item, Timing) or item.takes != "next":
            continue
        behind = items[at + 1] if at + 1 < len(items) else None
        if isinstance(behind, Part) and not is_filter(behind.node):
            items[at : at + 2] = [Part(_over(item, behind, line), item.begin, behind.end)]
        else:
            _lacks(item, line, let_go)
            del items[at]
    return items


def _behind(out: list[Mark | Part], item: Timing, line: str) -> bool:
    """Put ``item`` on the criterion before it, or on the two before it; whether they are there."""
    last = _last(out)
    if last is None or item.takes == "both":
        return False
    part = out[last]
    if not isinstance(part, Part):
        return False
    if item.takes == "previous":
        relation = part.node
        if isinstance(relation, Near) and isinstance(relation.child, During) and not part.bracketed:
            # "Stroke in 2019 followed by pneumonia in 2020": the second time is the second's.
            dated = replace(relation, anchor=item.make(relation.anchor))
            out[last] = Part(dated, part.begin, item.end)
            return True
        out[last] = Part(_over(item, part, line), part.begin, item.end)
        return True
    anchor = _last(out[:last])
    before = out[anchor] if anchor is not None else None
    if anchor is None or not isinstance(before, Part):
        return False
    if item.takes == "merging":
        out[anchor:] = [Part(_over(item, before, line, part.node), before.begin, item.end)]
        return True
    out[last] = Part(_over(item, part, line, before.node), part.begin, item.end)
    return True


def _last(out: Sequence[Mark | Part]) -> int | None:
    """Where the last criterion is that is no filter."""
    return next(
        (n for n in range(len(out) - 1, -1, -1) if isinstance(p := out[n], Part) and not is_filter(p.node)), None
    )


def _subject(out: Sequence[Mark | Part], line: str) -> int | None:
    """Where the criterion stands that words of time behind it speak of: "pneumonia in COPD after surgery" is about the
    pneumonia."""
    at = _last(out)
    while (
        at is not None and at >= 2 and isinstance(mark := out[at - 1], Mark) and isinstance(head := out[at - 2], Part)
    ):
        if line[mark.begin :].split(maxsplit=1)[0].lower() not in _ABOUT or is_filter(head.node):
            break
        if not _CLAUSE.isdisjoint(line[head.end : mark.begin].lower().split()):
            break  # "AF who were started on apixaban after a stroke"
        at -= 2
    return at


def _over(item: Timing, part: Part, line: str, *others: Node) -> Node:
    """What is excluded is excluded as a whole: "without fever after surgery" shuts out a fever after surgery."""
    child = part.node
    if isinstance(child, Not) and not part.bracketed:
        shut = not_(item.make(child.child, *others))
        # "No statin after MI" speaks of those who had an MI.
        spoken_of = item.takes == "both" and not item.typed and _NO.search(line, 0, part.begin)
        return all_of([*others, shut]) if spoken_of else shut
    return item.make(child, *others)


def _lacks(item: Timing, line: str, let_go: LetGo) -> None:
    if item.typed:
        raise QueryError(f"{line[item.begin : item.end]} lacks a criterion beside it.", MEANT)
    let_go.append((item.begin, item.end))
