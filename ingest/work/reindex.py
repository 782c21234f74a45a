"""A new index from the ledger beside the old one, while searches and ingest go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from opensearchpy import OpenSearch

from ingest.ledger import Ledger
from ingest.work.dispatch import make_queue
from ingest.work.indexer import Vectors, slices, write_slice
from ingest.work.kept_vectors import KeptVectors
from ingest.work.writer import Writer
from search_stack.core.client import engine_errors
from search_stack.core.settings import Settings
from search_stack.index.documents import encoded, prepare
from search_stack.index.mapping import Indexes
from search_stack.index.meta import IndexMeta
from search_stack.inference.models import Encoder
from search_stack.language.labeller import Labeller

BATCH = 64


def reindex(
    ledger: Ledger,
    client: OpenSearch,
    encoder: Encoder,
    labeller: Labeller,
    settings: Settings,
    progress: Callable[[int, int], None],
    labels_only: bool = False,
) -> str:
    """Build a new version of the index from every note, swap the alias, drop the old version.

    While it is being built, workers write changes to both. Interrupted, the same call goes
    on where it stopped. ``progress`` hears notes done and notes in all. ``labels_only`` takes
    over the vectors of passages that are the same in the serving index, so that only what is
    new is encoded.

    Returns:
        The name of the new index.
    """
    indexes = Indexes(client, settings)
    name, cursor = _begin(ledger, indexes, encoder, settings)
    ledger.note_labelling(labeller.version, labeller.fingerprints)
    writer = Writer(client, settings)
    queue = make_queue(ledger, settings)
    vectors: Vectors = partial(encoded, encoder)
    if labels_only and (live := indexes.live()) and indexes.meta(live).encoder == encoder.manifest.identity:
        vectors = KeptVectors(client, encoder, settings, live)
    counts = ledger.counts()
    total = counts["indexed"] + counts["pending"]
    done = 0
    with engine_errors(settings):
        indexes.set_refresh(name, "-1")
    while batch := ledger.after(cursor, BATCH):
        prepared = [(replace(s, progress=0), prepare(s, labeller, encoder, settings.passage_tokens)) for s in batch]
        count = {s.key: len(parts) for s, parts in prepared}
        for part in slices(prepared):
            write_slice(part, count, [name], queue, writer, vectors, labeller)
        cursor = batch[-1].key
        ledger.move_build(name, cursor)
        done += len(batch)
        progress(min(done, total), total)
    with engine_errors(settings):
        indexes.serve(name)
        ledger.end_build(name)
        # The one before goes, and what an interrupted reindex or a wiped engine left.
        indexes.drop_besides({name, *ledger.building()})
    return name


def give_up_builds(ledger: Ledger, indexes: Indexes, settings: Settings) -> None:
    """Drop what an interrupted reindex has built; the serving index stays."""
    with engine_errors(settings):
        for name in ledger.building():
            _give_up(name, ledger, indexes)


def _give_up(name: str, ledger: Ledger, indexes: Indexes) -> None:
    if indexes.exists(name) and name != indexes.live():
        indexes.drop(name)
    ledger.end_build(name)


def _begin(ledger: Ledger, indexes: Indexes, encoder: Encoder, settings: Settings) -> tuple[str, int]:
    """The build under way where it can go on, else a new one."""
    meta = IndexMeta(encoder.manifest.identity, ledger.identity)
    with engine_errors(settings):
        for name, cursor in ledger.building().items():
            if indexes.exists(name) and name != indexes.live() and indexes.meta(name) == meta:
                return name, cursor
            _give_up(name, ledger, indexes)
        name = indexes.create(encoder.dimensions, meta)
    # From now on workers write to it too; notes that changed before are read from the ledger.
    ledger.start_build(name)
    return name, 0
