"""Cohorts saved, and deleted."""

from __future__ import annotations

from typing import Any, cast

import click

from aspectra.commands.cohort.keeping import JSON, Place
from aspectra.commands.cohort.running import UNIT, found_by, print_steps, tree_of
from aspectra.console import command, say
from aspectra.terminal import json_line, line
from ingest.cohorts.plain import version_json
from search_stack.cohorts.rows import Unit
from search_stack.cohorts.version import Version
from search_stack.core.account import present_user
from search_stack.core.cohort_names import checked_name
from search_stack.core.errors import AspectraError


@click.command()
@click.argument("name")
@click.argument("query", nargs=-1)
@click.option("--again", is_flag=True, help="Run the query of the newest version anew, instead of QUERY.")
@UNIT
@click.option("--description", help="What the cohort is for.")
@JSON
@command
def save(name: str, query: tuple[str, ...], again: bool, unit: str, description: str | None, as_json: bool) -> None:
    """Find the patients of QUERY, a line or a tree in JSON, and keep them as the next version of NAME."""
    checked_name(name)
    if again == bool(query):
        raise AspectraError("Either QUERY or --again is needed.", "Write it as: aspectra cohort save NAME QUERY")
    place = Place.here()
    told: dict[str, Any] = {}
    if again:
        found = place.finder.again(place.store.version(name))
    else:
        text = " ".join(query)
        node, told = tree_of(text, place.searcher)
        before = place.store.newest(name)
        found = place.finder.find(node, cast(Unit, unit), text if told else "", before)
    saved = place.store.save(name, found, present_user(), description)
    if as_json:
        click.echo(json_line({**version_json(saved), **told}))
    else:
        print_saved(saved)


def print_saved(saved: Version) -> None:
    if saved.steps:
        print_steps(saved.steps)
    say(f"{line(saved.name)}: {found_by(len(saved.patients), saved.note_count)}.")
    if saved.undated:
        say(f"{saved.undated:,} notes without a date were left out of what compares time.")


@click.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@JSON
@command
def delete(name: str, yes: bool, as_json: bool) -> None:
    """Delete NAME with all its versions. Cohorts that were made of it keep their own patients."""
    place = Place.here()
    kept = place.store.cohort(name)
    versions = len(place.store.editions(name))
    if not yes:
        click.confirm(f"Delete {kept.name} with {versions:,} versions?", abort=True, err=True)
    gone = place.store.delete(name)
    if as_json:
        click.echo(json_line({"name": kept.name, "versions": gone}))
    else:
        say(f"{line(kept.name)} is deleted, with {gone:,} versions.")


COMMANDS = (save, delete)
