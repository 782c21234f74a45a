"""The trail told to another system as it grows: syslog (RFC 5424) over TLS (RFC 5425).

What goes there: who did what, when, for which purpose, to how many, and the entry's digest; no id of a patient or note,
and no query. So the other system can raise an alarm, and holds where the trail ended at any time.
"""

from __future__ import annotations

import json
import logging
import socket
import ssl
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

from sqlalchemy.exc import SQLAlchemyError

from access.audit.check import Row
from access.audit.entry import Outcome
from access.audit.trail import Trail
from search_stack.core.errors import AspectraError
from search_stack.core.files import unreadable, write_whole
from search_stack.core.settings import Settings

SENT = "audit.sent"
"""File of the data folder with the number of the last entry that was sent."""
AGAIN = 100
"""Entries that are sent once more after a connection was lost: nobody says what has come. Their numbers tell."""
AT_ONCE = 200
LOOKED, PATIENCE, LONGEST = 1.0, 10.0, 60.0
"""Seconds between two looks at the trail, for an answer, and between two attempts at most."""
_AUDIT, _NOTICE, _WARNING = 13, 5, 4
_log = logging.getLogger(__name__)


def message(row: Row, host: str) -> bytes:
    """An entry as one frame of the stream."""
    columns = row.columns
    counts = {name: _length(columns[name]) for name in ("patients", "notes")}
    about = _read(columns["about"])
    told = {name: columns[name] for name in ("person", "action", "outcome")}
    said = {"number": row.number, **told, **counts, "about": about, "digest": row.digest}
    priority = 8 * _AUDIT + (_NOTICE if columns["outcome"] == Outcome.DONE else _WARNING)
    at = row.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    line = f"<{priority}>1 {at} {host} aspectra - audit - {json.dumps(said)}".encode("ascii")
    return b"%d %s" % (len(line), line)


def _read(text: str) -> object:
    """What was changed by hand is no JSON any more, and is told all the same: `problems` of the trail finds it."""
    try:
        return json.loads(text) if text else {}
    except ValueError:
        return {}


def _length(text: str) -> int:
    found = _read(text)
    return len(found) if isinstance(found, list) else 0


class Sender:
    """Sends what `trail` has beyond what was sent, and goes on as it grows."""

    def __init__(self, trail: Trail, settings: Settings) -> None:
        """
        Raises:
            AspectraError: the collector's CA file cannot be read.
        """
        host, _, port = settings.audit_collector.rpartition(":")
        self._place = host.strip("[]"), int(port)
        self._trail, self._file = trail, settings.data_dir / SENT
        self._context = _context(settings.audit_collector_ca_file)
        self._stopping = Event()

    def start(self) -> None:
        Thread(target=self.run, name="audit sending", daemon=True).start()

    def stop(self) -> None:
        self._stopping.set()

    def run(self) -> None:
        """Until `stop`. Where the collector is away, it waits and tries again; nobody who adds an entry waits."""
        wait, told = LOOKED, False
        while not self._stopping.is_set():
            try:
                with closing(self._connected()) as connection:
                    if told:
                        _log.info("The collector of the audit trail answers again.")
                    wait, told = LOOKED, False
                    self._send(connection)
            except (OSError, SQLAlchemyError, AspectraError) as e:
                if not told:
                    _log.warning("The audit trail cannot be sent on; it is tried again.", exc_info=e)
                told = True
                self._stopping.wait(wait)
                wait = min(2 * wait, LONGEST)

    def _connected(self) -> ssl.SSLSocket:
        plain = socket.create_connection(self._place, PATIENCE)
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        return self._context.wrap_socket(plain, server_hostname=self._place[0])

    def _send(self, connection: ssl.SSLSocket) -> None:
        """Until `stop`, or an error."""
        host = socket.gethostname() or "-"
        last = max(0, sent(self._file) - AGAIN)
        while not self._stopping.is_set():
            if _ended(connection):
                raise ConnectionResetError
            rows = self._trail.following(last, AT_ONCE)
            connection.sendall(b"".join(message(row, host) for row in rows))
            if rows:
                last = rows[-1].number
                write_whole(self._file, f"{last}\n", private=True)
            else:
                self._stopping.wait(LOOKED)


def _ended(connection: ssl.SSLSocket) -> bool:
    """Whether the collector has hung up, which what is written would not show at once."""
    connection.setblocking(False)
    try:
        return not connection.recv(1024)
    except ssl.SSLWantReadError:
        return False
    finally:
        connection.settimeout(PATIENCE)


def sent(file: Path) -> int:
    """The number of the last entry that was sent; 0 where none was."""
    try:
        return int(file.read_text("ascii"))
    except (OSError, ValueError):
        return 0


def _context(authorities: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=authorities)
    except (OSError, ssl.SSLError) as e:
        raise unreadable(authorities or "The system's certificates", e, "Mend ASPECTRA_AUDIT_COLLECTOR_CA_FILE.") from e
