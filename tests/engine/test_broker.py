"""The local broker for real, with every server program that this machine has."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ResponseError

from aspectra.stack import broker, doctor, down, processes, status, up
from aspectra.stack.broker_config import disabled
from aspectra.stack.broker_program import Program, find_program, programs
from aspectra.stack.folders import engine_account
from aspectra.stack.processes import Launch
from ingest.work.celery_app import TASK, make_celery, send
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings

pytestmark = pytest.mark.engine
CLAIM = "c" * 32
Listeners = Callable[[int], list[int]]


@pytest.fixture
def settings() -> Iterator[Settings]:
    """Not in pytest's own folder, which is closed to the user that root's broker runs as."""
    folder = Path(tempfile.mkdtemp(prefix="aspectra-broker-"))
    folder.chmod(0o711)
    made = Settings(data_dir=folder / "data")
    yield made
    down(made)
    shutil.rmtree(folder)


def client(settings: Settings) -> Redis:
    return Redis(unix_socket_path=str(settings.broker_socket))


def take(settings: Settings) -> object:
    """The claim that the next message carries, as a worker would take it."""
    with make_celery(settings).connection() as connection:
        message = connection.SimpleQueue("aspectra").get(timeout=30)
        message.ack()
        assert message.headers["task"] == TASK
        return message.payload[0][0]


@pytest.fixture(params=programs(), ids=lambda p: f"{p.brand}-{'.'.join(map(str, p.version))}")
def program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setattr(broker, "find_program", lambda account: request.param)
    found: Program = request.param
    return found


def test_claims_pass_through_the_socket_and_outlive_the_server(settings: Settings, program: Program) -> None:
    up(settings, ["broker"])
    send(make_celery(settings), CLAIM)
    down(settings)
    up(settings, ["broker"])
    assert take(settings) == CLAIM


def test_a_client_can_neither_write_files_nor_load_code_nor_stop_it(settings: Settings, program: Program) -> None:
    up(settings, ["broker"])
    with client(settings) as redis:
        for name in disabled(program):
            with pytest.raises(ResponseError, match="unknown command"):
                redis.execute_command(name)
        lock = redis.lock("mutex", timeout=5)  # what Celery needs of scripts
        assert lock.acquire(blocking=False)
        lock.release()
        assert redis.ping()


def test_only_its_owner_reaches_it(settings: Settings, program: Program, listeners: Listeners) -> None:
    up(settings, ["broker"])
    process = processes.running(settings, "broker")
    assert process
    assert listeners(process.pid) == []
    owner = engine_account(settings)
    for path in (settings.broker_socket, settings.broker_socket.parent):
        assert path.stat().st_uid == Path("/proc", str(process.pid)).stat().st_uid
        assert path.stat().st_uid == (owner.uid if owner else os.geteuid())
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert stat.S_IMODE((settings.data_dir / "run" / "broker.conf").stat().st_mode) == 0o600


def test_another_program_starts_on_what_the_first_left(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    for program in [*programs(), *reversed(programs())]:
        monkeypatch.setattr(broker, "find_program", lambda account, chosen=program: chosen)
        up(settings, ["broker"])
        send(make_celery(settings), CLAIM)
        assert take(settings) == CLAIM
        down(settings)


def test_a_program_that_may_have_holes_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_program(engine_account(settings))
    old = Program(found.path, found.brand, (6, 2, 14))
    monkeypatch.setattr(broker, "find_program", lambda account: old)
    monkeypatch.setattr(sys.modules["aspectra.stack.doctor"], "find_program", lambda account: old)
    said: list[str] = []
    up(settings, ["broker"], said.append)
    assert any("may lack the fixes" in line and "aspectra[local]" in line for line in said)
    check = next(check for check in doctor(settings) if check.name == "broker program")
    assert check.ok
    assert "may lack the fixes" in check.detail
    assert check.remedy


@pytest.mark.parametrize("name", ['a b#c?d%20;e,f"g\\h[x]*', "x" * 120])
def test_any_folder_will_do(name: str, settings: Settings) -> None:
    odd = Settings(data_dir=settings.data_dir.parent / name)
    try:
        up(odd, ["broker"])
        send(make_celery(odd), CLAIM)
        assert take(odd) == CLAIM
    finally:
        down(odd)
        if not odd.broker_socket.is_relative_to(odd.data_dir):
            shutil.rmtree(odd.broker_socket.parent)


def test_a_socket_folder_that_somebody_else_made_is_refused(settings: Settings, tmp_path: Path) -> None:
    long = Settings(data_dir=settings.data_dir.parent / ("y" * 120))
    folder = long.broker_socket.parent
    folder.symlink_to(tmp_path)
    try:
        with pytest.raises(AspectraError, match=f"{folder} is a link or another user's"):
            up(long, ["broker"])
    finally:
        folder.unlink()
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: makes a folder of another user's")
def test_a_socket_folder_of_another_user_is_refused(settings: Settings) -> None:
    long = Settings(data_dir=settings.data_dir.parent / ("z" * 120))
    folder = long.broker_socket.parent
    folder.mkdir(mode=0o700)
    os.chown(folder, 54321, 54321)
    try:
        with pytest.raises(AspectraError, match=f"{folder} is a link or another user's"):
            up(long, ["broker"])
        assert folder.stat().st_uid == 54321
    finally:
        folder.rmdir()


def test_a_broker_of_an_earlier_version_is_started_anew(settings: Settings, listeners: Listeners) -> None:
    up(settings, ["broker"])
    down(settings)
    program = str(find_program(engine_account(settings)).path)
    # Somewhere else, since a broker that listens nowhere ends by itself, at times before anybody looks.
    elsewhere = ["--unixsocket", str(settings.broker_socket.with_name("old.sock"))]
    launch = Launch([program, "--port", "0", *elsewhere, "--save", ""], dict(os.environ))
    processes.start(settings, "broker", launch)
    assert "earlier version" in next(found.detail for found in status(settings) if found.name == "broker")
    said: list[str] = []
    assert up(settings, ["broker"], said.append) == ["broker"]
    assert "broker: an earlier version started it; starting it anew" in said
    process = processes.running(settings, "broker")
    assert process
    assert listeners(process.pid) == []
    assert client(settings).ping()
