"""Measure the ranking of the index by judged passages: the half of `aspectra evaluate judgments` that takes a file."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table

from aspectra.console import out, say, settings, stage_bars, write_figures
from aspectra.terminal import add_row
from ingest.ledger import Ledger
from search_stack.core.client import connect
from search_stack.evaluation.datasets.judgments import Part, load_part, part_to_read
from search_stack.evaluation.tasks.judgments import JudgmentsReport, evaluate
from search_stack.index.engine import Engine
from search_stack.index.mapping import alias
from search_stack.retrieval.searcher import Searcher


def measure(file: Path, part: Part | None, json_file: Path | None) -> None:
    """Print and write how well the queries of ``file`` are answered.

    Args:
        part: of the queries, as of `part_to_read`.
    """
    part = part_to_read(file, part)
    judged = load_part(file, part)
    config = settings()
    ledger = Ledger.from_settings(config)
    engine = Engine(connect(config), config, alias(config), ledger)
    with stage_bars() as progress:
        report = evaluate(judged, Searcher.from_settings(config, ledger), engine, progress)
    _print(report, part or "all")
    write_figures(json_file, {"file": file.name, "part": part or "all", **report.json()})


def _print(report: JudgmentsReport, part: str) -> None:
    out.print(report.whole.table(f"Judged passages, {part} queries"))
    out.print(report.condensed.table("Without passages that nobody judged"))
    kinds = Table("nDCG@10", "queries", *report.unjudged, box=None, pad_edge=False)
    for kind, by_system in report.kinds.items():
        add_row(kinds, kind or "-", str(report.each[kind]), *(f"{value:.3f}" for value in by_system.values()))
    out.print(kinds)
    for system, by_measure in report.whole.intervals.items():
        told = "; ".join(f"{name} {interval}" for name, interval in by_measure.items() if name in SHOWN)
        say(f"{system} minus bm25: {told}.")
    unjudged = ", ".join(f"{share:.0%} of {system}" for system, share in report.unjudged.items())
    say(f"Of the first ten nobody judged: {unjudged}; they count as wrong in the first table.")
    for number, what in (
        (report.unanswerable, "queries without any answer are left out"),
        (len(report.refused), "queries were refused, and count 0"),
        (report.missing, "judged notes are not in the index, their judgments left out"),
    ):
        if number:
            say(f"{number:,} {what}.")
    if report.agreement:
        k = report.agreement
        say(f"Two readers on {report.read_twice:,}: kappa {k.value:.2f} ({k.low:.2f} to {k.high:.2f}).")


SHOWN = ("P(rel=2)@10", "nDCG@10")
