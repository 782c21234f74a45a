"""The engine's repository of snapshots, as a backup and a restore borrow it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from opensearchpy.exceptions import OpenSearchException

from aspectra.stack.folders import locked, run_folder
from search_stack.core.settings import Settings
from search_stack.index.snapshots import Snapshots

LOCK = "snapshots.lock"


@contextmanager
def emptied(settings: Settings, snapshots: Snapshots) -> Iterator[None]:
    """Work with the repository of this machine, which holds no snapshot afterwards, whatever happens: text that is
    deleted later could be read back from what is left there, and would go into every later backup.

    One process at a time, since it drops whatever it finds. The repository of a cluster, which keeps the snapshots of
    earlier backups, is left as it is.
    """
    if settings.engine_url:
        yield
        return
    with locked(run_folder(settings) / LOCK, lambda _: None):
        try:
            yield
        except BaseException:
            with suppress(OpenSearchException):  # what went wrong first is told; the next backup drops the rest
                snapshots.clear()
            raise
        snapshots.clear()
