"""In one place and not in another: "pneumothorax in findings but not in impression"."""

from __future__ import annotations

from collections.abc import Sequence

from search_stack.query.combine import combined
from search_stack.query.items import Item, Mark, Part
from search_stack.query.nodes import Node, Not
from search_stack.query.tree import all_of, fields_of, is_filter, not_


def contrasted(items: Sequence[Item], line: str) -> list[Item]:
    """``items``, what stands in one value of a field and not in another read as there, and not there.

    By itself the second would leave passages out, which the first has done; it asks for what they do not say.
    """
    fields = [item for item in items if isinstance(item, Part) and is_filter(item.node)]
    without = [item for item in fields if isinstance(item.node, Not)]
    if len(without) != 1 or len(fields) != 2:
        return list(items)
    inside = next(item for item in fields if item is not without[0])
    if _field(inside.node) != _field(without[0].node) or _field(inside.node) not in ("section", "type"):
        return list(items)
    asked = [item for item in items if item not in fields]
    node = combined(asked, line, [])
    if node is None:
        return list(items)
    begin, end = without[0].begin, without[0].end
    missing = not_(all_of([node, not_(without[0].node)]))
    kept = [item for item in items if item is not without[0]]
    return [
        Mark("(", begin, begin),
        *kept,
        Mark(")", begin, begin),
        Mark("but", begin, begin),
        Part(missing, begin, end),
    ]


def _field(node: Node) -> str:
    """The field that it is of; empty where it is of several."""
    keys = fields_of(node)
    return next(iter(keys)) if len(keys) == 1 else ""
