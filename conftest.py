"""Where nothing may be left out (NO_SKIPS=1, as in .ci/run), a skipped test has failed."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

EXCUSED = ("needs an ordinary user", "needs root", "needs a GPU")
"""A test may be skipped with these reasons: no machine is all of that."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    excused = any(reason in str(report.longrepr) for reason in EXCUSED)
    if report.skipped and os.environ.get("NO_SKIPS") and not excused:
        report.outcome = "failed"
        report.longrepr = f"skipped, and NO_SKIPS is set: {report.longrepr}"
    return report
