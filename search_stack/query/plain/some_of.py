"""So many of a list: "at least two of: diabetes, hypertension, obesity" is any two of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

from search_stack.query.combine import combined
from search_stack.query.items import Item, Mark, Part
from search_stack.query.nodes import Node, Not
from search_stack.query.number_words import FOUR_TO_SIX, ONE_TO_SIX
from search_stack.query.plain.cutting import count
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow
from search_stack.query.tree import QueryError, all_of, any_of, fields_of, is_filter, not_

_N = rf"\d|{ONE_TO_SIX}"
_FOLLOWING = (
    rf"(?:\s+(?:the|these|those))?(?:\s+(?:\d|{FOUR_TO_SIX}))?"
    r"\s+(?:following|criteria|features|conditions|signs|symptoms)(?:\s+criteria)?"
)
_SOME_OF = re.compile(
    rf"(?<![\w-])(?:(?:with|having|has|have|meeting|meets|any)\s+)*(?:"
    rf"(?:(?P<over>more\s+than|>(?!\s?=))|at\s+least|no\s+fewer\s+than|(?:a\s+)?minimum\s+of|any|≥|>\s?=)\s*(?P<many>{_N})(?:\s+or\s+more)?"
    rf"(?:\s+(?:out\s+)?(?:of|from)(?:{_FOLLOWING}|\s+(?:{_N}))?|{_FOLLOWING})"
    rf"|(?P<more>{_N})(?:\s+or\s+more|\s?\+)(?:\s+(?:out\s+)?(?:of|from)(?:{_FOLLOWING})?)"
    rf"|(?P<bare>{_N})\s*(?:(?:out\s+)?of(?:\s+the)?|/)\s*(?:(?:{_N})?(?=\s*:)|{_FOLLOWING})"
    r")(?:\s+criteria)?\s*[:–-]?(?=\s)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[,;/]|\b(?:and|or)\b", re.IGNORECASE)
_DENIED = re.compile(r"(?<!\w)(?:no|denie[sd]|denying|never)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
_LEFT_OUT = re.compile(
    r"(?<!\w)(?:exclud\w+(?:\s+(?:if|when|with|those\s+with))?|without|unless|not(?:\s+with)?)\s*$", re.IGNORECASE
)
_MOST = 60
"""Ways to choose so many of a list, at most: the tree has each."""
_PEOPLE = frozenset(("age", "sex"))
_PARTS = frozenset((",", "and", "or"))


def some_of(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without the words that ask for so many of the list behind them, which `chosen` makes of it."""
    for found in _SOME_OF.finditer(shadow.text):
        number = count(s, found["many"] or found["more"] or found["bare"]) + bool(found["over"])
        behind = shadow.text[found.end() :]
        named = s.known.named(behind)
        listed = len(_BETWEEN.findall(behind)) >= max(number - 1, 1) and len({m.begin for m in named}) > 1
        if number < 2 or not listed or _DENIED.search(shadow.text, 0, found.start()):
            continue
        s.some = (*shadow.span(*found.span()), number)
        return shadow.blank(*found.span())
    return shadow


def chosen(s: Stretch, items: Sequence[Item]) -> list[Item]:
    """``items``, those of the list as any so many of them; what a "with" or a field adds behind it stays beside.

    Raises:
        QueryError: there are more ways to choose than are asked at once.
    """
    if s.some is None:
        return list(items)
    begin, end, number = s.some
    at = next((n for n, item in enumerate(items) if item.begin >= end), len(items))
    last = next((n for n, i in enumerate(items) if n > at and isinstance(i, Mark) and i.sign not in _PARTS), len(items))
    fields = [item for n, item in enumerate(items[at:last], at) if _is_beside(items, n)]
    listed = [item for item in items[at:last] if item not in fields]
    nodes = list(_each(s, listed))
    if len(nodes) < number:
        return list(items)
    if comb(len(nodes), number) > _MOST:
        many = f"{number} of {len(nodes)} can be chosen in {comb(len(nodes), number)} ways; at most {_MOST} are asked."
        raise QueryError(many, "Ask for fewer of a shorter list.")
    left_out = [node.child for node in nodes if isinstance(node, Not)] if _LEFT_OUT.search(s.line, 0, begin) else []
    if len(left_out) == len(nodes):
        node = not_(any_of(all_of(some) for some in combinations(left_out, number)))
    else:
        node = any_of(all_of(some) for some in combinations(nodes, number))
    loosely = [Mark("but", begin, begin)] if at and isinstance(items[at - 1], Part) else []
    return [*items[:at], *loosely, Part(node, begin, listed[-1].end, bracketed=True), *fields, *items[last:]]


def _is_beside(items: Sequence[Item], n: int) -> bool:
    """Whether it is a field that holds for all of them: a time, or what no sign sets off as one of the list."""
    item = items[n]
    if not isinstance(item, Part) or not is_filter(item.node):
        return False
    return not fields_of(item.node) <= _PEOPLE or (n > 0 and isinstance(items[n - 1], Part))


def _each(s: Stretch, items: Sequence[Item]) -> Iterator[Node]:
    """What stands between the signs of the list."""
    group: list[Item] = []
    for item in [*items, None]:
        if item is not None and not (isinstance(item, Mark) and item.sign in _PARTS):
            group.append(item)
        elif group:
            node = combined(group, s.line, s.reading.aside)
            group = []
            if node is not None:
                yield node
