"""The stores of compose.yaml speak TLS: its own commands, run without Docker, and who is let in."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from aspectra.stack.broker import Broker
from ingest.ledger import Ledger
from ingest.ledger.database import open_database
from ingest.ledger.tables import INDEXED
from ingest.prepare_index import ensure_index
from ingest.run import Watcher, wait
from search_stack.core.client import connect
from search_stack.core.errors import AspectraError
from search_stack.core.schema import Note
from search_stack.core.settings import Settings
from search_stack.inference.bundle import load_bundle
from tests.conftest import MakeStack, free_port

ROOT = Path(__file__).parents[2]
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
MOUNTED = "/etc/aspectra"
PASSWORD = "a-password-for-tests"
PATIENCE = 120.0

pytestmark = pytest.mark.engine


@dataclass(frozen=True)
class Store:
    """A server that runs; its certificate is for the name ``localhost``."""

    port: int
    certificates: Path

    @property
    def shown(self) -> dict[str, Path]:
        """What the application shows, as settings."""
        return {
            "client_certificate": self.certificates / "own/app.pem",
            "client_key": self.certificates / "own/app-key.pem",
        }

    def ledger(
        self, host: str = "localhost", tls: str = "sslmode=verify-full", ca: str = "ca.pem", client: str = "app"
    ) -> str:
        query = f"{tls}&sslrootcert={self.certificates / ca}"
        if client:
            query += f"&sslcert={self.certificates}/own/{client}.pem&sslkey={self.certificates}/own/{client}-key.pem"
        return f"postgresql+psycopg://aspectra:{PASSWORD}@{host}:{self.port}/aspectra?{query}"

    def broker(self, host: str = "localhost", scheme: str = "rediss") -> str:
        return f"{scheme}://:{PASSWORD}@{host}:{self.port}/0"


def without_root(folder: Path) -> dict[str, Any]:
    """What makes a server run as an ordinary user, as in its container; ``folder`` becomes that user's."""
    if os.geteuid() != 0:
        return {}
    for path in (folder, *folder.rglob("*")):
        if "own" not in path.parts:
            shutil.chown(path, "nobody")
    return {"user": "nobody", "group": "nogroup", "extra_groups": []}


def command_of(service: str, folder: Path, port: int) -> list[str]:
    """The command that compose.yaml gives, with the paths and the port of this machine."""
    inside = {"broker": "tls-port 6379", "ledger": ""}[service]
    words: list[str] = [w.replace(MOUNTED, str(folder)).replace("$$", "$") for w in SERVICES[service]["command"]]
    assert not inside or any(inside in word for word in words)
    return [word.replace(inside, f"tls-port {port}") if inside else word for word in words]


