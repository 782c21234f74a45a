"""Snapshots of the serving index, in a repository of the engine's own file system."""

from __future__ import annotations

from opensearchpy import OpenSearch

from search_stack.core.settings import Settings
from search_stack.index.mapping import Indexes
from search_stack.index.versions import next_name

WAIT = 3600.0
"""Seconds that the engine may take for a snapshot."""


class Snapshots:
    """Snapshots that share one repository, a folder below the engine's ``path.repo``."""

    def __init__(self, client: OpenSearch, settings: Settings) -> None:
        self._client = client
        self._settings = settings
        self._repository = f"{settings.index_prefix}-backup"

    def possible(self) -> bool:
        """Whether the engine's ``path.repo`` is set, so that it may write a snapshot."""
        nodes = self._client.nodes.info(metric="settings")["nodes"].values()
        return all("repo" in node.get("settings", {}).get("path", {}) for node in nodes)

    def register(self) -> None:
        body = {"type": "fs", "settings": {"location": self._repository, "compress": True}}
        self._client.snapshot.create_repository(repository=self._repository, body=body)

    def forget(self) -> None:
        """The repository's name; its files stay."""
        self._client.snapshot.delete_repository(repository=self._repository)

    @property
    def folder(self) -> str:
        """Where it is, below ``path.repo``."""
        return self._repository

    def take(self, name: str, index: str) -> None:
        body = {"indices": index, "include_global_state": False}
        self._client.snapshot.create(
            repository=self._repository,
            snapshot=name,
            body=body,
            params={"wait_for_completion": "true"},
            request_timeout=WAIT,
        )

    def holds(self, name: str) -> bool:
        found = self._client.snapshot.get(
            repository=self._repository, snapshot=name, params={"ignore_unavailable": "true"}
        )
        return any(one["state"] == "SUCCESS" for one in found["snapshots"])

    def put_back(self, name: str) -> str:
        """Restore the snapshot's index as a new version, not behind the alias yet; its name."""
        indexes = Indexes(self._client, self._settings)
        fresh = next_name(indexes.alias, indexes.versions())
        (held,) = self._client.snapshot.get(repository=self._repository, snapshot=name)["snapshots"]
        body = {
            "indices": ",".join(held["indices"]),
            "include_global_state": False,
            "include_aliases": False,
            "rename_pattern": ".+",
            "rename_replacement": fresh,
        }
        self._client.snapshot.restore(
            repository=self._repository,
            snapshot=name,
            body=body,
            params={"wait_for_completion": "true"},
            request_timeout=WAIT,
        )
        return fresh

    def drop(self, name: str) -> None:
        self._client.snapshot.delete(repository=self._repository, snapshot=name)

    def clear(self) -> None:
        """Drop every snapshot, one that is being taken too, and what one that was broken off has left."""
        params = {"ignore_unavailable": "true"}
        found = self._client.snapshot.get(repository=self._repository, snapshot="_all", params=params)
        for one in found["snapshots"]:
            self.drop(one["snapshot"])
        self._client.snapshot.cleanup_repository(repository=self._repository)
