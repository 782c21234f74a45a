"""The index is there before the first note is written."""

from __future__ import annotations

from opensearchpy import OpenSearch
from opensearchpy.exceptions import RequestError

from search_stack.client import engine_errors
from search_stack.errors import AspectraError
from search_stack.index import Indexes
from search_stack.inference.bundle import Manifest
from search_stack.settings import Settings


def ensure_index(client: OpenSearch, settings: Settings, manifest: Manifest) -> str:
    """The index behind the alias, made now where there is none.

    Raises:
        AspectraError: it was built by another version, or holds vectors of another encoder than
            the one of ``manifest``.
    """
    dimensions = manifest.dimensions or 0
    indexes = Indexes(client, settings)
    with engine_errors(settings):
        if (live := indexes.live()) is None:
            try:
                live = indexes.create(dimensions, manifest.identity)
            except RequestError as e:
                if e.error != "resource_already_exists_exception":
                    raise
                # Another process was quicker, by a moment.
                live = f"{indexes.alias}-000001"
            indexes.swap(live)
        problem = indexes.unfit(live, manifest)
    if problem:
        raise AspectraError(problem, "Use the encoder that it was built with, or build it anew: aspectra reindex")
    return live
