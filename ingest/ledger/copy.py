"""A ledger's contents in another database: whole, verified, in one transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, LargeBinary, Table, delete, func, insert, select, text

from ingest.ledger.tables import (
    accounts,
    answers,
    api_tokens,
    audit,
    builds,
    code_parents,
    cohort_versions,
    cohorts,
    exports,
    facts,
    identity,
    labellings,
    notes,
    patients,
    purpose_people,
    purposes,
    review_decisions,
    review_fields,
    review_marks,
    runs,
    sessions,
)
from search_stack.core.errors import AspectraError

TABLES = (
    *(runs, patients, notes, facts, code_parents, builds, labellings, cohorts, cohort_versions, exports),
    *(review_fields, review_decisions, review_marks),
    *(accounts, purposes, purpose_people, answers, api_tokens, audit, identity),
)
"""In the order in which they refer to each other; sessions are left behind."""
CHUNK = 500
Progress = Callable[[int, int], None]


def copy_ledger(source: Connection, target: Connection, progress: Progress) -> int:
    """Put everything that ``source`` sees into the empty tables of ``target``; how many notes.

    An audit trail that ``target`` has stays, and that of ``source`` is left out: nothing may take its place.

    Keys, versions, states and the ledger's identity stay as they are, and so does the next key:
    a key that a deleted note had is not given again. ``progress`` hears notes done and notes in all.

    Raises:
        AspectraError: what was written does not read back as it was.
    """
    total = int(source.execute(select(func.count()).select_from(notes)).scalar_one())
    target.execute(delete(identity))
    done = 0
    tables = [table for table in TABLES if table is not audit or _is_without(target, audit)]
    for table in tables:
        for rows in _chunks(source, table):
            target.execute(insert(table), rows)
            if table is notes:
                done += len(rows)
                progress(done, total)
    for table in (t for t in TABLES if t.primary_key.columns[0].autoincrement is True):
        _set_next_key(target, table, _last_key(source, table))
    for table in tables:
        if digest(source, table) != digest(target, table):
            raise AspectraError(
                f"The table {table.name} does not read back as it was written.", "Nothing was changed. Check the disk."
            )
    return total


def digest(connection: Connection, table: Table) -> str:
    """SHA-256 over all rows, in order of their key."""
    whole = hashlib.sha256()
    for rows in _chunks(connection, table):
        for row in rows:
            whole.update(repr(list(row.values())).encode("utf-8", "surrogatepass"))
    return whole.hexdigest()


@contextmanager
def snapshot_of(engine: Engine) -> Iterator[Connection]:
    """A connection that sees the ledger as it is now, whatever is written meanwhile, and holds nobody up."""
    isolated = {"isolation_level": "REPEATABLE READ"} if engine.dialect.name == "postgresql" else {}
    with engine.connect().execution_options(**isolated) as connection, connection.begin():
        yield connection


def is_empty(connection: Connection) -> bool:
    return all(_is_without(connection, table) for table in (runs, notes, cohorts, accounts, purposes))


def clear(connection: Connection) -> None:
    """Take everything out but the audit trail."""
    for table in (sessions, *reversed(TABLES)):
        if table is not audit:
            connection.execute(delete(table))


def _is_without(connection: Connection, table: Table) -> bool:
    return connection.execute(select(table).limit(1)).first() is None


def _chunks(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    """Rows as dictionaries, by primary key; never more than `CHUNK` in memory, of those that hold much one."""
    (key,) = table.primary_key.columns
    most = 1 if any(isinstance(column.type, LargeBinary) for column in table.columns) else CHUNK
    last: Any = None
    while True:
        wanted = select(table).order_by(key).limit(most)
        rows = connection.execute(wanted if last is None else wanted.where(key > last)).mappings().all()
        if not rows:
            return
        yield [dict(row) for row in rows]
        last = rows[-1][key.name]


def _last_key(connection: Connection, table: Table) -> int:
    """The greatest key ever given."""
    (key,) = table.primary_key.columns
    greatest = int(connection.execute(select(func.coalesce(func.max(key), 0))).scalar_one())
    if connection.dialect.name == "sqlite":
        given = connection.execute(
            text("SELECT seq FROM sqlite_sequence WHERE name = :name"), {"name": table.name}
        ).scalar()
    else:
        sequence = connection.execute(
            text("SELECT pg_get_serial_sequence(:name, :key)"), {"name": table.name, "key": key.name}
        ).scalar_one()
        given = connection.execute(text(f"SELECT last_value FROM {sequence}")).scalar()  # noqa: S608  # our own name
    return max(greatest, int(given or 0))


def _set_next_key(connection: Connection, table: Table, last: int) -> None:
    (key,) = table.primary_key.columns
    if not last:
        return
    if connection.dialect.name == "sqlite":
        for statement in (
            "DELETE FROM sqlite_sequence WHERE name = :name",
            "INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)",
        ):
            connection.execute(text(statement), {"name": table.name, "last": last})
    else:
        connection.execute(
            text("SELECT setval(pg_get_serial_sequence(:name, :key), :last)"),
            {"name": table.name, "key": key.name, "last": last},
        )
