"""What the database's failures mean to a person: away, full, read-only, damaged or locked."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import SQLAlchemyError

from search_stack.core.errors import LedgerUnavailable
from search_stack.core.files import AGAIN

_FULL, _READ_ONLY, _DAMAGED, _LOCKED, _AWAY, _GONE, _FAILS = (
    ("has no room: its disk is full or its quota used up", f"Make room there; {AGAIN}"),
    ("cannot be written: the file, its folder or its disk is read-only", f"Make it writable; {AGAIN}"),
    ("is damaged", "Stop everything (aspectra down), keep the file, and restore the last backup (docs/operations.md)."),
    ("has been locked by another program for a minute", f"Let that program end; {AGAIN}"),
    ("does not answer", f"Check ASPECTRA_LEDGER_URL and the database; {AGAIN}"),
    ("cannot be opened: the file or its folder is gone, or closed to this user", f"Bring it back; {AGAIN}"),
    ("cannot be read or written: its disk fails", f"Look at the disk, and at the system's log; {AGAIN}"),
)
_SQLITE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_CANTOPEN: _GONE,
    sqlite3.SQLITE_PERM: _GONE,
    sqlite3.SQLITE_IOERR: _FAILS,
}
_POSTGRESQL = {
    "53100": _FULL,
    "25006": _READ_ONLY,
    "55P03": _LOCKED,
    "40P01": _LOCKED,
    **dict.fromkeys(("XX001", "XX002"), _DAMAGED),
    **dict.fromkeys(("08", "53", "57"), _AWAY),
}
"""By SQLSTATE, or by its class."""
LEDGER_ERRORS = (SQLAlchemyError, LedgerUnavailable)
"""What the ledger may raise: explained, or as it came."""
_LEAST = 64 * 1024
"""Free bytes below which a disk counts as full: SQLite calls that an error of the disk in some places."""


def tell_failures(engine: Engine, shown: str) -> None:
    """Let ``engine`` raise `LedgerUnavailable` where its database fails, with the address ``shown``.

    Every other error, which is one of our own, stays as it is. The driver's words are not repeated.
    """

    @event.listens_for(engine, "handle_error")
    def _explain(context: ExceptionContext) -> LedgerUnavailable | None:
        if context.is_pre_ping:
            return None  # the pool only asks whether an idle connection still lives, and makes another
        if not isinstance(context.original_exception, Exception):
            return None  # Ctrl-C, which SQLAlchemy takes for a lost connection
        meaning = _meaning(context.original_exception, context.is_disconnect, engine.url.database or "")
        return LedgerUnavailable(f"The ledger at {shown} {meaning[0]}.", meaning[1]) if meaning else None


def _meaning(e: Any, disconnected: bool, path: str) -> tuple[str, str] | None:
    if isinstance(e, sqlite3.Error):
        code = getattr(e, "sqlite_errorcode", 0)
        if code == sqlite3.SQLITE_READONLY_DBMOVED:
            return _GONE
        found = _SQLITE.get(code & 0xFF)
        return _FULL if found in (_FAILS, _GONE) and _is_full(path) else found
    state = getattr(e, "sqlstate", None) or ""
    if found := _POSTGRESQL.get(state) or _POSTGRESQL.get(state[:2]):
        return found
    # A connection that was never made, or was cut, has no state.
    return _AWAY if disconnected or (not state and type(e).__name__ == "OperationalError") else None


def _is_full(path: str) -> bool:
    try:
        disk = os.statvfs(Path(path).parent)
    except OSError:
        return False
    return disk.f_blocks > 0 and disk.f_bavail * disk.f_frsize < _LEAST
