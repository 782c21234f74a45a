"""How well the labels of a passage satisfy a tree: where it stands among those that are listed. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from search_stack.cohorts.plan import LABELS, Plan
from search_stack.query.nodes import ANY, AllOf, AnyOf, Finding, Node, Not

Source = Mapping[str, Any]
"""What the index stores of a passage."""
UNMENTIONED = len(LABELS)
"""The tier of a passage that does not mention a finding."""
NARROWER = UNMENTIONED + 1
"""The tier of a passage that denies a narrower finding than was asked for."""


def tier_of(plan: Plan, source: Source, node: Node | None = None) -> int:
    """0 every finding is as asked, 1 one is past only, 2 one is possible only, 3 one is not mentioned, 4 one narrower
    than asked is denied. Where a note or patient satisfies the tree together, a passage shows a part."""
    if plan.within:
        return 0
    node = plan.node if node is None else node
    if isinstance(node, AllOf):
        return max((tier_of(plan, source, c) for c in node.children), key=place)
    if isinstance(node, AnyOf):
        return min((tier_of(plan, source, c) for c in node.children), key=place)
    if not isinstance(node, Finding):
        return 0
    if node.assertion == "present":
        return next((n for n, name in enumerate(LABELS) if plan.says(source, node, name)), UNMENTIONED)
    if node.assertion == "absent" and not plan.tells(source, node, "absent"):
        narrower = node.is_whole and plan.id_of(node) in source.get("absent", ())
        return NARROWER if narrower else UNMENTIONED
    unsaid = node.assertion not in ("absent", ANY) and plan.id_of(node) not in source.get("mentioned", ())
    return UNMENTIONED if unsaid else 0


def place(tier: int) -> tuple[int, bool]:
    """Where a tier stands: among the passages of which tier, and whether it only stands there. A narrower denial is
    listed by its score among those that satisfy the tree, and weighs less than whatever moves a passage behind them."""
    return (0, True) if tier == NARROWER else (tier, False)


def denied(plan: Plan, source: Source) -> bool:
    """Whether the passage denies a finding besides: "no effusion on the left; effusion on the right"."""
    asked = (c for c in plan.concepts if isinstance(c, Finding) and c.assertion == "present")
    return any(plan.says(source, c, "absent") for c in asked)


def excluded(plan: Plan) -> tuple[Finding, ...]:
    """Findings that must not be there, beside what is asked for."""
    children = plan.node.children if isinstance(plan.node, AllOf) else ()
    return tuple(c.child for c in children if isinstance(c, Not) and isinstance(c.child, Finding))


def undenied(plan: Plan, source: Source) -> int:
    """How many of the findings that must not be there as present the passage does not deny itself; 0 where a note or
    patient satisfies the tree together."""
    told = source.get("absent", ())
    asked = () if plan.within else excluded(plan)
    return sum(f.assertion == "present" and plan.id_of(f) not in told for f in asked)
