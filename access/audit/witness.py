"""Where the trail ended last, kept beside the database: it tells of an end that is cut off, and of one written anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

from access.audit.entry import START, Head
from search_stack.core.errors import AspectraError
from search_stack.core.files import disk_errors

WITNESS = "audit.head"
_LINE = re.compile(r"(\d{20}) ([0-9a-f]{64})\n")
HEAD = re.compile(r"(\d{1,18}):([0-9a-f]{64})")


class Witness:
    """One line of a constant length, so that it is written over at once; 0600."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / WITNESS

    def head(self) -> Head:
        """What was told last; `START` where nothing was.

        Raises:
            AspectraError: the file cannot be read, or holds something else.
        """
        try:
            with disk_errors(self._file):
                said = _LINE.fullmatch(self._file.read_bytes().decode("ascii", "replace"))
        except AspectraError:
            if not self._file.exists():
                return START
            raise
        if not said:
            raise AspectraError(
                f"{self._file} does not hold where the audit trail ended.",
                "See what is there (aspectra audit verify --head …), then remove the file.",
            )
        return Head(int(said[1]), said[2])

    def tell(self, head: Head) -> None:
        """
        Raises:
            AspectraError: the file cannot be written.
        """
        with disk_errors(self._file):
            descriptor = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            try:
                os.pwrite(descriptor, f"{head.number:020} {head.digest}\n".encode(), 0)
            finally:
                os.close(descriptor)


def read_head(text: str) -> Head:
    """A head that somebody has noted down, as `Head` is written.

    Raises:
        AspectraError: it is none.
    """
    found = HEAD.fullmatch(text.strip())
    if not found:
        raise AspectraError(f"{text} is no head of an audit trail.", "One is NUMBER:DIGEST, as verify prints it.")
    return Head(int(found[1]), found[2])
