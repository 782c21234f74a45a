"""Systems beside each other: a table to read and a dictionary to keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from search_stack.core.errors import AspectraError
from search_stack.evaluation.compare import CONFIDENCE, FEWEST_QUERIES, Interval, paired_bootstrap
from search_stack.evaluation.measures import Measure
from search_stack.evaluation.rankings import Qrels, Rankings, Values, evaluate, mean


@dataclass(frozen=True, slots=True)
class Cost:
    """What a system takes."""

    queries_per_second: float
    bytes_per_passage: float | None


BETTER, WORSE = "▲", "▼"


@dataclass(frozen=True, slots=True)
class RetrievalReport:
    """Means by system and measure name; intervals by system other than the baseline."""

    systems: Mapping[str, Mapping[str, float]]
    queries: int
    intervals: Mapping[str, Mapping[str, Interval]]
    baseline: str
    per_query: Mapping[str, Values]
    """By system, what the means are of."""
    costs: Mapping[str, Cost] = field(default_factory=dict)
    """Of the systems that were timed."""

    def table(self, title: str = "Retrieval") -> Table:
        """Systems as rows, measures as columns; a mark where a figure differs from the baseline's."""
        # Eighty columns hold it with the names of the systems whole; what they take is in the other reports.
        table = Table(
            title=title, caption=Text(self.caption()), caption_justify="left", box=SIMPLE_HEAD, pad_edge=False
        )
        table.add_column("system", overflow="fold", min_width=8)
        for measure in self.systems[self.baseline]:
            table.add_column(measure, justify="right", no_wrap=True)
        for system, means in self.systems.items():
            cells = [f"{value:.3f}{self.mark(system, measure)}" for measure, value in means.items()]
            # Text, because a name in square brackets would be read as markup.
            table.add_row(Text(system), *map(Text, cells))
        return table

    def json(self) -> dict[str, Any]:
        """Plain dictionaries and numbers, not rounded."""
        return {
            "systems": {system: dict(means) for system, means in self.systems.items()},
            "queries": self.queries,
            "intervals": {
                system: {
                    measure: {
                        "difference": one.mean_difference,
                        "low": one.low,
                        "high": one.high,
                        "significant": one.significant,
                    }
                    for measure, one in by_measure.items()
                }
                for system, by_measure in self.intervals.items()
            },
            "baseline": self.baseline,
            "costs": {system: asdict(cost) for system, cost in self.costs.items()},
        }

    def mark(self, system: str, measure: str) -> str:
        """Whether the figure is above or below the baseline's, beyond chance."""
        interval = self.intervals.get(system, {}).get(measure)
        if interval is None or not interval.significant:
            return " "
        return BETTER if interval.mean_difference > 0 else WORSE

    def caption(self) -> str:
        """What the figures are, and what the marks say."""
        count = f"Mean over {self.queries:,} queries, 0 to 1; a query that a system did not answer counts 0."
        if not self.intervals:
            return count
        if self.queries < FEWEST_QUERIES:
            return f"{count} Nothing is marked: fewer than {FEWEST_QUERIES} queries are too few to compare systems."
        return (
            f"{count} {BETTER} above, {WORSE} below {self.baseline}: the {CONFIDENCE:.0%} interval of the difference "
            "(paired bootstrap over queries) leaves 0 out. Each figure is compared on its own, without correction for "
            "the number of comparisons."
        )


def retrieval_report(
    systems: Mapping[str, Rankings],
    qrels: Qrels,
    measures: Sequence[Measure],
    baseline: str = "bm25",
    costs: Mapping[str, Cost] | None = None,
) -> RetrievalReport:
    """Evaluate every system on ``qrels`` and compare each with ``baseline``.

    Raises:
        AspectraError: ``baseline`` is not among the systems, or its rankings or the qrels cannot be
            evaluated; the message names the system and the query.
    """
    if baseline not in systems:
        raise AspectraError(
            f"The baseline {baseline} is not among the systems: {', '.join(systems) or 'none'}.", "Name one of them."
        )
    # Resampling depends on the order of the queries: fix it, whatever the order of the file.
    judged = {query: qrels[query] for query in sorted(qrels)}
    values = {system: _evaluated(system, rankings, judged, measures) for system, rankings in systems.items()}
    return RetrievalReport(
        systems={
            system: {measure.name: mean(by_query) for measure, by_query in by_measure.items()}
            for system, by_measure in values.items()
        },
        queries=len(judged),
        intervals={
            system: {
                measure.name: paired_bootstrap(list(by_query.values()), list(values[baseline][measure].values()))
                for measure, by_query in by_measure.items()
            }
            for system, by_measure in values.items()
            if system != baseline
        },
        baseline=baseline,
        per_query=values,
        costs=costs or {},
    )


def _evaluated(system: str, rankings: Rankings, qrels: Qrels, measures: Sequence[Measure]) -> Values:
    try:
        return evaluate(rankings, qrels, measures)
    except AspectraError as e:
        raise AspectraError(f"System {system}: {e.message}", e.remedy) from e
