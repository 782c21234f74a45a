"""What may be read: the collections that a purpose covers, and the cohorts kept for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reach:
    """What is outside is as if it were not there: in hits, counts, lists and suggestions alike."""

    collections: frozenset[str] | None = None
    """None for all that there are."""
    purpose: int = 0
    """Number of the purpose; 0 where none is stated, as by the commands of the machine."""


EVERYTHING, NOTHING = Reach(), Reach(frozenset())
