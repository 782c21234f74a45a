"""Versions of an index behind its alias: made beside each other, swapped in one step."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from opensearchpy import OpenSearch

from search_stack.core.errors import AspectraError
from search_stack.index.meta import IndexMeta


def next_name(alias: str, existing: Sequence[str]) -> str:
    """Name of the version after the newest of ``existing``: ``…-passages-000001``, ``…-000002``."""
    pattern = re.compile(re.escape(alias) + r"-(\d{6})$")
    numbers = [int(m.group(1)) for name in existing if (m := pattern.fullmatch(name))]
    return f"{alias}-{max(numbers, default=0) + 1:06d}"


class Versions:
    """Args:
    alias: the name under which the serving version is searched.
    """

    def __init__(self, client: OpenSearch, alias: str) -> None:
        self._client = client
        self.alias = alias

    def live(self) -> str | None:
        """The index behind the alias; None before the first."""
        return next(iter(self._holders()), None)

    def _holders(self) -> list[str]:
        if not self._client.indices.exists_alias(name=self.alias):
            return []
        return list(self._client.indices.get_alias(name=self.alias))

    def versions(self) -> list[str]:
        """Every version there is, serving or not."""
        return sorted(name for name in self._existing() if re.fullmatch(re.escape(self.alias) + r"-\d{6}", name))

    def _existing(self) -> list[str]:
        return list(self._client.indices.get(index=f"{self.alias}-*", params={"expand_wildcards": "all"}))

    def exists(self, name: str) -> bool:
        return bool(self._client.indices.exists(index=name))

    def make(self, template: Mapping[str, Any], existing: Sequence[str] | None = None) -> str:
        """A new, empty version by ``template``, which covers every version; not behind the alias yet. Its number
        follows those of ``existing``, of all that there are where not given."""
        self._client.indices.put_index_template(name=self.alias, body=dict(template))
        name = next_name(self.alias, self._existing() if existing is None else existing)
        self._client.indices.create(index=name)
        return name

    def meta(self, name: str) -> IndexMeta:
        return IndexMeta.read(self.mappings(name))

    def metas(self, names: Sequence[str]) -> dict[str, IndexMeta]:
        """By index; aliases are followed, what is not there is left out."""
        there = {"ignore_unavailable": "true", "allow_no_indices": "true"}
        found = self._client.indices.get_mapping(index=",".join(names), params=there)
        return {name: IndexMeta.read(one["mappings"]) for name, one in found.items()}

    def say(self, name: str, meta: IndexMeta) -> None:
        """Let ``name`` say ``meta`` of itself."""
        self._client.indices.put_mapping(index=name, body={"_meta": meta.body()})

    def mappings(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self._client.indices.get_mapping(index=name)[name]["mappings"]
        return found

    def swap(self, name: str) -> None:
        """Put the alias on ``name`` and off every other index, in one step."""
        removed = [{"remove": {"index": old, "alias": self.alias}} for old in self._holders() if old != name]
        actions = [*removed, {"add": {"index": name, "alias": self.alias}}]
        self._client.indices.update_aliases(body={"actions": actions})

    def serve(self, name: str) -> None:
        """Have searches answered by ``name``, all that was written to it included."""
        self.set_refresh(name, "2s")
        self.refresh(name)
        self.swap(name)

    def drop_besides(self, wanted: Collection[str]) -> None:
        """Drop every version but ``wanted``."""
        for name in self.versions():
            if name not in wanted:
                self.drop(name)

    def drop(self, name: str) -> None:
        if name == self.live():
            raise AspectraError(f"{name} serves searches.", "Build another one first: aspectra reindex")
        self._client.indices.delete(index=name, params={"ignore_unavailable": "true"})

    def set_refresh(self, name: str, interval: str) -> None:
        self._client.indices.put_settings(index=name, body={"index": {"refresh_interval": interval}})

    def refresh(self, name: str | None = None) -> None:
        self._client.indices.refresh(index=name or self.alias)

    def count(self, name: str | None = None) -> int:
        return int(self._client.count(index=name or self.alias)["count"])
