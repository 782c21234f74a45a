from __future__ import annotations

import json
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from aspectra.stack import processes
from aspectra.stack.folders import make_data_folders
from aspectra.stack.processes import Launch, alive, last_line, log_file, pid_file, running, start, stop
from search_stack.core.errors import AspectraError
from search_stack.core.settings import Settings

SLEEPER = Launch(["sleep", "600"], os.environ)
WITH_CHILD = Launch([sys.executable, "-c", "import subprocess; subprocess.run(['sleep', '600'])"], os.environ)
STUBBORN = Launch(["sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.1; done"], os.environ)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    made = Settings(data_dir=tmp_path / "data")
    make_data_folders(made)
    return made


def members(session: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if os.getsid(int(entry.name)) == session and "\nState:\tZ" not in (entry / "status").read_text():
                    found.append(int(entry.name))
            except (ProcessLookupError, FileNotFoundError):
                continue
    return found


def test_a_process_runs_in_its_own_session_until_it_is_stopped(settings: Settings) -> None:
    process = start(settings, "sleeper", SLEEPER)
    assert os.getsid(process.pid) == process.pid != os.getsid(0)
    assert running(settings, "sleeper") == process
    assert stop(settings, "sleeper")
    assert running(settings, "sleeper") is None
    assert not pid_file(settings, "sleeper").exists()
    assert not stop(settings, "sleeper")


def test_stopping_ends_what_the_process_left_behind(settings: Settings) -> None:
    process = start(settings, "parent", WITH_CHILD)
    while len(members(process.pid)) < 2:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    while alive(process):
        time.sleep(0.01)
    assert members(process.pid)
    assert stop(settings, "parent")
    assert not members(process.pid)


def test_a_process_that_ignores_the_request_is_killed(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "STOP_SECONDS", 0.3)
    process = start(settings, "stubborn", STUBBORN)
    while last_line(log_file(settings, "stubborn")) != "ready":
        time.sleep(0.01)
    assert stop(settings, "stubborn")
    assert not members(process.pid)


def test_another_process_with_the_same_id_is_left_alone(settings: Settings) -> None:
    process = start(settings, "sleeper", SLEEPER)
    try:
        forged = {"boot": process.boot, "pid": process.pid, "start_time": process.start_time - 1, "command": []}
        pid_file(settings, "old").write_text(json.dumps(forged))
        assert running(settings, "old") is None
        assert not stop(settings, "old")
        assert not alive(replace(process, boot="an earlier one"))
        assert alive(process)
    finally:
        stop(settings, "sleeper")


def test_output_goes_to_a_private_log_and_the_last_one_is_kept(settings: Settings) -> None:
    for word in ("first", "second"):
        process = start(settings, "speaker", Launch(["sh", "-c", f"echo {word}; echo >&2"], os.environ))
        while alive(process):
            time.sleep(0.01)
    log = log_file(settings, "speaker")
    assert last_line(log) == "second"
    assert last_line(log.with_suffix(".log.1")) == "first"
    assert log.stat().st_mode & 0o077 == 0


def test_a_missing_program_is_named(settings: Settings) -> None:
    with pytest.raises(AspectraError, match="no-such-program"):
        start(settings, "ghost", Launch(["no-such-program"], os.environ))
    assert running(settings, "ghost") is None


def test_last_line_is_the_last_with_the_word(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("ERROR one\nERROR two\nINFO three\n\n")
    assert last_line(log, "ERROR") == "ERROR two"
    assert last_line(log) == "INFO three"
    assert last_line(log, "absent") == ""
    assert last_line(tmp_path / "none") == ""
