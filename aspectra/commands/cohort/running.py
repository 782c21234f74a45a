"""A query run: its exact patients, and what each step leaves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import click
from rich.table import Table

from aspectra.commands.cohort.keeping import Place
from aspectra.console import command, out, say
from aspectra.terminal import add_row, json_line, line
from search_stack.cohorts.cohort import Members, Step
from search_stack.cohorts.facets import Counted
from search_stack.cohorts.figures import figures, lefts
from search_stack.cohorts.rows import Unit
from search_stack.cohorts.version import Left
from search_stack.core.errors import AspectraError
from search_stack.core.files import write_whole
from search_stack.query.nodes import Node
from search_stack.query.tree_json import from_json
from search_stack.retrieval.searcher import Searcher
from ui.wording import counted

MOST_VALUES = 20
"""Of each facet that are printed."""
HEADINGS = {"type": "note type"}
UNIT = click.option(
    "--unit", type=click.Choice(("patient", "note")), default="patient", help="What must satisfy it together."
)


@click.command()
@click.argument("query", nargs=-1, required=True)
@UNIT
@click.option("--ids", "ids_file", type=click.Path(path_type=Path), help="Write the patient ids to this file.")
@click.option("--facets", "with_facets", is_flag=True, help="Count patients by note type, section, year, sex, …")
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
@command
def run(query: tuple[str, ...], unit: str, ids_file: Path | None, with_facets: bool, as_json: bool) -> None:
    """Count the patients of QUERY, a line or a tree in JSON, after each of its criteria."""
    place = Place.here()
    ledger, searcher = place.ledger, place.searcher
    node, told = tree_of(" ".join(query), searcher)
    facets: Mapping[str, tuple[Counted, ...]] = {}
    if with_facets:
        found, steps, facets = searcher.described(node, cast(Unit, unit))
    else:
        found, steps = searcher.cohort(node, cast(Unit, unit))
    remarks = searcher.remarks(found.plan.node)
    told["notices"] = [*told.get("notices", ()), *map(asdict, remarks)]
    if ids_file:
        names = ledger.people.ids(found.patients)
        write_whole(ids_file, "".join(f"{names[n]}\n" for n in found.patients.tolist()), private=True)
    if as_json:
        counted = {"facets": {k: [asdict(v) for v in some] for k, some in facets.items()}} if with_facets else {}
        click.echo(json_line({**figures(found, steps), **counted, **told}))
        return
    _print(found, steps)
    for notice in told["notices"]:
        say(line(notice["message"]))
    _print_facets(facets)
    if ids_file:
        say(f"{len(found.patients):,} patient ids: {line(str(ids_file))}")


def tree_of(text: str, searcher: Searcher) -> tuple[Node, dict[str, Any]]:
    """The tree that a line or JSON says, and for a line what was left aside and guessed.

    Raises:
        AspectraError: it cannot be read.
    """
    if text.lstrip().startswith("{"):
        try:
            data = json.loads(text)
        except ValueError as e:
            raise AspectraError("The tree is no JSON.", 'Write it as {"finding": "pneumothorax"}.') from e
        return from_json(data), {}
    understood = searcher.understand(text)
    said = understood.json()
    return understood.query, {"aside": said["aside"], "notices": said["notices"]}


def _print(found: Members, steps: tuple[Step, ...]) -> None:
    print_steps(lefts(steps))
    if found.plan.cohorts:
        say(f"Cohorts: {line(', '.join(found.plan.cohorts.values()))}")
    say(f"{found_by(len(found.patients), len(found.notes))}.")
    if found.undated:
        say(f"{found.undated:,} notes without a date were left out of what compares time.")


def print_steps(steps: Iterable[Left]) -> None:
    table = Table("after", "patients", "notes", box=None, pad_edge=False)
    for step in steps:
        add_row(table, step.step, f"{step.patients:,}", f"{step.notes:,}")
    out.print(table)


def found_by(patients: int, notes: int) -> str:
    """
    >>> found_by(1, 7), found_by(10, 0)
    ('1 patient, by 7 notes', '10 patients, by no note')
    """
    return f"{counted(patients, 'patient')}, by {counted(notes, 'note') if notes else 'no note'}"


def _print_facets(facets: Mapping[str, tuple[Counted, ...]]) -> None:
    for name, values in facets.items():
        if values:
            table = Table(HEADINGS.get(name, name), "patients", box=None, pad_edge=False)
            for one in values[:MOST_VALUES]:
                add_row(table, one.value, f"{one.patients:,}")
            out.print()
            out.print(table)
        if len(values) > MOST_VALUES:
            say(f"and {len(values) - MOST_VALUES:,} more, with --json")


COMMANDS = (run,)
