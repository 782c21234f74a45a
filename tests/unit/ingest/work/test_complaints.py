"""What a process that waits writes into its log."""

from __future__ import annotations

import logging
from itertools import pairwise

import pytest

from ingest.work.complaints import FIRST, LAST, Complaints
from search_stack.core.errors import LedgerUnavailable

FULL = LedgerUnavailable("The ledger has no room.", "Make room.")


def test_a_trouble_is_said_at_growing_intervals_and_when_it_is_over(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    complaints = Complaints(logging.getLogger("test"), lambda: now)
    complaints.over()
    said = []
    for second in range(7200):
        now = float(second)
        before = len(caplog.records)
        complaints.about(FULL)
        said += [second] * (len(caplog.records) - before)
    gaps = [b - a for a, b in pairwise(said)]
    assert gaps[0] == FIRST
    assert gaps == sorted(gaps)
    assert gaps[-1] == LAST
    assert len(said) < 20
    complaints.over()
    complaints.over()
    assert [r.getMessage() for r in caplog.records[-2:]] == [
        "waiting: The ledger has no room. Make room.",
        "goes on",
    ]


def test_another_trouble_is_said_at_once_and_by_its_kind_alone(caplog: pytest.LogCaptureFixture) -> None:
    complaints = Complaints(logging.getLogger("test"), lambda: 0.0)
    complaints.about(FULL)
    complaints.about(ValueError("zebrafinding"))
    assert caplog.records[-1].getMessage() == "waiting: ValueError"
