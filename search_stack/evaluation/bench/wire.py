"""What travels between a client and the engine."""

from __future__ import annotations

from threading import Lock
from typing import Any

from opensearchpy import OpenSearch


class Wire:
    """Counts the requests of ``client`` and their bytes, as they are before any compression."""

    def __init__(self, client: OpenSearch) -> None:
        self.requests = self.sent = self.received = 0
        self._lock = Lock()
        connection = client.transport.get_connection()
        perform = connection.perform_request

        def counted(method: str, url: str, params: Any = None, body: Any = None, **options: Any) -> Any:
            answer = perform(method, url, params, body, **options)
            with self._lock:
                self.requests += 1
                self.sent += _size(body)
                self.received += _size(answer[2])
            return answer

        connection.perform_request = counted

    def lap(self) -> dict[str, int]:
        """What travelled since the last lap."""
        told = {"requests": self.requests, "sent_bytes": self.sent, "received_bytes": self.received}
        self.requests = self.sent = self.received = 0
        return told


def _size(body: str | bytes | None) -> int:
    return len(body.encode() if isinstance(body, str) else body or b"")
