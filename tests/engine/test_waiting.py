"""A worker whose broker and ledger go away: it waits, says so without a traceback, and goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from aspectra.stack import processes, up
from aspectra.stack.own import child_environment
from ingest.ledger import Ledger
from search_stack.core.schema import Note
from search_stack.core.settings import Settings

pytestmark = pytest.mark.engine
DEAF = """
from celery.signals import worker_ready
from ingest.work.worker import run_worker
from search_stack.core.settings import load_settings

done = []

@worker_ready.connect(weak=False)
def deafen(sender, **_):
    if not done:
        done.append(sender.hub.call_later(1, lost, sender))

def lost(consumer):
    cycle = consumer.connection.transport.cycle
    for fd in list(cycle.fds):
        consumer.hub.remove(fd)
    cycle._fd_to_chan.clear()
    print("deaf now", flush=True)

run_worker(load_settings())
"""
"""A worker that soon waits for a connection that nothing watches, as after an acknowledgement met a loss first."""
PATIENCE = 300.0


def wait(holds: Callable[[], Any]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.1)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 4 MB."""
    if os.geteuid() != 0:
        pytest.skip("needs root: to mount a small disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs root that may mount a disk")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_worker_goes_on_when_a_full_disk_has_room_again(
    make_stack: Callable[..., Settings], small_disk: Path
) -> None:
    address = SecretStr(f"sqlite:///{small_disk / 'ledger.sqlite3'}")
    settings = make_stack(["broker", "worker"], ledger_url=address, worker_processes=1, onnx_threads=1)
    log = settings.data_dir / "logs" / "worker.log"
    worker = processes.running(settings, "worker")
    opened = Ledger.from_settings(settings)
    opened.put([Note("n1", "Clear lungs.", "p1")], opened.start_run("f", "csv"))
    filler = small_disk / "filler"
    with pytest.raises(OSError, match="No space"):
        filler.write_bytes(bytes(8 * 1024 * 1024))
    opened.engine.dispose()
    wait(lambda: "has no room" in log.read_text())
    filler.unlink()
    wait(lambda: "goes on" in log.read_text())
    assert opened.counts() == {"pending": 1, "indexed": 0, "failed": 0, "deleting": 0}
    opened.engine.dispose()
    assert "Traceback" not in log.read_text()
    assert processes.running(settings, "worker") == worker


def test_a_worker_waits_for_its_broker_and_its_ledger(make_stack: Callable[..., Settings]) -> None:
    settings = make_stack(["broker", "worker"], reranker_bundle="", worker_processes=1, onnx_threads=1)
    log = settings.data_dir / "logs" / "worker.log"
    ledger, aside = settings.data_dir / "ledger.sqlite3", settings.data_dir / "aside"
    worker = processes.running(settings, "worker")
    assert worker

    wait(ledger.exists)
    opened = Ledger.from_settings(settings)  # behind the worker, which holds the lock of the migrations
    opened.engine.dispose()
    ledger.rename(aside)
    wait(lambda: "waiting: The ledger at" in log.read_text())
    assert not ledger.exists()
    aside.rename(ledger)
    wait(lambda: log.read_text().count("goes on") == 1)

    broker = processes.running(settings, "broker")
    assert broker
    os.kill(broker.pid, signal.SIGKILL)
    wait(lambda: not processes.alive(broker))
    opened.put([Note("n1", "Clear lungs.", "p1")], opened.start_run("f", "csv"))
    opened.engine.dispose()
    wait(lambda: "waiting: The broker does not answer." in log.read_text())
    up(settings, ["broker"])
    wait(lambda: log.read_text().count("goes on") == 2)

    said = log.read_text()
    assert "Traceback" not in said
    assert said.count("waiting: The broker") + said.count("waiting: The ledger") < 20
    assert processes.running(settings, "worker") == worker


def test_a_worker_that_hears_nothing_connects_anew(make_stack: Callable[..., Settings]) -> None:
    settings = make_stack(["broker"], reranker_bundle="", worker_processes=1, onnx_threads=1)
    log = settings.data_dir / "deaf.log"
    with log.open("wb") as out:
        program = [sys.executable, "-c", DEAF]
        worker = subprocess.Popen(program, env=child_environment(settings), stdout=out, stderr=out)
    try:
        wait(lambda: "deaf now" in log.read_text())
        ledger = Ledger.from_settings(settings)
        ledger.put([Note("n1", "Clear lungs.", "p1")], ledger.start_run("f", "csv"))
        ledger.engine.dispose()
        wait(lambda: "connecting to the broker anew" in log.read_text())
        # There is no engine to write to: that the task came is what counts.
        wait(lambda: "aspectra.index[" in log.read_text())
        assert "Traceback" not in log.read_text()
        assert worker.poll() is None
    finally:
        worker.terminate()
        worker.wait()
