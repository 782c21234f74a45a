"""Rows on their way: those of whole patients, kept on the disk as they come, so that what was interrupted goes on."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from search_stack.core.errors import AspectraError
from search_stack.core.files import unreadable, write_whole
from search_stack.handover.row import Row

AGAIN = "Begin it anew: the same command with --force, without --resume"


@dataclass(slots=True)
class Reached:
    """How far an export has come."""

    job: Mapping[str, Any]
    """Of what it is: all that must be the same for it to go on."""
    began: datetime
    last: int = 0
    """Number of the last patient whose rows are all there; 0 before the first."""
    patients: int = 0
    size: int = 0
    """Bytes of the rows."""
    counts: Counter[str] = field(default_factory=Counter)
    """Rows, by kind and by the state of their notes."""

    def json(self) -> dict[str, Any]:
        numbers = {"last": self.last, "patients": self.patients, "size": self.size, "counts": dict(self.counts)}
        return {"job": dict(self.job), "began": self.began.isoformat(), **numbers}


class Spool:
    """A folder with rows and how far they have come. What stands behind that was cut off, and counts for nothing."""

    def __init__(self, folder: Path, reached: Reached) -> None:
        self._folder = folder
        self.reached = reached
        self._rows = folder / "rows.jsonl"

    @classmethod
    def begin(cls, folder: Path, job: Mapping[str, Any], began: datetime) -> Spool:
        spool = cls(folder, Reached(job, began))
        with _opened(spool._rows, os.O_TRUNC):
            pass
        spool._note()
        return spool

    @classmethod
    def resume(cls, folder: Path, job: Mapping[str, Any]) -> Spool:
        """
        Raises:
            AspectraError: it was of another job, or cannot be read.
        """
        path = folder / "progress.json"
        try:
            data = json.loads(path.read_bytes())
            reached = Reached(
                data["job"],
                datetime.fromisoformat(data["began"]),
                data["last"],
                data["patients"],
                data["size"],
                Counter(data["counts"]),
            )
            cut = (folder / "rows.jsonl").stat().st_size < reached.size
        except (OSError, ValueError, LookupError) as e:
            raise unreadable(path, e, AGAIN) from e
        if cut:
            raise AspectraError(f"{folder / 'rows.jsonl'} is shorter than it was.", AGAIN)
        if other := [name for name in job if job[name] != reached.job.get(name)]:
            raise AspectraError(f"The export that was interrupted had another {other[0]}, so it cannot go on.", AGAIN)
        return cls(folder, reached)

    def add(self, portions: Iterable[tuple[int, int, Iterable[Row]]]) -> Iterator[int]:
        """Keep the rows of portions: number of the last patient, how many patients, rows. After each, how many
        patients are there."""
        reached = self.reached
        with _opened(self._rows, 0) as file:
            file.truncate(reached.size)
            file.seek(reached.size)
            for last, patients, rows in portions:
                for row in rows:
                    file.write(f"{json.dumps(row.values(), ensure_ascii=False)}\n".encode())
                    reached.counts.update(_counted(row))
                file.flush()
                os.fsync(file.fileno())
                reached.last, reached.size = last, file.tell()
                reached.patients += patients
                self._note()
                yield reached.patients

    def rows(self) -> Iterator[Row]:
        """All that are kept, from the first."""
        left = self.reached.size
        with self._rows.open("rb") as file:
            while left > 0:
                line = file.readline()
                left -= len(line)
                yield Row.of(json.loads(line))

    def _note(self) -> None:
        write_whole(self._folder / "progress.json", json.dumps(self.reached.json()), private=True)


def _counted(row: Row) -> Iterator[str]:
    yield "rows"
    yield f"rows of {row.kind}"
    if row.state not in ("", "as found"):
        yield f"notes {row.state}"


def _opened(path: Path, flags: int) -> Any:
    """For its owner only."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | flags, 0o600), "r+b")
