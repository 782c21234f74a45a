"""Ingest beside the raw engine: what sections, passages, encoding and the ledger cost."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from opensearchpy import OpenSearch

from ingest.ledger import Ledger
from ingest.ledger.database import open_database
from ingest.prepare_index import ensure_index
from ingest.work.dispatch import make_queue
from ingest.work.indexer import Indexer
from ingest.work.writer import Writer, write_action
from search_stack.core.client import engine_errors
from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from search_stack.core.timing import paired
from search_stack.index.documents import document, encoded, prepare
from search_stack.index.mapping import Indexes
from search_stack.inference.models import Encoder
from search_stack.language.labeller import Labeller, load_labeller


def bench_ingest(settings: Settings, client: OpenSearch, notes: Sequence[Note], runs: int) -> dict[str, Any]:
    """Take ``notes`` through the whole path in this process, against the bulk writing of the very
    same documents, their vectors at hand. Both write to indexes of their own, dropped at the end."""
    own = settings.model_copy(update={"index_prefix": f"{settings.index_prefix}-bench-{secrets.token_hex(4)}"})
    encoder = Encoder.from_settings(own)
    labeller = load_labeller(own.lexicon_folder, own.mentions)
    writer = Writer(client, own)
    with engine_errors(own), TemporaryDirectory() as folder:
        # Every run starts from a copy of this one: an index takes notes of one ledger only.
        empty = Path(folder) / "empty.sqlite3"
        live = ensure_index(client, own, encoder.manifest, Ledger(open_database(f"sqlite:///{empty}")))
        try:
            ready = _documents(notes, Path(folder) / "first.sqlite3", encoder, labeller, own)
            turn = iter(range(runs + 1))

            def ours() -> None:
                file = Path(shutil.copyfile(empty, Path(folder) / f"{next(turn)}.sqlite3"))
                _ingest(notes, file, encoder, labeller, writer, Indexes(client, own), own)

            timed = paired(ours, lambda: writer.write(write_action(live, d) for d in ready), runs)
        finally:
            client.indices.delete(index=live)
            client.indices.delete_index_template(name=Indexes(client, own).alias)
    figures = timed.json()
    return {
        **figures,
        "peer": "the raw engine: bulk writing of the same documents with their vectors",
        "notes": len(notes),
        "passages": len(ready),
        "notes_per_second": round(len(notes) / figures["ours_ms"] * 1000, 1),
    }


def _documents(
    notes: Sequence[Note], file: Path, encoder: Encoder, labeller: Labeller, settings: Settings
) -> list[Any]:
    ledger = Ledger(open_database(f"sqlite:///{file}"))
    ledger.put(notes, ledger.start_run("bench", "bench"))
    parts = [
        (s, p) for s in ledger.after(0, len(notes)) for p in prepare(s, labeller, encoder, settings.passage_tokens)
    ]
    vectors = encoded(encoder, parts)
    return [document(s, p, v, labeller) for (s, p), v in zip(parts, vectors, strict=True)]


def _ingest(
    notes: Sequence[Note],
    file: Path,
    encoder: Encoder,
    labeller: Labeller,
    writer: Writer,
    indexes: Indexes,
    settings: Settings,
) -> None:
    ledger = Ledger(open_database(f"sqlite:///{file}"))
    queue = make_queue(ledger, settings)
    indexer = Indexer(ledger, queue, writer, indexes, encoder, lambda: labeller, settings)
    ledger.put(notes, ledger.start_run("bench", "bench"))
    while claim := queue.claim():
        indexer.work(claim)
