"""`aspectra forget` asks whoever sits at the terminal, and does nothing before the answer."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from access.audit.trail import Trail, Wanted
from ingest.ledger import Ledger
from ingest.ledger.tables import PENDING
from search_stack.core.schema import Merge, Note
from search_stack.core.settings import Settings


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    ledger = Ledger.from_settings(Settings(data_dir=tmp_path))
    ledger.put([Note("n1", "Text.", "A"), Note("n2", "Text.", "B\x1b[2J")], ledger.start_run("x", "csv"))
    ledger.merges.put([Merge("A", "B\x1b[2J")])
    yield ledger
    ledger.engine.dispose()


def test_whoever_says_no_has_deleted_nothing(ledger: Ledger, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "aspectra", "forget", "--patient", "A"]
    with subprocess.Popen(
        command,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "ASPECTRA_DATA_DIR": str(tmp_path)},
        text=True,
    ) as process:
        os.write(ours, b"n\n")
        said, _ = process.communicate(timeout=120)
    os.close(ours)
    os.close(theirs)
    assert process.returncode == 1
    assert "Forget patient B␛[2J, which 2 ids count as (B␛[2J, A): 2 notes, 0 facts, 0 words of reviewers?" in said
    assert ledger.counts()[PENDING] == 2
    assert Trail.from_settings(Settings(data_dir=tmp_path), ledger).entries(Wanted(), 9) == []
