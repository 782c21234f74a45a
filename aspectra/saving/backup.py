"""Everything that cannot be made again, in one folder, while the stack works on."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex

from opensearchpy.exceptions import OpenSearchException
from sqlalchemy import Engine, func, select

from access.audit.sealing import KEYS
from aspectra.promotion import kept_models
from aspectra.saving.manifest import Manifest, digests, plain_settings, write_manifest
from aspectra.saving.repository import emptied
from aspectra.stack.engine_config import repository_folder
from aspectra.stack.folders import PRIVATE, make_folder
from ingest.ledger import Ledger
from ingest.ledger.copy import copy_ledger, snapshot_of
from ingest.ledger.database import open_database, writing
from ingest.ledger.tables import STATES, notes
from search_stack.core.client import EngineUnavailable, connect, engine_errors
from search_stack.core.errors import AspectraError
from search_stack.core.files import unwritable, write_whole
from search_stack.core.promoted import CHOICE
from search_stack.core.settings import Settings
from search_stack.index.mapping import Indexes
from search_stack.index.snapshots import Snapshots

LEDGER, LEXICONS, MODELS, INDEX = "ledger.sqlite3", "lexicons", "models", "index"
Progress = Callable[[str, int, int], None]


def backup(settings: Settings, to: Path, progress: Progress) -> Manifest:
    """Save ledger, lexicons, promoted models, keys of the audit trail, settings without secrets and, where the engine
    may write one, a snapshot of the index, in the new or empty folder ``to``.

    The snapshot comes first, so that it is never ahead of the ledger. ``progress`` hears a stage, what is done of
    it and of how many.

    Raises:
        AspectraError: ``to`` holds something, or cannot be written; nothing is left there then.
    """
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise AspectraError(f"{to} is not an empty folder.", "Name a new one for each backup.")
    ledger = Ledger.from_settings(settings)
    make_folder(to, PRIVATE)
    try:
        to.chmod(PRIVATE)  # one that was there, and empty, may be open to others
        snapshot = _snapshot(settings, to, progress)
        with _dropped_on_error(settings, snapshot):
            counts = _save_ledger(ledger.engine, to / LEDGER, lambda done, total: progress("ledger", done, total))
            _copy_files(settings, to)
            found = Manifest(
                made=datetime.now(UTC).isoformat(timespec="seconds"),
                version=version("aspectra"),
                ledger=ledger.identity,
                counts=counts,
                settings=plain_settings(settings),
                snapshot=snapshot,
                files=dict(digests(to)),
            )
            write_manifest(to, found)
    except BaseException as e:
        for path in to.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if isinstance(e, OSError):
            raise unwritable(to, e) from e
        raise
    return found


def _save_ledger(source: Engine, file: Path, progress: Callable[[int, int], None]) -> dict[str, int]:
    """A copy in SQLite, whatever database the ledger is in; how many notes are in each state."""
    target = open_database(f"sqlite:///{file}")
    with snapshot_of(source) as old, writing(target) as new:
        copy_ledger(old, new, progress)
        by_state = new.execute(select(notes.c.state, func.count()).group_by(notes.c.state))
        counts = Counter({state: count for state, count in by_state})  # noqa: C416  # dict() takes no rows, for mypy
    target.dispose()
    with closing(sqlite3.connect(file)) as alone:
        alone.execute("PRAGMA journal_mode=DELETE")  # one file, whole by itself
    Path(f"{file}.lock").unlink(missing_ok=True)
    return {state: counts[state] for state in STATES}


def _copy_files(settings: Settings, to: Path) -> None:
    if settings.lexicon_folder.is_dir():
        shutil.copytree(settings.lexicon_folder, to / LEXICONS)
    if kept_models(settings).is_dir():
        shutil.copytree(kept_models(settings), to / MODELS)
    for name in (CHOICE, KEYS):
        with suppress(FileNotFoundError):
            write_whole(to / name, (settings.data_dir / name).read_bytes(), private=True)


def _snapshot(settings: Settings, to: Path, progress: Progress) -> str:
    """Name of the snapshot; empty where the engine is away, has no index, or may write none."""
    client = connect(settings)
    try:
        with engine_errors(settings):
            live = Indexes(client, settings).live()
            snapshots = Snapshots(client, settings)
            if live is None or not snapshots.possible():
                return ""
            progress("index", 0, 1)
            name = f"backup-{token_hex(8)}"
            snapshots.register()
            with emptied(settings, snapshots), _dropped_on_error(settings, name):
                if settings.engine_url:
                    snapshots.take(name, live)
                else:  # the repository is on this machine: the backup takes it along
                    snapshots.clear()
                    snapshots.take(name, live)
                    shutil.copytree(repository_folder(settings) / snapshots.folder, to / INDEX)
            progress("index", 1, 1)
            return name
    except EngineUnavailable:
        return ""


@contextmanager
def _dropped_on_error(settings: Settings, snapshot: str) -> Iterator[None]:
    """A snapshot in a cluster's repository is of no use without the folder that names it."""
    try:
        yield
    except BaseException:
        if snapshot and settings.engine_url:
            with suppress(OpenSearchException):
                Snapshots(connect(settings), settings).drop(snapshot)
        raise
