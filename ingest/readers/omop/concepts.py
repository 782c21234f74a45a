"""What concept ids stand for. A full vocabulary has ten million rows: they lie in a temporary database on the disk,
which goes with the process, and only those that are asked for are in memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from functools import lru_cache

from ingest.readers.coded import Code
from ingest.readers.systems import of_vocabulary
from search_stack.core.errors import AspectraError

ConceptRow = tuple[int, str, str, str]
"""Id, vocabulary, code, name."""
CACHE_KB = 32 * 1024
KEPT = 50_000
"""Concepts in memory: those of a hospital's daily work."""


class Concepts:
    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)  # a file of its own without a name
        for pragma in ("journal_mode=OFF", "synchronous=OFF", f"cache_size=-{CACHE_KB}"):
            self._db.execute(f"PRAGMA {pragma}")
        self._db.execute("CREATE TABLE concept (id INTEGER PRIMARY KEY, vocabulary TEXT, code TEXT, name TEXT)")
        self.find = lru_cache(maxsize=KEPT)(self._find)
        """The code of a concept; None where the table has it not."""

    def add(self, rows: Iterable[ConceptRow]) -> None:
        """
        Raises:
            AspectraError: the disk has no room.
        """
        try:
            self._db.execute("BEGIN")
            self._db.executemany("INSERT OR REPLACE INTO concept VALUES (?, ?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.OperationalError as e:
            raise AspectraError(
                f"The table CONCEPT cannot be kept while it is read: {e}.",
                "Make room in the folder for temporary files, or name another by SQLITE_TMPDIR.",
            ) from e

    def name(self, id: int) -> str:
        """What a concept is called; empty where that is not known."""
        found = self.find(id) if id else None
        return found.name if found else ""

    def close(self) -> None:
        self._db.close()

    def _find(self, id: int) -> Code | None:
        found = self._db.execute("SELECT vocabulary, code, name FROM concept WHERE id = ?", (id,)).fetchone()
        return Code(of_vocabulary(found[0]), found[1], found[2]) if found else None
