"""The page with a certificate of its own: real connections, by Python's client of TLS."""

from __future__ import annotations

import http.client
import os
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

import ui.server
from access.accounts import Accounts
from access.roles import Role
from aspectra.stack.own import Web
from aspectra.stack.probes import get
from ingest.ledger import Ledger
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings
from tests.certificates import DAY, HOUR, write_certificate
from tests.conftest import free_port
from tests.unit.test_compose import SERVICES
from tests.unit.ui.test_access import PASSWORD
from tests.unit.ui.test_proxied import settings_for
from ui.app import create_app
from ui.certificate import read
from ui.server import Server, make_server
from ui.tls import Renewed

NAME = "aspectra.hospital.example"


class Page:
    def __init__(self, settings: Settings, server: Server, certificate: Path) -> None:
        self.settings, self.server, self.certificate = settings, server, certificate
        self.port = settings.web_port

    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.certificate))

    def connected(self, name: str = NAME, context: ssl.SSLContext | None = None) -> ssl.SSLSocket:
        """Somebody whose name service has ``name`` here, and who checks its certificate."""
        plain = socket.create_connection(("127.0.0.1", self.port), 60)
        return (context or self.context()).wrap_socket(plain, server_hostname=name)

    def ask(
        self, path: str, name: str = NAME, body: str | None = None, **headers: str
    ) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection(name, self.port)
        connection.sock = self.connected(name)
        said = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin", **headers}
        connection.request("GET" if body is None else "POST", path, body, said)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer, content


@contextmanager
def serving(folder: Path, **more: object) -> Iterator[Page]:
    certificate, key = write_certificate(folder, (NAME, "localhost"))
    own: dict[str, object] = {"web_names": NAME, "web_certificate": certificate, "web_key": key}
    settings = settings_for(folder, web_port=free_port(), **{**own, **more})
    ledger = Ledger.from_settings(settings)
    accounts = Accounts(ledger.engine)
    once = accounts.add("lee", Role.SEARCHER)
    accounts.change_password(accounts.named("lee"), once, PASSWORD)
    server = make_server(create_app(settings, ledger=ledger), settings)
    thread = Thread(target=server.run)
    thread.start()
    try:
        yield Page(settings, server, certificate)
    finally:
        server.stop()
        thread.join()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with serving(tmp_path_factory.mktemp("tls"), web_host="0.0.0.0") as served:
        yield served


def test_somebody_signs_in_over_tls(page: Page) -> None:
    answer, _ = page.ask("/sign-in", body=urlencode({"name": "lee", "password": PASSWORD}))
    assert (answer.status, answer.headers["Strict-Transport-Security"]) == (303, "max-age=31536000; includeSubDomains")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-aspectra-session=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Strict"} <= set(cookie.split("; "))
    session = cookie.partition(";")[0]
    assert page.ask("/", Cookie=session)[0].headers.get("Location") != "/sign-in"
    assert page.ask("/")[0].headers["Location"] == "/sign-in"


def test_it_answers_to_its_names_only(page: Page) -> None:
    assert page.ask("/sign-in", Host="evil.example")[0].status == 400
    assert page.ask("/sign-in", Host=f"sub.{NAME}")[0].status == 400
    local, _ = page.ask("/sign-in", "localhost")
    assert (local.status, local.headers["Strict-Transport-Security"]) == (200, None)  # it would bind every other port


def test_nobody_s_word_counts_for_scheme_or_address(page: Page) -> None:
    said = {"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Proto": "http", "Forwarded": "for=127.0.0.1;proto=http"}
    answer, _ = page.ask("/sign-in", **said)
    assert (answer.status, "Strict-Transport-Security" in answer.headers) == (200, True)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_name_of_this_machine_is_for_this_machine(tmp_path: Path, scheme: str) -> None:
    app = create_app(settings_for(tmp_path, web_names=NAME))
    for host in ("localhost", "127.0.0.1:8600", "[::1]"):
        for address, status in (("127.0.0.1", 200), ("::1", 200), ("10.0.0.7", 400), ("fe80::7", 400), ("", 400)):
            environ = {"REMOTE_ADDR": address}
            answer = app.test_client().get("/sign-in", base_url=f"{scheme}://{host}", environ_overrides=environ)
            assert answer.status_code == status, (host, address)


