"""What holds for every run of the tests: variables, signals, and what may be left out.

Where nothing may be (NO_SKIPS=1, as in .ci/run), a skipped test has failed.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator
from pathlib import Path

import hypothesis
import pytest

hypothesis.settings.register_profile("untimed", deadline=None)  # a busy machine is no failure
hypothesis.settings.load_profile("untimed")
EXCUSED = ("needs an ordinary user", "needs root", "needs a GPU")
"""A test may be skipped with these reasons: no machine is all of that."""
SERVICES = "engine or browser"
SERVED = [
    Path(__file__).parent / "tests" / where
    for where in ("engine", "browser", "unit/access", "unit/ingest", "unit/aspectra/test_demo_command.py")
]
"""Where tests start services. A run of `SERVICES` alone looks nowhere else: each of its processes would import all that
it looks at, spaCy and PyTorch among that; a folder's conftest too."""

LONGEST_NAME = 60
"""Characters that a text of a test's parameters lends to its name."""
SMALL = {"OPENSEARCH_JAVA_OPTS": "-XX:TieredStopAtLevel=1", "OMP_NUM_THREADS": "1"}
"""Variables that suit what is small and short: Java's second compiler doubles the work of an engine's start, and the
threads that share a tiny model's sums wait for each other longer than they count. One that is given is kept."""
os.environ.update(SMALL | os.environ)  # here, for libraries read them when they are loaded


def pytest_configure() -> None:
    """A shell starts what it runs in the background with SIGINT ignored, and children inherit that:
    commands under test must not."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Only the beginning of a long text: a test's name stands in reports, whole."""
    if not isinstance(val, str | bytes) or len(val) <= LONGEST_NAME:
        return None
    return f"{val[:LONGEST_NAME]!a}, of {len(val):,}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    seen = any(collection_path.is_relative_to(one) or one.is_relative_to(collection_path) for one in SERVED)
    return None if seen or config.option.markexpr != SERVICES else True


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        served = any(map(item.get_closest_marker, ("engine", "browser")))
        if served and not any(map(item.path.is_relative_to, SERVED)):
            raise pytest.UsageError(f"{item.nodeid} starts a service where a run of those alone looks not (SERVED).")


def pytest_collection_finish() -> None:
    """What was imported and found lasts to the end: a million objects that no look for garbage has to go through."""
    gc.collect()
    gc.freeze()


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
