"""Whether the ledger answers, and is whole as far as a moment's look can tell."""

from __future__ import annotations

import sqlite3
import threading
import time
from typing import Literal

from sqlalchemy import Engine

from ingest.ledger import Ledger
from ingest.ledger.failures import LEDGER_ERRORS

State = Literal["ok", "down", "damaged"]
LOOK_EVERY, LOOK_FOR = 60.0, 1.0
"""Seconds between two looks for damage, and of one look: all of a small ledger, a part of a large one."""
PATIENCE = 3.0
"""Seconds that the ledger has to answer."""
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class LedgerHealth:
    """The state of a ledger, by connections of its own: an open one may go on from what it remembers."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._looked = 0.0
        self._lock = threading.Lock()

    def state(self) -> State:
        try:
            if self._ledger.engine.dialect.name == "sqlite":
                self._read_sqlite(self._ledger.engine)
            else:
                self._ledger.counts()
        except (*LEDGER_ERRORS, sqlite3.Error) as e:
            return "damaged" if damaged(e) else "down"
        return "ok"

    def _read_sqlite(self, engine: Engine) -> None:
        """
        Raises:
            sqlite3.Error: it cannot be opened or read, or is damaged.
        """
        connection = sqlite3.connect(f"file:{engine.url.database}?mode=ro", timeout=PATIENCE, uri=True)
        try:
            connection.execute("SELECT state FROM notes LIMIT 1").fetchone()
            if not self._due():
                return
            end = time.monotonic() + LOOK_FOR
            connection.set_progress_handler(lambda: time.monotonic() > end, 10_000)
            found = _quick_check(connection)
        finally:
            connection.close()
        if found != "ok":
            self._looked = 0.0  # until it is mended, every look is to find it
            error = sqlite3.DatabaseError("damaged")
            error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise error

    def _due(self) -> bool:
        with self._lock:
            due = not self._looked or time.monotonic() - self._looked > LOOK_EVERY
            if due:
                self._looked = time.monotonic()
            return due


def _quick_check(connection: sqlite3.Connection) -> str:
    """What SQLite finds wrong first; "ok" where nothing is, or where the time was up before."""
    try:
        return str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.OperationalError as e:
        if e.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            return "ok"
        raise


def damaged(error: Exception) -> bool:
    """Whether ``error`` says that the database itself is broken, not merely away."""
    cause = getattr(error, "orig", None) or error.__cause__ or error
    code = getattr(cause, "sqlite_errorcode", None)
    return (code is not None and code & 0xFF in DAMAGED) or getattr(cause, "sqlstate", None) in ("XX001", "XX002")
