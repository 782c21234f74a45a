from __future__ import annotations

import json
import ssl
import traceback
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import cast

import pytest
from opensearchpy.exceptions import (
    AuthenticationException,
    AuthorizationException,
    ConflictError,
    ConnectionError,
    ConnectionTimeout,
    NotFoundError,
    OpenSearchException,
    RequestError,
    SerializationError,
    SSLError,
    TransportError,
)
from opensearchpy.helpers.errors import BulkIndexError

from search_stack.core.client import EngineUnavailable, connect, engine_errors
from search_stack.core.errors import AspectraError
from search_stack.core.local_engine import StrangerListens
from search_stack.core.settings import Settings
from tests.certificates import write_certificate

NOTE = "Mr Doe has a pleural effusion"
INFO = {"error": {"type": "parsing_exception", "reason": f"failed near [{NOTE}]"}}


def caught(error: Exception, settings: Settings | None = None) -> AspectraError:
    with pytest.raises(AspectraError) as e, engine_errors(settings or Settings()):
        raise error
    return e.value


@pytest.mark.parametrize(
    ("error", "message", "again"),
    [
        (SSLError("N/A", NOTE, Exception(NOTE)), "shows a certificate that is not trusted.", True),
        (ConnectionError("N/A", NOTE, Exception(NOTE)), "does not answer at http://127.0.0.1:19200.", True),
        (ConnectionTimeout("TIMEOUT", NOTE, Exception(NOTE)), "does not answer at", True),
        (AuthenticationException(401, NOTE, INFO), "refuses the password in ", False),
        (ConnectionError("N/A", NOTE, StrangerListens()), "Another user's program has the engine's port", True),
        (AuthorizationException(403, NOTE, INFO), "refuses the user ''.", False),
        (NotFoundError(404, "index_not_found_exception", INFO), "There is no index yet.", False),
        (TransportError(429, "circuit_breaking_exception", INFO), "is busy (429).", True),
        (TransportError(502, NOTE, INFO), "is busy (502).", True),
        (TransportError(503, NOTE, INFO), "is starting, or a part of its index is not there yet.", True),
        (TransportError(504, NOTE, INFO), "is busy (504).", True),
        (RequestError(400, "parsing_exception", INFO), "refused a request (400, parsing_exception).", False),
        (RequestError(400, f"<html>{NOTE}</html>", None), "refused a request (400, error).", False),
        (RequestError(400, {"reason": NOTE}, INFO), "refused a request (400, error).", False),
        (ConflictError(409, "version_conflict_engine_exception", INFO), "(409, version_conflict_engine_ex", False),
        (TransportError(500, "null_pointer_exception", INFO), "(500, null_pointer_exception).", False),
        (BulkIndexError("1 document failed", [{"index": {"data": {"text": NOTE}}}]), "(BulkIndexError).", False),
        (SerializationError(NOTE, Exception(NOTE)), "was not understood (SerializationError).", False),
        (OpenSearchException(NOTE), "was not understood (OpenSearchException).", False),
    ],
)
def test_each_failure_is_told_without_text_of_a_note(error: Exception, message: str, again: bool) -> None:
    told = caught(error)
    assert message in told.message
    assert told.remedy
    assert isinstance(told, EngineUnavailable) is again
    assert "Doe" not in str(told)
    assert "Doe" not in "".join(traceback.format_exception(told))


def test_the_remedy_names_the_cluster_or_the_local_node() -> None:
    lost = ConnectionError("N/A", "refused", Exception())
    assert caught(lost).remedy == "Start it: aspectra up"
    elsewhere = Settings(engine_url="https://search.example:9200")
    assert caught(lost, elsewhere).remedy == "Check ASPECTRA_ENGINE_URL."


@pytest.mark.parametrize(
    "error",
    [
        SSLError("N/A", "", Exception()),
        ConnectionError("N/A", "", Exception()),
        AuthenticationException(401, "", {}),
        TransportError(503, "", {}),
    ],
)
def test_a_password_in_the_address_is_not_shown(error: Exception) -> None:
    settings = Settings(engine_url="https://reader:hush-hush@search.example:9200")
    told = caught(error, settings)
    assert "https://search.example:9200" in told.message
    assert "hush-hush" not in str(told)
    assert "reader" not in str(told)


def test_a_clusters_user_is_named_where_it_is_refused() -> None:
    elsewhere = Settings(engine_url="https://search.example:9200", engine_user="reader")
    assert "refuses the user 'reader'." in caught(AuthenticationException(401, "", {}), elsewhere).message


def test_our_own_errors_and_bugs_pass_through() -> None:
    ours = AspectraError("Ours.")
    assert caught(ours) is ours
    with pytest.raises(ZeroDivisionError), engine_errors(Settings()):
        _ = 1 / 0


def test_a_client_takes_address_and_credentials_from_the_settings() -> None:
    url = "https://search.example:9443"
    client = connect(Settings(engine_url=url, engine_user="reader", engine_password="hush", engine_timeout=7))
    connection = client.transport.connection_pool.connections[0]
    assert connection.host == "https://search.example:9443"
    assert connection.headers["authorization"].startswith("Basic ")
    assert connection.timeout == 7
    assert client.transport.max_retries == 0


class _Engine(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        peer = cast(ssl.SSLSocket, self.connection).getpeercert() or {}
        body = json.dumps({"shown": str(peer.get("subjectAltName"))}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_a_client_shows_its_certificate_to_an_engine_that_asks_for_one(tmp_path: Path) -> None:
    for name in ("engine", "app"):
        (tmp_path / name).mkdir()
    engine_chain, engine_key = write_certificate(tmp_path / "engine", ("localhost",))
    chain, key = write_certificate(tmp_path / "app", ("aspectra.example",))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(chain))
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_cert_chain(engine_chain, engine_key)
    server = HTTPServer(("127.0.0.1", 0), _Engine)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    Thread(target=server.serve_forever, daemon=True).start()
    given = Settings(engine_url=f"https://localhost:{server.server_port}", engine_ca_file=engine_chain)
    try:
        shown = given.model_copy(update={"client_certificate": chain, "client_key": key})
        assert "aspectra.example" in connect(shown).info()["shown"]
        with pytest.raises(EngineUnavailable), engine_errors(given):
            connect(given).info()
    finally:
        server.shutdown()
        server.server_close()
