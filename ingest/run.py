"""One ingest run: records into the ledger, claims to the workers, and the wait for the end."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from ingest.dispatch import Dispatcher
from ingest.ledger import Ledger
from ingest.ledger.tables import FAILED, PENDING
from ingest.readers import Record, Rejected
from search_stack.errors import AspectraError
from search_stack.schema import Note

CHUNK_NOTES = 200
CHUNK_CHARACTERS = 4_000_000
TICK = 0.5
REASONS = {
    "duplicate": "an earlier record of this run has the same note id and other content",
    "foreign": "another collection has a note of this id; name that collection to replace it, or change the id",
}


@dataclass(slots=True)
class Summary:
    """What a run did, note by note."""

    new: int = 0
    unchanged: int = 0
    changed: int = 0
    rejected: int = 0
    failed: int = 0
    seconds: float = 0.0
    rejects_file: Path | None = None

    @property
    def notes(self) -> int:
        return self.new + self.unchanged + self.changed

    @property
    def notes_per_second(self) -> float:
        return self.notes / self.seconds if self.seconds else 0.0


@dataclass(slots=True)
class Rejects:
    """The rejects file: JSON lines of source, line, field, reason; made when the first comes."""

    path: Path
    count: int = 0
    _file: TextIO | None = field(default=None, repr=False)

    def add(self, rejected: Rejected) -> None:
        if self._file is None:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # ids of notes are for their owner only
            self._file = self.path.open("w", encoding="utf-8")
        line = {"source": rejected.source, "line": rejected.line, "field": rejected.field, "reason": rejected.reason}
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        self.count += 1

    def close(self) -> None:
        if self._file:
            self._file.close()


def take_in(
    records: Iterable[Record],
    source: str,
    ledger: Ledger,
    run: int,
    rejects: Rejects,
    chunk_done: Callable[[int, Counter[str]], None],
) -> Counter[str]:
    """Put every note of ``records`` into the ledger, in chunks; how many had which outcome.

    ``chunk_done`` hears the bytes read so far and the outcomes so far.
    """
    totals: Counter[str] = Counter()
    chunk: list[Note] = []
    characters = read = 0

    def flush() -> None:
        nonlocal characters
        for note, outcome in zip(chunk, ledger.put(chunk, run), strict=True):
            if outcome in REASONS:
                rejects.add(Rejected(f"{source}: note {note.note_id}", 0, "note_id", REASONS[outcome]))
                totals["rejected"] += 1
            else:
                totals[outcome] += 1
        chunk.clear()
        characters = 0
        chunk_done(read, totals)

    for record in records:
        read = record.bytes_read
        if isinstance(record.item, Rejected):
            rejects.add(record.item)
            totals["rejected"] += 1
            continue
        chunk.append(record.item)
        characters += len(record.item.text)
        if len(chunk) >= CHUNK_NOTES or characters >= CHUNK_CHARACTERS:
            flush()
    flush()
    return totals


def wait_until_indexed(
    ledger: Ledger,
    dispatcher: Dispatcher,
    progress: Callable[[dict[str, int]], None],
    stalled: Callable[[float], None],
) -> None:
    """Feed the workers and wait until no note is pending.

    ``progress`` hears the ledger's counts every half second; ``stalled`` hears for how many
    seconds nothing has moved, and may raise to give up.
    """
    before, since = ledger.counts(), time.monotonic()
    while True:
        dispatcher.try_tick()  # an absent broker shows as a stall
        counts = ledger.counts()
        progress(counts)
        if not counts[PENDING]:
            return
        if counts != before:
            before, since = counts, time.monotonic()
        stalled(time.monotonic() - since)
        time.sleep(TICK)


def summary(totals: Counter[str], ledger: Ledger, failed_before: int, seconds: float, rejects: Rejects) -> Summary:
    return Summary(
        new=totals["new"],
        unchanged=totals["unchanged"],
        changed=totals["changed"],
        rejected=totals["rejected"],
        failed=max(0, ledger.counts()[FAILED] - failed_before),
        seconds=seconds,
        rejects_file=rejects.path if rejects.count else None,
    )


class Stalled(AspectraError):
    """Notes wait, and no worker takes them."""
