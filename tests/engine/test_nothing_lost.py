"""Real reports, and processes killed while they are taken in: in the end, each passage is there once."""

from __future__ import annotations

import csv
import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from aspectra.stack import probes, processes, up

pytestmark = pytest.mark.engine
NOTES, MANY = 240, 1000
SECTIONS = ("indication", "comparison", "findings", "impression")
SOME = 24
"""Notes that are indexed before the first kill."""


@pytest.fixture
def reports(first_reports: Callable[[int], Path]) -> Path:
    return first_reports(NOTES)


@pytest.fixture
def many_reports(first_reports: Callable[[int], Path], make_csv: Callable[..., Path]) -> Path:
    """As many as take a while to read, cut short so that they are soon indexed."""
    file = first_reports(MANY)
    with file.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    return make_csv([{**row, **{name: row[name][:60] for name in SECTIONS}} for row in rows], "openi.csv")


def when(place: Any, command: subprocess.Popen[str], indexed: int, do: Callable[[], object]) -> None:
    """Act once ``indexed`` notes are in the index, and make sure that others were not."""
    place.wait(lambda: place.indexed() >= indexed, command)
    do()
    assert 0 < place.indexed() < NOTES
    assert command.poll() is None


def pid(place: Any, service: str) -> int:
    process = processes.running(place.settings, service)
    assert process
    return process.pid


def kill(place: Any, service: str) -> None:
    process = processes.running(place.settings, service)
    assert process
    os.killpg(process.pid, signal.SIGKILL)
    port = place.settings.engine_port if service == "engine" else None
    place.wait(lambda: not processes.alive(process) and (port is None or not probes.port_problem(port)))


def children(parent: int) -> list[int]:
    return [int(c) for c in Path("/proc", str(parent), "task", str(parent), "children").read_text().split()]


def test_worker_processes_killed(empty_stack: Any, reports: Path) -> None:
    place = empty_stack
    ingest = place.start("ingest", reports)
    when(place, ingest, SOME, lambda: os.kill(children(pid(place, "worker"))[0], signal.SIGKILL))
    when(place, ingest, 4 * SOME, lambda: kill(place, "worker"))
    status, said, errors = place.end(ingest)
    assert status == 0, errors
    assert "worker does not run; starting it." in said
    place.assert_whole(NOTES)


def test_engine_killed_and_started_again_by_up(empty_stack: Any, reports: Path) -> None:
    place = empty_stack
    ingest = place.start("ingest", reports)
    when(place, ingest, SOME, lambda: kill(place, "engine"))
    up(place.settings, ["engine"])
    status, _, errors = place.end(ingest)
    assert status == 0, errors
    place.assert_whole(NOTES)


def test_engine_killed_and_brought_back_by_ingest_itself(empty_stack: Any, reports: Path) -> None:
    place = empty_stack
    ingest = place.start("ingest", reports)
    when(place, ingest, SOME, lambda: kill(place, "engine"))
    status, said, errors = place.end(ingest)
    assert status == 0, errors
    assert "engine does not run; starting it." in said
    place.assert_whole(NOTES)


def test_broker_flushed_then_killed_and_wiped(empty_stack: Any, reports: Path) -> None:
    place = empty_stack

    def wipe() -> None:
        kill(place, "broker")
        shutil.rmtree(place.settings.data_dir / "broker")

    ingest = place.start("ingest", reports)
    when(place, ingest, SOME, lambda: Redis(unix_socket_path=str(place.settings.broker_socket)).flushall())
    when(place, ingest, 4 * SOME, wipe)
    status, said, errors = place.end(ingest)
    assert status == 0, errors
    assert "broker does not run; starting it." in said
    place.assert_whole(NOTES)


def test_the_command_killed_while_it_reads_the_file(empty_stack: Any, many_reports: Path) -> None:
    place = empty_stack
    ingest = place.start("ingest", "--no-wait", many_reports)
    place.wait(lambda: sum(place.ledger.counts().values()), ingest, pause=0.001)
    ingest.kill()
    assert place.end(ingest)[0] == -signal.SIGKILL
    assert 0 < len(place.notes()) < MANY
    status, said, errors = place.run("ingest", many_reports)
    assert status == 0, errors
    assert f"{MANY:,} notes:" in said
    place.assert_whole(MANY)


def test_the_command_stopped_by_signals_tells_what_is_left(empty_stack: Any, reports: Path) -> None:
    place = empty_stack
    for number in (signal.SIGINT, signal.SIGTERM):
        indexed, runs = place.indexed(), place.runs()
        ingest = place.start("ingest", reports)
        place.wait(lambda n=runs: place.runs() > n, ingest)
        place.wait(lambda n=indexed: place.indexed() > n, ingest)
        ingest.send_signal(number)
        status, _, errors = place.end(ingest)
        assert status == 130, errors
        assert "notes wait in the ledger" in errors
        assert "Traceback" not in errors
        assert place.indexed() < NOTES
    status, said, errors = place.run("ingest", reports)
    assert status == 0, errors
    assert f"{NOTES:,} notes: " in said
    assert "0 changed; 0 rejected, 0 failed" in said
    place.assert_whole(NOTES)
