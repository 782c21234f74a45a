"""Whom a query leaves out that may be meant: who asks for an acute kidney injury means those too in whom it resolved,
and of a fracture not every note tells the side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from search_stack.core.schema import DENIED
from search_stack.core.sites import graded
from search_stack.query.fields import BY_KEY
from search_stack.query.items import Notice, NoticeKind
from search_stack.query.nodes import Finding, Node
from search_stack.query.tree import any_of, fields_of, is_timed, leaves, paths, replaced

LISTED = 5
"""Criteria of a query that are counted, at most."""


@dataclass(frozen=True, slots=True)
class Wider:
    asked: Finding
    kind: NoticeKind
    had: str
    """What those had who come in."""
    query: Node


def with_the_past(query: Node, kind: Callable[[str], str]) -> list[Wider]:
    """For each disorder that ``query`` asks for or shuts out as present, the query that takes its past as well; none
    where a time is asked for, which is that of the notes. Of an act its past counts anyway.

    Args:
        kind: of the concept of a name.
    """
    if is_timed(query) or any(BY_KEY[field].is_day for field in fields_of(query)):
        return []
    said = {leaf.name for leaf in leaves(query) if isinstance(leaf, Finding) and leaf.assertion != "present"}

    def found() -> Iterator[Wider]:
        for path, leaf in paths(query):
            if isinstance(leaf, Finding) and leaf.name not in said and kind(leaf.name) == "disorder":
                said.add(leaf.name)
                if wider := replaced(query, path, any_of([leaf, replace(leaf, assertion="historical")])):
                    yield Wider(leaf, "past", f"{leaf.name} in the past", wider)

    return list(islice(found(), LISTED))


def wherever(query: Node) -> list[Wider]:
    """For each finding that ``query`` asks for at a place of the body, or so severe, the query that takes it wherever
    it is, however severe."""

    def found() -> Iterator[Wider]:
        for path, leaf in paths(query):
            if not isinstance(leaf, Finding) or not leaf.site or leaf.assertion in DENIED:
                continue
            if wider := replaced(query, path, replace(leaf, site="")):
                grade, there = graded(leaf.site)
                kind: NoticeKind = "severity" if grade and not there else "site"
                yield Wider(leaf, kind, f"{leaf.name} {_otherwise(grade, there)}", wider)

    return list(islice(found(), LISTED))


def _otherwise(grade: str, there: str) -> str:
    if grade and there:
        return "elsewhere or of another severity, or where that is not told"
    return "of another severity, or where none is told" if grade else "elsewhere, or where no place is told"


def wider_notices(wider: Sequence[Wider], patients: Sequence[int], line: Callable[[Node], str]) -> tuple[Notice, ...]:
    """What there is to tell.

    Args:
        patients: of the query, then of each that is ``wider``.
        line: that asks for a query.
    """
    told = []
    for one, number in zip(wider, patients[1:], strict=True):
        if more := number - patients[0]:
            whom = f"{more:,} more patient{'s' * (more > 1)}" if more > 0 else f"{-more:,} of these patients"
            told.append(Notice(one.kind, f"{whom} had {one.had}.", one.asked.name, line(one.query)))
    return tuple(told)
