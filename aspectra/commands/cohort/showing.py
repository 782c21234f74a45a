"""Kept cohorts listed, and a version shown with all that is known of it."""

from __future__ import annotations

import click
from rich.table import Table

from aspectra.commands.cohort.keeping import JSON, Place
from aspectra.commands.cohort.running import found_by, print_steps
from aspectra.console import command, out, say
from aspectra.terminal import add_row, json_line, line
from ingest.cohorts.plain import cohort_json, edition_json, version_json
from ingest.cohorts.words import moment, origin_words, period
from search_stack.cohorts.version import Asked, Version


@click.command(name="list")
@JSON
@command
def list_cohorts(as_json: bool) -> None:
    """List the cohorts that are kept, with their newest versions."""
    kept = Place.here().store.cohorts()
    if as_json:
        click.echo(json_line([cohort_json(c) for c in kept]))
        return
    if not kept:
        say("No cohort is kept yet: aspectra cohort save NAME QUERY")
        return
    table = Table("cohort", "patients", "notes", "saved", "by", "runs every", "description", box=None, pad_edge=False)
    for c in kept:
        e = c.newest
        numbers = (f"{e.patients:,}", f"{e.notes:,}")
        add_row(table, e.name, *numbers, moment(e.made), e.by, period(c.every), c.description)
    out.print(table)
    for c in kept:
        if c.problem:
            say(f"{line(c.name)}: the run of {moment(c.looked)} failed: {line(c.problem)}")


@click.command()
@click.argument("version", metavar="NAME[@VERSION]")
@JSON
@command
def show(version: str, as_json: bool) -> None:
    """Show a version, the newest where none is named: what was asked, how many each step left, by what it was found."""
    place = Place.here()
    found = place.version(version)
    kept = place.store.cohort(found.cohort)
    editions = place.store.editions(found.cohort)
    if as_json:
        cohort = {**cohort_json(kept), "versions": [edition_json(e) for e in editions]}
        click.echo(json_line({**version_json(found), "cohort": cohort}))
        return
    say(f"{line(found.name)}: {found_by(len(found.patients), found.note_count)}")
    if kept.description:
        say(line(kept.description))
    say(f"Asked: {line(origin_words(found.origin))}")
    if isinstance(found.origin, Asked) and found.origin.line:
        say(f"Typed: {line(found.origin.line)}")
    if found.steps:
        print_steps(found.steps)
    if found.undated:
        say(f"{found.undated:,} notes without a date were left out of what compares time.")
    _print_provenance(found)
    if kept.every:
        last = f"; last looked at {moment(kept.looked)}" if kept.looked else ""
        say(f"Runs every {period(kept.every)}, next at {moment(kept.due)}{last}.")
    if kept.problem:
        say(f"That run failed: {line(kept.problem)}")
    if len(editions) > 1:
        table = Table("version", "patients", "notes", "saved", "by", box=None, pad_edge=False)
        for e in editions:
            add_row(table, str(e.number), f"{e.patients:,}", f"{e.notes:,}", moment(e.made), e.by)
        out.print(table)


def _print_provenance(found: Version) -> None:
    p = found.provenance
    by = f"{found.by}, on a schedule" if found.scheduled else found.by
    say(f"Saved {moment(found.made)} by {line(by)}; one {found.unit} had to satisfy it.")
    told = (
        ("cohorts", ", ".join(p.cohorts)),
        ("index generation", p.generation),
        ("labels", ", ".join(p.labels)),
        ("lexicon", p.lexicon[:16]),
        ("rules", p.rules[:16]),
        ("encoder", p.encoder),
        ("reranker", p.reranker),
        ("ledger", p.ledger),
        ("Aspectra", p.program),
        ("digest", found.digest[:16]),
    )
    say(line("Found in: " + ", ".join(f"{name} {value}" for name, value in told if value)))


COMMANDS = (list_cohorts, show)
