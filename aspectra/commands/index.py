"""Rebuild the index."""

from __future__ import annotations

import click

from aspectra.console import command, counting_bar, say, settings
from ingest.ledger import Ledger
from ingest.work.fact_writer import rebuild_facts
from ingest.work.reindex import reindex as rebuild
from search_stack.core.client import connect
from search_stack.core.settings import Settings
from search_stack.index.facts import FactIndexes
from search_stack.index.mapping import Indexes
from search_stack.inference.models import Encoder
from search_stack.language.labeller import load_labeller


@click.command()
@click.option(
    "--labels-only/--encode-anew",
    default=True,
    help="Take the vectors of passages that stayed as they were from the serving index, where its encoder is the same.",
)
@command
def reindex(labels_only: bool) -> None:
    """Build a new index from the ledger, and swap it in, and so that of structured facts; searches go on meanwhile."""
    index_anew(settings(), labels_only)


def index_anew(config: Settings, labels_only: bool = True) -> None:
    """Build the indexes from the ledger with a bar on the terminal, and say what serves now."""
    client = connect(config)
    ledger = Ledger.from_settings(config)
    with counting_bar() as bar:
        task = bar.add_task("reindexing", total=None)
        name = rebuild(
            ledger,
            client,
            Encoder.from_settings(config),
            load_labeller(config.lexicon_folder, config.mentions),
            config,
            lambda done, total: bar.update(task, completed=done, total=total),
            labels_only,
        )
        task = bar.add_task("facts", total=None)
        facts = rebuild_facts(ledger, client, config, lambda done, total: bar.update(task, completed=done, total=total))
    say(f"{name} serves now, with {Indexes(client, config).count(name):,} passages.")
    if facts:
        say(f"{facts} serves now, with {FactIndexes(client, config).count(facts):,} facts.")


COMMANDS = (reindex,)
