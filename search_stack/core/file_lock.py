"""A file that one process holds at a time."""

from __future__ import annotations

import fcntl
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from search_stack.core.errors import AspectraError

SAID_AFTER = 3.0
"""Seconds of waiting after which the holder is named."""
PATIENCE = 900.0
"""Seconds after which waiting ends. Unpacking the engine and a long migration take minutes."""
PAUSE = 0.05


@contextmanager
def file_lock(path: Path, waiting: Callable[[str], None], patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock file ``path``, which no other user can open: who can open a file can lock it,
    and hold everybody else up.

    ``waiting`` hears once who holds it, where that takes some seconds.

    Raises:
        AspectraError: the file is another user's, or somebody holds it for longer than ``patience`` seconds.
        OSError: it cannot be made.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    try:
        _close_to_others(descriptor, path)
        _take(descriptor, path, waiting, patience)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _close_to_others(descriptor: int, path: Path) -> None:
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        raise AspectraError(f"{path} is not a file.", "Remove it; it is made anew.")
    if found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) != 0o600:
        os.fchmod(descriptor, 0o600)


def _take(descriptor: int, path: Path, waiting: Callable[[str], None], patience: float) -> None:
    began, said = time.monotonic(), False
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waited = time.monotonic() - began
            if waited > patience:
                raise AspectraError(
                    f"{path} is held by {_holder(descriptor)} for more than {patience:.0f} seconds.",
                    "If that process hangs, end it. A process of another user can hold a file that was open to all "
                    "before: remove the file, and it is made anew.",
                ) from None
            if waited > SAID_AFTER and not said:
                said = True
                waiting(_holder(descriptor))
            time.sleep(PAUSE)
        else:
            return


def _holder(descriptor: int) -> str:
    """The process that wrote its number into the file; it may be another that holds it."""
    number = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip()
    if not number.isdecimal() or not Path(f"/proc/{number}").exists():
        return "an unknown process"
    return f"process {number}"
