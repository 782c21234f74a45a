"""A collection in an index of its own on a running engine, and a searcher over it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from opensearchpy.helpers import bulk

from search_stack.core.client import connect
from search_stack.core.settings import Settings
from search_stack.index.mapping import index_body
from search_stack.index.meta import IndexMeta
from search_stack.inference.models import Encoder
from search_stack.query.understand import Understanding
from search_stack.retrieval.searcher import Searcher
from tests.trees.collection import Known, Plain, document, lexicon


@contextmanager
def indexed(
    passages: Sequence[Plain], settings: Settings, encoder: Encoder, kind: Callable[..., Searcher] = Searcher
) -> Iterator[Searcher]:
    """The index is there as long as the block runs; no alias points to it."""
    client = connect(settings)
    name = f"{settings.index_prefix}-trees-{secrets.token_hex(4)}"
    known = lexicon()
    vectors = np.random.default_rng(0).standard_normal((len(passages), encoder.dimensions))
    documents = [document(p, known, v) for p, v in zip(passages, vectors, strict=True)]
    understanding = Understanding(known)
    client.indices.create(
        index=name, body=index_body(settings, encoder.dimensions, IndexMeta(encoder.manifest.identity))
    )
    try:
        bulk(client, [{"_index": name, "_id": d.id, "_source": d.document()} for d in documents], refresh=True)
        yield kind(client, settings, encoder, None, name, lambda: understanding, known=Known(passages))
    finally:
        client.indices.delete(index=name)
