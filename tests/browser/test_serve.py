"""The page's own process, with no engine behind it: it answers, and logs nothing that was asked."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime, timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import pytest

from aspectra.stack import up
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from tests.browser.conftest import NewContext, Watch
from ui.server import LARGEST_HEAD, MOST_CONNECTIONS

SECRET = "gossamer"
START = "from search_stack.core.settings import load_settings; from ui.serve import serve; serve(load_settings())"


class Server:
    def __init__(self, port: int, log: Path, process: subprocess.Popen[bytes], host: str = "127.0.0.1") -> None:
        self.port, self.log, self.process, self.host = port, log, process, host

    def ask(self, method: str, path: str, body: str = "") -> tuple[int, str, str]:
        connection = http.client.HTTPConnection(self.host, self.port)
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        connection.request(method, path, body or None, headers)
        response = connection.getresponse()
        answer = response.status, response.headers.get("Location", ""), response.read().decode()
        connection.close()
        return answer

    def open(self) -> socket.socket:
        return socket.create_connection((self.host, self.port))

    def send(self, raw: bytes) -> bytes:
        with self.open() as s:
            s.sendall(raw)
            with suppress(OSError):  # it may have answered and hung up already
                s.shutdown(socket.SHUT_WR)
            return s.recv(4096)


def environment(folder: Path, port: int, **more: object) -> dict[str, str]:
    chosen = {"DATA_DIR": folder, "WEB_PORT": port, "ENGINE_PORT": 1, "RERANKER_BUNDLE": "", "ONNX_THREADS": 1}
    return os.environ | {f"ASPECTRA_{name}": str(value) for name, value in (chosen | more).items()}


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@contextmanager
def serving(folder: Path, start: str = START, **more: object) -> Iterator[Server]:
    port, log = free_port(), folder / "logs" / "web.log"
    log.parent.mkdir()
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", start], env=environment(folder, port, **more), stdout=output, stderr=output
        )
    served = Server(port, log, process, str(more.get("WEB_HOST", "127.0.0.1")))
    try:
        while True:
            assert process.poll() is None, log.read_text()
            try:
                served.ask("GET", "/livez")
                break
            except ConnectionRefusedError:
                time.sleep(0.2)
        yield served
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("serve")) as served:
        yield served


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
    line = " ".join(f"word{place}" for place in range(200))
    assert server.ask("GET", "/?" + urlencode({"q": line}))[0] == 400  # too many words, said by us


def test_the_log_holds_nothing_that_was_asked(server: Server) -> None:
    server.ask("GET", f"/?q={SECRET}")
    server.ask("GET", f"/{SECRET}")
    server.ask("POST", f"/notes/1?{SECRET}")
    server.send(f"GET /?q={SECRET} nonsense HTTP/9\r\n\r\n".encode())
    server.send(f"{SECRET}\r\n\r\n".encode())
    server.send(f"GET /?q={SECRET}{'x' * 9000} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    server.send(f"GET / HTTP/1.1\r\nHost: localhost\r\n{SECRET} : 1\r\n\r\n".encode())
    server.send(f"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: {SECRET}\r\n\r\n".encode())
    log = server.log.read_text()
    assert SECRET not in log
    assert "/results/" not in log


HALF_SENT = (
    b"GET / HTTP/1.1\r\nHost: local",
    b"POST /search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\nline=eff",
    b"POST /search HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n40\r\nline",
    b"",
)


def is_open(s: socket.socket) -> bool:
    """Whether the server keeps the connection; it has said nothing on it."""
    s.setblocking(False)
    try:
        return s.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False


def test_twenty_half_sent_requests_hold_nobody_up(server: Server) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(server.open()) for _ in range(20)]
        for n, s in enumerate(slow):
            s.sendall(HALF_SENT[n % len(HALF_SENT)])
        assert server.ask("GET", "/livez")[0] == 200
        assert server.ask("GET", "/healthz")[0] == 503  # no engine here
        status, place, _ = server.ask("POST", "/search", urlencode({"line": SECRET}))
        assert status == 303
        assert server.ask("GET", place)[0] == 503
        assert all(map(is_open, slow)), "they were let go, so nothing was shown"


def test_a_request_that_drips_in_is_cut_off(server: Server) -> None:
    with server.open() as s, server.open() as silent:
        s.sendall(HALF_SENT[1])
        while is_open(s) or is_open(silent):  # never, where each byte counts as progress
            s.setblocking(True)
            with suppress(ConnectionError):
                s.sendall(b"x")
            time.sleep(0.5)
    assert server.ask("GET", "/livez")[0] == 200


def test_more_connections_than_are_kept_shut_nobody_out(server: Server) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(server.open()) for _ in range(2 * MOST_CONNECTIONS)]
        for n, s in enumerate(slow):
            with suppress(ConnectionError):
                s.sendall(HALF_SENT[n % len(HALF_SENT)])
        assert server.ask("GET", "/livez")[0] == 200
        assert server.ask("POST", "/search", urlencode({"line": SECRET}))[0] == 303
        assert sum(map(is_open, slow)) <= MOST_CONNECTIONS
    assert "limit" not in server.log.read_text()


def test_a_body_too_large_by_far_is_not_even_read(server: Server) -> None:
    head = b"POST /search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n"
    assert b" 413 " in server.send(head).partition(b"\r\n")[0]
    assert b" 431 " in server.send(b"GET / HTTP/1.1\r\nX: " + b"x" * LARGEST_HEAD).partition(b"\r\n")[0]


@pytest.mark.parametrize("seed", range(200))
def test_bytes_that_are_no_request_are_no_error_of_ours(server: Server, seed: int) -> None:
    r = random.Random(seed)
    raw = bytearray(r.choice((*HALF_SENT, b"GET /?q=a HTTP/1.1\r\nHost: localhost\r\nX: 1\r\n\r\n")) + b"\r\n\r\n")
    for _ in range(r.randrange(8)):
        at = r.randrange(len(raw))
        raw[at : at + r.randrange(3)] = r.choice((r.randbytes(2), b"\r\n", b"\0", b": ", b"\xff" * 300, b"-1"))
    with suppress(ConnectionError):  # it may hang up before it has read all
        answer = server.send(bytes(raw))
        assert b" 500 " not in answer.partition(b"\r\n")[0]
        assert b"Traceback" not in answer


def test_it_ends_when_told_to(tmp_path: Path) -> None:
    with serving(tmp_path, WEB_HOST="::1", LOG_FORMAT="json") as served:
        assert served.ask("GET", "/livez")[0] == 200
        served.ask("GET", served.ask("POST", "/search", urlencode({"line": SECRET}))[1])
        with served.open() as s:
            s.sendall(HALF_SENT[0])
            served.process.send_signal(signal.SIGTERM)
            assert served.process.wait() == 0
    lines = [json.loads(line) for line in served.log.read_text().splitlines()]
    assert [(line["level"], line["logger"]) for line in lines] == [("warning", "ui.errors")]
    assert re.fullmatch(r"[0-9a-f]{12}", lines[0]["request"])
    assert datetime.fromisoformat(lines[0]["time"]).utcoffset() == timedelta(0)


def _garbage(ledger: Path) -> None:
    ledger.write_bytes(b"\x80" * 100_000)


def _closed(ledger: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("needs an ordinary user: root reads everything")
    ledger.touch(0o000)


@pytest.mark.parametrize("spoil", [_garbage, Path.mkdir, _closed], ids=["garbage", "folder", "closed"])
def test_a_ledger_that_cannot_be_opened_ends_it_once(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    spoil(tmp_path / "ledger.sqlite3")
    done = subprocess.run(
        [sys.executable, "-m", "aspectra", "serve"],
        env=environment(tmp_path, free_port()),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "The ledger at sqlite:///" in done.stderr
    assert "is damaged" in done.stderr or "cannot be opened" in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_up_says_why_the_page_ended(tmp_path: Path) -> None:
    # Nor is this machine's own engine asked, whoever runs one.
    ports = {"web_port": free_port(), "engine_port": free_port()}
    settings = Settings(data_dir=tmp_path, **ports, reranker_bundle="", onnx_threads=1)
    _garbage(tmp_path / "ledger.sqlite3")
    with pytest.raises(AspectraError, match=r"The web ended: The ledger at sqlite:///\S+ is damaged\."):
        up(settings, ["web"], lambda line: None)


def test_an_address_that_is_taken_ends_it_with_a_word(server: Server, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "aspectra", "serve"],
        env=environment(tmp_path, server.port),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "The page cannot listen at" in done.stderr


HOSTILE = """<!doctype html><title>elsewhere</title>
<img src="{page}/?q=flood"><iframe src="{page}/?q=flood"></iframe>
<form method="post" action="{page}/search"><input name="line" value="flood"><button>send</button></form>
<a href="{page}/?q=linked">link</a>
<script>
const how = {{mode: "no-cors", credentials: "include"}};
window.done = Promise.allSettled([
  fetch("{page}/search", {{...how, method: "POST", body: new URLSearchParams({{line: "flood"}})}}),
  fetch("{page}/complete", {{...how, method: "POST", body: "{{}}"}}),
  fetch("{page}/?q=flood", how),
]).then(() => "done");
</script>"""


@pytest.fixture
def elsewhere(server: Server, tmp_path: Path) -> Iterator[str]:
    """A page of another site that does what it can to ours."""
    (tmp_path / "index.html").write_text(HOSTILE.format(page=f"http://127.0.0.1:{server.port}"))
    handler = partial(QuietHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as other:
        thread = threading.Thread(target=other.serve_forever)
        thread.start()
        yield f"http://localhost:{other.server_port}/"
        other.shutdown()
        thread.join()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


def kept(server: Server) -> int:
    """Queries that the page has kept, by its own count."""
    text = server.ask("GET", "/metrics")[2]
    counts = re.findall(r'aspectra_requests_total\{endpoint="search\.(?:home|submit)",status="3xx"\} (\d+)', text)
    return sum(map(int, counts))


@pytest.mark.browser
def test_another_site_may_link_here_and_drive_nothing(
    server: Server, new_context: NewContext, watch: Watch, elsewhere: str
) -> None:
    for refusal in ("ERR_BLOCKED_BY_RESPONSE.NotSameOrigin", "frame-ancestors 'none'", "status of 403 .*chrome-error:"):
        watch.expect(refusal)
    watch.expect(r"favicon\.ico|status of 503 .*/complete")  # no icon there, no engine here
    context = new_context(f"http://127.0.0.1:{server.port}")
    page = context.new_page()
    page.goto("/")
    assert context.cookies() == []
    page.get_by_label("Search the notes").fill("mine")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    mine, cookies, before = page.url, context.cookies(), kept(server)
    assert [(c["name"], c["httpOnly"], c["sameSite"]) for c in cookies] == [("aspectra", True, "Strict")]

    page.goto(elsewhere)
    assert page.evaluate("window.done") == "done"
    with page.expect_navigation() as sent:
        page.get_by_role("button", name="send").click()
    assert sent.value.status == 403
    assert kept(server) == before

    page.goto(elsewhere)
    page.get_by_role("link", name="link").click()
    page.wait_for_url("**/results/*")
    assert page.get_by_label("Search the notes").input_value() == "linked"
    assert context.cookies() == cookies
    for again in (lambda: page.goto(mine), page.reload):
        again()
        assert page.get_by_label("Search the notes").input_value() == "mine"


def test_no_collection_looks_through_what_is_loaded_once(tmp_path: Path) -> None:
    """Lexicon and models are millions of objects: a request must not wait until all are looked through."""
    told = "import gc; print('left', gc.get_freeze_count() > 20 * len(gc.get_objects()), flush=True)"
    with serving(tmp_path, f"{START}; {told}") as served:
        served.process.send_signal(signal.SIGTERM)
        served.process.wait()
        assert "left True" in served.log.read_text()
