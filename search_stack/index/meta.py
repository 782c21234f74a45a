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
    """The index was made by an older version, and lacks what this one asks for; or by a newer one.

    Args:
        found: its schema.
        ours: the schema of this version.
    """

    def __init__(self, name: str, found: int, ours: int = SCHEMA) -> None:
        age, first = ("an older", "Build") if found < ours else ("a newer", "Use that version, or build")
        super().__init__(
            f"The index {name} was made by {age} Aspectra: its schema is {found}, and this one's {ours}.",
            f"{first} it anew from the ledger: aspectra reindex",
        )


class ForeignIndex(AspectraError):
    """The index was built from another ledger: its passages lead to other patients' notes."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The index {name} was built from another ledger than the one that the settings name.",
            "Set ASPECTRA_LEDGER_URL as it was; `aspectra ledger move URL` takes the notes along to another database. "
            "Or build the index from this ledger: aspectra up engine broker, aspectra reindex, aspectra up",
        )
