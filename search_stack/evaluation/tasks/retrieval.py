"""How well the passages that answer a question are ranked, on an entity/aspect data set."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from search_stack.core.context import Part
from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Query
from search_stack.evaluation.groups import QueryGroup, by_group, groups_of
from search_stack.evaluation.measures import STANDARD
from search_stack.evaluation.report import RetrievalReport, retrieval_report
from search_stack.evaluation.systems import RankedSystems
from search_stack.evaluation.worst_queries import WorstQuery, worst_queries

SEED = 13


@dataclass(frozen=True, slots=True)
class Reading:
    """What the systems read of each passage besides its words."""

    title: str
    parts: tuple[Part, ...]


READINGS = {
    "alone": Reading("Passages alone", ()),
    "context": Reading("Passages with the opening words of their document", ("lead",)),
    "title": Reading("Passages with title and opening words of their document", ("title", "lead")),
}
MAIN = "context"
"""The reading whose figures also stand at the top of the JSON."""


@dataclass(frozen=True, slots=True)
class ReadingReport:
    """All that was measured under one of `READINGS`."""

    name: str
    report: RetrievalReport
    groups: Mapping[str, Mapping[str, QueryGroup]]
    worst: Sequence[WorstQuery]
    compared: tuple[str, str]
    """The systems whose worst queries are shown: ours, the baseline."""

    @property
    def title(self) -> str:
        return READINGS[self.name].title


def sample(data: EntityAspectData, limit: int | None) -> Sequence[Query]:
    """``limit`` queries drawn with a fixed seed, in their order; all where there are no more."""
    if limit is None or limit >= len(data.queries):
        return data.queries
    picked = sorted(random.Random(SEED).sample(range(len(data.queries)), limit))
    return [data.queries[n] for n in picked]


def evaluate(data: EntityAspectData, queries: Sequence[Query], found: RankedSystems, reading: str) -> ReadingReport:
    """Every system beside BM25, and the worst queries of the last one."""
    report = retrieval_report(found.rankings, found.qrels, STANDARD, costs=found.costs)
    compared = (list(found.rankings)[-1], report.baseline)
    return ReadingReport(
        reading,
        report,
        by_group(report.per_query, groups_of(data, queries)),
        worst_queries(found.rankings, compared, found.qrels, queries, found.texts),
        compared,
    )


def figures(data: str, candidates: str, readings: Mapping[str, ReadingReport]) -> dict[str, Any]:
    """The figures to keep."""
    main = readings.get(MAIN) or next(iter(readings.values()))
    each = {
        name: {
            **one.report.json(),
            "groups": {kind: {group: asdict(g) for group, g in named.items()} for kind, named in one.groups.items()},
        }
        for name, one in readings.items()
    }
    return {"data": data, "candidates": candidates, **main.report.json(), "columns": each}
