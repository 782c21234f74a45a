"""Rebuild the index."""

from __future__ import annotations

import click

from aspectra.console import command, counting_bar, say, settings
from ingest.labelling import Labeller
from ingest.ledger import Ledger
from ingest.reindex import reindex as rebuild
from search_stack.client import connect
from search_stack.index import Indexes
from search_stack.inference.models import Encoder
from search_stack.lexicon.load import load_lexicon


@click.command()
@click.option("--labels-only", is_flag=True, help="Label anew, after a change of the lexicon, without encoding anew.")
@command
def reindex(labels_only: bool) -> None:
    """Build a new index from the ledger, and swap it in; searches go on meanwhile."""
    config = settings()
    client = connect(config)
    with counting_bar() as bar:
        task = bar.add_task("reindexing", total=None)
        name = rebuild(
            Ledger.from_settings(config),
            client,
            Encoder.from_settings(config),
            Labeller(load_lexicon(config.lexicon_folder)),
            config,
            lambda done, total: bar.update(task, completed=done, total=total),
            labels_only,
        )
    say(f"{name} serves now, with {Indexes(client, config).count(name):,} passages.")


COMMANDS = (reindex,)
