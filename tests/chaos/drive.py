"""Breaks one thing after another while notes are written and searched, then looks whether all is whole."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aspectra.stack import up
from search_stack.retrieval.searcher import Searcher
from tests.chaos.check import settled
from tests.chaos.commands import Commands
from tests.chaos.database import PostgreSQL
from tests.chaos.faults import Fault, Scene, faults
from tests.chaos.plan import Step
from tests.chaos.watch import Watch
from tests.chaos.workload import ANCHORS, Model
from tests.chaos.writers import Writers
from tests.engine.conftest import PATIENCE, SERVICES, Place

OPTIONS: dict[str, Any] = {
    "reranker_bundle": "",
    "worker_processes": 2,
    "onnx_threads": 1,
    "batch_notes": 4,
    "task_seconds": 25,
    "visibility_seconds": 28,
    "max_attempts": 20,  # kills are counted as attempts, and there are many
}
"""Settings of a stack to break: small batches, claims that soon lapse."""
AFTERMATH = 5.0
"""Seconds after a fault is undone in which a search may still meet what it left."""
Say = Callable[[str], None]


@dataclass(slots=True)
class Report:
    """What was broken, what went on meanwhile, and what was wrong; nothing is where all is well."""

    seed: int
    steps: list[str] = field(default_factory=list)
    hits: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    commands: Counter[tuple[str, int]] = field(default_factory=Counter)
    tracebacks: Counter[tuple[str, str]] = field(default_factory=Counter)
    searches: Counter[str] = field(default_factory=Counter)
    editions: int = 0
    notes: int = 0
    problems: list[str] = field(default_factory=list)

    def text(self) -> str:
        return "\n".join(
            [
                f"seed {self.seed}, steps taken:",
                *(f"  {n}. {step}" for n, step in enumerate(self.steps, 1)),
                f"{self.notes} notes are in, {self.editions} editions were written",
                f"commands by exit status: {dict(self.commands)}; stack traces: {dict(self.tracebacks)}",
                f"searches: {dict(self.searches)}",
                *(f"WRONG: {problem}" for problem in self.problems),
            ]
        )


class Drive:
    """One run over ``place``, whose services run and which holds no note."""

    def __init__(self, place: Place, folder: Path, seed: int, say: Say = print) -> None:
        self._place = place
        self._say = say
        address = place.settings.ledger_address
        self._kind = "sqlite" if address.startswith("sqlite") else "postgresql"
        commands = Commands(place)
        server = PostgreSQL(address) if self._kind == "postgresql" else None
        self._scene = Scene(place, commands, server)
        self._model = Model()
        self._writers = Writers(commands, self._model, folder, seed)
        self._disturbed_until = 0.0
        searcher = Searcher.from_settings(place.settings, place.ledger)
        self._watch = Watch(searcher, self._model, seed, self._disturbed, lambda: not self._scene.rebuilding)
        self.report = Report(seed)

    def _disturbed(self) -> bool:
        return time.monotonic() < self._disturbed_until

    def run(self, steps: Iterable[Step], seconds: float = float("inf")) -> Report:
        """Take ``steps`` until they or ``seconds`` are over, then settle and look."""
        self._writers.begin()
        if self._watch.count_anchors() < ANCHORS:
            self.report.problems.append("the anchors are not in the index to begin with")
        writing, searching = threading.Event(), threading.Event()
        try:
            with self._thread(self._watch.search, searching):
                with self._thread(self._writers.write, writing), self._thread(self._writers.rebuild, writing):
                    self._break(steps, time.monotonic() + seconds)
                    self._say("letting what is begun come to its end")
                self._settle()
        except Exception as e:
            self.report.problems.append(f"{type(e).__name__}: {e}")
        return self._summed_up()

    def _break(self, steps: Iterable[Step], deadline: float) -> None:
        rows = faults(self._kind)
        try:
            for step in steps:
                time.sleep(step.pause)
                if time.monotonic() > deadline or self.report.problems:
                    return
                self._say(f"{len(self.report.steps) + 1}. {step}")
                self.report.steps.append(str(step))
                self._take(step, rows[step.fault])
        except BaseException:
            self._scene.commands.stop()  # what cannot be mended lets no command come to its end
            raise
        finally:
            self._scene.commands.calm.set()

    def _take(self, step: Step, fault: Fault) -> None:
        self._scene.moment = step.moment
        if fault.disturbs:
            self._disturbed_until = float("inf")
        try:
            with fault.strike(self._scene) as hit:
                (self.report.hits if hit else self.report.missed)[fault.name] += 1
                time.sleep(step.hold)
        finally:
            if fault.disturbs:
                self._disturbed_until = time.monotonic() + AFTERMATH

    @contextmanager
    def _thread(self, target: Callable[[threading.Event], None], over: threading.Event) -> Iterator[None]:
        """``target`` beside what is done within; what it raises is a problem of the run."""

        def run() -> None:
            try:
                target(over)
            except Exception as e:
                self.report.problems.append(f"{target.__name__}: {type(e).__name__}: {e}")

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _settle(self) -> None:
        up(self._place.settings, SERVICES, lambda line: None)
        self._say("looking whether ledger and index agree")
        self._scene.commands.until_done("ingest", "--retry")
        self.report.problems += settled(self._place, self._model.wanted, PATIENCE)

    def _summed_up(self) -> Report:
        report = self.report
        report.commands, report.tracebacks = self._scene.commands.statuses, self._scene.commands.tracebacks
        report.searches = self._watch.outcomes
        report.editions, report.notes = sum(self._model.newest().values()), len(self._model.wanted)
        report.problems += self._watch.wrong
        if not report.searches["answered"]:
            report.problems.append("no search was answered")
        return report
