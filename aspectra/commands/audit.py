"""Who did what: the audit trail read, checked and written out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from access.audit.entry import Action, Entry
from access.audit.sealing import KEYS, renew_key
from access.audit.table import audit_json, csv_lines, summary
from access.audit.trail import Trail, Wanted, commander
from access.audit.witness import read_head
from aspectra.console import Group, command, out, say, settings, warn
from aspectra.terminal import plain
from ingest.ledger import Ledger
from search_stack.core.files import replacing

SHOWN = 50


@click.group(cls=Group)
def audit() -> None:
    """The audit trail: who signed in, asked, saw, kept, exported and changed what."""


def _filters(function: Any) -> Any:
    day = click.DateTime(["%Y-%m-%d"])
    for option in (
        click.option("--person", default="", help="An account."),
        click.option("--patient", default="", help="An id of the source: who saw this patient?"),
        click.option("--purpose", default="", help="The code of a purpose, as it was opened."),
        click.option("--action", type=click.Choice([a.value for a in Action]), help="What was done."),
        click.option("--since", type=day, help="The first day, in UTC."),
        click.option("--until", type=day, help="The last day, in UTC."),
    ):
        function = option(function)
    return function


@audit.command("list")
@_filters
@click.option("--limit", default=SHOWN, show_default=True, type=click.IntRange(1), help="Entries shown at most.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines.")
@command
def list_entries(limit: int, as_json: bool, **filters: Any) -> None:
    """The newest entries first. Reading them is an entry too."""
    trail, wanted = _asked(filters)
    found = trail.entries(wanted, limit)
    if as_json:
        for one in found:
            click.echo(json.dumps(audit_json(one, trail.seal)))
        return
    if not found:
        say("There is no such entry.")
        return
    table = Table("no.", "at (UTC)", "person", "what", "outcome", "patients", "about", box=None, pad_edge=False)
    for one in found:
        e = one.entry
        told = (f"{one.number}", f"{one.at:%Y-%m-%d %H:%M:%S}", e.person, e.action, e.outcome)
        table.add_row(*(Text(plain(cell)) for cell in (*told, *summary(e, trail.seal, wanted.patient))))
    out.print(table)


@audit.command()
@click.option("--head", "heads", multiple=True, help="NUMBER:DIGEST that was noted down earlier. May be given again.")
@command
def verify(heads: Sequence[str]) -> None:
    """Find any edit, gap or cut-off end; status 1 where there is one."""
    trail = _trail()
    count, problems = trail.problems([read_head(head) for head in heads])
    for problem in problems[:SHOWN]:
        warn(problem.what)
    if len(problems) > SHOWN:
        warn(f"… and {len(problems) - SHOWN:,} more.")
    if problems:
        raise click.exceptions.Exit(1)
    say(f"{count:,} {'entry' if count == 1 else 'entries'}, none changed, none missing.")
    if count:
        say(f"The end, to be noted down elsewhere: {trail.head()}")


@audit.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@_filters
@command
def export(file: Path, **filters: Any) -> None:
    """Write the entries to FILE, as CSV."""
    trail, wanted = _asked(filters)
    count = -1
    with replacing(file, private=True) as binary:
        for line in csv_lines(trail.all_entries(wanted), trail.seal):
            binary.write(line)
            count += 1
    say(f"{count:,} {'entry is' if count == 1 else 'entries are'} in {file}.")


@audit.command("renew-key")
@command
def renew() -> None:
    """Seal what people ask from now on with a new key; what was sealed before can still be read."""
    found = settings()
    trail = Trail.from_settings(found, Ledger.from_settings(found))
    trail.add(Entry(commander(), Action.OPERATE, about={"what": "renew-key"}))
    renew_key(found.data_dir / KEYS)
    say(f"{found.data_dir / KEYS} has a new key. Back the file up, and start the page anew: it seals with the old one.")


def _asked(filters: dict[str, Any]) -> tuple[Trail, Wanted]:
    """The trail, and what is wanted of it; that somebody reads it is in it now."""
    trail = _trail()
    day = {name: filters[name].date() if filters[name] else None for name in ("since", "until")}
    action = Action(filters["action"]) if filters["action"] else None
    wanted = Wanted(filters["person"].lower(), filters["patient"], filters["purpose"], action, **day)
    trail.add(Entry(commander(), Action.AUDIT, patients=(wanted.patient,) if wanted.patient else ()))
    return trail, wanted


def _trail() -> Trail:
    found = settings()
    return Trail.from_settings(found, Ledger.from_settings(found))


COMMANDS = (audit,)
