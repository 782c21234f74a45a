"""Exports that page and API had written, removed once they are old."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path

from sqlalchemy import Engine, select

from ingest.ledger.tables import exports
from search_stack.core.files import disk_errors
from search_stack.core.settings import Settings


def exports_folder(settings: Settings) -> Path:
    """Where each has a folder of its own."""
    return settings.data_dir.absolute() / "exports"


def remove_old(engine: Engine, folder: Path, before: datetime) -> list[int]:
    """Remove the files of every export below ``folder``, whatever its purpose, that ended before then; their numbers.

    What a command had written elsewhere stays, and so do the orders themselves, which tell who asked for what.

    Raises:
        AspectraError: a folder cannot be removed.
    """
    ended = select(exports.c.id, exports.c.output).where(exports.c.finished < before).order_by(exports.c.id)
    with engine.connect() as c:
        old = [(row.id, Path(row.output).parent) for row in c.execute(ended)]
    removed = [(number, own) for number, own in old if own.parent == folder and own.is_dir()]
    for _, own in removed:
        with disk_errors(own):
            shutil.rmtree(own)
    return [number for number, _ in removed]
