"""Measure the sectioner and the aspects of sections without a heading."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click
from rich.table import Table

from aspectra.console import command, out, say, write_figures
from ingest.evaluation import aspects as of_text
from ingest.evaluation import sections as of_headings
from ingest.sections.text_model import load_model


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path), help="Notes with headings, as JSON lines.")
@click.option("--limit", type=click.IntRange(min=1), help="Read so many notes only.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures to this file.")
@command
def sections(data: Path, limit: int | None, json_file: Path | None) -> None:
    """Headings found, beside capitals with a colon: precision, recall, F1, notes a second."""
    report = of_headings.evaluate(of_headings.load_cases(data, limit))
    table = Table(
        "system", "precision", "recall", "F1", title=f"{report.headings:,} headings of {report.notes:,} notes"
    )
    for name, s in (("aspectra", report.heading), ("capitals and colon (baseline)", report.baseline)):
        table.add_row(name, f"{s.precision:.3f}", f"{s.recall:.3f}", f"{s.f1:.3f}")
    out.print(table)
    i = report.interval
    say(f"F1 a note: {i.mean_difference:+.3f} ({i.low:+.3f} to {i.high:+.3f}, paired bootstrap, 95 %).")
    say(f"{report.notes_per_second:,.0f} notes a second.")
    write_figures(json_file, {"data": data.name, **asdict(report)})


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path), help="Sections with their headers, as CSV.")
@click.option("--model", type=click.Path(path_type=Path), help="Folder of a trained model, instead of the shipped one.")
@click.option("--limit", type=click.IntRange(min=1), help="Read so many sections only.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures to this file.")
@command
def aspects(data: Path, model: Path | None, limit: int | None, json_file: Path | None) -> None:
    """The header told from a section's text alone, beside a keyword rule: accuracy."""
    report = of_text.evaluate(of_text.load_examples(data, limit), load_model(model))
    table = Table("header", "precision", "recall", "F1", title=f"{report.examples:,} sections")
    for header, s in report.per_header.items():
        table.add_row(header, f"{s.precision:.3f}", f"{s.recall:.3f}", f"{s.f1:.3f}")
    out.print(table)
    i = report.interval
    say(f"Accuracy {report.accuracy:.3f}; keyword rule {report.baseline:.3f}.")
    say(f"Difference {i.mean_difference:+.3f} ({i.low:+.3f} to {i.high:+.3f}, paired bootstrap, 95 %).")
    write_figures(json_file, {"data": data.name, **asdict(report)})


MEASURES = (sections, aspects)
