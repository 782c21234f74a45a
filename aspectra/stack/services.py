"""Start and stop the stack."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from types import FrameType

from aspectra.stack import processes
from aspectra.stack.broker import Broker
from aspectra.stack.engine import Engine
from aspectra.stack.folders import locked, make_data_folders, run_folder
from aspectra.stack.index_checks import claim
from aspectra.stack.own import Web, Worker
from aspectra.stack.processes import Process
from aspectra.stack.service import Service
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings

Say = Callable[[str], None]
NAMES = ("engine", "broker", "worker", "web")
"""In the order in which they start."""
SERVE_THE_INDEX = ("worker", "web")
"""These start over an index of our ledger only."""


def services(settings: Settings, names: Collection[str] | None = None) -> list[Service]:
    """The services called ``names``, or all, in the order in which they start.

    Raises:
        AspectraError: there is no service of that name.
    """
    unknown = sorted(set(names or ()) - set(NAMES))
    if unknown:
        raise AspectraError(f"No service is called {', '.join(unknown)}.", f"There are {', '.join(NAMES)}.")
    every: list[Service] = [Engine(settings), Broker(settings), Worker(settings), Web(settings)]
    return [service for service in every if names is None or service.name in names]


def up(settings: Settings, only: Collection[str] | None = None, say: Say = print) -> list[str]:
    """Start what does not run, and wait until it serves. Returns the names that this call started.

    If one fails or the call is interrupted, those it started are stopped again.

    Raises:
        AspectraError: a service cannot be started, or a remote one does not answer.
    """
    wanted = services(settings, only)
    make_data_folders(settings)
    started: list[str] = []
    with _terminable(), _only_one(settings, say):
        try:
            for service in wanted:
                if not service.local:
                    say(f"{service.name}: {service.address}, {service.check_remote()}")
                elif _serves(service, processes.running(settings, service.name), say):
                    say(f"{service.name}: runs already")
                else:
                    if service.name in SERVE_THE_INDEX:
                        claim(settings)
                    processes.stop(settings, service.name)  # what a dead one left in its session
                    service.need_ports()
                    launch = service.launch(say)
                    started.append(service.name)
                    began = time.monotonic()
                    _await(service, processes.start(settings, service.name, launch))
                    say(f"{service.name}: started in {time.monotonic() - began:.0f} s {service.address}".rstrip())
        except BaseException:
            for name in reversed(started):
                say(f"{name}: stopping")
                processes.stop(settings, name)
            raise
    return started


def down(settings: Settings, names: Collection[str] | None = None, say: Say = print) -> list[str]:
    """Stop the services that ``up`` started, all or those called ``names``, last one first.

    Returns the names of those that ran.

    Raises:
        AspectraError: one belongs to another user.
    """
    wanted = services(settings, names)
    if not run_folder(settings).is_dir():
        return []
    stopped = []
    with _only_one(settings, say):
        for service in reversed(wanted):
            if processes.stop(settings, service.name):
                stopped.append(service.name)
                say(f"{service.name}: stopped")
    return stopped


class Ended(AspectraError):
    """A service's process is gone."""


def _serves(service: Service, process: Process | None, say: Say) -> bool:
    """Whether a process of an earlier ``up`` serves; False where it dies while we wait for it."""
    if process is None:
        return False
    if service.outdated(process):
        say(f"{service.name}: an earlier version started it; starting it anew")
        return False
    try:
        _await(service, process)
    except Ended:
        return False
    return True


def _await(service: Service, process: Process) -> None:
    deadline = time.monotonic() + service.patience
    while not service.ready(process):
        if not processes.alive(process):
            raise Ended(f"The {service.name} ended: {service.last_error()}.", f"Its log is {service.log}.")
        if time.monotonic() > deadline:
            raise AspectraError(
                f"The {service.name} does not answer after {service.patience:.0f} s.", f"Its log is {service.log}."
            )
        time.sleep(0.2)


@contextmanager
def _only_one(settings: Settings, say: Say) -> Iterator[None]:
    with locked(
        run_folder(settings) / "lock", lambda holder: say(f"Waiting for another command on this stack: {holder}.")
    ):
        yield


@contextmanager
def _terminable() -> Iterator[None]:
    """Make a termination signal an exception, so that ``up`` can undo what it did."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught = (signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, leave) for number in caught]
    try:
        yield
    finally:
        for number, handler in zip(caught, before, strict=True):
            signal.signal(number, handler)


def need_stopped(settings: Settings, names: Collection[str], why: str) -> None:
    """
    Raises:
        AspectraError: one of the services ``names`` of this machine runs while ``why``.
    """
    if running := [name for name in names if processes.running(settings, name)]:
        raise AspectraError(
            f"{' and '.join(running)} must not run while {why}.", f"Stop first: aspectra down {' '.join(running)}"
        )


def is_running(settings: Settings, name: str) -> bool:
    """Whether the service lives; one that the settings name elsewhere is taken to."""
    (service,) = services(settings, [name])
    return not service.local or processes.running(settings, name) is not None
