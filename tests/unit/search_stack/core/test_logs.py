"""What a process of ours writes to its log: run in a process of its own, since logging is the whole process's."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

SECRET = "gossamer"
SET_UP = """
import logging, os, sys
from pathlib import Path
from search_stack.core.logs import request_id, set_up
from search_stack.core.settings import Settings
set_up(Settings(data_dir=Path(sys.argv[1]), log_format=sys.argv[2], log_level=sys.argv[3], log_megabytes=1))
ours, others = logging.getLogger("ui.errors"), logging.getLogger("celery.app.trace")
"""
LINES = """
request_id.set("0123456789ab")
ours.info("counted", extra={"fields": {"notes": 3}})
request_id.set("")
ours.debug("much")
others.info("started")
logging.getLogger("opensearch").warning("POST /gossamer")
logging.getLogger("waitress.queue").warning("depth")
try:
    raise ValueError("gossamer")
except ValueError:
    others.error("Task raised ValueError('gossamer')", exc_info=True)
    ours.error("two\\nlines\\x1b", exc_info=True)
"""
THREAD = """
import threading
def fail(): raise ValueError("gossamer")
thread = threading.Thread(target=fail); thread.start(); thread.join()
fail()
"""


def run(folder: Path, code: str, form: str = "json", level: str = "info") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", SET_UP + code, str(folder), form, level]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_json_lines_hold_what_is_safe_and_no_more(tmp_path: Path) -> None:
    done = run(tmp_path, LINES)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert all(datetime.fromisoformat(line.pop("time")).utcoffset() == timedelta(0) for line in lines)
    assert lines == [
        {"level": "info", "logger": "ui.errors", "message": "counted", "request": "0123456789ab", "notes": 3},
        {"level": "info", "logger": "celery.app.trace", "message": "started"},
        {"level": "error", "logger": "celery.app.trace", "message": "Failed.", "error": "ValueError", "at": ""},
        {"level": "error", "logger": "ui.errors", "message": "two\nlines\x1b", "error": "ValueError", "at": ""},
    ]


def test_text_lines_say_the_same_on_one_line_each(tmp_path: Path) -> None:
    lines = run(tmp_path, LINES, "text").stderr.splitlines()
    assert all(datetime.fromisoformat(line.split(" ")[0]).utcoffset() == timedelta(0) for line in lines)
    assert [line.split(" ", 1)[1] for line in lines] == [
        "INFO ui.errors: counted request=0123456789ab notes=3",
        "INFO celery.app.trace: started",
        "ERROR celery.app.trace: Failed. error=ValueError",
        "ERROR ui.errors: two lines error=ValueError",
    ]


@pytest.mark.parametrize(("level", "count"), [("debug", 5), ("info", 4), ("error", 2)])
def test_the_level_holds_for_what_is_ours(tmp_path: Path, level: str, count: int) -> None:
    assert len(run(tmp_path, LINES, level=level).stderr.splitlines()) == count


def test_errors_that_nobody_caught_leave_their_words_out(tmp_path: Path) -> None:
    done = run(tmp_path, THREAD)
    assert done.returncode == 1
    assert [json.loads(line)["error"] for line in done.stderr.splitlines()] == ["ValueError", "ValueError"]
    assert SECRET not in done.stderr


def test_an_error_in_our_code_has_its_place(tmp_path: Path) -> None:
    code = "\ntry:\n    Settings(web_port=0)\nexcept ValueError:\n    ours.error('x', exc_info=True)\n"
    code += "\ntry:\n    from search_stack.core.schema import passage_id; passage_id('a', 'b', 'c')\n"
    code += "except TypeError:\n    ours.error('x', exc_info=True)\n"
    code += "\ntry:\n    from search_stack.core.addresses import shown; shown(None)\n"
    code += "except Exception:\n    ours.error('x', exc_info=True)\n"
    *_, last = [json.loads(line) for line in run(tmp_path, code).stderr.splitlines()]
    assert last["at"].startswith("search_stack/core/addresses.py:")


WRITE = """
for n in range(30_000):
    ours.warning("line %d %s", n, "x" * 40)
"""


def test_a_log_is_kept_short_and_the_one_before_it_beside_it(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    log = tmp_path / "logs" / "web.log"
    command = [sys.executable, "-c", SET_UP + WRITE, str(tmp_path), "text", "info"]
    with log.open("ab") as output:
        processes = [subprocess.Popen(command, stderr=output) for _ in range(2)]
        assert [p.wait() for p in processes] == [0, 0]
    before = log.with_suffix(".log.1")
    for file in (log, before):
        assert file.stat().st_size < 1.1 * 2**20
    assert before.stat().st_mode & 0o777 == 0o600
    assert "line 29999 " in log.read_text()


def test_a_file_elsewhere_is_nobody_s_to_shorten(tmp_path: Path) -> None:
    other = tmp_path / "mine.log"
    with other.open("ab") as output:
        subprocess.run([sys.executable, "-c", SET_UP + WRITE, str(tmp_path), "text", "info"], stderr=output, check=True)
    assert other.stat().st_size > 2**20
