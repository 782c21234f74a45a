"""Fixtures that every kind of test may use."""

from __future__ import annotations

import itertools
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from sqlalchemy import make_url

from access import passwords
from aspectra.stack import down, up
from ingest.demo import demo_source
from ingest.ledger import Ledger
from ingest.ledger.database import open_database
from ingest.run import run_ingest
from search_stack.core.settings import Settings

MakeStack = Callable[..., Settings]
STACKS = {"stack", "empty_stack"}
"""Fixtures of stacks that last: to make one takes up to a minute of processor time."""
HASHER = passwords._hasher
"""What hashes passwords outside tests."""


@pytest.fixture(scope="session", autouse=True)
def _cheap_passwords() -> Iterator[None]:
    """A hash takes 0.16 s, which is its purpose, and tests make hundreds. Only of this process: what a test starts as a
    process of its own has no way to be told."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield


@pytest.fixture
def real_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes as they are outside tests."""
    monkeypatch.setattr(passwords, "_hasher", HASHER)


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist names the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give the tests of a stack that lasts to one process, which alone makes it, and begin with them: they are half of
    all. Then come other groups; single tests fill what is left."""
    if not getattr(config.option, "loadgroup", False):
        return
    for item in items:
        shared = STACKS.intersection(getattr(item, "fixturenames", ()))
        if shared and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(min(shared)))
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    group = item.get_closest_marker("xdist_group")
    return 2 if group is None else group.args[0] not in STACKS


def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse to run where pytest-xdist leaves groups aside, which costs minutes and fails nothing."""
    if getattr(session.config.option, "loadgroup", False):
        for item in session.items:
            if item.get_closest_marker("xdist_group") and "@" not in item.nodeid:
                raise pytest.UsageError(
                    f"{item.nodeid} is in no group: these pytest and pytest-xdist do not go together"
                )


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The shared data: ``ASPECTRA_DATA``, or ``../shared/data`` seen from the project's root."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    path = Path(os.environ.get("ASPECTRA_DATA") or default)
    if not path.is_dir():
        pytest.skip("the shared data is not here; set ASPECTRA_DATA to its folder")
    return path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def listeners() -> Callable[[int], list[int]]:
    """The TCP ports that a process listens on, as the kernel tells it."""

    def ports(pid: int) -> list[int]:
        links = {str(link.readlink()) for link in Path("/proc", str(pid), "fd").iterdir()}
        lines = [line for name in ("tcp", "tcp6") for line in Path("/proc/net", name).read_text().splitlines()[1:]]
        listening = [row for row in map(str.split, lines) if row[3] == "0A" and f"socket:[{row[9]}]" in links]
        return sorted(int(row[1].rpartition(":")[2], 16) for row in listening)

    return ports


@contextmanager
def stacks() -> Iterator[MakeStack]:
    """Start services on free ports with a data folder of their own; all end with the context.

    The unpacked engine is the one that the machine's own settings name, fetched once.
    """
    with ExitStack() as undo:

        def make(services: Sequence[str] | None = None, **options: Any) -> Settings:
            # Not pytest's own folder, which is closed to the user that root's engine runs as.
            folder = Path(tempfile.mkdtemp(prefix="aspectra-test-"))
            folder.chmod(0o711)
            undo.callback(shutil.rmtree, folder, ignore_errors=True)
            ports = ("engine_port", "web_port")
            given: dict[str, Any] = {
                "engine_heap": "512m",
                **{name: free_port() for name in ports},
            }
            settings = Settings(data_dir=folder, cache_dir=Settings().cache_dir, **(given | options))
            undo.callback(down, settings)
            up(settings, services)
            return settings

        yield make


@pytest.fixture(scope="session")
def quick_encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """`small_encoder`, as a setting."""
    from tests.encoder import small_encoder  # ONNX, which few processes of tests need

    return small_encoder(tmp_path_factory.mktemp("encoder"), Settings().encoder_bundle)


@pytest.fixture(scope="session")
def make_lasting_stack() -> Iterator[MakeStack]:
    """`stacks` for the whole session: few, for each engine takes 750 MB."""
    with stacks() as make:
        yield make


@pytest.fixture(scope="module")
def make_stack() -> Iterator[MakeStack]:
    """`stacks` for the tests of a module."""
    with stacks() as make:
        yield make


@pytest.fixture(scope="session")
def stack(make_lasting_stack: MakeStack) -> Settings:
    """Everything, with the synthetic notes; tests only read from it."""
    settings = make_lasting_stack()
    done = run_ingest(demo_source(), Ledger.from_settings(settings), settings)
    assert (done.rejected, done.failed) == (0, 0)
    return settings


@pytest.fixture(scope="session")
def page_url(stack: Settings) -> str:
    """The address of the page over the synthetic notes."""
    return stack.web_address


@contextmanager
def postgresql() -> Iterator[Callable[..., str]]:
    """Make databases in a real PostgreSQL that listens on a socket in a folder of its own: empty ones, or copies of the
    one that is named, with which nobody may be connected."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    initdb = folders[-1] / "initdb" if folders else Path(shutil.which("initdb") or "")
    if not initdb.is_file():
        pytest.skip("no PostgreSQL on this machine (Debian: apt-get install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="aspectra-pg-"))
    identity: dict[str, Any] = {}
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        shutil.chown(folder, "nobody")
        identity = {"user": "nobody", "group": "nogroup", "extra_groups": [], "cwd": folder}

    def call(program: str, *arguments: str) -> None:
        command = [str(initdb.with_name(program)), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, **identity)

    data, log, user = str(folder / "data"), str(folder / "log"), "aspectra"
    options = f"-k {folder} -c listen_addresses='' -c fsync=off -c shared_buffers=16MB"
    numbers = itertools.count()

    def make(like: str = "template1") -> str:
        name = f"ledger{next(numbers)}"
        call("createdb", "-h", str(folder), "-U", user, "-T", like, name)
        return f"postgresql+psycopg://{user}@/{name}?host={folder}"

    try:
        call("initdb", "-D", data, "-U", user, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        call("pg_ctl", "-D", data, "-l", log, "-w", "-o", options, "start")
        try:
            yield make
        finally:
            call("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def make_postgresql() -> Iterator[Callable[..., str]]:
    """`postgresql` for the whole session."""
    with postgresql() as make:
        yield make


@pytest.fixture(scope="session")
def _migrated_postgresql(make_postgresql: Callable[..., str]) -> str:
    """The name of a database after all migrations, which take 0.2 s."""
    address = make_postgresql()
    open_database(address).dispose()
    return str(make_url(address).database)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.engine)])
def ledger_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of each kind that a ledger may be in: an empty one, but for `ledger`, where the test has that."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'ledger.sqlite3'}"
    like = [request.getfixturevalue("_migrated_postgresql")] if "ledger" in request.fixturenames else []
    return str(request.getfixturevalue("make_postgresql")(*like))


@pytest.fixture(scope="session")
def _empty_ledger(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """SQLite's file after all migrations, which take as long as a hundred questions to it."""
    file = tmp_path_factory.mktemp("empty") / "ledger.sqlite3"
    open_database(f"sqlite:///{file}").dispose()
    return file.read_bytes()


@pytest.fixture
def ledger(ledger_address: str, request: pytest.FixtureRequest) -> Iterator[Ledger]:
    """A new ledger in each kind of database."""
    if ledger_address.startswith("sqlite"):
        file = Path(str(make_url(ledger_address).database))
        file.touch(mode=0o600)
        file.write_bytes(request.getfixturevalue("_empty_ledger"))
    made = Ledger(open_database(ledger_address))
    yield made
    made.engine.dispose()
