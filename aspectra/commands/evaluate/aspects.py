"""Measure the aspects of sections without a heading."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click
from rich.table import Table

from aspectra.commands.evaluate import options
from aspectra.commands.evaluate.standard import Standard
from aspectra.console import command, out, say, write_figures
from search_stack.evaluation.datasets import headed_sections
from search_stack.evaluation.tasks.aspects import evaluate
from search_stack.language.sections.text_model import load_model


@click.command()
@options.data("Sections with their headers, as CSV.")
@click.option("--model", type=click.Path(path_type=Path), help="Folder of a trained model, instead of the shipped one.")
@options.limit("Read so many sections only.")
@options.figures()
@command
def aspects(data: Path, model: Path | None, limit: int | None, json_file: Path | None) -> None:
    """The header told from a section's text alone, beside a keyword rule: accuracy."""
    report = evaluate(headed_sections.load(data, limit), load_model(model))
    table = Table("header", "precision", "recall", "F1", title=f"{report.examples:,} sections")
    for header, s in report.per_header.items():
        table.add_row(header, f"{s.precision:.3f}", f"{s.recall:.3f}", f"{s.f1:.3f}")
    out.print(table)
    say(f"Accuracy {report.accuracy:.3f}; keyword rule {report.baseline:.3f}.")
    say(f"Difference {report.interval}.")
    write_figures(json_file, {"data": data.name, **asdict(report)})


COMMANDS = (aspects,)
FOR_ALL = (Standard("notes/mts_dialog_validationset.csv", ("accuracy", "baseline", "interval")),)
