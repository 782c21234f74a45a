"""TLS for the server's connections: the handshake in its loop like everything else that clients send, and a
certificate that is renewed on disk taken up for the connections that come then."""

from __future__ import annotations

import logging
import socket
import ssl
import time
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Any

from waitress.channel import HTTPChannel

from search_stack.core.errors import AspectraError
from ui.certificate import Certificate, read

LARGEST_RECORD = 16 * 1024
"""Bytes that one record of TLS holds at most. As many are read at once, so that OpenSSL keeps none back of which
the kernel would not tell."""
_log = logging.getLogger(__name__)


class Renewed:
    """A certificate, read anew when one of its files has changed."""

    def __init__(self, chain: Path, key: Path, names: tuple[str, ...]) -> None:
        """
        Raises:
            AspectraError: it does not hold.
        """
        self._files, self._names = (chain, key), names
        self._state = self._looked()
        self.certificate = self._read()

    def look(self) -> None:
        """Take up what was renewed; where that does not hold, stay with what there is."""
        state = self._looked()
        if state == self._state:
            return
        self._state = state
        try:
            self.certificate = self._read()
        except AspectraError as e:
            _log.warning("The page stays with the certificate that it has. %s", e)
        else:
            _log.info("The page has taken up a certificate until %s.", self.certificate.ends.date())

    def wrapped(self, connection: socket.socket) -> ssl.SSLSocket:
        """
        Raises:
            OSError: the client has gone already.
        """
        connection.setblocking(False)
        return self.certificate.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)

    def _read(self) -> Certificate:
        return read(*self._files, self._names)

    def _looked(self) -> tuple[tuple[int, ...], ...]:
        """What changes with the files; nothing of one that is missing."""
        return tuple(map(_state, self._files))


def _state(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_mtime_ns, found.st_size, found.st_mode, found.st_uid


class Encrypted(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection whose socket is one of `Renewed.wrapped`.

    The loop reads and a thread that answers writes, at times together, which OpenSSL does not bear: one at a time.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._one = RLock()
        self._shaken = False
        self._must_write = False
        """The handshake waits for room to write."""
        super().__init__(*arguments, **options)

    def handle_read(self) -> None:
        try:
            with self._one:
                data = self._received()
        except OSError:  # of TLS too
            self.handle_close()
            return
        if data:
            self.last_activity = time.time()
            self.received(data)
        elif data is not None:
            self.handle_close()

    def _received(self) -> bytes | None:
        """What the client says; nothing at its end, None where more must come first."""
        self._must_write = False
        try:
            if not self._shaken:
                self.socket.do_handshake()
                self._shaken = True
            data: bytes = self.socket.recv(self.adj.recv_bytes)
        except ssl.SSLWantReadError:
            return None
        except ssl.SSLWantWriteError:
            self._must_write = True
            return None
        return data

    def writable(self) -> bool:
        return self._must_write or super().writable()

    def handle_write(self) -> None:
        if self._must_write and not self.will_close:
            self.handle_read()
        else:
            super().handle_write()

    def send(self, data: bytes, do_close: bool = True) -> int:
        with self._one:
            try:
                sent: int = super().send(data, do_close)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return 0
            return sent

    def handle_close(self) -> None:
        with self._one, suppress(OSError, ValueError):
            if self._shaken and self.socket:
                self.socket.unwrap()  # tells the client that this is the end; nobody waits for its word
        super().handle_close()
