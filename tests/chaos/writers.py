"""Who writes meanwhile: notes are ingested, changed, deleted and come back; the index is built anew."""

from __future__ import annotations

import random
import threading
from pathlib import Path

from tests.chaos.commands import Commands
from tests.chaos.workload import ANCHORS, Model, note_id, write_csv

START, BATCH, DELETED = 60, 14, 5
"""Notes to begin with; notes of one ingest; notes of one deletion."""
PAUSE, REBUILD_PAUSE = 0.3, 15.0


class Writers:
    """The two threads that run commands; what they ask for and what is acknowledged goes to ``model``."""

    def __init__(self, commands: Commands, model: Model, folder: Path, seed: int) -> None:
        self._commands = commands
        self._model = model
        self._folder = folder
        self._chance = random.Random(seed)
        self._files = 0

    def begin(self) -> None:
        """Take in the anchors and the first notes, and wait for them."""
        self._ingest(list(range(START)), wait=True)

    def write(self, over: threading.Event) -> None:
        """Ingest, change, delete, bring back, until it is over; what is begun is finished."""
        while not over.is_set():
            wish = self._commands.wished(("ingest", "delete"), PAUSE)
            if wish == "delete" or (wish is None and self._chance.random() < 0.3):
                self._delete()
            else:
                self._ingest(self._some(), wait=wish is None and self._chance.random() < 0.6)

    def rebuild(self, over: threading.Event) -> None:
        while not over.is_set():
            self._commands.wished(("reindex",), REBUILD_PAUSE)
            if not over.is_set():
                self._commands.until_done("reindex")

    def _some(self) -> list[int]:
        """Notes that are there, notes that were deleted, new ones."""
        there = [n for n in self._model.wanted if n >= ANCHORS]
        gone, new = self._model.absent(), max(self._model.newest()) + 1
        part = BATCH // 3
        picked = self._chance.sample(sorted(there), min(part, len(there)))
        picked += self._chance.sample(sorted(gone), min(part, len(gone)))
        return [*picked, *range(new, new + BATCH - 2 * part)]

    def _ingest(self, numbers: list[int], wait: bool) -> None:
        editions = self._model.offer(numbers)
        self._files += 1
        path = write_csv(self._folder / f"chaos-{self._files}.csv", editions)
        options = ["--collection", "chaos", "--wait" if wait else "--no-wait"]
        said = self._commands.until_done("ingest", *options, path)
        if "; 0 rejected" not in said:
            raise AssertionError(f"notes were rejected: {said}")
        # One that was set aside as failed is not found; it is tried again at the end.
        if wait and ", 0 failed" in said:
            self._model.found(editions)

    def _delete(self) -> None:
        there = sorted(n for n in self._model.wanted if n >= ANCHORS)
        numbers = self._chance.sample(there, min(DELETED, len(there)))
        self._model.leave(numbers)
        self._commands.until_done("delete", "--yes", *map(note_id, numbers), done=_deleted)
        self._model.gone(numbers)


def _deleted(status: int, said: str, errors: str) -> bool:
    """Some may have left with an earlier attempt that was killed: they are not in the ledger any more."""
    return status == 0 or (status == 1 and "Not in the ledger" in errors)
