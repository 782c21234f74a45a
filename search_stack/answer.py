"""What a search answers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from search_stack.criteria import Query
from search_stack.labels import OlderLabels
from search_stack.schema import Hit

Scope = Literal["passage", "note", "patient"]
SCOPES: tuple[Scope, ...] = ("passage", "note", "patient")


@dataclass(frozen=True, slots=True)
class Counts:
    """Exact numbers over the passages that satisfy the filters and hold every word."""

    passages: int
    notes: int
    patients: int
    undated_notes: int
    """Notes that only a date filter leaves out, because they have no date."""


@dataclass(frozen=True, slots=True)
class FacetValue:
    value: str
    passages: int


@dataclass(frozen=True, slots=True)
class Group:
    """Hits that belong together in the scope asked for, best first; ``more`` were ranked besides."""

    key: str
    hits: tuple[Hit, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Answer:
    """One page of an answer.

    ``ranked`` is the length of the ranked list in the scope's unit: how far paging goes. It
    also holds passages that come close without holding every word; ``counts`` does not.
    """

    scope: Scope
    groups: tuple[Group, ...]
    page: int
    pages: int
    ranked: int
    counts: Counts
    facets: dict[str, tuple[FacetValue, ...]]
    milliseconds: dict[str, float]
    reranked: int
    vectors: bool = True
    """False where the index holds those of another encoder, so that only words found and ordered the passages."""
    older: OlderLabels = field(default_factory=OlderLabels)
    """Passages whose labels do not know a concept that is asked for."""
    query: Query = field(default_factory=Query)
    """The query as it was understood: its words looked up in the lexicon."""

    def json(self) -> dict[str, Any]:
        """Plain data; of the query, the concepts that were understood."""
        out = asdict(replace(self, query=Query()))
        out["query"] = {"findings": [asdict(t) for t in self.query.concepts]}
        return out
