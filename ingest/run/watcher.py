"""What a run tells whoever started it."""

from __future__ import annotations


class Watcher:
    """Hears how far a run is; this one does nothing."""

    def reading(self, done: int) -> None:
        """``done`` of the source's work is read, and what came of it in the ledger."""

    def indexing(self, done: int, total: int) -> None:
        """``done`` of the ``total`` notes that waited are indexed, or set aside."""

    def writing_facts(self, done: int, total: int) -> None:
        """``done`` of the ``total`` structured facts that waited are in the index."""

    def stopped(self) -> None:
        """Nothing moves, for some seconds: the moment to bring back a service that has died. May come again."""
