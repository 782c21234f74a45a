"""What the search made of the query: its findings, each with ways to ask for another assertion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from search_stack.answer import FacetValue
from search_stack.criteria import ConceptTerm, Query
from search_stack.schema import ASSERTIONS
from ui.highlight import SIGNS
from ui.query_line import write


@dataclass(frozen=True, slots=True)
class Choice:
    """One assertion of a finding; ``passages`` is None where it was not counted."""

    assertion: str
    sign: str
    passages: int | None
    active: bool
    line: str


@dataclass(frozen=True, slots=True)
class Understood:
    """A finding or entity that the query asks for, and the lines that ask for it otherwise."""

    name: str
    role: str
    assertion: str
    sign: str
    choices: tuple[Choice, ...]


def understood(query: Query, counted: Sequence[FacetValue]) -> tuple[Understood, ...]:
    """The concepts of ``query``, which was looked up in the lexicon."""
    counts = {v.value: v.passages for v in counted}
    out = []
    for c, clause in enumerate(query.clauses):
        for t, term in enumerate(clause):
            if isinstance(term, ConceptTerm):
                choices = _choices(query, c, t, term, counts) if term.role == "finding" else ()
                out.append(Understood(term.name, term.role, term.assertion, SIGNS.get(term.assertion, ""), choices))
    return tuple(out)


def _choices(query: Query, c: int, t: int, term: ConceptTerm, counts: dict[str, int]) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            a,
            SIGNS[a],
            counts.get(a, 0) if counts else None,
            term.assertion == a,
            write(_with(query, c, t, replace(term, assertion=a))),
        )
        for a in ASSERTIONS
    )


def _with(query: Query, c: int, t: int, term: ConceptTerm) -> Query:
    clause = (*query.clauses[c][:t], term, *query.clauses[c][t + 1 :])
    return replace(query, clauses=(*query.clauses[:c], clause, *query.clauses[c + 1 :]), within=None)
