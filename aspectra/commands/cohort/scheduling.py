"""When a cohort is run anew by itself."""

from __future__ import annotations

import re

import click

from aspectra.commands.cohort.keeping import JSON, Place
from aspectra.console import command, say
from aspectra.terminal import json_line, line
from ingest.cohorts.plain import cohort_json
from ingest.cohorts.words import SECONDS, moment, period
from search_stack.core.errors import AspectraError

_EVERY = re.compile(r"(?P<number>[1-9]\d{0,3})(?P<unit>[mhdw])")


@click.command()
@click.argument("name")
@click.option("--every", default="", help="From one run to the next: 30m, 12h, 1d, 2w.")
@click.option("--off", is_flag=True, help="Run it no more by itself.")
@JSON
@command
def schedule(name: str, every: str, off: bool, as_json: bool) -> None:
    """Have the worker run the query of NAME every so often. It keeps a version where patients or evidence changed."""
    if off == bool(every):
        raise AspectraError("Either --every or --off is needed.", "Write it as --every 1d.")
    kept = Place.here().store.schedule(name, None if off else seconds(every))
    if as_json:
        click.echo(json_line(cohort_json(kept)))
    elif off:
        say(f"{line(kept.name)} is run no more by itself.")
    else:
        say(f"{line(kept.name)} is run every {period(kept.every)}, first at {moment(kept.due)}, while a worker runs.")


def seconds(every: str) -> int:
    """
    >>> seconds("90m"), seconds("1d")
    (5400, 86400)

    Raises:
        AspectraError: it is no length of time.
    """
    found = _EVERY.fullmatch(every)
    if not found:
        raise AspectraError("--every takes a number and m, h, d or w.", "Write it as --every 1d.")
    return int(found["number"]) * SECONDS[found["unit"]]


COMMANDS = (schedule,)
