"""A ledger moves to another database: copied, verified, and closed where it was."""

from __future__ import annotations

from sqlalchemy import Connection, Engine, select, text, update

from ingest.ledger.copy import TABLES, Progress, copy_ledger, digest, is_empty
from ingest.ledger.database import open_database, writing
from ingest.ledger.tables import facts, identity, notes
from search_stack.core.errors import AspectraError

CLOSED = "_moved"
"""Behind the names of notes and facts in a ledger that was moved: whoever still has it open can change nothing."""


def move(source: Engine, address: str, progress: Progress) -> int:
    """Move everything in ``source`` to the empty database at ``address``; how many notes.

    Until the end nothing is changed in ``source``, and it takes no writing meanwhile. Interrupted, the
    same call begins anew, or closes ``source`` where the copy was whole already.

    Raises:
        AspectraError: ``address`` holds something else, or the copy is not what it should be.
    """
    target = open_database(address)
    shown = target.url.render_as_string(hide_password=True)
    try:
        with writing(source) as old:
            _lock(old)
            with writing(target) as new:
                count = _fill(old, new, shown, progress)
            old.execute(update(identity).values(moved_to=shown))
            for table in (notes, facts):
                old.execute(text(f"ALTER TABLE {table.name} RENAME TO {table.name}{CLOSED}"))
    finally:
        target.dispose()
    return count


def _lock(old: Connection) -> None:
    if old.dialect.name == "postgresql":
        names = ", ".join(table.name for table in TABLES)
        old.execute(text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))


def _fill(old: Connection, new: Connection, shown: str, progress: Progress) -> int:
    if is_empty(new):
        return copy_ledger(old, new, progress)
    same = new.execute(select(identity.c.id)).scalar_one() == old.execute(select(identity.c.id)).scalar_one()
    if not same or any(digest(old, table) != digest(new, table) for table in TABLES):
        raise AspectraError(f"The database at {shown} holds notes already.", "Name an empty one.")
    return int(new.execute(text("SELECT count(*) FROM notes")).scalar_one())
