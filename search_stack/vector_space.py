"""Vectors of two encoders have nothing to do with each other: are the index's those of ours?"""

from __future__ import annotations

import time

from opensearchpy import OpenSearch

from search_stack.client import engine_errors
from search_stack.index import Indexes
from search_stack.settings import Settings

TRUSTED = 10.0
"""Seconds: an alias changes when an index is built anew, which is rare."""


class VectorSpace:
    """Whether ``index`` (or the one behind that alias) holds vectors of the encoder ``identity``."""

    def __init__(self, client: OpenSearch, settings: Settings, index: str, identity: str) -> None:
        self._indexes = Indexes(client, settings)
        self._settings = settings
        self._index = index
        self._identity = identity
        self._looked = -TRUSTED
        self._ours = True

    def ours(self) -> bool:
        """True also where there is no index; what was seen is trusted for `TRUSTED` seconds.

        Raises:
            AspectraError: the engine is away.
        """
        if time.monotonic() - self._looked >= TRUSTED:
            with engine_errors(self._settings):
                found = self._indexes.encoders([self._index])
            self._ours = all(encoder == self._identity for encoder in found.values())
            self._looked = time.monotonic()
        return self._ours
