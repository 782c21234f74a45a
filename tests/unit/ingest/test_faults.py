"""Disks that are full, read-only or damaged, and databases that go: an error for people, and nothing lost."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import create_engine, event, text

from ingest.ledger import Ledger
from ingest.ledger.database import open_database
from ingest.readers import Record, Rejected
from ingest.run.rejects import Rejects
from ingest.run.taking_in import take_in
from search_stack.core.errors import AspectraError, LedgerUnavailable
from search_stack.core.schema import Note

LONG = "There is a small pleural effusion. " * 300


def records(count: int, rejected: int = 0) -> Iterator[Record]:
    for n in range(count):
        yield Record(Note(f"n{n}", f"{n} {LONG}", "p1", collection="reports"), n)
    for n in range(rejected):
        yield Record(Rejected("reports.csv", n, "text", "empty"), n)


def take(ledger: Ledger, folder: Path, count: int, rejected: int = 0) -> Counter[str]:
    rejects = Rejects(folder / "run.jsonl", 10**6)
    try:
        return +take_in(
            records(count, rejected), "reports", ledger, ledger.start_run("f", "csv"), rejects, lambda *_: None
        )
    finally:
        rejects.close()


def sqlite(folder: Path) -> str:
    return f"sqlite:///{folder / 'ledger.sqlite3'}"


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    """Status and errors of a command over the data folder."""
    environment = os.environ | {"ASPECTRA_DATA_DIR": str(folder), "COLUMNS": "300"}
    done = subprocess.run(
        [sys.executable, "-m", "aspectra", *arguments], env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 4 MB."""
    if os.geteuid() != 0:
        pytest.skip("needs root: to mount a small disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("needs root that may mount a disk")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_disk_is_an_error_for_people_and_the_same_run_goes_on(small_disk: Path, tmp_path: Path) -> None:
    ledger = Ledger(open_database(sqlite(small_disk)))
    with pytest.raises(LedgerUnavailable, match=r"has no room.*Make room"):
        take(ledger, tmp_path, 1000)
    held = sum(ledger.counts().values())
    assert held % 200 == 0
    subprocess.run(["mount", "-o", "remount,size=64m", small_disk], check=True)
    assert take(ledger, tmp_path, 1000) == {"unchanged": held, "new": 1000 - held}
    ledger.engine.dispose()


def test_a_full_disk_under_the_rejects_file_is_an_error_for_people(small_disk: Path, tmp_path: Path) -> None:
    ledger = Ledger(open_database(sqlite(tmp_path)))
    (small_disk / "filler").write_bytes(bytes(4_100_000))
    with pytest.raises(AspectraError, match=r"run\.jsonl: the disk is full"):
        take(ledger, small_disk, 1, rejected=2000)
    (small_disk / "filler").unlink()
    assert take(ledger, small_disk, 1, rejected=2000)["rejected"] == 2000
    assert len((small_disk / "run.jsonl").read_text().splitlines()) == 2000
    ledger.engine.dispose()


def test_a_disk_that_turns_read_only(small_disk: Path, tmp_path: Path) -> None:
    ledger = Ledger(open_database(sqlite(small_disk)))
    take(ledger, tmp_path, 3)
    ledger.engine.dispose()
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    status, errors = run(small_disk, "ingest", "--failed")
    assert (status, "Traceback" in errors) == (1, False), errors
    assert "read-only" in errors
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    assert run(small_disk, "ingest", "--failed") == (0, "")


def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("needs an ordinary user: root writes anywhere")
    Ledger(open_database(sqlite(tmp_path))).engine.dispose()
    for path in (*tmp_path.iterdir(), tmp_path):
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        status, errors = run(tmp_path, "ingest", "--failed")
    finally:
        tmp_path.chmod(0o700)
    assert (status, "Traceback" in errors) == (1, False), errors


def test_damaged_pages_are_an_error_for_people(tmp_path: Path) -> None:
    ledger = Ledger(open_database(sqlite(tmp_path)))
    take(ledger, tmp_path, 400)
    with ledger.engine.connect() as c:
        c.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
    ledger.engine.dispose()
    file = tmp_path / "ledger.sqlite3"
    with file.open("r+b") as f:
        for page in range(1, file.stat().st_size // 4096):
            f.seek(page * 4096)
            f.write(b"\xa5" * 2048)
    status, errors = run(tmp_path, "ingest", "--failed")
    assert (status, "Traceback" in errors) == (1, False), errors
    assert "is damaged" in errors
    assert "restore" in errors


def test_a_ledger_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite3").mkdir()
    status, errors = run(tmp_path, "ingest", "--failed")
    assert (status, "Traceback" in errors) == (1, False), errors
    assert str(tmp_path / "ledger.sqlite3") in errors


def test_a_ledger_that_vanished_does_not_come_back_empty(tmp_path: Path) -> None:
    ledger = Ledger(open_database(sqlite(tmp_path)))
    take(ledger, tmp_path, 3)
    ledger.engine.dispose()
    (tmp_path / "ledger.sqlite3").rename(tmp_path / "elsewhere")
    with pytest.raises(LedgerUnavailable, match="gone"):
        ledger.counts()
    assert not (tmp_path / "ledger.sqlite3").exists()
    (tmp_path / "elsewhere").rename(tmp_path / "ledger.sqlite3")
    assert ledger.counts()["pending"] == 3
    ledger.engine.dispose()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    status, errors = run(tmp_path / "file" / "data", "ingest", "--failed")
    assert (status, "Traceback" in errors) == (1, False), errors


def test_a_signal_while_the_database_works_is_no_fault_of_the_database(tmp_path: Path) -> None:
    ledger = Ledger(open_database(sqlite(tmp_path)))
    run = ledger.start_run("f", "csv")

    def stop(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    for kind in ("do_execute", "do_executemany"):
        event.listen(ledger.engine, kind, stop)
        with pytest.raises(KeyboardInterrupt):
            ledger.put([Note("n", LONG, "p"), Note("m", LONG, "p")], run)
        event.remove(ledger.engine, kind, stop)
        assert not sum(ledger.counts().values())
    assert take(ledger, tmp_path, 3)["new"] == 3


@pytest.mark.engine
def test_postgresql_away_in_mid_ingest(make_postgresql: Callable[[], str], tmp_path: Path) -> None:
    ledger = Ledger(open_database(make_postgresql()))
    folder = Path(parse_qs(urlsplit(str(ledger.engine.url)).query)["host"][0])
    data = folder / "data"
    command = (data / "postmaster.opts").read_text().strip()

    def stop() -> None:
        os.kill(int((data / "postmaster.pid").read_text().split()[0]), signal.SIGINT)
        while (data / "postmaster.pid").exists():
            pass

    def broken() -> Iterator[Record]:
        for n, record in enumerate(records(600)):
            if n == 350:
                stop()
            yield record

    try:
        rejects = Rejects(tmp_path / "rejects", 1000)
        with pytest.raises(LedgerUnavailable, match="does not answer"):
            take_in(broken(), "reports", ledger, ledger.start_run("f", "csv"), rejects, lambda *_: None)
        with pytest.raises(LedgerUnavailable):
            ledger.counts()
    finally:
        identity = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
        program, options = command.split(maxsplit=1)
        start = [str(Path(program).with_name("pg_ctl")), "-D", str(data), "-l", str(folder / "log"), "-w", "-o"]
        given = options.split('"-D"', 1)[0] + options.split('"', 4)[-1]
        subprocess.run([*start, given, "start"], check=True, cwd=folder, stdout=subprocess.DEVNULL, **identity)  # type: ignore[call-overload]  # identity holds what it takes
    assert take(ledger, tmp_path, 600) == {"unchanged": 200, "new": 400}
    ledger.engine.dispose()


@pytest.mark.engine
def test_an_idle_connection_that_the_server_ended_is_made_anew(make_postgresql: Callable[[], str]) -> None:
    address = make_postgresql()
    ledger, other = Ledger(open_database(address)), create_engine(address)
    assert ledger.counts()["pending"] == 0  # its connection waits in the pool now
    with other.connect() as c:
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        assert c.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")).all()
    assert ledger.counts()["pending"] == 0
    other.dispose()
    ledger.engine.dispose()


def test_what_nobody_foresaw_ends_with_its_kind_and_a_report_without_words(tmp_path: Path) -> None:
    program = """
from aspectra.console import command
@command
def fail():
    text = "zebrafinding in the left lung"
    raise RuntimeError(text)
fail()
"""
    environment = os.environ | {"ASPECTRA_DATA_DIR": str(tmp_path), "COLUMNS": "300"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 70
    assert "RuntimeError" in done.stderr
    assert "Traceback" not in done.stderr
    (report,) = (tmp_path / "logs").iterdir()
    assert str(report) in done.stderr
    assert report.stat().st_mode & 0o077 == 0
    assert "console.py" in report.read_text()
    assert "zebrafinding" not in report.read_text() + done.stderr + done.stdout


# Durability


def test_every_connection_commits_durably(tmp_path: Path) -> None:
    ledger = Ledger(open_database(sqlite(tmp_path)))
    with ledger.engine.connect() as c:
        assert c.execute(text("PRAGMA synchronous")).scalar_one() == 2
    ledger.engine.dispose()


def test_what_is_acknowledged_has_been_synchronised(tmp_path: Path) -> None:
    """Each commit waits for the disk, and so do the new database's folder and the rejects file."""
    strace = shutil.which("strace")
    if not strace:
        pytest.skip("needs root to install strace")
    program = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from test_faults import sqlite, take
from ingest.ledger import Ledger
from ingest.ledger.database import open_database
folder = Path({str(tmp_path)!r})
ledger = Ledger(open_database(sqlite(folder)))
Path(folder / "opened").touch()
take(ledger, folder, 600, rejected=1)
Path(folder / "taken").touch()
import os; os._exit(0)
"""
    log = tmp_path / "calls"
    traced = [strace, "-f", "-y", "-o", str(log), "-e", "trace=fsync,fdatasync,openat,creat"]
    done = subprocess.run([*traced, sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = log.read_text().splitlines()
    opened, taken = (next(n for n, line in enumerate(lines) if f"/{mark}" in line) for mark in ("opened", "taken"))
    syncs = [[x for x in part if "sync(" in x] for part in (lines[:opened], lines[opened:taken])]
    assert any(f"<{tmp_path}>" in x for x in syncs[0])
    # The start of the run and three chunks.
    assert sum("ledger.sqlite3-wal" in x for x in syncs[1]) >= 4
    assert any("run.jsonl" in x for x in syncs[1])
