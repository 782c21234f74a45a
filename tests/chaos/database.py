"""The ledger's database as something that can be killed: a PostgreSQL server, or who writes to SQLite."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

WRITE_LOCK = "120"
"""The byte of SQLite's shared memory file that a transaction which writes has locked (WAL_WRITE_LOCK)."""


def sqlite_writers(ledger: Path) -> list[int]:
    """Processes that are inside a transaction that writes, but for this one."""
    return _holders("POSIX", Path(f"{ledger}-shm"), WRITE_LOCK)


def sqlite_openers(ledger: Path) -> list[int]:
    """Processes that open it, for which all who open it wait, but for this one."""
    return _holders("FLOCK", Path(f"{ledger}.lock"), "0")


def _holders(kind: str, file: Path, first_byte: str) -> list[int]:
    try:
        inode = file.stat().st_ino
    except FileNotFoundError:
        return []
    found = []
    for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
        fields = line.split()  # of one that waits, "->" is the second
        if fields[1] == kind and fields[5].endswith(f":{inode}") and fields[6] == first_byte:
            found.append(int(fields[4]))
    return [pid for pid in found if pid != os.getpid()]


def children(pid: int) -> list[int]:
    """Processes that any thread of ``pid`` has started; none where it is gone."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            if int((entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[1]) == pid:
                found.append(int(entry.name))
    return found


class PostgreSQL:
    """The server at ``address``, which runs on this machine as this user, or as another where this one is root."""

    def __init__(self, address: str) -> None:
        self._engine = create_engine(address, poolclass=NullPool)
        self._folder = Path(str(self._ask("SHOW data_directory")))
        process = Path("/proc", str(self.pid))
        self._command = process.joinpath("cmdline").read_bytes().decode().split("\0")[:-1]
        self._account: dict[str, Any] = {}
        if os.geteuid() == 0:
            owner = process.stat()
            self._account = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        return int(self._folder.joinpath("postmaster.pid").read_text().split()[0])

    def _ask(self, sql: str) -> object:
        with self._engine.connect() as c:
            return c.execute(text(sql)).scalar_one()

    def terminate_backends(self) -> int:
        """End every other connection to this database; how many there were."""
        ended = self._ask(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return int(str(ended))

    def processes(self) -> list[int]:
        return [self.pid, *children(self.pid)]

    def stop(self) -> None:
        """Stop at once, as a loss of power would: the next start recovers from the log."""
        os.kill(self.pid, signal.SIGQUIT)
        _until(lambda: not self._folder.joinpath("postmaster.pid").exists())
        if self._child:
            self._child.wait()

    def start(self) -> None:
        with self._folder.with_name("log.chaos").open("ab") as log:
            self._child = subprocess.Popen(
                self._command,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **self._account,
            )
        _until(self._answers)

    def _answers(self) -> bool:
        with suppress(DBAPIError):
            return self._ask("SELECT 1") == 1
        return False


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < deadline, "PostgreSQL neither stops nor starts"
        time.sleep(0.05)
