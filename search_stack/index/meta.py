"""What an index says of itself: its schema, whose vectors it holds, and from which ledger it was built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from search_stack.core.errors import AspectraError

SCHEMA = 10
"""Counts up with every change of the mapping; an index with another number is built anew, or brought
up to date in place where the change only adds."""


@dataclass(frozen=True, slots=True)
class IndexMeta:
    """The mapping's ``_meta``. ``encoder`` is a bundle's identity, ``ledger`` a ledger's; empty where not known."""

    encoder: str = ""
    ledger: str = ""
    schema: int = SCHEMA

    def body(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def read(cls, mappings: Mapping[str, Any]) -> IndexMeta:
        found = mappings.get("_meta", {})
        return cls(str(found.get("encoder", "")), str(found.get("ledger", "")), int(found.get("schema", 1)))


UNSAID = IndexMeta()
"""Of an index that no ledger stands behind: one that is measured with and dropped."""


class OutdatedIndex(AspectraError):
    """The index was built by another version: it lacks what this one asks for."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The index {name} was built by another version of Aspectra.", "Build it anew: aspectra reindex"
        )


class ForeignIndex(AspectraError):
    """The index was built from another ledger: its passages lead to other patients' notes."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The index {name} was built from another ledger than the one that the settings name.",
            "Set ASPECTRA_LEDGER_URL as it was; `aspectra ledger move URL` takes the notes along to another database. "
            "Or build the index from this ledger: aspectra up engine broker, aspectra reindex, aspectra up",
        )
