"""Who is at the other end of a connection within this machine, as the kernel tells it."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_ESTABLISHED, _HALF_OPEN, _LISTENS = "01", "03", "0A"
_NOT_ACCEPTED = "0"
"""The inode of a connection that no process has taken yet; its user is not stated then."""


class _Row(NamedTuple):
    local: str
    remote: str
    state: str
    uid: int
    inode: str


def peer_uid(connected: socket.socket) -> int | None:
    """User id of whoever has the other end of an IPv4 connection over loopback; None where that cannot be told.

    A connection that is not accepted yet belongs to whoever listens there. That cannot be two users
    one after the other: the kernel drops such connections with the socket that listened.
    """
    here, there = connected.getsockname()[:2], connected.getpeername()[:2]
    ends = {(_written(f, *there), _written(f, *here)) for f in (socket.AF_INET, socket.AF_INET6)}
    # The order counts: what listens is read before the connection, both after it was made.
    rows = list(_rows())
    for row in rows:
        if (row.local, row.remote) in ends and row.state in (_ESTABLISHED, _HALF_OPEN):
            return _listener(rows, *there) if row.inode == _NOT_ACCEPTED else row.uid
    return None


def _listener(rows: list[_Row], host: str, port: int) -> int | None:
    """User id of who listens on ``port`` of ``host``, or else of every address."""
    named = {_written(f, host, port) for f in (socket.AF_INET, socket.AF_INET6)}
    every = {f"{'0' * digits}:{port:04X}" for digits in (8, 32)}
    found = [row for row in rows if row.state == _LISTENS and row.local in named | every]
    return min(found, key=lambda row: row.local in every).uid if found else None


def _written(family: int, host: str, port: int) -> str:
    """An IPv4 address as the kernel's table of ``family`` has it: words in the order of this machine.

    >>> _written(socket.AF_INET, "127.0.0.1", 8600) if sys.byteorder == "little" else "0100007F:2198"
    '0100007F:2198'
    """
    packed = socket.inet_pton(family, host if family == socket.AF_INET else f"::ffff:{host}")
    words = (int.from_bytes(packed[i : i + 4], sys.byteorder) for i in range(0, len(packed), 4))
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"


def _rows() -> Iterator[_Row]:
    for table in TABLES:
        try:
            lines = table.read_text().splitlines()[1:]
        except OSError:
            continue  # a machine without IPv6
        for fields in map(str.split, lines):
            yield _Row(fields[1], fields[2], fields[3], int(fields[7]), fields[9])
