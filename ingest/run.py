"""One ingest run: records into the ledger, claims to the workers, and the wait for the end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ingest.dispatch import Dispatcher
from ingest.ledger import Ledger
from ingest.ledger.tables import FAILED, PENDING
from ingest.readers import Record, Rejected
from ingest.rejects import Rejects
from search_stack.errors import AspectraError
from search_stack.schema import Note

CHUNK_NOTES = 200
CHUNK_CHARACTERS = 4_000_000
TICK = 0.5
SMALL_SHARE = 0.01
"""Of the records, or of the lines: what may be rejected in a run that still ends well."""
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
    lines: int = 0
    """Lines of a table that were read; 0 where lines are not counted."""
    lines_left_out: int = 0
    cut: int = 0
    """Files that end inside a quote or a line."""

    @property
    def loud(self) -> bool:
        """Whether so much is missing that nobody should take the run for a success."""
        lost = self.rejected > SMALL_SHARE * (self.notes + self.rejected)
        lines_lost = self.lines_left_out > SMALL_SHARE * self.lines > 0
        return lost or lines_lost or self.cut > 0 or self.failed > 0

    @property
    def notes(self) -> int:
        return self.new + self.unchanged + self.changed

    @property
    def notes_per_second(self) -> float:
        return self.notes / self.seconds if self.seconds else 0.0


def take_in(
    records: Iterable[Record],
    source: str,
    ledger: Ledger,
    run: int,
    rejects: Rejects,
    chunk_done: Callable[[int, Counter[str]], None],
) -> Counter[str]:
    """Put every note of ``records`` into the ledger, in chunks; how many had which outcome, and how
    many lines there were, were left out ("left_out"), and files that end too soon ("cut").

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
        totals["lines"] = record.last_line
        if isinstance(record.item, Rejected):
            rejects.add(record.item)
            totals["rejected"] += 1
            totals["left_out"] += record.item.lines
            totals["cut"] += record.item.cut
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
        lines=totals["lines"],
        lines_left_out=totals["left_out"] if totals["lines"] else 0,
        cut=totals["cut"],
    )


class Stalled(AspectraError):
    """Notes wait, and no worker takes them."""
