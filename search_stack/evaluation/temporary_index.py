"""An index of an evaluation's own: made as the real one is, never behind its alias, and dropped at the end."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from opensearchpy import OpenSearch
from opensearchpy.helpers import bulk

from search_stack.core.client import engine_errors
from search_stack.core.settings import Settings
from search_stack.index.mapping import index_body
from search_stack.index.meta import IndexMeta
from search_stack.index.passage import IndexedPassage
from search_stack.inference.models import Encoder

T = TypeVar("T")
Progress = Callable[[str, int, int], None]
"""Hears what is done, how many of it, and of how many."""


@contextmanager
def temporary_index(
    passages: Iterable[IndexedPassage], client: OpenSearch, encoder: Encoder, settings: Settings
) -> Iterator[str]:
    """The name of an index of ``passages``, whose vectors are ``encoder``'s; there as long as the block runs."""
    body = index_body(settings, encoder.dimensions, IndexMeta(encoder.manifest.identity))
    with empty_index(body, client, settings) as name:
        bulk(client, ({"_index": name, "_id": p.id, "_source": p.document()} for p in passages))
        client.indices.refresh(index=name)
        yield name


@contextmanager
def empty_index(body: Mapping[str, Any], client: OpenSearch, settings: Settings) -> Iterator[str]:
    """The name of an index of these settings and mapping; there as long as the block runs."""
    name = f"{settings.index_prefix}-evaluation-{secrets.token_hex(4)}"
    with engine_errors(settings):
        client.indices.create(index=name, body=body)
        try:
            yield name
        finally:
            client.indices.delete(index=name, params={"ignore_unavailable": "true"})


def in_slices(all_: Sequence[T], size: int, what: str, progress: Progress) -> Iterator[Sequence[T]]:
    """``size`` of them at a time; ``progress`` hears of ``what`` when the next are asked for."""
    for begin in range(0, len(all_), size):
        part = all_[begin : begin + size]
        yield part
        progress(what, begin + len(part), len(all_))
