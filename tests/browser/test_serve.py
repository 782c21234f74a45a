"""The page's own process, with no engine behind it: it answers, and logs nothing that was asked."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

SECRET = "xanthochromia"
START = "from search_stack.settings import load_settings; from ui.serve import serve; serve(load_settings())"


class Server:
    def __init__(self, port: int, log: Path) -> None:
        self.port, self.log = port, log

    def ask(self, method: str, path: str, body: str = "") -> tuple[int, str, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        connection.request(method, path, body or None, headers)
        response = connection.getresponse()
        answer = response.status, response.headers.get("Location", ""), response.read().decode()
        connection.close()
        return answer

    def send(self, raw: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", self.port)) as s:
            s.sendall(raw)
            s.shutdown(socket.SHUT_WR)
            return s.recv(4096)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("serve")
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    chosen = {"DATA_DIR": folder, "WEB_PORT": port, "ENGINE_PORT": 1, "RERANKER_BUNDLE": "", "ONNX_THREADS": 1}
    environment = os.environ | {f"ASPECTRA_{name}": str(value) for name, value in chosen.items()}
    log = folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen([sys.executable, "-c", START], env=environment, stdout=output, stderr=output)
    served = Server(port, log)
    try:
        while True:
            assert process.poll() is None, log.read_text()
            try:
                served.ask("GET", "/")
                break
            except ConnectionRefusedError:
                time.sleep(0.2)
        yield served
    finally:
        process.terminate()
        process.wait()


def test_health_is_503_while_the_engine_is_away(server: Server) -> None:
    status, _, body = server.ask("GET", "/healthz")
    assert status == 503
    assert '"engine":"down"' in body.replace(" ", "")


def test_a_search_says_that_the_engine_is_away_and_keeps_the_line(server: Server) -> None:
    _, place, _ = server.ask("POST", "/search", urlencode({"line": SECRET}))
    status, _, page = server.ask("GET", place)
    assert status == 503
    assert "The engine does not answer" in page
    assert f'value="{SECRET}"' in page


def test_a_long_link_is_still_read(server: Server) -> None:
    assert server.ask("GET", "/?" + urlencode({"q": "effusion " * 200}))[0] == 400  # too many terms, in our own words


def test_the_log_holds_nothing_that_was_asked(server: Server) -> None:
    server.ask("GET", f"/?q={SECRET}")
    server.ask("GET", f"/{SECRET}")
    server.ask("POST", f"/notes/1?{SECRET}")
    server.send(f"GET /?q={SECRET} nonsense HTTP/9\r\n\r\n".encode())
    server.send(f"{SECRET}\r\n\r\n".encode())
    server.send(f"GET /?q={SECRET}{'x' * 9000} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    server.send(f"GET / HTTP/1.1\r\nHost: localhost\r\n{SECRET} : 1\r\n\r\n".encode())
    log = server.log.read_text()
    assert "A request was refused." in log
    assert SECRET not in log
    assert "/results/" not in log
