"""A tree as a line: `write`, which reads back as the same tree, and `readable`, for people."""

from __future__ import annotations

import re

from search_stack.core.sites import graded
from search_stack.query.amount import amount_text
from search_stack.query.fact import fact_text
from search_stack.query.fields import BY_KEY, day_of, short_day
from search_stack.query.nodes import ANY, AllOf, AnyOf, Fact, Finding, Leaf, Node, Not, Phrase, Timed, Topic, Words
from search_stack.query.timed import timed_line, timed_words
from search_stack.query.tree import is_filter

_SAFE = re.compile(r"[\w-]+")
SAYS = {
    "present": "{}",
    "absent": "{} ruled out",
    "possible": "possible {}",
    "historical": "{} in the past",
    "hypothetical": "{} as a risk or condition",
    "family": "{} in the family",
    "unaffected": "no {} in the family",
    "done": "{} done",
    "planned": "{} planned",
    "past": "{} done before",
    "not done": "{} not done",
    "taking": "{} taken",
    "given": "{} given",
    "started": "{} started",
    "stopped": "{} stopped",
    "held": "{} held",
    "allergy": "allergy to {}",
    "not taken": "{} not taken",
    "normal": "normal {}",
    "abnormal": "abnormal {}",
    ANY: "any mention of {}",
}
"""How a finding is called of which that is said."""


def write(node: Node) -> str:
    """The line that `search_stack.query.understand` reads as exactly ``node``.

    >>> write(AllOf((Finding("fever"), Not(Finding("pleural effusion")))))
    'finding:fever present -finding:"pleural effusion" present'
    """
    return _written(node, outermost=True)


def _written(node: Node, outermost: bool = False) -> str:
    if isinstance(node, AllOf):
        inner = " ".join(_operand(c, AllOf) for c in node.children)
        return inner if outermost else f"({inner})"
    if isinstance(node, AnyOf):
        inner = " OR ".join(_operand(c, AnyOf) for c in node.children)
        return inner if outermost else f"({inner})"
    if isinstance(node, Not):
        return f"-{_written(node.child)}"
    if isinstance(node, Timed):
        said = timed_line(node, _part)
        return said if outermost else f"({said})"
    return _leaf(node)


def _part(node: Node) -> str:
    return f"({_written(node)})" if isinstance(node, Not) else _written(node)


def _operand(node: Node, within: type[AllOf] | type[AnyOf]) -> str:
    return f"NOT {_written(node.child)}" if isinstance(node, Not) and within is AnyOf else _written(node)


def _leaf(leaf: Leaf) -> str:
    if isinstance(leaf, Finding):
        amount = (amount_text(leaf.amount),) if leaf.amount else ()
        grade, site = graded(leaf.site)
        placed = (*([grade] if grade else []), *([f"at {site}"] if site else []))
        told = "; ".join((leaf.name, *(f"not {n}" for n in leaf.less), *amount, *placed))
        return f"finding:{_value(told)} {leaf.assertion}"
    if isinstance(leaf, Topic):
        return f"entity:{_value(f'{leaf.entity}; {leaf.aspect}' if leaf.aspect else leaf.entity)}"
    if isinstance(leaf, Words):
        return f"words:{_value(leaf.text)}"
    if isinstance(leaf, Phrase):
        return f'"{leaf.text}"'
    if isinstance(leaf, Fact):
        return f"fact:{_value(fact_text(leaf))}"
    value = short_day(day_of(leaf.value)) if BY_KEY[leaf.field].is_day else leaf.value
    return f"{leaf.field}:{_value(value)}"


def _value(text: str) -> str:
    return text if _SAFE.fullmatch(text) else f'"{text}"'


def readable(node: Node) -> str:
    """The tree in words, with its brackets.

    >>> readable(AllOf((AnyOf((Finding("fever"), Finding("chills"))), Not(Finding("cough")))))
    '(fever or chills) without cough'
    """
    return _readable(node, outermost=True)


def _readable(node: Node, outermost: bool = False) -> str:
    if isinstance(node, AllOf | AnyOf):
        filters = [c for c in node.children if isinstance(node, AllOf) and is_filter(c)]
        rest = [c for c in node.children if c not in filters]
        said = (" and " if isinstance(node, AllOf) else " or ").join(map(_readable, rest))
        said = said.replace(" and without ", " without ")
        said = " ".join([f"({said})" if filters and len(rest) > 1 else said, *map(_readable, filters)]).strip()
        return said if outermost else f"({said})"
    if isinstance(node, Not):
        child = node.child
        if isinstance(child, Finding):
            return f"no mention of {called(child)}" if child.assertion == ANY else f"without {said_of(child)}"
        return f"not {_readable(child)}"
    if isinstance(node, Timed):
        said = timed_words(node, _readable)
        return said if outermost else f"({said})"
    return said_of(node)


def called(finding: Finding) -> str:
    """Its name, what a number must tell of it, where it must be, and what does not count with it."""
    if not finding.is_whole:
        amount = f" {amount_text(finding.amount)}" if finding.amount else ""
        return f"{finding.name}{amount}{f' ({finding.site})' if finding.site else ''}"
    return f"{finding.name} (except {', '.join(finding.less)})" if finding.less else finding.name


def said_of(leaf: Leaf) -> str:
    """A criterion in words."""
    if isinstance(leaf, Finding):
        return SAYS[leaf.assertion].format(called(leaf))
    if isinstance(leaf, Topic):
        return f"{leaf.aspect} of {leaf.entity}" if leaf.aspect else f"about {leaf.entity}"
    if isinstance(leaf, Words):
        return f"the words {leaf.text}" if " " in leaf.text else f"the word {leaf.text}"
    if isinstance(leaf, Phrase):
        return f'"{leaf.text}"'
    if isinstance(leaf, Fact):
        return f"the code {fact_text(leaf)}"
    return BY_KEY[leaf.field].says(leaf.value)