def heard(page: Page, said: bytes) -> bytes:
    """What comes back until the end of the connection."""
    came = b""
    with socket.create_connection(("127.0.0.1", page.port), 60) as connection, suppress(ConnectionResetError):
        connection.sendall(said)
        while more := connection.recv(4096):
            came += more
    return came


def test_plain_http_is_not_answered(page: Page) -> None:
    assert b"HTTP" not in heard(page, f"GET /sign-in HTTP/1.1\r\nHost: {NAME}\r\n\r\n".encode())


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_tls_1_2_and_1_3_are_spoken_with_keys_for_each_connection(page: Page, version: ssl.TLSVersion) -> None:
    context = page.context()
    context.minimum_version = context.maximum_version = version
    context.set_alpn_protocols(["h2", "http/1.1"])
    with page.connected(context=context) as connection:
        suite, spoken, _ = connection.cipher() or ("", "", 0)
        assert connection.selected_alpn_protocol() == "http/1.1"
    assert spoken == version.name.replace("TLSv1_", "TLSv1.")
    assert re.match(r"ECDHE-.+-(GCM-SHA\d+|CHACHA20-POLY1305)$|TLS_", suite)


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
@pytest.mark.parametrize(
    ("version", "suites"),
    [
        (ssl.TLSVersion.TLSv1, "ALL:@SECLEVEL=0"),
        (ssl.TLSVersion.TLSv1_1, "ALL:@SECLEVEL=0"),
        (ssl.TLSVersion.TLSv1_2, "ECDHE-ECDSA-AES256-SHA384:@SECLEVEL=0"),
        (ssl.TLSVersion.TLSv1_2, "ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0"),
    ],
)
def test_nothing_older_and_nothing_weaker_is_spoken(page: Page, version: ssl.TLSVersion, suites: str) -> None:
    context = page.context()
    context.set_ciphers(suites)
    context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    context.maximum_version = version
    with pytest.raises(ssl.SSLError, match=r"alert|ALERT"):
        page.connected(context=context)


def test_long_bodies_and_answers_come_whole(page: Page) -> None:
    answer, _ = page.ask("/sign-in", body="name=" + "x" * 250_000)
    assert answer.status == 401
    styles, content = page.ask("/bootstrap/static/css/bootstrap.min.css")
    assert (styles.status, len(content)) == (200, int(styles.headers["Content-Length"]))
    assert len(content) > 200_000
    with page.connected() as connection:
        connection.sendall(f"POST /sign-in HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 99999999\r\n\r\n".encode())
        assert b" 413 " in connection.recv(4096).partition(b"\r\n")[0]


def test_requests_behind_each_other_are_all_answered(page: Page) -> None:
    asked = f"GET /livez HTTP/1.1\r\nHost: {NAME}\r\n\r\n".encode()
    last = f"GET /livez HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n\r\n".encode()
    with page.connected() as connection:
        connection.sendall(asked * 500 + last)  # several records, requests across their ends
        came = b""
        while more := connection.recv(65536):
            came += more
    assert came.count(b"HTTP/1.1 200 OK") == 501


def test_many_are_answered_at_once_and_on_one_connection_each(page: Page) -> None:
    def one(number: int) -> list[int]:
        connection = http.client.HTTPConnection(NAME, page.port)
        connection.sock = page.connected()
        lengths = []
        for path in ("/bootstrap/static/css/bootstrap.min.css", "/sign-in", "/livez") * 5:
            connection.request("GET", path)
            lengths.append(len(connection.getresponse().read()))
        connection.close()
        return lengths

    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(one, range(32)))
    assert all(lengths[:3] == lengths[3:6] == found[0][:3] for lengths in found)


