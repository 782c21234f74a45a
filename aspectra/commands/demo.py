"""The demo: the whole stack with synthetic notes, until Ctrl-C."""

from __future__ import annotations

import signal
import threading
from datetime import timedelta

import click

from access.accounts import Accounts
from access.purposes import Kind, Purposes
from access.roles import Role
from aspectra.commands.index import index_anew
from aspectra.commands.ingest import ingest_source, report
from aspectra.console import command, say, settings
from aspectra.stack import down, up
from aspectra.stack.index_checks import amiss
from aspectra.stack.services import NAMES
from ingest.ledger import Ledger
from ingest.ledger.ledger import now

NAME = "demo"
"""Of the account, and of the collection."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _interrupt(number: int, frame: object) -> None:
    _go_on()  # a second Ctrl-C must not meet the first on its way out, nor leave half of it running
    raise KeyboardInterrupt


def _go_on() -> None:
    """Whatever else comes."""
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)  # SIG_IGN complains of those that have come already


@click.command()
@click.option("--sign-in", is_flag=True, help="With an account to sign in with: its one-time password is printed.")
@command
def demo(sign_in: bool) -> None:
    """Start everything, ingest the synthetic notes, print the page's address; Ctrl-C stops it all."""
    from ingest.demo import demo_source

    config = settings()
    if sign_in:
        config = config.model_copy(update={"accounts": True})
    for number in SIGNALS:
        signal.signal(number, _interrupt)
    started: list[str] = []
    try:
        started = up(config, [name for name in NAMES if name != "web"], say)
        ledger = Ledger.from_settings(config)
        if problem := amiss(config):
            say(problem)
            index_anew(config)
        report(ingest_source(demo_source(), ledger, config, wait=True), ledger)
        once = account(ledger) if sign_in else ""
        started += up(config, ["web"], say)  # last, so that the page has something to show
        if once:
            say(f"\nSign in as {NAME} with {once}, once; then choose a password of your own.")
        say(f"\nOpen {config.web_address} and search. All notes of this demo are synthetic. Ctrl-C stops everything.")
        threading.Event().wait()
    except KeyboardInterrupt:
        say("\nStopping.")
    finally:
        _go_on()
        if started:
            down(config, started, say)


def account(ledger: Ledger) -> str:
    """A new one-time password of the demo's account, which manages cohorts, and is of a purpose that covers the
    synthetic notes and nothing else. Both are made where they are not there."""
    accounts, purposes = Accounts(ledger.engine), Purposes(ledger.engine)
    there = NAME in (one.name for one in accounts.all())
    once = accounts.renew(NAME) if there else accounts.add(NAME, Role.MANAGER)
    if not purposes.of(accounts.named(NAME)):
        told = (Kind.PREPARATION, "A look at the synthetic notes", "none is needed: nobody is real")
        code = f"DEMO-{len(purposes.all()) + 1}"
        made = purposes.open(code, *told, now().date() + timedelta(days=365), [NAME], NAME)
        purposes.add(made, NAME)
    return once


COMMANDS = (demo,)
