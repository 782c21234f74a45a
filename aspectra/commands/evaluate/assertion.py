"""Measure the assertion rules."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from aspectra.commands.evaluate import options
from aspectra.commands.evaluate.standard import Standard
from aspectra.console import command, out, say, write_figures
from search_stack.evaluation import negspacy_peer
from search_stack.evaluation.datasets import marked_sentences
from search_stack.evaluation.tasks.assertion import evaluate


@click.command()
@options.data("Sentences with a concept, as TSV.")
@options.limit("Read so many sentences only.")
@options.figures()
@command
def assertion(data: Path, limit: int | None, json_file: Path | None) -> None:
    """Absent or not, beside a window rule and negspacy; temporality, experiencer, sentences a second."""
    peers = negspacy_peer.peers()
    report = evaluate(marked_sentences.load(data, limit), peers)
    table = Table("system", "precision", "recall", "F1", "accuracy", title=f"Absent: {report.sentences:,} sentences")
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
    write_figures(json_file, {"data": data.name, **report.json()})


COMMANDS = (assertion,)
FOR_ALL = (
    Standard(
        "assertion/negex.tsv",
        ("absent/f1", "accuracy", "temporality/accuracy", "experiencer/accuracy", "baselines/*/absent/f1"),
    ),
)