def test_handshakes_that_stand_still_hold_nobody_up(page: Page) -> None:
    with ExitStack() as stack:
        for number in range(20):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", page.port)))
            slow.sendall((b"", b"\x16\x03\x01\x02\x00\x01", b"\x16")[number % 3])
        assert page.ask("/livez")[0].status == 200


def test_a_handshake_that_drips_in_is_cut_off(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ui.server, "SENDING_SECONDS", 1)
    assert heard(page, b"\x16\x03\x01\x02\x00\x01") == b""


def test_bytes_that_are_no_handshake_end_their_connection_only(page: Page) -> None:
    for said in (b"GET / HTTP/1.1\r\n\r\n", b"\0" * 2000, b"\x16\x03\x01\x00\x05hello", b"\x80" * 40):
        assert len(heard(page, said)) < 10, "more than an alert"
    assert page.ask("/livez")[0].status == 200


def test_this_machine_asks_its_page_whatever_it_listens_on(page: Page, tmp_path: Path) -> None:
    web = Web(page.settings)
    assert web.address == f"https://{NAME}:{page.port}"
    reached = page.settings.web_local_address
    assert reached == f"https://127.0.0.1:{page.port}"
    found = get(reached, "/livez", certificate=page.certificate, name=NAME)
    assert found is not None
    assert found.status == 200
    other, _ = write_certificate(tmp_path, (NAME,))
    found = get(reached, "/livez", certificate=other, name=NAME)
    assert found is not None
    assert found.status == 0  # somebody else's


def test_compose_asks_whether_it_lives(page: Page, tmp_path: Path) -> None:
    command = SERVICES["web"]["healthcheck"]["test"][2:]
    given = {**os.environ, "ASPECTRA_WEB_PORT": str(page.port)}

    def lives(**more: str) -> bool:
        return (
            subprocess.run([sys.executable, *command], env=given | more, capture_output=True, check=False).returncode
            == 0
        )

    assert lives(ASPECTRA_WEB_CERTIFICATE=str(page.certificate))
    assert not lives()
    with serving(tmp_path, web_certificate=None, web_key=None) as plain:
        assert lives(ASPECTRA_WEB_PORT=str(plain.port))
        assert not lives(ASPECTRA_WEB_PORT=str(plain.port), ASPECTRA_WEB_CERTIFICATE="x")


def test_what_was_renewed_is_taken_up_by_the_next_connection(tmp_path: Path) -> None:
    with serving(tmp_path) as page:
        old, key = page.certificate.read_bytes(), (tmp_path / "certificate.key").read_bytes()
        assert page.ask("/livez")[0].status == 200
        connection = http.client.HTTPConnection(NAME, page.port)
        connection.sock = page.connected()
        new = tmp_path / "new"
        new.mkdir()
        fresh, fresh_key = write_certificate(new, (NAME,), ends=90 * DAY)
        tls = page.server.tls
        assert tls is not None
        before = tls.certificate
        fresh.replace(page.certificate)  # as it comes: one file after the other
        tls.look()
        assert tls.certificate is before
        fresh_key.replace(tmp_path / "certificate.key")
        while tls.certificate is before:
            pass  # the server's loop looks by itself
        assert page.ask("/livez")[0].status == 200  # by the new one: that is who is trusted
        connection.request("GET", "/livez")
        assert connection.getresponse().status == 200  # who came before goes on
        connection.close()
        assert (page.certificate.read_bytes(), (tmp_path / "certificate.key").read_bytes()) != (old, key)


