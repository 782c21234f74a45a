"""The index is there before the first note is written, and it is this ledger's."""

from __future__ import annotations

from opensearchpy import OpenSearch
from opensearchpy.exceptions import RequestError

from ingest.ledger import Ledger
from search_stack.core.client import engine_errors
from search_stack.core.settings import Settings
from search_stack.index.mapping import Indexes
from search_stack.index.meta import SCHEMA, ForeignIndex, IndexMeta
from search_stack.inference.bundle import Manifest


def ensure_index(client: OpenSearch, settings: Settings, manifest: Manifest, ledger: Ledger) -> str:
    """The index behind the alias, made now where there is none: then notes that the ledger takes for indexed wait
    again, for the index that held them is lost.

    Raises:
        ForeignIndex: it was built from another ledger.
        OutdatedIndex: it was made by another version.
        AspectraError: it holds vectors of another encoder than the one of ``manifest``.
    """
    indexes = Indexes(client, settings)
    with engine_errors(settings):
        if (live := indexes.live()) is None:
            ledger.index_again()  # before the index is there: whoever is killed in between leaves it to the next
            try:
                live = indexes.create(manifest.dimensions or 0, IndexMeta(manifest.identity, ledger.identity))
            except RequestError as e:
                if e.error != "resource_already_exists_exception":
                    raise
                # Another process was quicker, by a moment.
                live = f"{indexes.alias}-000001"
            indexes.swap(live)
    claim_index(client, settings, ledger, live)
    with engine_errors(settings):
        problem = indexes.unfit(live, manifest)
    if problem:
        raise problem
    return live


def claim_index(client: OpenSearch, settings: Settings, ledger: Ledger, name: str) -> None:
    """
    Raises:
        ForeignIndex: ``name`` is another ledger's. One of an earlier schema says what built it, and is built anew.
    """
    with engine_errors(settings):
        meta = Indexes(client, settings).meta(name)
    if meta.schema == SCHEMA and meta.ledger != ledger.identity:
        raise ForeignIndex(name)
