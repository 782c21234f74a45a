"""Measure the assertion rules."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from aspectra.console import command, out, say, write_figures
from ingest.evaluation import negspacy_peer
from ingest.evaluation.assertion import AssertionReport, evaluate, load_cases


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path), help="Sentences with a concept, as TSV.")
@click.option("--limit", type=click.IntRange(min=1), help="Read so many sentences only.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures to this file.")
@command
def assertion(data: Path, limit: int | None, json_file: Path | None) -> None:
    """Absent or not, beside a window rule and negspacy; temporality, experiencer, sentences a second."""
    cases = load_cases(data, limit)
    peers = {"negspacy": negspacy_peer.negspacy} if negspacy_peer.installed() else {}
    report = evaluate(cases, peers)
    table = Table("system", "precision", "recall", "F1", "accuracy", title=f"Absent: {report.cases:,} sentences")
    for name, s in report.absent.items():
        mark = ""
        if (interval := report.intervals.get(name)) and interval.significant:
            mark = " ▼" if interval.mean_difference > 0 else " ▲"
        table.add_row(
            name, f"{s.precision:.3f}", f"{s.recall:.3f}", f"{s.f1:.3f}", f"{report.accuracy[name]:.3f}{mark}"
        )
    out.print(table)
    say(
        f"Temporality {report.temporality:.3f}, experiencer {report.experiencer:.3f}; "
        f"{report.sentences_per_second:,.0f} sentences a second."
    )
    say("▼ below, ▲ above aspectra: the 95 % interval of the difference (paired bootstrap) leaves 0 out.")
    if not peers:
        say("negspacy is not installed; it comes with the extra bench.")
    write_figures(json_file, {"data": data.name, **figures(report)})


def figures(report: AssertionReport) -> dict[str, Any]:
    return {
        "absent": asdict(report.absent["aspectra"]),
        "accuracy": report.accuracy["aspectra"],
        "temporality": {"accuracy": report.temporality},
        "experiencer": {"accuracy": report.experiencer},
        "sentences_per_second": report.sentences_per_second,
        "sentences": report.cases,
        "baselines": {
            name: {"absent": asdict(s), "accuracy": report.accuracy[name], "interval": asdict(report.intervals[name])}
            for name, s in report.absent.items()
            if name != "aspectra"
        },
    }
