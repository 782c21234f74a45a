"""Files written whole or not at all, and what their failures mean to a person."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from search_stack.core.errors import AspectraError

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
        raise disk_error(e, path) or unwritable(path, e, "") from None


def unreadable(
    what: Path | str, e: Exception, remedy: str = "Check the path.", kind: type[AspectraError] = AspectraError
) -> AspectraError:
    """The error, to be raised, of a file that ``e`` kept from being read."""
    return kind(f"{what}: cannot be read{_reason(e)}.", remedy)


def unwritable(what: Path | str, e: Exception, remedy: str = "Choose another place.") -> AspectraError:
    """The error, to be raised, of a file that ``e`` kept from being written."""
    return AspectraError(f"{what}: cannot be written{_reason(e)}.", remedy)


def _reason(e: Exception) -> str:
    """The system's words, in brackets. Of an error that is none of its own they could be the file's: nothing."""
    return f" ({e.strerror})" if isinstance(e, OSError) and e.strerror else ""


def need_private(path: Path, what: str, whose: str) -> None:
    """As PostgreSQL wants its own keys: read by its owner alone, or where root owns it by a group too.

    Args:
        what: it holds, for the message.
        whose: it is to be, likewise.

    Raises:
        AspectraError: others may read it.
        OSError: it is not there.
    """
    state = path.stat()
    group = stat.S_IRGRP if state.st_uid == 0 else 0
    if state.st_mode & (stat.S_IRWXG | stat.S_IRWXO) & ~group or state.st_uid not in (0, os.geteuid()):
        raise AspectraError(
            f"{path}: others than its owner may read {what}, or it is another user's.",
            f"{whose}, and chmod 600 {path}.",
        )


@contextmanager
def replacing(path: Path, remedy: str = "", private: bool = False) -> Iterator[BinaryIO]:
    """A file to write, which takes the place of ``path`` at the end: whole, and on the disk, or not at all.

    Args:
        remedy: where none is given, the disk's failures say what to do themselves.
        private: readable by its owner only.

    Raises:
        AspectraError: it cannot be written; ``path`` is as it was.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        fresh.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with os.fdopen(os.open(fresh, flags, 0o600 if private else 0o666), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        sync_folder(path.parent)
    except OSError as e:
        raise (unwritable(path, e, remedy) if remedy else disk_error(e, path) or unwritable(path, e)) from e
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


def write_whole(path: Path, content: str | bytes, remedy: str = "", private: bool = False) -> None:
    """Write ``content`` by `replacing`; text is UTF-8."""
    with replacing(path, remedy, private) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def sync_folder(folder: Path) -> None:
    """Make sure that what was made in ``folder`` is there after the power fails."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
