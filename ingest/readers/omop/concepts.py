"""What concept ids stand for. A full vocabulary has ten million rows: they lie in a temporary database on the disk,
which goes with the process, and only those that are asked for are in memory."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ingest.readers.coded import Code
from ingest.readers.scratch import filling, scratch_database
from ingest.readers.systems import of_vocabulary

ConceptRow = tuple[int, str, str, str]
"""Id, vocabulary, code, name."""
KEPT = 50_000
"""Concepts in memory: those of a hospital's daily work."""


class Concepts:
    def __init__(self) -> None:
        self._db = scratch_database()
        self._db.execute("CREATE TABLE concept (id INTEGER PRIMARY KEY, vocabulary TEXT, code TEXT, name TEXT)")
        self.find = lru_cache(maxsize=KEPT)(self._find)
        """The code of a concept; None where the table has it not."""

    def add(self, rows: Iterable[ConceptRow]) -> None:
        """
        Raises:
            AspectraError: the disk has no room.
        """
        with filling(self._db, "The table CONCEPT"):
            self._db.executemany("INSERT OR REPLACE INTO concept VALUES (?, ?, ?, ?)", rows)

    def name(self, id: int) -> str:
        """What a concept is called; empty where that is not known."""
        found = self.find(id) if id else None
        return found.name if found else ""

    def close(self) -> None:
        self._db.close()

    def _find(self, id: int) -> Code | None:
        found = self._db.execute("SELECT vocabulary, code, name FROM concept WHERE id = ?", (id,)).fetchone()
        return Code(of_vocabulary(found[0]), found[1], found[2]) if found else None
