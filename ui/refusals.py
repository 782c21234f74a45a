"""What was refused, in the log: with which status, on which page, to whom; not what was asked."""

from __future__ import annotations

import logging
import threading
import time

from flask import Flask, Response, g, request

from ui.who import person

STATUS = (401, 403, 429)
"""Of answers that are told, besides those to a foreign name, whose 400 others have too."""
MOST = 60
"""Lines in a minute: whoever floods the page must not push everything else out of the log."""
_log = logging.getLogger(__name__)


class Telling:
    """At most `MOST` lines in a minute, the next after it with how many were left out."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since = -60.0
        self._count = 0

    def tell(self, status: int, where: str, who: str) -> None:
        now = time.monotonic()
        with self._lock:
            over = now - self._since >= 60
            left_out = max(0, self._count - MOST) if over else 0
            if over:
                self._since, self._count = now, 0
            self._count += 1
            tells = self._count <= MOST
        if left_out:
            _log.warning("%d refusals before this were left out.", left_out)
        if tells:
            _log.warning("Refused", extra={"fields": {"status": status, "page": where, "account": who}})


def install(app: Flask) -> None:
    telling = Telling()

    def tell(response: Response) -> Response:
        if response.status_code in STATUS or "foreign" in g:
            known = person()
            telling.tell(response.status_code, request.endpoint or "none", known.account.name if known else "")
        return response

    app.after_request(tell)
