"""The ledger as a whole."""

from __future__ import annotations

import click
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from aspectra.console import command, counting_bar, given_settings, say, settings
from aspectra.stack.services import need_stopped
from ingest.ledger import Ledger
from ingest.ledger.move import move as move_ledger
from search_stack.core.addresses import in_clear
from search_stack.core.errors import AspectraError
from search_stack.core.moved import note_moved_ledger
from search_stack.core.settings import IN_CLEAR


@click.group()
def ledger() -> None:
    """Move the ledger, the system of record, to another database."""


@ledger.command()
@click.argument("url")
@command
def move(url: str) -> None:
    """Move the ledger to the empty database at URL (postgresql+psycopg://…, sqlite:///…), index and all.

    Everything is copied and read back; then the old place is closed for good and the new one noted in the data
    folder, for where ASPECTRA_LEDGER_URL is not set. Write - for URL to type it, so that a password in it is in
    no list of processes.
    """
    config = settings()
    address = click.prompt("Address", hide_input=True) if url == "-" else url
    try:
        make_url(address)
    except ArgumentError:
        raise AspectraError(
            "This is not a database address.", "Write it as postgresql+psycopg://user:password@host/name."
        ) from None
    if not config.plain_stores and in_clear(address):
        raise AspectraError(f"This address {IN_CLEAR}.")
    need_stopped(config, ("worker", "web"), "the ledger is moved")
    source = Ledger.from_settings(config)
    with counting_bar() as bar:
        task = bar.add_task("moving", total=None)
        count = move_ledger(source.engine, address, lambda done, total: bar.update(task, completed=done, total=total))
    note_moved_ledger(config.data_dir, address)
    shown = make_url(address).render_as_string(hide_password=True)
    say(f"{count:,} notes are in {shown} now, as they were. The old place is closed; delete it when you are content.")
    if "ledger_url" in given_settings():
        say("ASPECTRA_LEDGER_URL is set to the old place: set it to the new one.")
    say("Start again: aspectra up")


COMMANDS = (ledger,)
