"""`python -m tests.chaos --seed 7 --minutes 5 --ledger sqlite`: a run by hand, with what was found at its end."""

from __future__ import annotations

import random
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from pydantic import SecretStr
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from search_stack.inference.models import Encoder
from tests.chaos import plan
from tests.chaos.drive import OPTIONS, Drive, Report
from tests.chaos.faults import faults
from tests.conftest import postgresql, stacks
from tests.engine.conftest import SERVICES, Place

console = Console(highlight=False)
LONGEST = 32.0
"""Seconds that a fault may last: longer than a claim lives."""


@click.command()
@click.option("--seed", type=int, help="Repeat that run; one of chance where not given.")
@click.option("--minutes", type=float, default=5.0, show_default=True, help="How long things are broken.")
@click.option("--ledger", type=click.Choice(["sqlite", "postgresql", "both"]), default="both", show_default=True)
def main(seed: int | None, minutes: float, ledger: str) -> None:
    """Break one thing after another under ingest, deletion, reindexing and search, then look whether all is whole."""
    seed = random.randrange(10_000) if seed is None else seed
    kinds = ["sqlite", "postgresql"] if ledger == "both" else [ledger]
    reports = [_run(kind, seed, 60 * minutes) for kind in kinds]
    sys.exit(1 if any(report.problems for report in reports) else 0)


def _run(kind: str, seed: int, seconds: float) -> Report:
    console.print(f"[bold]{kind}, seed {seed}, {seconds / 60:g} minutes[/]")
    with ExitStack() as undo:
        options: dict[str, Any] = dict(OPTIONS)
        if kind == "postgresql":
            options["ledger_url"] = SecretStr(undo.enter_context(postgresql())())
        settings = undo.enter_context(stacks())(SERVICES, **options)
        folder = Path(undo.enter_context(tempfile.TemporaryDirectory(prefix="aspectra-chaos-")))
        place = Place(settings, Encoder.from_settings(settings, threads=1))
        undo.callback(place.ledger.engine.dispose)
        undo.callback(place.stop_commands)
        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        with Progress(*columns, console=console) as bar:
            task = bar.add_task("the first notes", total=None)

            def say(line: str) -> None:
                bar.update(task, description=line)
                if not console.is_terminal:
                    console.print(line, markup=False)

            steps = plan.steps(seed, list(faults(kind)), LONGEST)
            report = Drive(place, folder, seed, say).run(steps, seconds)
    _show(report, kind)
    return report


def _show(report: Report, kind: str) -> None:
    table = Table("fault", "struck", "found nothing to strike", box=None, pad_edge=False)
    for name in faults(kind):
        table.add_row(name, str(report.hits[name]), str(report.missed[name] or ""))
    console.print(table)
    console.print(report.text(), markup=False, soft_wrap=True)
    if report.problems:
        console.print(f"[bold red]broken[/]: repeat it with make chaos SEED={report.seed}")
    else:
        console.print("[bold green]whole[/]: ledger and index agree by id, version and text")


main()
