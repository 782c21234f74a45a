"""What is arranged or told: a referral, coming back, advice. A plan that names it is how a note tells it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from search_stack.query.items import Notice
from search_stack.query.nodes import Finding, Node, Not
from search_stack.query.plain.stretch import Said, Stretch
from search_stack.query.tree import any_of, not_

ARRANGED = frozenset(("specialist-referral", "follow-up-appointment", "patient-advice"))
"""Concepts of which, as of those below them, a plan counts: "Plan: refer to dermatology" is the referral."""
_TOLD = "A plan that names it counts too."


def with_plans(s: Stretch, said: Sequence[Said]) -> list[Said]:
    """``said``, of what is arranged the plan as well, and of what is not arranged neither; a notice tells it."""
    out, told = [], set()
    for one in said:
        name = s.known.name_of(one.mention.concept)
        if _is_arranged(s, one) and (node := _planned(s, one.node, Finding(name, "present"))):
            begin, end = s.shadow.span(one.mention.begin, one.mention.end)
            if name not in told:
                way = s.instead(begin, end, f'finding:"{name}"')
                s.reading.notices.append(Notice("time", _TOLD, s.typed(begin, end), way))
            told.add(name)
            one = replace(one, node=node)
        out.append(one)
    return out


def _is_arranged(s: Stretch, one: Said) -> bool:
    concept = one.mention.concept
    return concept in ARRANGED or not ARRANGED.isdisjoint(s.known.lexicon.ancestors(concept))


def _planned(s: Stretch, node: Node, there: Finding) -> Node | None:
    if node == there:
        ways = any_of([there, replace(there, assertion="hypothetical")])
        s.reading.ways.append(ways)
        return ways
    planned = _planned(s, node.child, there) if isinstance(node, Not) else None
    return not_(planned) if planned else None
