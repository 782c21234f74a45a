"""The commands under way, each run again until it is done, where faults can find them."""

from __future__ import annotations

import re
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable

from tests.engine.conftest import Place

ATTEMPTS = 5
"""Attempts of a command once nothing is broken any more."""
Done = Callable[[int, str, str], bool]
"""Whether a command is done, by its status, output and errors."""


def succeeded(status: int, said: str, errors: str) -> bool:
    return status == 0


class Failing(Exception):
    """A command fails although nothing is broken."""


class Commands:
    """Runs `aspectra` commands, at most one of each kind at a time."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._running: dict[str, subprocess.Popen[str]] = {}
        self._wishes: list[str] = []
        self._changed = threading.Condition()
        self._ended = False
        self.calm = threading.Event()
        """Set once nothing is broken any more."""
        self.statuses: Counter[tuple[str, int]] = Counter()
        self.tracebacks: Counter[tuple[str, str]] = Counter()
        """Commands that ended with a stack trace, by the last exception in it."""

    def until_done(self, kind: str, *arguments: object, done: Done = succeeded) -> str:
        """Run a command again and again until it is ``done``; what it said then.

        Raises:
            Failing: it was not, though nothing is broken.
        """
        attempts, status, errors = 0, 0, "the run was ended"
        while attempts < ATTEMPTS and not self._ended:
            attempts += self.calm.is_set()
            status, said, errors = self._once(kind, arguments)
            if done(status, said, errors):
                return said
            time.sleep(0.5)
        raise Failing(f"{kind} ends with {status}: {errors.strip()[-400:]}")

    def repair(self, kind: str, *arguments: object) -> None:
        """Run a command that mends what a fault broke, out of the reach of faults.

        Raises:
            Failing: it fails again and again.
        """
        for _ in range(ATTEMPTS):
            status, _, errors = self._place.run(kind, *arguments)
            if status == 0:
                return
            self.statuses[kind, status] += 1
            time.sleep(1)
        raise Failing(f"{kind} mends nothing: {errors.strip()[-400:]}")

    def _once(self, kind: str, arguments: tuple[object, ...]) -> tuple[int, str, str]:
        process = self._place.start(kind, *arguments)
        self._place.started.remove(process)  # ours to end, or the list would only grow
        with self._changed:
            self._running[kind] = process
            self._changed.notify_all()
        try:
            said, errors = process.communicate()
        finally:
            with self._changed:
                del self._running[kind]
        self.statuses[kind, process.returncode] += 1
        if "Traceback (most recent call last)" in errors:
            raised = re.findall(r"^(?:[a-z_]\w*\.)+(\w+)|^(\w+(?:Error|Exception))\b", errors, re.MULTILINE)
            self.tracebacks[kind, "".join(raised[-1]) if raised else "?"] += 1
        return process.returncode, said, errors

    def catch(self, kind: str, seconds: float) -> subprocess.Popen[str] | None:
        """A running command of ``kind``, asked for where there is none; None where none came in time."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while kind not in self._running and (left := deadline - time.monotonic()) > 0:
                self._wishes.append(kind)
                self._changed.notify_all()
                self._changed.wait(left)
            return self._running.get(kind)

    def wished(self, kinds: tuple[str, ...], seconds: float) -> str | None:
        """The next of ``kinds`` that a fault waits for; None where none did for ``seconds``."""
        with self._changed:
            self._changed.wait_for(lambda: set(self._wishes) & set(kinds), seconds)
            for kind in self._wishes:
                if kind in kinds:
                    self._wishes = [wish for wish in self._wishes if wish != kind]
                    return kind
        return None

    def stop(self) -> None:
        """End whatever still runs, and begin nothing anew."""
        self._ended = True
        for process in self.running():
            process.send_signal(signal.SIGKILL)

    def running(self) -> list[subprocess.Popen[str]]:
        with self._changed:
            return list(self._running.values())
