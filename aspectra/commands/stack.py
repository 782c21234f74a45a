"""Run and check the local stack; the processes that it consists of."""

from __future__ import annotations

import sys
from contextlib import suppress
from datetime import UTC, datetime

import click
from rich.table import Table

from access.accounts import Accounts
from aspectra.console import command, out, say, settings
from aspectra.stack import doctor as examine
from aspectra.stack import down as stop
from aspectra.stack import status as look
from aspectra.stack import up as start
from aspectra.stack.backlog import backlog_lines
from aspectra.stack.check import Check
from aspectra.stack.index_checks import amiss, claim, index_checks
from aspectra.stack.services import NAMES
from ingest.ledger import Ledger
from search_stack.core.errors import AspectraError

_ONLY = click.argument("services", nargs=-1, type=click.Choice(NAMES))


@click.command()
@_ONLY
@command
def up(services: tuple[str, ...]) -> None:
    """Start the engine, the broker, a worker and the page (or only SERVICES), where they do not run yet."""
    config = settings()
    start(config, services or None, say)
    if problem := amiss(config):
        say(problem)
    if not services or "web" in services:
        say(f"The page: {config.web_address}")
        if not config.accounts:
            say("Every user of this machine can search there and read the notes: accounts are off (docs/security.md).")
        elif not Accounts(Ledger.from_settings(config).engine).all():
            say("Nobody has an account yet. Make the first: aspectra user add NAME --role ROLE")


@click.command()
@_ONLY
@command
def down(services: tuple[str, ...]) -> None:
    """Stop what `aspectra up` started, all of it or only SERVICES."""
    if not stop(settings(), services or None, say):
        say("Nothing ran.")


@click.command()
@command
def status() -> None:
    """Tell what runs, how far the notes are, and whether the index fits ledger, encoder and labels. Ends with
    status 1 where something does not run or fit."""
    table = Table("service", "state", "address", "pid", "detail", box=None, pad_edge=False)
    config = settings()
    found = look(config)
    for s in found:
        table.add_row(s.name, s.state, s.address, str(s.pid or ""), s.detail)
    out.print(table)
    problems = [c for c in index_checks(config) if not c.ok]
    try:
        for line in backlog_lines(config, datetime.now(UTC)):
            say(line)
    except AspectraError as e:
        if e.message not in [p.detail for p in problems]:
            problems.append(Check("ledger", False, e.message, e.remedy))
    for check in problems:
        say(f"{check.name}: {check.detail} {check.remedy}")
    sys.exit(0 if not problems and all(s.state in ("running", "remote") for s in found) else 1)


@click.command()
@click.option(
    "--deep", is_flag=True, help="Compare every note with what was taken in and with the index; check the audit trail."
)
@command
def doctor(deep: bool) -> None:
    """Check what Aspectra needs on this machine, with the line that mends what is missing."""
    checks = examine(settings(), deep)
    for check in checks:
        mark = "[bold red]missing[/]" if not check.ok else "[yellow]warning[/]" if check.remedy else "[green]ok     [/]"
        out.print(f"{mark} [bold]{check.name}[/]: {check.detail}", soft_wrap=True)
        if check.remedy:
            out.print(f"        {check.remedy}", soft_wrap=True)
    sys.exit(0 if all(c.ok for c in checks) else 1)


@click.command()
@command
def worker() -> None:
    """Run a worker in the foreground: it indexes what `aspectra ingest` brings."""
    from ingest.work.worker import run_worker

    run_worker(settings())


@click.command()
@command
def serve() -> None:
    """Run the page in the foreground."""
    from ui.serve import serve as run

    config = settings()
    with suppress(AspectraError):  # what is wrong with the index, each search says
        claim(config)
    run(config)


COMMANDS = (up, down, status, doctor, worker, serve)
