"""The demo: the whole stack with synthetic notes, until Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import click

from aspectra.commands.ingest import ingest_collection, report
from aspectra.console import command, say, settings
from aspectra.stack import down, up
from aspectra.stack.services import NAMES
from ingest.ledger import Ledger
from ingest.readers import Collection, Record


def demo_collection() -> Collection:
    """The synthetic notes, as a collection like any other."""
    from ingest.demo import demo_notes

    notes = list(demo_notes())

    def read() -> Iterator[Record]:
        for number, note in enumerate(notes, 1):
            yield Record(note, number)

    return Collection(Path("the synthetic notes"), "demo", "demo", len(notes), read)


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


@click.command()
@command
def demo() -> None:
    """Start everything, ingest the synthetic notes, print the page's address; Ctrl-C stops it all."""
    config = settings()
    for number in SIGNALS:
        signal.signal(number, _interrupt)
    started: list[str] = []
    try:
        started = up(config, [name for name in NAMES if name != "web"], say)
        ledger = Ledger.from_settings(config)
        report(ingest_collection(demo_collection(), ledger, config, wait=True), ledger)
        started += up(config, ["web"], say)  # last, so that the page has something to show
        say(f"\nOpen {config.web_address} and search. All notes of this demo are synthetic. Ctrl-C stops everything.")
        threading.Event().wait()
    except KeyboardInterrupt:
        say("\nStopping.")
    finally:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)  # a second Ctrl-C must not leave half of it running
        if started:
            down(config, started, say)


COMMANDS = (demo,)
