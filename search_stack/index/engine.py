"""The way to the engine: many searches in one request, and what its refusals mean to a person."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, Protocol

from opensearchpy import OpenSearch
from opensearchpy.exceptions import SerializationError

from search_stack.core.client import EngineStarting, EngineUnavailable, engine_errors
from search_stack.core.errors import AspectraError
from search_stack.core.reach import EVERYTHING, Reach
from search_stack.core.settings import Settings
from search_stack.index.fence import fenced
from search_stack.index.meta import SCHEMA
from search_stack.index.serving import Serving


class NoIndex(AspectraError):
    """Nothing was ever written there."""


class Identified(Protocol):
    """A ledger."""

    @property
    def identity(self) -> str:
        """What an index built from it carries."""


class Engine:
    """Searches one index.

    Args:
        ledger: whose index it must be; without it, an index that no ledger stands behind.
        schema: by which its mapping counts.
    """

    reach: Reach = EVERYTHING
    """What every search is kept to."""

    def __init__(
        self, client: OpenSearch, settings: Settings, index: str, ledger: Identified | None, schema: int = SCHEMA
    ) -> None:
        self.client = client
        self.settings = settings
        self.index = index
        self.serving = Serving(client, settings, index, schema)
        self._ledger = ledger

    def within(self, reach: Reach) -> Engine:
        """The same engine, which finds nothing outside ``reach``."""
        other = copy(self)
        other.reach = reach
        return other

    def __call__(
        self, bodies: Sequence[Mapping[str, Any]], told: str = "", read: Callable[[str], Any] = json.loads
    ) -> list[dict[str, Any]]:
        """The responses to ``bodies``, in their order, whole or not at all.

        Args:
            told: the engine's ``filter_path``, where not all of a response is to travel; with what `_check` looks at.
            read: makes objects of the text that comes.

        Raises:
            NoIndex: there is none.
            AspectraError: the engine is away, still starting, busy, or refuses; the index is another ledger's.
        """
        if self._ledger:
            self.serving.need(self._ledger.identity)
        with engine_errors(self.settings):
            responses = self._multi_search(bodies, {"filter_path": told} if told else {}, read)["responses"]
        for response in responses:
            self._check(response)
        return list(responses)

    def _multi_search(
        self, bodies: Sequence[Mapping[str, Any]], params: Mapping[str, str], read: Callable[[str], Any]
    ) -> Any:
        """Below the client's `msearch`, which would read every answer its own way."""
        lines = (line for body in bodies for line in ({"index": self.index}, fenced(body, self.reach)))
        sent = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
        connection = self.client.transport.get_connection()
        _, _, text = connection.perform_request("POST", "/_msearch", params, sent.encode("utf-8", "surrogatepass"))
        try:
            return read(text)
        except ValueError as e:
            raise SerializationError("no JSON", e) from None

    def refresh(self) -> None:
        """Have everything found that was written up to now.

        Raises:
            AspectraError: the engine is away.
        """
        with engine_errors(self.settings):
            self.client.indices.refresh(index=self.index, params={"ignore_unavailable": "true"})

    def _check(self, response: Mapping[str, Any]) -> None:
        if "error" in response:
            if response["status"] == 404:
                raise NoIndex("There is no index yet.", "Ingest some notes first: aspectra ingest PATH")
            if response["status"] == 503:
                raise EngineStarting(self.settings)
            if response["status"] == 429:
                raise EngineUnavailable("The engine is busy.", "Try again shortly.")
            raise AspectraError(
                f"The engine refused the search ({response['status']}, {response['error'].get('type', 'error')}).",
                "Simplify the query, or run: aspectra doctor",
            )
        if response.get("timed_out") or response["_shards"]["failed"]:
            raise EngineUnavailable("A part of the index did not answer.", "Try again; else run: aspectra doctor")
