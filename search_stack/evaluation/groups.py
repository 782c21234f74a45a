"""The figures again, for groups of the queries: by aspect, by source."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Query
from search_stack.evaluation.rankings import Values, mean

SOURCE = re.compile(r"[^_\d#/-]+")
"""The letters that an id begins with: CancerGov of CancerGov_0000001_5-1."""
Groups = Mapping[str, Mapping[str, Sequence[str]]]
"""By kind of grouping and name of the group, the ids of its queries."""


def groups_of(data: EntityAspectData, queries: Sequence[Query]) -> Groups:
    """Queries by the aspect that they ask for, and by the source of their answer."""
    aspects: dict[str, list[str]] = {}
    sources: dict[str, list[str]] = {}
    document = {p.id: p.document_id for p in data.passages}
    for q in queries:
        aspects.setdefault(q.aspect or "none", []).append(q.id)
        found = SOURCE.match(document[q.relevant[0]])
        sources.setdefault(found[0] if found else data.name, []).append(q.id)
    return {"aspect": aspects, "source": sources}


@dataclass(frozen=True, slots=True)
class QueryGroup:
    """How many queries, and the means by system and measure."""

    queries: int
    systems: Mapping[str, Mapping[str, float]]


def by_group(values: Mapping[str, Values], groups: Groups) -> dict[str, dict[str, QueryGroup]]:
    """By kind and name, the largest group first; ``values`` are those of each system."""

    def means(ids: Sequence[str]) -> dict[str, dict[str, float]]:
        return {
            system: {m.name: mean({i: by_query[i] for i in ids}) for m, by_query in measured.items()}
            for system, measured in values.items()
        }

    return {
        kind: {
            name: QueryGroup(len(ids), means(ids))
            for name, ids in sorted(named.items(), key=lambda one: (-len(one[1]), one[0]))
        }
        for kind, named in groups.items()
    }


def group_table(groups: Mapping[str, QueryGroup], kind: str, measure: str) -> Table:
    """Groups as rows, systems as columns, one measure."""
    table = Table(title=f"{measure} by {kind}")
    table.add_column(kind)
    table.add_column("queries", justify="right")
    for system in next(iter(groups.values())).systems:
        table.add_column(Text(system), justify="right")
    for name, group in groups.items():
        cells = (f"{means[measure]:.3f}" for means in group.systems.values())
        table.add_row(Text(name), f"{group.queries:,}", *cells)
    return table