def test_a_renewal_that_does_not_hold_is_told_and_not_taken_up(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    chain, key = write_certificate(tmp_path, (NAME,))
    tls = Renewed(chain, key, (NAME,))
    before = tls.certificate
    write_certificate(tmp_path, (NAME,), begins=-2 * DAY, ends=-DAY)
    for _ in range(3):
        tls.look()
    chain.unlink()
    tls.look()
    assert tls.certificate is before
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert "the certificate ended on" in caplog.text


def refused(chain: Path, key: Path, *names: str) -> str:
    with pytest.raises(AspectraError) as caught:
        read(chain, key, names)
    assert caught.value.remedy
    return caught.value.message


def test_a_certificate_that_holds(tmp_path: Path) -> None:
    chain, key = write_certificate(tmp_path, ("*.Hospital.example", "other.example"))
    assert read(chain, key, ("a.hospital.example", "other.example")).names == ("*.hospital.example", "other.example")
    for name in ("hospital.example", "a.b.hospital.example", "x.other.example", "evil.example"):
        assert refused(chain, key, name).endswith(f"and not for {name}.")


def test_what_is_wrong_with_a_certificate_is_told_with_its_file(tmp_path: Path) -> None:
    chain, key = write_certificate(tmp_path, (NAME,))
    (other := tmp_path / "other").mkdir()
    other_chain, other_key = write_certificate(other, (NAME,))
    gone = tmp_path / "gone.pem"
    assert refused(gone, key) == f"{gone}: it is not there."
    assert refused(chain, gone) == f"{gone}: it is not there."
    assert refused(tmp_path, key).startswith(f"{tmp_path}: cannot be read")
    assert refused(chain, other_key) == f"{other_key}: this key does not belong to the certificate in {chain}."
    assert refused(key, key) == f"{key}: no certificate in PEM."
    other_key.write_text("nothing")
    assert refused(chain, other_key) == f"{other_key}: no private key in PEM."
    _, rsa_key = write_certificate(other, (NAME,), key=rsa.generate_private_key(65537, 2048))
    assert refused(chain, rsa_key) == f"{rsa_key}: this key does not belong to the certificate in {chain}."
    write_certificate(other, (NAME,), begins=-2 * DAY, ends=-HOUR)
    assert re.search(r"other/certificate\.pem: the certificate ended on .* UTC\.", refused(other_chain, other_key))
    write_certificate(other, (NAME,), begins=HOUR, ends=DAY)
    assert "the certificate begins on" in refused(other_chain, other_key)
    write_certificate(other, (NAME,), passphrase=b"hush")
    assert refused(other_chain, other_key).startswith(f"{other_key}: the key has a passphrase")
    write_certificate(other, (NAME,), key=rsa.generate_private_key(65537, 1024))
    assert "KEY_TOO_SMALL" in refused(other_chain, other_key)
    write_certificate(other, (NAME,), key=ec.generate_private_key(ec.SECP384R1()))
    assert read(other_chain, other_key).names == (NAME,)


@pytest.mark.parametrize("mode", [0o600, 0o400, 0o604, 0o620, 0o660, 0o640])
def test_a_key_is_its_owner_s(tmp_path: Path, mode: int) -> None:
    chain, key = write_certificate(tmp_path, (NAME,))
    key.chmod(mode)
    by_group = os.geteuid() == 0 and mode == 0o640  # root may lend it to a group
    if mode in (0o600, 0o400) or by_group:
        read(chain, key)
    else:
        assert refused(chain, key).startswith(f"{key}: others than its owner may read this key")


def test_another_user_s_key_is_refused(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives a file away")
    chain, key = write_certificate(tmp_path, (NAME,))
    os.chown(key, 1234, 1234)
    assert "another user's" in refused(chain, key)


def test_the_page_does_not_start_with_one_that_does_not_hold(tmp_path: Path) -> None:
    chain, key = write_certificate(tmp_path, ("other.example",))
    settings = settings_for(tmp_path, web_port=free_port(), web_names=NAME, web_certificate=chain, web_key=key)
    with pytest.raises(AspectraError, match=r"for other\.example, and not for aspectra\.hospital\.example"):
        make_server(create_app(settings), settings)
