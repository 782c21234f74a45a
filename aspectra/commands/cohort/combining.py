"""Cohorts made of others or of a list, and two side by side."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import click
from rich.table import Table

from aspectra.commands.cohort.keeping import JSON, Place
from aspectra.commands.cohort.saving import print_saved
from aspectra.console import command, out, say, warn
from aspectra.terminal import add_row, json_line, line
from ingest.cohorts.finding import joined
from ingest.cohorts.lists import PatientList, read_list
from ingest.cohorts.plain import contrast_json, version_json
from ingest.cohorts.profiles import compared
from search_stack.cohorts.changes import need_two
from search_stack.cohorts.contrast import Contrast, Difference, Spread
from search_stack.cohorts.version import OPERATIONS, Operation, Version
from search_stack.core.account import present_user
from search_stack.core.cohort_names import checked_name

LISTED = 20
"""Differences of each kind, and lines of a list, that are shown to a person."""


@click.command()
@click.argument("name")
@click.argument("operation", type=click.Choice(OPERATIONS))
@click.argument("first", metavar="A[@VERSION]")
@click.argument("second", metavar="B[@VERSION]")
@click.option("--description", help="What the cohort is for.")
@JSON
@command
def combine(name: str, operation: str, first: str, second: str, description: str | None, as_json: bool) -> None:
    """Keep as NAME the patients in A or B, in both, or in A and not in B. The version names those that it was made
    of, and keeps its patients whatever becomes of them."""
    checked_name(name)
    place = Place.here()
    a, b = place.version(first), place.version(second)
    found = joined(cast(Operation, operation), a, b, place.ledger)
    saved = place.store.save(name, found, present_user(), description)
    if as_json:
        click.echo(json_line(version_json(saved)))
    else:
        print_saved(saved)


@click.command()
@click.argument("first", metavar="A[@VERSION]")
@click.argument("second", metavar="B[@VERSION]")
@click.option("--all", "everything", is_flag=True, help=f"Show every difference, not the {LISTED} greatest of a kind.")
@JSON
@command
def compare(first: str, second: str, everything: bool, as_json: bool) -> None:
    """Compare the patients of A and B: how many are in both, and how they differ in sex, age, types of their notes and
    what these find, with standardised differences."""
    place = Place.here()
    a, b = place.version(first), place.version(second)
    need_two(a, b)
    found = compared(a, b, place.searcher, place.ledger)
    if as_json:
        click.echo(json_line(contrast_json(a, b, found)))
    else:
        _print(a, b, found, None if everything else LISTED)


def _print(a: Version, b: Version, found: Contrast, most: int | None) -> None:
    only = (f"only in {a.name} {found.only_first:,}", f"in both {found.both:,}")
    say(line(f"Patients: {', '.join(only)}, only in {b.name} {found.only_second:,}."))
    table = Table("", a.name, "", b.name, "", "standardised", box=None, pad_edge=False)
    add_row(table, "age at the last note", _spread(found.ages[0]), "", _spread(found.ages[1]), "", _number(found.age))
    shown: dict[str, int] = {}
    for d in found.differences:
        shown[d.kind] = shown.get(d.kind, 0) + 1
        if most is None or shown[d.kind] <= most:
            add_row(table, *_cells(d))
    out.print(table)
    for kind, count in shown.items():
        if most is not None and count > most:
            say(f"and {count - most:,} more of the kind {kind}: --all shows them")


def _cells(d: Difference) -> tuple[str, ...]:
    first, second = (f"{d.first:,}", f"{d.first_share:.1%}"), (f"{d.second:,}", f"{d.second_share:.1%}")
    return f"{d.kind}: {d.value}", *first, *second, _number(d.standardised, "without bound")


def _spread(one: Spread) -> str:
    if one.mean is None:
        return "not known"
    return f"{one.mean:.1f}" + (f" ± {one.deviation:.1f}" if one.deviation is not None else "")


def _number(value: float | None, missing: str = "") -> str:
    return missing if value is None else f"{value:+.3f}"


@click.command(name="import")
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--column", default="", help="Of a table, the column of patient ids; patient_id, or one called alike.")
@click.option("--description", help="What the cohort is for.")
@JSON
@command
def import_list(name: str, file: Path, column: str, description: str | None, as_json: bool) -> None:
    """Keep as NAME the patients of FILE: one id a line, or a table with a column of them. Ids that no patient has, and
    those that stand there twice, are told by their lines."""
    checked_name(name)
    place = Place.here()
    given = read_list(file, place.ledger, column)
    saved = place.store.save(name, given.found, present_user(), description)
    if as_json:
        left_out = [{"line": r.line, "reason": r.reason} for r in given.left_out]
        click.echo(json_line({**version_json(saved), "left_out": left_out}))
        return
    print_saved(saved)
    _print_left_out(given)


def _print_left_out(given: PatientList) -> None:
    for rejected in given.left_out[:LISTED]:
        say(line(f"{rejected.source}, line {rejected.line}: {rejected.reason}"))
    if (more := len(given.left_out) - LISTED) > 0:
        say(f"and {more:,} more: --json lists them all")
    if given.left_out:
        warn(f"{len(given.left_out):,} lines brought no patient of their own.")


COMMANDS = (combine, compare, import_list)
