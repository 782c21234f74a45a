"""The rejects file of a run: what was left out, where and why; bounded."""

from __future__ import annotations

import json
import os
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from ingest.readers import Rejected
from ingest.readers.fields import spelt
from search_stack.core.files import disk_errors, sync_folder

WORDS = 300
"""Characters of a source, field or reason that are kept: a column's name may be as long as a record."""
KINDS = 50
"""Kinds of reasons that are counted by themselves."""
DAY = 86_400


@dataclass(slots=True)
class Rejects:
    """JSON lines of source, line, field, reason; made when the first comes. After ``most`` lines the
    others are counted by reason, which one last line tells."""

    path: Path
    most: int
    count: int = 0
    more: Counter[str] = field(default_factory=Counter)
    _file: TextIO | None = field(default=None, repr=False)

    def add(self, rejected: Rejected) -> None:
        self.count += 1
        if self.count > self.most:
            kind = _kind(rejected)
            self.more[kind if kind in self.more or len(self.more) < KINDS else "other reasons"] += 1
            return
        with disk_errors(self.path):
            self._write(rejected.source, rejected.line, rejected.field, rejected.reason)

    def _write(self, source: str, line: int, field: str, reason: str) -> None:
        if self._file is None:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # ids of notes are for their owner only
            self._file = self.path.open("w", encoding="utf-8")
        row = {"source": spelt(source)[:WORDS], "line": line, "field": field[:WORDS], "reason": reason}
        self._file.write(json.dumps(row) + "\n")
        self._file.flush()

    def close(self) -> None:
        """What a run left out is on the disk before its summary is."""
        with disk_errors(self.path):
            if self.more:
                kinds = "; ".join(f"{n:,} × {kind}" for kind, n in self.more.most_common())
                self._write("", 0, "", f"and {self.more.total():,} more: {kinds}")
            if self._file:
                with self._file as file:
                    os.fsync(file.fileno())
                sync_folder(self.path.parent)


def _kind(rejected: Rejected) -> str:
    """The reason without its numbers and lines."""
    reason = re.sub(r"\d[\d,]*", "N", rejected.reason.partition("; line")[0])
    return (f"{rejected.field}: {reason}" if rejected.field else reason)[:WORDS]


def remove_old(folder: Path, keep_days: int) -> None:
    """Remove the rejects files of runs that ended more than ``keep_days`` days ago; 0 keeps all."""
    if not keep_days:
        return
    for path in folder.glob("run-*.jsonl"):
        if path.stat().st_mtime < time.time() - keep_days * DAY:
            path.unlink(missing_ok=True)
