"""What a failing disk or folder means to a person."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from search_stack.errors import AspectraError

AGAIN = "then run the same command again: it goes on where it stopped."
_MEANINGS = {
    errno.ENOSPC: ("the disk is full", f"Make room there; {AGAIN}"),
    errno.EDQUOT: ("the quota of this user is used up", f"Make room there; {AGAIN}"),
    errno.EFBIG: ("the file may not grow further", f"Raise the limit (ulimit -f); {AGAIN}"),
    errno.EROFS: ("the disk is read-only", f"Mount it for writing, or set ASPECTRA_DATA_DIR; {AGAIN}"),
    errno.EACCES: ("this user has no right to it", f"Give this user the right, or set ASPECTRA_DATA_DIR; {AGAIN}"),
    errno.EPERM: ("this user has no right to it", f"Give this user the right, or set ASPECTRA_DATA_DIR; {AGAIN}"),
    errno.EIO: ("the disk fails", f"Look at the disk, and at the system's log; {AGAIN}"),
    errno.ENOENT: ("it is not there", f"Bring it back, or mend the path; {AGAIN}"),
    errno.EISDIR: ("it is a folder", f"Move it away; {AGAIN}"),
    errno.ENOTDIR: ("a part of the path is no folder", f"Mend the path; {AGAIN}"),
}


def disk_error(e: OSError, path: Path | str | None = None) -> AspectraError | None:
    """``e`` for a person, where disks and folders raise it; ``path`` where ``e`` names none itself."""
    if e.errno not in _MEANINGS:
        return None
    meaning, remedy = _MEANINGS[e.errno]
    where = e.filename if isinstance(e.filename, str) else path
    return AspectraError(f"{where or 'A file'}: {meaning}.", remedy)


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn failures to write ``path`` into errors for people.

    Raises:
        AspectraError: it cannot be written.
    """
    try:
        yield
    except OSError as e:
        raise disk_error(e, path) or AspectraError(f"{path}: cannot be written ({e.strerror}).", "") from None


def sync_folder(folder: Path) -> None:
    """Make sure that what was made in ``folder`` is there after the power fails."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
