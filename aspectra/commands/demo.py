"""The demo: the whole stack with synthetic notes, until Ctrl-C."""

from __future__ import annotations

import signal
import threading

import click

from aspectra.commands.ingest import ingest_source, report
from aspectra.console import command, say, settings
from aspectra.stack import down, up
from aspectra.stack.services import NAMES
from ingest.ledger import Ledger

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _interrupt(number: int, frame: object) -> None:
    _go_on()  # a second Ctrl-C must not meet the first on its way out, nor leave half of it running
    raise KeyboardInterrupt


def _go_on() -> None:
    """Whatever else comes."""
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)  # SIG_IGN complains of those that have come already


@click.command()
@command
def demo() -> None:
    """Start everything, ingest the synthetic notes, print the page's address; Ctrl-C stops it all."""
    from ingest.demo import demo_source

    config = settings()
    for number in SIGNALS:
        signal.signal(number, _interrupt)
    started: list[str] = []
    try:
        started = up(config, [name for name in NAMES if name != "web"], say)
        ledger = Ledger.from_settings(config)
        report(ingest_source(demo_source(), ledger, config, wait=True), ledger)
        started += up(config, ["web"], say)  # last, so that the page has something to show
        say(f"\nOpen {config.web_address} and search. All notes of this demo are synthetic. Ctrl-C stops everything.")
        threading.Event().wait()
    except KeyboardInterrupt:
        say("\nStopping.")
    finally:
        _go_on()
        if started:
            down(config, started, say)


COMMANDS = (demo,)