@pytest.fixture(scope="module")
def certificates() -> Iterator[Path]:
    """Certificates of the broker and the ledger, made as docs/production.md says, and the CA of somebody else."""
    # Not pytest's own folder, which is closed to the user that the servers run as.
    folder = Path(tempfile.mkdtemp(prefix="aspectra-tls-"))
    make = ROOT / "scripts" / "make-certificates.sh"
    subprocess.run([make, folder, "broker=localhost", "ledger=localhost", "app=aspectra"], check=True)
    subprocess.run([make, folder / "other", "stranger=aspectra"], check=True)
    shutil.copy(folder / "other" / "ca.pem", folder / "other-ca.pem")
    # The clients' own, which are this process's: the application's, one of another CA, one of our CA for another name.
    (folder / "own").mkdir()
    for name in ("app", "other/stranger", "broker"):
        for end in (".pem", "-key.pem"):
            copied = shutil.copy(folder / f"{name}{end}", folder / "own")
            os.chown(copied, os.geteuid(), os.getegid())
            Path(copied).chmod(0o400)
    (folder / "password").write_text(PASSWORD)
    for name in ("pg_hba.conf", "make-account.sh"):
        shutil.copy(ROOT / "postgresql" / name, folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def _until(holds: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert process.poll() is None, "the server has ended"
        assert time.monotonic() < deadline, "the server did not answer"
        time.sleep(0.1)


def _answers(check: Callable[[], object]) -> Callable[[], bool]:
    def ask() -> bool:
        try:
            check()
        except AspectraError:
            return False
        return True

    return ask


@pytest.fixture(scope="module")
def broker(certificates: Path) -> Iterator[Store]:
    folder = certificates / "broker-data"
    folder.mkdir()
    store = Store(free_port(), certificates)
    identity = without_root(certificates)
    server = shutil.which("valkey-server") or shutil.which("redis-server")
    assert server, "apt-get install redis-server"
    *shell, script = command_of("broker", certificates, store.port)
    process = subprocess.Popen(
        [*shell, script.replace("valkey-server", server)],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "BROKER_PASSWORD_FILE": str(certificates / "password")},
        stdout=subprocess.DEVNULL,
        **identity,
    )
    try:
        settings = Settings(broker_url=store.broker(), broker_ca_file=certificates / "ca.pem", **store.shown)
        _until(_answers(Broker(settings).check_remote), process)
        yield store
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def database(certificates: Path) -> Iterator[Store]:
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    assert programs, "apt-get install postgresql"
    folder = certificates / "ledger-data"
    identity = without_root(certificates)
    store = Store(free_port(), certificates)
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "cwd": certificates, **identity}
    superuser = SERVICES["ledger"]["environment"]["POSTGRES_USER"]
    names = ("-U", superuser, f"--pwfile={certificates / 'password'}", "--no-sync", "--locale=C", "-E", "UTF8")
    subprocess.run([programs[-1] / "initdb", "-D", folder, *names, "-A", "scram-sha-256"], check=True, **quiet)
    program, *options = command_of("ledger", certificates, store.port)
    where = ("-D", str(folder), "-p", str(store.port), "-k", str(certificates))
    process = subprocess.Popen([programs[-1] / program, *where, *options], stderr=subprocess.DEVNULL, **quiet)
    try:
        reached = {"PGHOST": str(certificates), "PGPORT": str(store.port)}
        first = {"POSTGRES_USER": superuser, "POSTGRES_PASSWORD": PASSWORD}  # as the image hands it on
        environment = {**reached, **first, "PATH": f"{programs[-1]}:{os.environ['PATH']}"}
        ready = [programs[-1] / "pg_isready", "-q", "-U", superuser]
        _until(lambda: subprocess.run(ready, check=False, env=environment, **quiet).returncode == 0, process)
        subprocess.run([certificates / "make-account.sh"], check=True, env=environment, **quiet)
        yield store
    finally:
        process.send_signal(signal.SIGINT)  # SIGTERM would wait for the worker's connections
        process.wait()


def test_broker_lets_in_who_checks_its_certificate(broker: Store) -> None:
    settings = Settings(broker_url=broker.broker(), broker_ca_file=broker.certificates / "ca.pem", **broker.shown)
    assert Broker(settings).check_remote() == "answers"


@pytest.mark.parametrize("client", ["", "stranger"])
def test_broker_hears_nobody_without_a_certificate_of_the_ca(broker: Store, client: str) -> None:
    own = broker.certificates / "own"
    shown = {"client_certificate": own / f"{client}.pem", "client_key": own / f"{client}-key.pem"} if client else {}
    settings = Settings(
        broker_url=broker.broker(), broker_ca_file=broker.certificates / "ca.pem", engine_timeout=5, **shown
    )
    with pytest.raises(AspectraError, match="does not answer"):
        Broker(settings).check_remote()


@pytest.mark.parametrize(
    ("host", "scheme", "ca"),
    [
        pytest.param("localhost", "rediss", "other-ca.pem", id="another CA"),
        pytest.param("localhost", "rediss", None, id="the system's CAs"),
        pytest.param("127.0.0.1", "rediss", "ca.pem", id="another name"),
        pytest.param("localhost", "redis", None, id="no TLS"),
    ],
)
def test_broker_is_refused_where_its_certificate_does_not_hold(
    broker: Store, host: str, scheme: str, ca: str | None
) -> None:
    settings = Settings(
        broker_url=broker.broker(host, scheme),
        broker_ca_file=broker.certificates / ca if ca else None,
        engine_timeout=5,
        **broker.shown,
    )
    with pytest.raises(AspectraError, match="does not answer"):
        Broker(settings).check_remote()


def test_broker_speaks_tls_1_3_alone(broker: Store) -> None:
    def spoken(newest: ssl.TLSVersion) -> str | None:
        context = ssl.create_default_context(cafile=str(broker.certificates / "ca.pem"))
        context.maximum_version = newest
        context.load_cert_chain(*broker.shown.values())
        with (
            socket.create_connection(("localhost", broker.port)) as plain,
            context.wrap_socket(plain, server_hostname="localhost") as connection,
        ):
            return connection.version()

    assert spoken(ssl.TLSVersion.TLSv1_3) == "TLSv1.3"
    with pytest.raises(ssl.SSLError):
        spoken(ssl.TLSVersion.TLSv1_2)


