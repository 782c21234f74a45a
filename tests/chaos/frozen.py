"""A writer frozen between what the ledger reserves and what the engine is sent."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from sqlalchemy import select

from aspectra.stack import down, up
from aspectra.stack.own import ready_file
from ingest.ledger.tables import INDEXED, notes
from tests.chaos.check import in_index
from tests.chaos.database import children, sqlite_openers, sqlite_writers
from tests.chaos.faults import send
from tests.chaos.workload import EVERYWHERE
from tests.engine.conftest import Place

ATTEMPTS = 12
SENTENCES = 600
"""Sentences of a note that takes a second or more to encode: the window to freeze its writer in."""
QUIET = 10.0
"""Seconds without work after which a process is taken to have nothing to do."""


def long_note(path: Path, note_id: str, sentences: int = SENTENCES) -> Path:
    lines = (f"The {EVERYWHERE} of {note_id} line {i} measures {i} units." for i in range(sentences))
    path.write_text(f"note_id,patient_id,text\n{note_id},p-{note_id},{' '.join(lines)}\n", encoding="utf-8")
    return path


class FrozenWriter:
    """Processes of a worker that stand still; ``note_id`` is the note that one of them has in hand."""

    def __init__(self, pids: list[int], note_id: str) -> None:
        self.note_id = note_id
        self._pids = pids

    def thaw(self) -> None:
        """Let them go on, and wait until they have done what they do."""
        send(signal.SIGCONT, self._pids)
        since, before = time.monotonic(), [-1]
        while time.monotonic() - since < QUIET:
            if (now := [_work(pid) for pid in self._pids]) != before:
                since, before = time.monotonic(), now
            time.sleep(0.2)


@contextmanager
def frozen_writer(place: Place, folder: Path) -> Iterator[FrozenWriter]:
    """A worker besides that of the stack takes up a note and is frozen, all of it, before it writes.

    The worker of the stack runs again then, and knows nothing of it. Thawed, the writer goes on
    before its parent does, which would end it for the time that it took.
    """
    down(place.settings, ["worker"], _silent)
    parent = place.start("worker")
    place.wait(lambda: _ready(place) == str(parent.pid), parent)
    pids: list[int] = []
    try:
        for attempt in range(ATTEMPTS):
            note_id = f"held{attempt}"
            status, _, errors = place.run("ingest", "--no-wait", long_note(folder / "held.csv", note_id))
            assert status == 0, errors
            place.wait(partial(_reserved, place, note_id), parent, pause=0.002)
            pids = children(parent.pid)
            send(signal.SIGSTOP, pids)
            if not _held(place, note_id) and not _others_wait(place, pids):
                break
            send(signal.SIGCONT, pids)
            place.wait(partial(_indexed, place, note_id))
            assert place.run("delete", "--yes", note_id)[0] == 0
        else:
            raise AssertionError("the writer was never frozen in time")
        _stop_outside_of_transactions(place, parent.pid)
        up(place.settings, ["worker"], _silent)
        yield FrozenWriter(pids, note_id)
    finally:
        send(signal.SIGKILL, [parent.pid, *pids])


def _stop_outside_of_transactions(place: Place, pid: int) -> None:
    send(signal.SIGSTOP, [pid])
    while _others_wait(place, [pid]):
        send(signal.SIGCONT, [pid])
        time.sleep(0.05)
        send(signal.SIGSTOP, [pid])


def _others_wait(place: Place, pids: list[int]) -> bool:
    """Whether one of ``pids`` writes to the ledger or opens it: frozen then, it would let nobody delete anything."""
    ledger = Path(str(place.ledger.engine.url.database))
    return not {*sqlite_writers(ledger), *sqlite_openers(ledger)}.isdisjoint(pids)


def _silent(line: str) -> None:
    pass


def _ready(place: Place) -> str:
    file = ready_file(place.settings)
    return file.read_text().strip() if file.exists() else ""


def _reserved(place: Place, note_id: str) -> bool:
    with place.ledger.engine.connect() as c:
        return bool(c.execute(select(notes.c.passages).where(notes.c.note_id == note_id)).scalar_one())


def _indexed(place: Place, note_id: str) -> bool:
    return place.stored(note_id).state == INDEXED


def _held(place: Place, note_id: str) -> bool:
    """Whether the index holds anything of a note."""
    live = place.indexes.live()
    return bool(live) and any(shown.note_id == note_id for shown in in_index(place, str(live)))


def _work(pid: int) -> int:
    """Processor time of a process in clock ticks; 0 once it is gone."""
    try:
        fields = Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0
    return int(fields[11]) + int(fields[12])
