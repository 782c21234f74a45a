"""Measure the sectioner."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click
from rich.table import Table

from aspectra.commands.evaluate import options
from aspectra.commands.evaluate.standard import Standard
from aspectra.console import command, out, say, write_figures
from search_stack.evaluation.datasets import headed_notes
from search_stack.evaluation.tasks.sections import evaluate


@click.command()
@options.data("Notes with headings, as JSON lines.")
@options.limit("Read so many notes only.")
@options.figures()
@command
def sections(data: Path, limit: int | None, json_file: Path | None) -> None:
    """Headings found, beside capitals with a colon: precision, recall, F1, notes a second."""
    report = evaluate(headed_notes.load(data, limit))
    table = Table(
        "system", "precision", "recall", "F1", title=f"{report.headings:,} headings of {report.notes:,} notes"
    )
    for name, s in (("aspectra", report.heading), ("capitals and colon (baseline)", report.baseline)):
        table.add_row(name, f"{s.precision:.3f}", f"{s.recall:.3f}", f"{s.f1:.3f}")
    out.print(table)
    say(f"F1 a note: {report.interval}.")
    say(f"{report.notes_per_second:,.0f} notes a second.")
    write_figures(json_file, {"data": data.name, **asdict(report)})


COMMANDS = (sections,)
FOR_ALL = (Standard("notes/mtsamples.jsonl", ("heading/f1", "baseline/f1", "interval")),)
