"""What a run left out: told whole as long as it is little, counted by reason beyond."""

from __future__ import annotations

import gzip
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from ingest.ledger import Ledger
from ingest.ledger.database import open_database
from ingest.ledger.tables import PENDING
from ingest.readers import Rejected, open_source
from ingest.run.rejects import Rejects, remove_old
from ingest.run.summary import Summary, summary
from ingest.run.taking_in import take_in
from search_stack.core.errors import AspectraError


def told(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_beyond_the_limit_reasons_are_counted(tmp_path: Path) -> None:
    rejects = Rejects(tmp_path / "rejects" / "run-1.jsonl", 3)
    for n in range(10):
        reason = f"{n} columns where the header has 3; lines {n} to {n + 1} left out"
        rejects.add(Rejected("a.csv", n, "", reason) if n % 2 else Rejected("a.csv", n, "text", "empty"))
    rejects.close()
    *lines, last = told(rejects.path)
    assert [line["line"] for line in lines] == [0, 1, 2]
    assert last == {
        "source": "",
        "line": 0,
        "field": "",
        "reason": "and 7 more: 4 × N columns where the header has N; 3 × text: empty",
    }
    assert rejects.count == 10


def test_a_few_are_listed_without_a_last_word(tmp_path: Path) -> None:
    rejects = Rejects(tmp_path / "run-1.jsonl", 3)
    for n in range(3):
        rejects.add(Rejected("a.csv", n, "text", "empty"))
    rejects.close()
    assert [line["reason"] for line in told(rejects.path)] == ["empty"] * 3


def test_one_record_cannot_fill_the_file(tmp_path: Path) -> None:
    rejects = Rejects(tmp_path / "run-1.jsonl", 3)
    rejects.add(Rejected("a.csv", 2, "x" * 2**20, "not valid UTF-8"))
    rejects.close()
    assert rejects.path.stat().st_size < 1000


def test_four_kilobytes_of_gzip_make_a_small_file(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.jsonl.gz"
    bomb.write_bytes(gzip.compress(b'{"id": "1", "text": "t"}\n' + b"0\n" * 300_000))
    assert bomb.stat().st_size < 4096
    rejects = Rejects(tmp_path / "run-1.jsonl", 1000)
    for record in open_source(bomb):
        if isinstance(record.item, Rejected):
            rejects.add(record.item)
    rejects.close()
    assert rejects.count == 300_000
    assert rejects.path.stat().st_size < 120_000
    assert told(rejects.path)[-1]["reason"] == "and 299,000 more: 299,000 × not a JSON object"


@pytest.mark.parametrize(("days", "kept"), [(90, ["run-2.jsonl"]), (0, ["run-1.jsonl", "run-2.jsonl"])])
def test_files_of_old_runs_are_removed(tmp_path: Path, days: int, kept: list[str]) -> None:
    for name, age in (("run-1.jsonl", 91), ("run-2.jsonl", 89), ("notes.txt", 999)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, time.time() - age * 86_400))
    remove_old(tmp_path, days)
    assert sorted(path.name for path in tmp_path.glob("*.jsonl")) == kept
    assert (tmp_path / "notes.txt").exists()
    remove_old(tmp_path / "not made yet", days)


def run(tmp_path: Path, content: str, name: str = "a.csv") -> Summary:
    """What a run of a file with ``content`` comes to; nothing is indexed."""
    path = tmp_path / name
    path.write_text(content)
    ledger = Ledger(open_database(f"sqlite:///{tmp_path / 'ledger.sqlite3'}"))
    rejects = Rejects(tmp_path / "run-1.jsonl", 100)
    totals = take_in(open_source(path), "a.csv", ledger, ledger.start_run("a", "csv"), rejects, lambda *_: None)
    rejects.close()
    done = summary(totals, ledger, 0, 1.0, rejects)
    ledger.engine.dispose()
    return done


ROWS = [f"R-{k},fine {k},x" for k in range(2, 302)]


@pytest.mark.parametrize(
    ("rows", "rejected", "lines", "loud"),
    [
        (ROWS, 0, 0, False),
        ([*ROWS, "R-900,,"], 1, 1, False),
        ([*ROWS, "R-900", "R-901", "R-902", "R-903"], 4, 4, True),
        (['R-1,"open,x', *ROWS], 1, 1, False),
        ([*ROWS, 'R-900,"open,x'], 1, 1, True),  # the file ends inside a quote
        ([*ROWS, 'R-900,"open', *["of it"] * 9, "", 'R-901,a"b,x'], 1, 10, True),  # few records, many lines
        ([*ROWS[:3], "R-900,,"], 1, 1, True),
    ],
)
def test_what_is_more_than_a_small_share_is_loud(
    tmp_path: Path, rows: list[str], rejected: int, lines: int, loud: bool
) -> None:
    done = run(tmp_path, "id,text,more\n" + "\n".join(rows) + "\n")
    assert (done.rejected, done.lines_left_out, done.loud) == (rejected, lines, loud)
    assert done.lines == len(rows) + 1


def test_lines_of_json_that_end_too_soon_are_loud(tmp_path: Path) -> None:
    """However many came in before."""
    lines = [f'{{"id": "R-{n}", "text": "fine"}}\n' for n in range(200)]
    done = run(tmp_path, "".join(lines) + '{"id": "R-200", "te', "a.jsonl")
    assert (done.new, done.rejected, done.cut, done.loud) == (200, 1, 1, True)


@pytest.mark.parametrize("name", ["a.csv.gz", "a.jsonl.gz"])
def test_what_stands_before_the_damage_of_a_packed_file_is_taken_in(tmp_path: Path, name: str) -> None:
    """Also what is not yet a whole chunk."""
    lines = [f"R-{n},fine {n}" if name == "a.csv.gz" else f'{{"id": "R-{n}", "text": "fine {n}"}}' for n in range(450)]
    header = "id,text\n" if name == "a.csv.gz" else ""
    path = tmp_path / name
    path.write_bytes(gzip.compress((header + "\n".join(lines) + "\n").encode())[:-8])  # the text whole, without its sum
    ledger = Ledger(open_database(f"sqlite:///{tmp_path / 'ledger.sqlite3'}"))
    heard: list[int] = []
    rejects = Rejects(tmp_path / "run-1.jsonl", 100)
    with pytest.raises(AspectraError, match="damaged or cut off"):
        take_in(open_source(path), name, ledger, ledger.start_run("a", "csv"), rejects, heard.append)
    assert ledger.counts()[PENDING] == 450
    assert len(heard) == 3
    ledger.engine.dispose()


def test_a_note_that_failed_is_loud() -> None:
    assert Summary(new=1000, failed=1).loud
    assert not Summary(new=1000).loud