def test_broker_does_not_start_without_a_password(broker: Store) -> None:
    empty = broker.certificates / "empty"
    empty.touch()
    server = shutil.which("valkey-server") or shutil.which("redis-server")
    *shell, script = command_of("broker", broker.certificates, free_port())
    environment = {"PATH": os.environ["PATH"], "BROKER_PASSWORD_FILE": str(empty)}
    options: dict[str, Any] = {"cwd": broker.certificates, "env": environment, **without_root(broker.certificates)}
    said = subprocess.run(
        [*shell, script.replace("valkey-server", str(server))], check=False, capture_output=True, timeout=30, **options
    )
    assert said.returncode != 0
    assert b"requirepass" in said.stdout + said.stderr


def test_broker_password_stands_in_no_list_of_processes(broker: Store) -> None:
    shown = subprocess.run(["ps", "-eo", "args"], check=True, capture_output=True, text=True).stdout
    assert f":{broker.port}" in shown
    assert PASSWORD not in shown


def test_ledger_over_tls(database: Store) -> None:
    engine = open_database(database.ledger())
    with engine.connect() as connection:
        row = connection.execute(text("SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()"))
        assert tuple(row.one()) == (True, "TLSv1.3")
    engine.dispose()


def test_the_ledger_s_account_owns_its_database_and_nothing_else(database: Store) -> None:
    engine = open_database(database.ledger())
    rights = "rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls"
    with engine.connect() as connection:
        told = connection.execute(text(f"SELECT {rights} FROM pg_roles WHERE rolname = current_user")).one()
        member = connection.execute(text("SELECT 1 FROM pg_auth_members WHERE member = current_user::regrole")).all()
        may = "datallowconn AND has_database_privilege(datname, 'CONNECT')"
        reached = connection.execute(text(f"SELECT datname FROM pg_database WHERE {may}")).scalars().all()
    assert (member, reached) == ([], ["aspectra"])
    assert not any(told)
    for statement in ("CREATE ROLE other", "CREATE DATABASE other", "COPY (SELECT 1) TO PROGRAM 'true'"):
        alone = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        with alone as connection, pytest.raises(DBAPIError, match="InsufficientPrivilege"):
            connection.execute(text(statement))
    engine.dispose()


def test_nobody_else_comes_over_the_network(database: Store) -> None:
    for place in ("postgres:", "aspectra:"):
        for name in ("postgres", "template1", "aspectra"):
            if (place, name) != ("aspectra:", "aspectra"):
                address = database.ledger().replace("//aspectra:", f"//{place}").replace("/aspectra?", f"/{name}?")
                with pytest.raises(AspectraError, match=r"cannot be opened|does not answer|refuse"):
                    open_database(address)


@pytest.mark.parametrize(
    ("host", "tls", "ca"),
    [
        pytest.param("localhost", "sslmode=verify-full", "other-ca.pem", id="another CA"),
        pytest.param("127.0.0.1", "sslmode=verify-full", "ca.pem", id="another name"),
        pytest.param("localhost", "sslmode=disable", "ca.pem", id="no TLS"),
        pytest.param("localhost", "sslmode=verify-full&ssl_max_protocol_version=TLSv1.2", "ca.pem", id="TLS 1.2"),
    ],
)
def test_ledger_is_refused(database: Store, host: str, tls: str, ca: str) -> None:
    with pytest.raises(AspectraError, match=r"cannot be opened|does not answer"):
        open_database(database.ledger(host, tls, ca))


@pytest.mark.parametrize("client", ["", "stranger", "broker"], ids=["none", "of another CA", "for another name"])
def test_ledger_hears_nobody_without_its_account_s_certificate(database: Store, client: str) -> None:
    with pytest.raises(AspectraError, match=r"cannot be opened|does not answer"):
        open_database(database.ledger(client=client))


def test_the_settings_show_the_certificate_to_the_ledger(database: Store) -> None:
    given = Settings(ledger_url=database.ledger(client=""), **database.shown)
    open_database(given.ledger_address).dispose()


def test_notes_go_in_through_a_broker_and_a_ledger_with_tls(
    broker: Store, database: Store, make_stack: MakeStack
) -> None:
    settings = make_stack(
        ["engine", "worker"],
        broker_url=broker.broker(),
        broker_ca_file=broker.certificates / "ca.pem",
        ledger_url=database.ledger(client=""),
        **broker.shown,
    )
    ledger = Ledger.from_settings(settings)
    ensure_index(connect(settings), settings, load_bundle(settings.encoder_bundle, "bi").manifest, ledger)
    ledger.put(
        [Note(f"n{n}", "No cardiac silhouette was seen.", f"p{n}") for n in range(3)], ledger.start_run("t", "t")
    )
    wait(ledger, settings, Watcher())
    assert ledger.counts()[INDEXED] == 3
    ledger.engine.dispose()
