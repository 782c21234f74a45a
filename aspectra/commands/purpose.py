"""What people read notes for, where they sign in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

import click
from rich.table import Table
from rich.text import Text

from access.audit.entry import Action, Entry
from access.audit.trail import Trail, commander
from access.purposes import Kind, Purposes
from aspectra.console import Group, command, out, say, settings
from ingest.ledger import Ledger
from search_stack.core.account import present_user
from search_stack.core.errors import AspectraError


@click.group(cls=Group)
def purpose() -> None:
    """What people read notes for, where ASPECTRA_ACCOUNTS is on: approval, last day, collections, people."""


@purpose.command("open")
@click.argument("code")
@click.option("--kind", type=click.Choice([k.value for k in Kind]), default=Kind.STUDY.value, show_default=True)
@click.option("--title", required=True, help="What it is about.")
@click.option("--approval", required=True, help="By whom, and under which number.")
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), required=True, help="Its last day.")
@click.option("--collection", "names", multiple=True, help="One that it covers. May be given again.")
@click.option("--all-collections", is_flag=True, help="It covers all that there are, also those to come.")
@click.option("--person", "people", multiple=True, help="An account that is of it. May be given again.")
@command
def open_purpose(
    code: str,
    kind: str,
    title: str,
    approval: str,
    until: datetime,
    names: Sequence[str],
    all_collections: bool,
    people: Sequence[str],
) -> None:
    """Open the purpose CODE, a study's number or the short name of a project."""
    if all_collections and names:
        raise AspectraError("It covers all collections, or those that are named.", "Leave out one of the two.")
    kept = _kept()
    made = kept.open(
        code, Kind(kind), title, approval, until.date(), None if all_collections else names, present_user()
    )
    _note("open", made.code)
    for name in people:
        kept.add(made, name)
        _note("add", made.code, account=name.lower())
    say(f"{made.code} is open until {made.until}.")
    if not people:
        say(f"Nobody is of it yet: aspectra purpose people {made.code} --add NAME")


@purpose.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@command
def list_purposes(as_json: bool) -> None:
    """Purposes with their people, those that are open first."""
    kept = _kept()
    found = [(p, kept.people(p)) for p in kept.all()]
    if as_json:
        rows = [
            {
                "code": p.code,
                "kind": p.kind,
                "title": p.title,
                "approval": p.approval,
                "until": p.until.isoformat(),
                "collections": sorted(p.collections) if p.collections is not None else None,
                "open": p.open,
                "by": p.by,
                "people": people,
            }
            for p, people in found
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    if not found:
        say("There is no purpose. Open the first: aspectra purpose open CODE")
        return
    table = Table("code", "kind", "title", "until", "covers", "people", box=None, pad_edge=False)
    for p, people in found:
        covered = ", ".join(sorted(p.collections)) if p.collections is not None else "all"
        told = (p.code, p.kind, p.title, p.until.isoformat() if p.open else "ended", covered, ", ".join(people))
        table.add_row(*map(Text, told))
    out.print(table)


@purpose.command()
@click.argument("code")
@click.option("--add", "added", multiple=True, help="An account that is of it from now on. May be given again.")
@click.option("--remove", "removed", multiple=True, help="One that no longer is. May be given again.")
@command
def people(code: str, added: Sequence[str], removed: Sequence[str]) -> None:
    """Say who is of the purpose CODE, and change it."""
    kept = _kept()
    found = kept.named(code)
    for name in added:
        kept.add(found, name)
        _note("add", found.code, account=name.lower())
    for name in removed:
        kept.remove(found, name)
        _note("remove", found.code, account=name.lower())
    of_it = kept.people(found)
    say(f"{found.code}: {', '.join(of_it) if of_it else 'nobody'}.")


@purpose.command()
@click.argument("code")
@command
def close(code: str) -> None:
    """End the purpose CODE now: nobody reads for it any more, and its schedules stop. What is kept for it stays."""
    found = _kept().named(code)
    _kept().close(code)
    _note("close", found.code)
    say(f"{found.code} has ended.")


def _kept() -> Purposes:
    return Purposes(Ledger.from_settings(settings()).engine)


def _note(what: str, code: str, **about: str) -> None:
    """Keep in the audit trail what was done."""
    found = settings()
    entry = Entry(commander(), Action.PURPOSE, about={"what": what, "opened": code, **about})
    Trail.from_settings(found, Ledger.from_settings(found)).add(entry)


COMMANDS = (purpose,)
