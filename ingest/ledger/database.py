"""The ledger's database: connection, transactions, migrations."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, select, text
from sqlalchemy.exc import ArgumentError, DatabaseError

from ingest.ledger.failures import tell_failures
from ingest.ledger.tables import identity, notes
from search_stack.core.errors import AspectraError, LedgerUnavailable
from search_stack.core.file_lock import file_lock
from search_stack.core.files import disk_error, sync_folder

log = logging.getLogger(__name__)
MIGRATION_PATIENCE = 120.0
"""Seconds that a process waits for another that opens the ledger or migrates it."""
MIGRATIONS = Path(__file__).parent / "migrations"
NOTES_LOCK, AUDIT_LOCK = 0x41535043, 0x41535044
"""Advisory locks of PostgreSQL: of migrations and the taking in of notes, and of the audit trail."""


def open_database(address: str) -> Engine:
    """An engine for ``address``, its schema up to date; its errors never show a note's text.

    Raises:
        AspectraError: the address is wrong, the database is away, or its schema comes from a
            newer Aspectra. No password is in the message.
    """
    try:
        url = make_url(address)
    except ArgumentError as e:
        raise AspectraError(
            "ASPECTRA_LEDGER_URL is not a database address.",
            "Write it as postgresql+psycopg://user:password@host/name.",
        ) from e
    shown = url.render_as_string(hide_password=True)
    try:
        engine = (
            _sqlite(str(url.database), address)
            if url.get_backend_name() == "sqlite"
            else create_engine(url, pool_pre_ping=True, hide_parameters=True)
        )
        tell_failures(engine, shown)
        with _migration_lock(engine) as connection:
            _migrate(connection, shown)
            _need_here(connection, shown)
    except ModuleNotFoundError as e:
        raise AspectraError(
            f"The database driver {e.name} is not installed.", "pip install 'aspectra[postgresql]'"
        ) from e
    except OSError as e:
        explained = disk_error(e) or AspectraError("", "Check ASPECTRA_LEDGER_URL and the database.")
        raise LedgerUnavailable(
            f"The ledger at {shown} cannot be opened. {explained.message}".strip(), explained.remedy
        ) from e
    except DatabaseError as e:
        raise LedgerUnavailable(
            f"The ledger at {shown} cannot be opened.", "Check ASPECTRA_LEDGER_URL and the database."
        ) from e
    return engine


def is_there(address: str) -> bool:
    """Whether there is a database to look at; a SQLite file that is not there would be made by opening it."""
    url = make_url(address)
    return url.get_backend_name() != "sqlite" or Path(str(url.database)).exists()


def _sqlite(path: str, address: str) -> Engine:
    folder = Path(path).parent
    folder.mkdir(parents=True, exist_ok=True)
    # Readable by its owner only, from the first byte on. A file that is there is not touched: to
    # close it would end the locks that another connection of this process holds, and lose data.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        sync_folder(folder)
    engine = create_engine(address, connect_args={"timeout": 60}, hide_parameters=True)

    @event.listens_for(engine, "do_connect")
    def _open_existing(_dialect: object, _record: object, arguments: list[Any], options: dict[str, Any]) -> None:
        # A file that is gone must not come back empty.
        arguments[0] = f"file:{quote(str(Path(path).absolute()))}?mode=rw"
        options["uri"] = True

    @event.listens_for(engine, "connect")
    def _configure(dbapi: Any, _: object) -> None:
        dbapi.isolation_level = None  # SQLAlchemy begins transactions, not the driver
        cursor = dbapi.cursor()
        # What is committed has been acknowledged: with NORMAL a power failure would take it back.
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=60000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A reader that turns writer half-way fails at once where another writes: say so at the start.
        write = connection.get_execution_options().get("write", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    return engine


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes; rolled back whole on an error."""
    with engine.connect().execution_options(write=True) as connection, connection.begin():
        yield connection


def need_open(connection: Connection) -> None:
    """Fail where the ledger was moved away: a move takes the table of notes from those who still have it open."""
    connection.execute(select(notes.c.key).limit(1))


def one_at_a_time(connection: Connection, lock: int = NOTES_LOCK) -> None:
    """Let no other transaction past this line until this one ends; with SQLite, none ever is."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": lock})


@contextmanager
def _migration_lock(engine: Engine) -> Iterator[Connection]:
    """One process migrates, the others wait."""
    if engine.dialect.name == "sqlite":
        with (
            file_lock(Path(f"{engine.url.database}.lock"), _waiting, MIGRATION_PATIENCE),
            writing(engine) as connection,
        ):
            yield connection
    else:
        with writing(engine) as connection:
            one_at_a_time(connection)
            yield connection


def _need_here(connection: Connection, shown: str) -> None:
    """
    Raises:
        AspectraError: its notes were moved to another database.
    """
    if moved_to := connection.execute(select(identity.c.moved_to)).scalar():
        raise AspectraError(
            f"The ledger at {shown} was moved to {moved_to}.", "Set ASPECTRA_LEDGER_URL to that address."
        )


def _waiting(holder: str) -> None:
    log.warning("The ledger is being opened by %s; waiting for it.", holder)


def _migrate(connection: Connection, shown: str) -> None:
    known = sorted(path.stem.split("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))
    current = _revision(connection)
    if current == known[-1]:
        return
    if current and current not in known:
        raise AspectraError(
            f"The ledger at {shown} was written by a newer Aspectra (revision {current}).", "Upgrade this one."
        )
    from alembic import command  # takes as long to load as the rest of this module, and is seldom needed
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _revision(connection: Connection) -> str | None:
    """The migration that the schema came from, as Alembic keeps it; None where there is no schema."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found
