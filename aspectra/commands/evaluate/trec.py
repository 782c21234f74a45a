"""Measure runs that were kept."""

from __future__ import annotations

from pathlib import Path

import click

from aspectra.commands.evaluate import options
from aspectra.console import command, out, write_figures
from search_stack.core.errors import AspectraError
from search_stack.evaluation import trec
from search_stack.evaluation.measures import STANDARD
from search_stack.evaluation.report import retrieval_report


@click.command("trec")
@click.option("--qrels", required=True, type=click.Path(path_type=Path), help="Relevance judgements in TREC's format.")
@click.option("--run", "runs", required=True, multiple=True, type=click.Path(path_type=Path), help="A run; repeat it.")
@options.figures()
@command
def trec_files(qrels: Path, runs: tuple[Path, ...], json_file: Path | None) -> None:
    """Runs in TREC's files against relevance judgements; the first run is the baseline."""
    named = {run.stem: trec.read_run(run) for run in runs}
    if len(named) < len(runs):
        raise AspectraError("Two runs have the same file name.", "The name tells them apart: rename one.")
    report = retrieval_report(named, trec.read_qrels(qrels), STANDARD, baseline=runs[0].stem)
    out.print(report.table())
    write_figures(json_file, report.json())


COMMANDS = (trec_files,)
