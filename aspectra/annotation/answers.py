"""The keys of the answers, and the file that these go into as they are given."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from search_stack.core.errors import AspectraError
from search_stack.core.files import disk_errors
from search_stack.core.schema import STATUSES_OF
from search_stack.evaluation.datasets.gold import COLUMNS, GoldMention, read, row_of

NOT_MEANT = "not meant"
ASSERTION_KEYS: Mapping[str, str] = {
    "p": "present",
    "a": "absent",
    "q": "possible",
    "h": "hypothetical",
    "s": "historical",
    "f": "family",
    "n": NOT_MEANT,
}
HEADER = "\t".join(COLUMNS) + "\n"


def status_keys(kind: str) -> dict[str, str]:
    """What each key says of a concept of ``kind``; none where it has no status.

    >>> status_keys("device")
    {'1': 'done', '2': 'planned', '3': 'past', '4': 'not done', '0': '?'}
    """
    known = STATUSES_OF.get(kind, ())
    return {**{str(n): status for n, status in enumerate(known, 1)}, "0": "?"} if known else {}


class Answers:
    """A file of judged mentions that is open to one person at a time; made by `answers`."""

    def __init__(self, path: Path, file: int, mentions: list[GoldMention]) -> None:
        self.path = path
        self.mentions = mentions
        self._file = file

    def of(self, reading: int) -> list[GoldMention]:
        return [m for m in self.mentions if m.reading == reading]

    def add(self, mention: GoldMention) -> None:
        """Write it down; it is on the disk when this returns.

        Raises:
            AspectraError: it cannot be written; the file is as it was.
        """
        _append(self.path, self._file, f"{row_of(mention)}\n")
        self.mentions.append(mention)

    def take_back(self, reading: int) -> GoldMention | None:
        """Take the last answer out of the file; None where it is not one of ``reading``, written as we write.

        Raises:
            AspectraError: the file cannot be written.
        """
        if not self.mentions or self.mentions[-1].reading != reading:
            return None
        row = f"{row_of(self.mentions[-1])}\n".encode()
        with disk_errors(self.path):
            begin = os.fstat(self._file).st_size - len(row)
            if begin < 0 or os.pread(self._file, len(row), begin) != row:
                return None
            os.ftruncate(self._file, begin)
        return self.mentions.pop()


@contextmanager
def answers(path: Path) -> Iterator[Answers]:
    """The file of answers at ``path``, made where there is none; only its owner may read it.

    Raises:
        AspectraError: it cannot be opened or is another's now, or it holds something else.
    """
    with disk_errors(path):
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AspectraError(
                f"{path}: somebody is judging into it.", "Wait, or name another file with --out."
            ) from None
        size = os.fstat(file).st_size
        if not size:
            _append(path, file, HEADER)
        elif os.pread(file, len(HEADER), 0) != HEADER.encode():
            raise AspectraError(f"{path}: holds something else than judged mentions.", "Name another file with --out.")
        elif os.pread(file, 1, size - 1) != b"\n":
            _append(path, file, "\n")
        yield Answers(path, file, read(path))
    finally:
        os.close(file)


def _append(path: Path, file: int, text: str) -> None:
    """Append all of it or nothing."""
    with disk_errors(path):
        before = os.fstat(file).st_size
        left = text.encode()
        try:
            while left:
                left = left[os.write(file, left) :]
            os.fsync(file)
        except OSError:
            with suppress(OSError):
                os.ftruncate(file, before)
            raise
