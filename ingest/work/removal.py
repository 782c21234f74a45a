"""Deletion of notes, and of all that there is of a patient, everywhere."""

from __future__ import annotations

from opensearchpy import OpenSearch

from ingest.ledger import Ledger
from ingest.ledger.forgetting import Forgetting, Held
from ingest.work.fact_writer import index_facts
from ingest.work.indexer import stale
from ingest.work.writer import Writer
from search_stack.core.client import engine_errors
from search_stack.core.settings import Settings
from search_stack.index.mapping import Indexes

BATCH = 200


def remove_deleted(ledger: Ledger, writer: Writer, client: OpenSearch, settings: Settings) -> int:
    """Take notes that are marked for deletion out of every index, then out of the ledger.

    Killed half-way, it goes on from where it was: the mark stays until the index is clean.
    """
    removed = 0
    indexes = Indexes(client, settings)
    while batch := ledger.deleting(BATCH):
        with engine_errors(settings):
            live = indexes.live()
        targets = [*([live] if live else []), *ledger.building()]
        writer.write(action for s in batch for action in stale(s, 0, targets))
        with engine_errors(settings):
            for target in targets:
                indexes.refresh(target)
        ledger.remove(batch)
        removed += len(batch)
    return removed


def forget(held: Held, ledger: Ledger, client: OpenSearch, settings: Settings) -> bool:
    """Take all of a patient out of every index and of the ledger; whether nothing is left. Not so where notes or facts
    came in again meanwhile.

    Killed half-way, the same call goes on from where it was: the id stays until the indexes are clean.
    """
    forgetting = Forgetting(ledger.engine)
    forgetting.mark(held)
    remove_deleted(ledger, Writer(client, settings), client, settings)
    index_facts(ledger, client, settings)
    return forgetting.close(held)
