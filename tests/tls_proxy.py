"""A small proxy with TLS, as a hospital puts one before the page: it says who asked, and that it was by https."""

from __future__ import annotations

import http.client
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from werkzeug.serving import make_server

from tests.oidc import server_context

HOP = ("connection", "keep-alive", "transfer-encoding", "content-length")


@contextmanager
def tls_proxy(port: int, folder: Path, names: tuple[str, ...]) -> Iterator[int]:
    """Pass requests on to ``port`` of this machine; the port to ask.

    Args:
        folder: for its certificate, which is for ``names``.
    """

    def passed_on(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        length = int(environ.get("CONTENT_LENGTH") or 0)
        sent = {
            name[5:].replace("_", "-").title(): value for name, value in environ.items() if name.startswith("HTTP_")
        }
        sent |= {"Content-Type": environ.get("CONTENT_TYPE", ""), "Content-Length": str(length), "Connection": "close"}
        sent |= {"X-Forwarded-For": environ["REMOTE_ADDR"], "X-Forwarded-Proto": "https"}
        query = f"?{environ['QUERY_STRING']}" if environ["QUERY_STRING"] else ""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        connection.request(
            environ["REQUEST_METHOD"],
            environ["RAW_URI"].split("?")[0] + query,
            environ["wsgi.input"].read(length),
            sent,
        )
        answer = connection.getresponse()
        kept = [(name, value) for name, value in answer.getheaders() if name.lower() not in HOP]
        start_response(f"{answer.status} {answer.reason}", kept)
        return [answer.read()]

    server = make_server("127.0.0.1", 0, passed_on, threaded=True, ssl_context=server_context(folder, names)[0])
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
