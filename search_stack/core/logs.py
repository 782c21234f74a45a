"""What the worker and the page log: text or JSON, with the request's id, bounded, and no word of a note or query."""

from __future__ import annotations

import fcntl
import json
import logging
import os
import shutil
import stat
import sys
import threading
from contextlib import suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from traceback import walk_tb
from types import TracebackType
from typing import Any

from search_stack.core.settings import Settings

OURS = ("aspectra", "ui", "ingest", "search_stack", "encoders")
_QUIET = {"opensearch": logging.ERROR, "waitress": logging.WARNING, "waitress.queue": logging.ERROR}
"""Others whose lesser lines name addresses, or repeat themselves."""
_ROOT = Path(__file__).resolve().parents[2]
request_id: ContextVar[str] = ContextVar("request_id", default="")
"""Id of the request that is being answered; empty outside of one."""
_log = logging.getLogger(__name__)


def set_up(settings: Settings) -> None:
    """Make this process log to its standard error as ``settings`` say."""
    handler = _Handler(settings.data_dir / "logs", settings.log_megabytes * 2**20)
    handler.setFormatter(JsonLines() if settings.log_format == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in (*OURS, "celery"):
        logging.getLogger(name).setLevel(settings.log_level.upper())
    for name, level in _QUIET.items():
        logging.getLogger(name).setLevel(level)
    logging.raiseExceptions = False  # where a line cannot be written, its error cannot either
    sys.excepthook = _unforeseen
    threading.excepthook = lambda args: _unforeseen(args.exc_type, args.exc_value, args.exc_traceback)


def where(error: BaseException) -> str:
    """The last line of our own code that ``error`` passed, as ``file:line``; empty where there is none.

    >>> where(ValueError("not raised"))
    ''
    """
    place = ""
    for frame, line in walk_tb(error.__traceback__):
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(_ROOT) and path.relative_to(_ROOT).parts[0] in OURS:
            place = f"{path.relative_to(_ROOT)}:{line}"
    return place


def _unforeseen(_: type[BaseException], error: BaseException | None, __: TracebackType | None) -> None:
    """An exception's own words may be a note's: the log gets its kind and place."""
    if error is not None and not isinstance(error, KeyboardInterrupt):
        _log.critical("Ended by an error.", exc_info=error)


def _parts(record: logging.LogRecord) -> dict[str, Any]:
    """What may be said of ``record``: of an exception its kind and place, of others' words about one, nothing."""
    error = record.exc_info[1] if record.exc_info else None
    ours = record.name.partition(".")[0] in OURS
    message = record.getMessage() if ours or error is None else "Failed."
    fields = {"request": request_id.get()} if request_id.get() else {}
    if error is not None:
        fields |= {"error": type(error).__name__, "at": where(error)}
    return {"message": message, **fields, **getattr(record, "fields", {})}


def _moment(record: logging.LogRecord) -> str:
    """In UTC, whatever the machine's zone: lines of several machines, and the audit trail, stand in one order."""
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


class JsonLines(logging.Formatter):
    """One JSON object a line; what is passed as ``extra={"fields": {…}}`` stands beside the message."""

    def format(self, record: logging.LogRecord) -> str:
        head = {"time": _moment(record), "level": record.levelname.lower(), "logger": record.name}
        return json.dumps(head | _parts(record))


class TextLines(logging.Formatter):
    """The same for people."""

    def format(self, record: logging.LogRecord) -> str:
        parts = _parts(record)
        message = " ".join("".join(c if c.isprintable() else " " for c in str(parts.pop("message"))).split())
        rest = "".join(f" {name}={value}" for name, value in parts.items() if value != "")
        return f"{_moment(record)} {record.levelname} {record.name}: {message}{rest}"


class _Handler(logging.StreamHandler[Any]):
    """Standard error; where that is a log file in ``folder``, it is kept below ``most`` bytes."""

    def __init__(self, folder: Path, most: int) -> None:
        super().__init__(sys.stderr)
        self._folder = folder
        self._most = most

    def emit(self, record: logging.LogRecord) -> None:
        super().emit(record)
        with suppress(OSError, ValueError):
            shorten(sys.stderr.fileno(), self._folder, self._most)


def shorten(number: int, folder: Path, most: int) -> None:
    """Move what the open file ``number`` holds to ``….log.1`` beside it and empty it, where it has over ``most`` bytes.

    Every process of a service appends to the one file, so it is emptied, not replaced. Files that are not
    in ``folder``, and what is no file, are left alone.
    """
    state = os.fstat(number)
    if state.st_size <= most or not stat.S_ISREG(state.st_mode):
        return
    path = Path(f"/proc/self/fd/{number}").readlink()
    if path.parent != folder.resolve() or not fcntl.fcntl(number, fcntl.F_GETFL) & os.O_APPEND:
        return
    with path.open("r+b") as log:
        fcntl.lockf(log, fcntl.LOCK_EX | fcntl.LOCK_NB)  # where another process is at it, that is enough
        if os.fstat(log.fileno()).st_size > most:
            before = os.open(path.with_suffix(".log.1"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with suppress(OSError), os.fdopen(before, "wb") as copy:  # a full disk needs the room more
                shutil.copyfileobj(log, copy)
            log.truncate(0)
