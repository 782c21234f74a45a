"""What can go wrong, one row each: its name, what it does, how it is undone.

A fault is a context manager: entered it strikes, left it is undone. It gives whether it hit
anything at all.
"""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import make_url

from aspectra.stack import processes
from search_stack.core.settings import Settings
from tests.chaos.commands import Commands
from tests.chaos.database import PostgreSQL, children, sqlite_writers
from tests.engine.conftest import SERVICES, Place

PATIENCE = 20.0
"""Seconds for which a fault waits for its target: a running command, a transaction."""


@dataclass(slots=True)
class Scene:
    """What faults act on."""

    place: Place
    commands: Commands
    postgresql: PostgreSQL | None = None
    moment: float = 1.0
    """At which second of a command the next fault strikes."""
    rebuilding: list[float] = field(default_factory=list)
    """Times at which the index was wiped; it must be rebuilt."""

    @property
    def settings(self) -> Settings:
        return self.place.settings

    def pids(self, service: str) -> list[int]:
        process = processes.running(self.settings, service)
        return [process.pid] if process else []

    def bring_back(self) -> None:
        self.commands.repair("up", *SERVICES)


Strike = Callable[[Scene], AbstractContextManager[bool]]


def send(number: signal.Signals, pids: Iterable[int], group: bool = False) -> bool:
    """Whether any of the processes was there to be signalled."""
    hit = False
    for pid in pids:
        with suppress(ProcessLookupError):
            (os.killpg if group else os.kill)(pid, number)
            hit = True
    return hit


def kill_service(scene: Scene, service: str, alone: bool = False) -> bool:
    """Kill a service with all its processes, or its first process ``alone``, and wait until it is gone."""
    process = processes.running(scene.settings, service)
    if process is None:
        return False
    hit = send(signal.SIGKILL, [process.pid], group=not alone)
    scene.place.wait(lambda: not processes.alive(process))
    return hit


def killed(service: str, alone: bool = False, wiped: str = "") -> Strike:
    @contextmanager
    def strike(scene: Scene) -> Iterator[bool]:
        hit = kill_service(scene, service, alone)
        if wiped:
            shutil.rmtree(scene.settings.data_dir / wiped, ignore_errors=True)
        try:
            yield hit
        finally:
            scene.bring_back()

    return strike


@contextmanager
def engine_wiped(scene: Scene) -> Iterator[bool]:
    scene.rebuilding.append(time.monotonic())
    with killed("engine", wiped="engine")(scene) as hit:
        yield hit
    scene.commands.repair("reindex")
    scene.rebuilding.clear()


def frozen(find: Callable[[Scene], list[int]], group: bool = False) -> Strike:
    @contextmanager
    def strike(scene: Scene) -> Iterator[bool]:
        pids = find(scene)
        try:
            yield send(signal.SIGSTOP, pids, group)
        finally:
            send(signal.SIGCONT, pids, group)

    return strike


def service(name: str) -> Callable[[Scene], list[int]]:
    return lambda scene: scene.pids(name)


def worker_children(scene: Scene) -> list[int]:
    return [child for pid in scene.pids("worker") for child in children(pid)]


@contextmanager
def child_killed(scene: Scene) -> Iterator[bool]:
    yield send(signal.SIGKILL, worker_children(scene)[:1])


def of_command(kind: str, number: signal.Signals) -> Strike:
    @contextmanager
    def strike(scene: Scene) -> Iterator[bool]:
        process = scene.commands.catch(kind, PATIENCE)
        time.sleep(scene.moment)
        hit = process is not None and process.poll() is None
        if process and hit:
            process.send_signal(number)
        try:
            yield hit
        finally:
            if process and number == signal.SIGSTOP:
                process.send_signal(signal.SIGCONT)

    return strike


@contextmanager
def writer_killed(scene: Scene) -> Iterator[bool]:
    """Kill whoever holds SQLite's lock for writing, within its transaction."""
    ledger = Path(str(make_url(scene.settings.ledger_address).database))
    deadline, hit = time.monotonic() + PATIENCE, False
    while not hit and time.monotonic() < deadline:
        hit = send(signal.SIGKILL, sqlite_writers(ledger))
    try:
        yield hit
    finally:
        scene.bring_back()


def server(scene: Scene) -> PostgreSQL:
    assert scene.postgresql
    return scene.postgresql


@contextmanager
def server_stopped(scene: Scene) -> Iterator[bool]:
    server(scene).stop()
    try:
        yield True
    finally:
        server(scene).start()


@contextmanager
def backends_terminated(scene: Scene) -> Iterator[bool]:
    yield server(scene).terminate_backends() > 0


@contextmanager
def power_lost(scene: Scene) -> Iterator[bool]:
    """Everything at once, commands and database too."""
    for process in scene.commands.running():
        process.kill()
    if scene.postgresql:
        scene.postgresql.stop()
    hits = [kill_service(scene, name) for name in SERVICES]
    try:
        yield any(hits)
    finally:
        if scene.postgresql:
            scene.postgresql.start()
        scene.bring_back()


@dataclass(frozen=True, slots=True)
class Fault:
    """A row of `FAULTS`. While one that ``disturbs`` searches is there, they may fail."""

    name: str
    strike: Strike
    disturbs: bool = False
    ledger: str = ""
    """The kind of database that it needs; either where empty."""


KILL, STOP = signal.SIGKILL, signal.SIGSTOP
FAULTS = (
    Fault("engine killed", killed("engine"), disturbs=True),
    Fault("engine frozen", frozen(service("engine"), group=True), disturbs=True),
    Fault("engine wiped", engine_wiped, disturbs=True),
    Fault("broker killed", killed("broker")),
    Fault("broker frozen", frozen(service("broker"))),
    Fault("broker wiped", killed("broker", wiped="broker")),
    Fault("worker killed", killed("worker")),
    Fault("worker frozen", frozen(service("worker"), group=True)),
    Fault("worker parent killed", killed("worker", alone=True)),
    Fault("worker parent frozen", frozen(service("worker"))),
    Fault("worker child killed", child_killed),
    Fault("worker child frozen", frozen(lambda scene: worker_children(scene)[:1])),
    Fault("ingest killed", of_command("ingest", KILL)),
    Fault("ingest frozen", of_command("ingest", STOP)),
    Fault("delete killed", of_command("delete", KILL)),
    Fault("delete frozen", of_command("delete", STOP)),
    Fault("reindex killed", of_command("reindex", KILL)),
    Fault("reindex frozen", of_command("reindex", STOP)),
    Fault("writer killed in its transaction", writer_killed, ledger="sqlite"),
    Fault("server stopped at once", server_stopped, disturbs=True, ledger="postgresql"),
    Fault("server frozen", frozen(lambda scene: server(scene).processes()), disturbs=True, ledger="postgresql"),
    Fault("backends terminated", backends_terminated, disturbs=True, ledger="postgresql"),
    Fault("power lost", power_lost, disturbs=True),
)


def faults(ledger: str) -> dict[str, Fault]:
    """Those that a ledger in that kind of database can meet, by name."""
    return {fault.name: fault for fault in FAULTS if fault.ledger in ("", ledger)}
