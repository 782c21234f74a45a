"""The index is there before the first note is written, and it is this ledger's."""

from __future__ import annotations

from opensearchpy import OpenSearch
from opensearchpy.exceptions import RequestError

from ingest.agreement import compare, every_range, greatest_key
from ingest.ledger import Ledger
from search_stack.client import engine_errors
from search_stack.errors import AspectraError
from search_stack.index import Indexes
from search_stack.index_meta import SCHEMA, ForeignIndex, IndexMeta
from search_stack.inference.bundle import Manifest
from search_stack.settings import Settings

ADDED_IN_PLACE = 3
"""The schema to which the present one only adds: fields, and the name of the ledger."""


def ensure_index(client: OpenSearch, settings: Settings, manifest: Manifest, ledger: Ledger) -> str:
    """The index behind the alias, made now where there is none.

    Raises:
        ForeignIndex: it was built from another ledger.
        AspectraError: it was built by another version, or holds vectors of another encoder than
            the one of ``manifest``.
    """
    indexes = Indexes(client, settings)
    with engine_errors(settings):
        if (live := indexes.live()) is None:
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
        raise AspectraError(problem, "Use the encoder that it was built with, or build it anew: aspectra reindex")
    return live


def claim_index(client: OpenSearch, settings: Settings, ledger: Ledger, name: str) -> None:
    """See that ``name`` is this ledger's; one from before ledgers had names is, where every passage says so.

    Raises:
        ForeignIndex: it is not.
    """
    indexes = Indexes(client, settings)
    with engine_errors(settings):
        meta = indexes.meta(name)
        if meta.schema == ADDED_IN_PLACE and not meta.ledger:
            indexes.refresh(name)
            found = compare(
                ledger, client, settings, name, every_range(ledger, greatest_key(client, settings, name))
            ).differences
            if found["other note"] or found["orphaned"] or found["ahead"]:
                raise ForeignIndex(name)
            meta = IndexMeta(meta.encoder, ledger.identity)
            indexes.bring_up_to_date(name, meta)
    if meta.schema == SCHEMA and meta.ledger != ledger.identity:
        raise ForeignIndex(name)
