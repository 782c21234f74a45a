"""A database for what a reader looks up later and memory need not hold: a file without a name, which goes with the
process."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from search_stack.core.errors import AspectraError

CACHE_KB = 32 * 1024


def scratch_database() -> sqlite3.Connection:
    db = sqlite3.connect("", isolation_level=None)
    for pragma in ("journal_mode=OFF", "synchronous=OFF", f"cache_size=-{CACHE_KB}"):
        db.execute(f"PRAGMA {pragma}")
    return db


@contextmanager
def filling(db: sqlite3.Connection, what: str) -> Iterator[None]:
    """One transaction.

    Raises:
        AspectraError: the disk has no room.
    """
    try:
        db.execute("BEGIN")
        yield
        db.execute("COMMIT")
    except sqlite3.OperationalError as e:
        raise AspectraError(
            f"{what} cannot be kept while it is read: {e}.",
            "Make room in the folder for temporary files, or name another by SQLITE_TMPDIR.",
        ) from e
