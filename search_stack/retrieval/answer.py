"""What a search answers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from search_stack.core.schema import Hit
from search_stack.query.items import Notice
from search_stack.query.nodes import Node, Words
from search_stack.query.tree_json import to_json
from search_stack.retrieval.labels import OlderLabels

Scope = Literal["passage", "note", "patient"]
SCOPES: tuple[Scope, ...] = ("passage", "note", "patient")
Order = Literal["best", "newest", "oldest"]
ORDERS: tuple[Order, ...] = ("best", "newest", "oldest")
Key = str | int
"""Of a group: the wording of its passages, the number of its note or patient."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Exact numbers over the passages that satisfy the filters and hold every word."""

    passages: int
    notes: int
    patients: int
    undated_notes: int
    """Notes that only a date filter leaves out, because they have no date."""

    def of(self, scope: Scope) -> int:
        return {"passage": self.passages, "note": self.notes, "patient": self.patients}[scope]


@dataclass(frozen=True, slots=True)
class FacetValue:
    value: str
    count: int
    """In the scope's unit."""


@dataclass(frozen=True, slots=True)
class FindingCounts:
    """A finding, and how many there are of which notes say what of it; what is said of nobody is left out."""

    name: str
    counts: tuple[FacetValue, ...]
    """By assertion."""

    @property
    def present(self) -> int:
        return next((one.count for one in self.counts if one.value == "present"), 0)

    @property
    def most(self) -> int:
        return max(one.count for one in self.counts)


@dataclass(frozen=True, slots=True)
class Group:
    """Hits that belong together in the scope asked for, best first; ``more`` were found besides.

    In the scope of a passage those that say the same, word for word, under the same heading are one group: its best is
    shown, and ``more`` others are counted, each in a note of its own. A note or patient that is counted shows passages
    that count and no others.
    """

    key: str
    hits: tuple[Hit, ...]
    more: int
    counted: bool = True
    """False where it only comes close."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One page of an answer.

    All that are counted are listed: those that were ranked first, then the others in a stable order, and at the end
    ``close`` more that come close without being counted. ``folded`` of the counted passages say again what one that
    was ranked says, and stand behind it.
    """

    scope: Scope
    groups: tuple[Group, ...]
    page: int
    pages: int
    ranked: int
    """How many of the counted ones were ranked; the others follow by their note. None where they stand by date."""
    close: int
    folded: int
    counts: Counts
    facets: dict[str, tuple[FacetValue, ...]]
    """By name: of the fields that have one, "year", and "assertion" where one finding is asked for."""
    milliseconds: dict[str, float]
    reranked: int
    criteria: tuple[int, ...] = ()
    """For each of `search_stack.query.tree.criteria`, how many it has on its own, in what the filters leave; of an
    exclusion, how many it shuts out."""
    facets_in: Scope = "passage"
    """What the facets but "assertion", and ``findings``, count: passages where these are very many, else as ``scope``
    says."""
    findings: tuple[FindingCounts, ...] = ()
    """What else the notes say; none where that was not asked for."""
    vectors: bool = True
    """False where the index holds those of another encoder, so that only words found and ordered the passages."""
    older: OlderLabels = field(default_factory=OlderLabels)
    """Passages whose labels do not know a concept that is asked for."""
    cohorts: tuple[str, ...] = ()
    """Versions of the kept cohorts that the query names: NAME@3."""
    query: Node = field(default_factory=lambda: Words(""))
    notices: tuple[Notice, ...] = ()
    """What should be known of the structured facts that are asked for."""

    @property
    def listed(self) -> int:
        """How far paging goes."""
        return self.counts.of(self.scope) - self.folded + self.close

    def json(self) -> dict[str, Any]:
        """Plain data but ``findings``, which the page alone asks for; the query is its tree."""
        groups = [{"key": g.key, "hits": [h.json() for h in g.hits], "more": g.more} for g in self.groups]
        rest = asdict(replace(self, query=Words(""), groups=()))
        del rest["findings"]
        return {**rest, "groups": groups, "query": to_json(self.query), "listed": self.listed}
