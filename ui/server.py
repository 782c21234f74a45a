"""The HTTP server: one loop reads whole requests, a few threads answer them, and clients that dawdle are let go."""

from __future__ import annotations

import socket
import time
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from ui.tls import LARGEST_RECORD, Encrypted, Renewed

MOST_CONNECTIONS = 200
SENDING_SECONDS = 20
"""In which a whole request must have come: from the connection, or the answer before it."""
TAKING_SECONDS = 120
"""In which an answer must have been taken."""
ENDING_SECONDS = 10
"""That requests under way have when the server is told to end."""
LARGEST_HEAD = 32 * 1024
"""Bytes of the request line and all headers. A link with a query in it may be long; searches themselves are posted."""
LARGEST_SENT = 1024 * 1024
"""Bytes of a body beyond which the connection is closed; `ui.security.LARGEST_BODY` gets a page that explains it."""
IN_MEMORY = 2**30
"""Requests and pages hold text: they are never spooled to a temporary file."""
PROXIED = {
    "trusted_proxy": "*",  # of this machine: nobody else reaches loopback
    "trusted_proxy_count": 1,
    "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"},
    "clear_untrusted_proxy_headers": True,
}
"""Whose word counts for the client's address and scheme."""
ENCRYPTED = {"url_scheme": "https", "recv_bytes": LARGEST_RECORD}
"""With a certificate of our own nobody's word counts: the connection tells both."""


class _Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """One connection; ``since`` is when it was made, or last answered."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.since = time.monotonic()
        super().__init__(*arguments, **options)

    def service(self) -> None:
        super().service()
        self.since = time.monotonic()

    def overdue(self, now: float) -> bool:
        """Whether it has kept us waiting too long. Bytes that drip in or out do not count as progress."""
        return not self.requests and now - self.since > (TAKING_SECONDS if self.total_outbufs_len else SENDING_SECONDS)


class _EncryptedChannel(_Channel, Encrypted):
    """The same with TLS; its handshake is part of the first request, and of that one's time."""


class Server(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """A thread is taken only by a whole request, so a half-sent one costs a connection and nothing else."""

    channel_class = _Channel
    tls: Renewed | None = None
    stopping = False

    def accept(self) -> tuple[socket.socket, Any] | None:
        """
        Raises:
            OSError: the client has gone already.
        """
        taken: tuple[socket.socket, Any] | None = super().accept()
        return (self.tls.wrapped(taken[0]), taken[1]) if taken and self.tls else taken

    def maintenance(self, now: float) -> None:
        if self.tls:
            self.tls.look()
        moment = time.monotonic()
        for channel in self.active_channels.values():
            channel.will_close = channel.will_close or channel.overdue(moment)

    def handle_accept(self) -> None:
        """Take a connection in; where there are too many, the one that has waited longest for nothing goes."""
        waiting = [c for c in self.active_channels.values() if not c.requests]
        if len(self.active_channels) >= MOST_CONNECTIONS and waiting:
            min(waiting, key=lambda c: c.since).handle_close()
        super().handle_accept()

    def stop(self, *_: object) -> None:
        """End soon; may be called by a signal."""
        self.stopping = True
        self.pull_trigger()

    def run(self) -> None:
        """Serve until `stop`; then answer what has been asked already."""
        while not self.stopping:
            self._turn(1.0)
        wasyncore.dispatcher.close(self)
        deadline = time.monotonic() + ENDING_SECONDS
        while self._under_way() and time.monotonic() < deadline:
            self._turn(0.1)
        self.task_dispatcher.shutdown(timeout=1)

    def _turn(self, seconds: float) -> None:
        wasyncore.loop(timeout=seconds, use_poll=True, map=self._map, count=1)

    def _under_way(self) -> bool:
        return any(c.requests or c.total_outbufs_len for c in self.active_channels.values())


def make_server(app: Flask, settings: Settings) -> Server:
    """The server for ``app``, listening.

    Raises:
        AspectraError: it cannot listen at the page's address, or its certificate does not hold.
    """
    tls = own_certificate(settings)
    adjustments = Adjustments(
        host=settings.web_host,
        port=settings.web_port,
        ipv6=":" in settings.web_host,  # localhost is 127.0.0.1
        threads=settings.web_threads,
        connection_limit=2 * MOST_CONNECTIONS,  # ours is kept before that: theirs would lock new clients out
        cleanup_interval=1,
        max_request_header_size=LARGEST_HEAD,
        max_request_body_size=LARGEST_SENT,
        inbuf_overflow=IN_MEMORY,
        outbuf_overflow=IN_MEMORY,
        outbuf_high_watermark=IN_MEMORY,
        log_socket_errors=False,
        ident=None,
        **(ENCRYPTED if tls else PROXIED if settings.trusted_names else {}),
    )
    dispatcher = ThreadedTaskDispatcher()
    dispatcher.set_thread_count(adjustments.threads)
    try:
        server = Server(app, dispatcher=dispatcher, adj=adjustments, map={})
    except OSError as e:
        dispatcher.shutdown()
        raise AspectraError(
            f"The page cannot listen at {settings.web_address} ({e.strerror}).", "Set ASPECTRA_WEB_PORT."
        ) from None
    if tls:
        server.tls, server.channel_class = tls, _EncryptedChannel
    return server


def own_certificate(settings: Settings) -> Renewed | None:
    """The page's, where the settings name one.

    Raises:
        AspectraError: it does not hold.
    """
    if not settings.web_certificate or not settings.web_key:
        return None
    return Renewed(settings.web_certificate, settings.web_key, settings.trusted_names)
