"""The index of structured facts, declared once: fields, mapping, alias. It is built from the ledger and lies in the
order in which evidence is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from opensearchpy import OpenSearch
from opensearchpy.exceptions import RequestError

from search_stack.core.settings import Settings
from search_stack.index.meta import IndexMeta
from search_stack.index.passage import INTEGER, KEYWORD, LONG, UNDATED
from search_stack.index.versions import Versions, next_name

FACTS_SCHEMA = 2
"""Counts up with every change of the mapping; an index with another number is built anew."""
SORTED = ("patient_no", "day")
DOUBLE = {"type": "double"}


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedFact:
    """A field's metadata is its property in the engine's mapping."""

    fact_key: int = field(metadata=LONG)
    """The ledger's number of the fact, and the document's id."""
    version: int = field(metadata=INTEGER)
    patient_id: str = field(metadata=KEYWORD)
    patient_no: int = field(metadata=INTEGER)
    day: int = field(default=UNDATED, metadata=INTEGER)
    """In days since 1970-01-01."""
    collection: str = field(default="", metadata=KEYWORD)
    """Where it came from: what a purpose covers is told by it."""
    system: str = field(metadata=KEYWORD)
    code: str = field(metadata=KEYWORD)
    """ "system:code" of the fact itself."""
    under: list[str] = field(default_factory=list, metadata=KEYWORD)
    """That, and every code above it (`search_stack.core.codes.above`)."""
    value: float | None = field(default=None, metadata=DOUBLE)
    unit: str = field(default="", metadata=KEYWORD)
    """As `search_stack.core.codes.unit_name` gives it."""

    def document(self) -> dict[str, Any]:
        return asdict(self)


def facts_alias(settings: Settings) -> str:
    """The name under which the serving index of facts is searched."""
    return f"{settings.index_prefix}-facts"


def facts_body(settings: Settings, meta: IndexMeta) -> dict[str, Any]:
    """Settings and mapping; anything that is no field of `IndexedFact` is refused."""
    properties = {f.name: dict(f.metadata) for f in fields(IndexedFact)}
    index = {
        "number_of_shards": settings.index_shards,
        "number_of_replicas": settings.index_replicas,
        "refresh_interval": "2s",
        "sort.field": list(SORTED),
        "sort.order": ["asc"] * len(SORTED),
        # A deleted fact's version is remembered for longer than a writer needs for a batch.
        "gc_deletes": "300s",
    }
    return {
        "settings": {"index": index},
        "mappings": {"dynamic": "strict", "_meta": meta.body(), "properties": properties},
    }


class FactIndexes(Versions):
    """Versions of the index of facts behind its alias."""

    def __init__(self, client: OpenSearch, settings: Settings) -> None:
        super().__init__(client, facts_alias(settings))
        self._settings = settings

    def create(self, ledger: str, existing: Sequence[str] | None = None) -> str:
        """A new, empty version of the ledger with that identity; not behind the alias yet. ``existing``: see `make`."""
        body = facts_body(self._settings, IndexMeta(ledger=ledger, schema=FACTS_SCHEMA))
        return self.make({"index_patterns": [f"{self.alias}-*"], "template": body}, existing)

    def first(self, ledger: str) -> str:
        """A version behind the alias where none was. Of several processes that come at once all take the same: one that
        another has just made, or else the name that each of them must come to."""
        existing = self.versions()
        name = max(self.ours(ledger), default="")
        if not name:
            name = next_name(self.alias, existing)
            try:
                self.create(ledger, existing)
            except RequestError as e:
                if e.error != "resource_already_exists_exception":
                    raise
        self.swap(name)
        return name

    def ours(self, ledger: str) -> list[str]:
        """Versions that were built from that ledger by this version of Aspectra, the serving one or being built."""
        names = self.versions()
        metas = self.metas(names) if names else {}
        return [n for n, meta in metas.items() if (meta.ledger, meta.schema) == (ledger, FACTS_SCHEMA)]
