"""Detached processes, known by a file with their id and start time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from aspectra.stack.folders import Account, log_folder, run_folder
from search_stack.core.errors import AspectraError
from search_stack.core.files import write_whole
from search_stack.core.settings import Settings

STOP_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start one process."""

    command: Sequence[str]
    environment: Mapping[str, str]
    account: Account | None = None
    input: Path | None = None
    """File that it reads on its standard input; ours to open, not the account's."""


@dataclass(frozen=True, slots=True)
class Process:
    """One process that we started. Ids are used again; with the boot and the start time they are not."""

    pid: int
    boot: str
    start_time: int
    """Clock ticks between boot and start."""
    command: list[str]


def pid_file(settings: Settings, name: str) -> Path:
    return run_folder(settings) / f"{name}.json"


def log_file(settings: Settings, name: str) -> Path:
    return log_folder(settings) / f"{name}.log"


def start(settings: Settings, name: str, launch: Launch) -> Process:
    """Start a process in its own session, its output in its log file.

    Raises:
        AspectraError: the program cannot be started.
    """
    log = log_file(settings, name)
    if log.exists():
        log.replace(log.with_suffix(".log.1"))
    identity: dict[str, int | list[int]] = {}
    if launch.account:
        identity = {"user": launch.account.uid, "group": launch.account.gid, "extra_groups": []}
    try:
        written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(written, "wb") as output, (launch.input or Path(os.devnull)).open("rb") as given:
            child = subprocess.Popen(  # type: ignore[call-overload]  # mypy cannot match **identity
                list(launch.command),
                env=dict(launch.environment),
                stdin=given,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                umask=0o077,
                **identity,
            )
    except (OSError, subprocess.SubprocessError) as e:
        raise AspectraError(f"{name} cannot be started: {e}.", f"Check {launch.command[0]}.") from e
    try:
        process = Process(child.pid, _boot(), _stat(child.pid)[1], list(launch.command))
        write_whole(pid_file(settings, name), json.dumps(asdict(process)), private=True)
    except BaseException:
        child.kill()
        child.wait()
        raise
    child.returncode = 0  # it outlives us: Python shall neither wait for it nor warn
    return process


def running(settings: Settings, name: str) -> Process | None:
    """The process called ``name`` if we started it and it lives."""
    process = _read(pid_file(settings, name))
    return process if process and alive(process) else None


def alive(process: Process) -> bool:
    try:
        state, start_time, _ = _stat(process.pid)
    except ProcessLookupError:
        return False
    if start_time != process.start_time or _boot() != process.boot:
        return False
    if state == "Z":
        with suppress(ChildProcessError):
            os.waitpid(process.pid, os.WNOHANG)  # our own child: bury it
    return state not in "ZX"


def stop(settings: Settings, name: str) -> bool:
    """End the process called ``name`` and all it left in its session; True if any lived.

    Raises:
        AspectraError: it belongs to another user.
    """
    file = pid_file(settings, name)
    process = _read(file)
    if process is None:
        return False
    try:
        stopped = _end(process)
    except PermissionError as e:
        raise AspectraError(
            f"{name} (process {process.pid}) belongs to another user.", "Stop it as the user who started it."
        ) from e
    file.unlink(missing_ok=True)
    return stopped


def log_end(path: Path) -> list[str]:
    """The lines that are not blank in the last 64 KiB of a log; none where there is no log."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - 65536))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
    return [line for line in lines if line.strip()]


def last_line(path: Path, containing: str = "") -> str:
    """The last line of a log's end that has ``containing``, or an empty string."""
    return next((line.strip() for line in reversed(log_end(path)) if containing in line), "")


def _lingers(process: Process) -> bool:
    """Whether threads of a killed process are still on their way out, its ports and locks with them."""
    try:
        state, start_time, _ = _stat(process.pid)
        threads = len(list(Path(f"/proc/{process.pid}/task").iterdir()))
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state == "Z" and start_time == process.start_time and threads > 1


def _end(process: Process) -> bool:
    lived = alive(process)
    if lived:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while alive(process) and time.monotonic() < deadline:
            time.sleep(0.05)
    deadline = time.monotonic() + STOP_SECONDS
    while _lingers(process) and time.monotonic() < deadline:
        time.sleep(0.05)
    while left := _session(process):  # again, because a member may have forked meanwhile
        lived = True
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    return lived


def _session(process: Process) -> list[int]:
    """Processes of the session that ``process`` led; none where its id now is somebody else's."""
    if _boot() != process.boot:
        return []
    with suppress(ProcessLookupError):
        if _stat(process.pid)[1] != process.start_time:
            return []
    members = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, _, session = _stat(int(entry.name))
            except ProcessLookupError:
                continue
            if session == process.pid and state not in "ZX":
                members.append(int(entry.name))
    return members


def _stat(pid: int) -> tuple[str, int, int]:
    """State, start time and session of a process. The name before them may hold any character."""
    try:
        fields = Path("/proc", str(pid), "stat").read_text(errors="replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError) as e:
        raise ProcessLookupError(pid) from e
    return fields[0], int(fields[19]), int(fields[3])


def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def _read(file: Path) -> Process | None:
    try:
        return Process(**json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except PermissionError as e:
        raise AspectraError(f"{file} belongs to another user.", "Run this as the user who started the stack.") from e
    except (ValueError, TypeError) as e:
        raise AspectraError(f"{file} is not a process file.", "Remove it; then end the process by hand.") from e
