"""Cohorts over a synthetic index: how long trees take cold and warm, what travels, what memory they need.

The engine's own two ways stand beside: ids in a list instead of a bitmap, `cardinality` instead of an exact count.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from search_stack.cohorts.clauses import Clause, among
from search_stack.cohorts.cohort import Asking, Members, members, members_step_by_step
from search_stack.cohorts.evaluate import Ask
from search_stack.cohorts.plan import Plan
from search_stack.cohorts.reading import Evidence, Kept
from search_stack.cohorts.rows import Ints
from search_stack.cohorts.standing import Known
from search_stack.core.client import connect, engine_errors
from search_stack.core.settings import Settings
from search_stack.core.timing import paired
from search_stack.evaluation.bench.wire import Wire
from search_stack.evaluation.bench.world import finding, lexicon
from search_stack.evaluation.temporary_index import Progress
from search_stack.index.engine import Engine
from search_stack.inference.models import Encoder, Reranker
from search_stack.query.nodes import AtLeast, FieldIs, Finding, Near, Node, Not, Pick
from search_stack.query.tree import all_of, criteria
from search_stack.query.write import readable

F = [Finding(finding(rank)) for rank in range(12)]
PEOPLE = (FieldIs("sex", "female"), FieldIs("age", ">60"))
TREES: Mapping[str, Node] = {
    "1": F[0],
    "1 in time": Pick("first", F[0]),
    "3": all_of([F[0], F[3], Not(F[5])]),
    "3 in time": all_of([F[0], Near(0, 30, F[2], F[3]), Not(F[5])]),
    "8": all_of([*PEOPLE, F[0], F[1], F[2], F[4], Not(F[9]), Not(Finding(finding(6), "family"))]),
    "8 in time": all_of(
        [
            *PEOPLE,
            Near(0, 365, F[1], F[4]),
            AtLeast(2, "notes", F[0]),
            Pick("last", F[2]),
            F[3],
            Not(F[9]),
            Not(Finding(finding(6), "family")),
        ]
    ),
}
"""By how many criteria stand in them. The commonest finding is in every one."""
MEGA = 2**20
_STATUS = Path("/proc/self/status")


@dataclass(frozen=True, slots=True)
class Job:
    """What another process needs to ask; ``known`` opens what the ledger knows."""

    settings: Settings
    index: str
    known: Callable[[], Known]
    runs: int


class Timed:
    """Milliseconds of runs, by the clock and of this process's processor; what the last of them moved."""

    def __init__(self) -> None:
        self.ms: list[float] = []
        self.cpu_ms: list[float] = []
        self.moved: dict[str, int] = {}

    def drop_first(self) -> None:
        del self.ms[0], self.cpu_ms[0]

    def json(self) -> dict[str, Any]:
        p50, p95 = np.percentile(self.ms, (50, 95))
        spread = {"p50_ms": round(p50, 1), "p95_ms": round(p95, 1), "least_ms": round(min(self.ms), 1)}
        return {**spread, "cpu_ms": round(float(np.median(self.cpu_ms)), 1), **self.moved}


class Bench:
    """One process that asks as the page does: its models are loaded, its client counts what travels."""

    def __init__(self, job: Job) -> None:
        self._client = connect(job.settings)
        self._wire = Wire(self._client)
        self._job = job
        self._engine = Engine(self._client, job.settings, job.index, None)
        self._known = job.known()
        self._lexicon = lexicon()
        self._models = Encoder.from_settings(job.settings), Reranker.from_settings(job.settings)
        self._kept = Kept(job.settings.evidence_bytes)

    def run(self, progress: Progress) -> dict[str, Any]:
        before = _memory("VmRSS")
        criterion, trees = self._criterion(progress), self._trees(progress)
        return {
            "criterion": criterion,
            "trees": trees,
            "memory": {
                "before_mb": before,
                "peak_mb": _memory("VmHWM"),
                "kept_rows_mb": round(self._kept.nbytes / MEGA, 1),
            },
            "ids": self._lists(progress),
            "cardinality": self._estimates(),
        }

    def _plan(self, node: Node) -> Plan:
        return Plan.of(node, self._lexicon)

    def _forget(self) -> None:
        """Nothing is kept here, and the engine's cache of requests is off."""
        self._kept = Kept(self._job.settings.evidence_bytes)
        self._caching(False)

    def _warmed(self) -> None:
        """The engine's cache of requests is on, and holds what the generation asks for."""
        self._caching(True)
        self._asking()

    def _caching(self, on: bool) -> None:
        cache = {"index": {"requests": {"cache": {"enable": on}}}}
        self._client.indices.put_settings(index=self._job.index, body=cache)

    def _asking(self) -> Asking:
        evidence = Evidence(self._engine, None, self._kept)
        return Asking(evidence, self._known, evidence.generation())

    def _timed(self, timed: Timed, work: Callable[[], Any]) -> Any:
        self._wire.lap()
        began, busy = time.perf_counter(), time.process_time()
        found = work()
        timed.ms.append((time.perf_counter() - began) * 1000)
        timed.cpu_ms.append((time.process_time() - busy) * 1000)
        timed.moved = self._wire.lap()
        return found

    def _criterion(self, progress: Progress) -> dict[str, Any]:
        """The commonest finding read, and nothing done with it."""
        ask, timed = Ask(self._plan(F[0]).passages()), Timed()
        for run in range(self._job.runs + 1):
            self._forget()
            asking = self._asking()
            rows = self._timed(timed, partial(asking.rows, [ask.clause]))[0]
            progress("one criterion", run, self._job.runs)
        timed.drop_first()
        return {"pairs": len(rows), **timed.json()}

    def _trees(self, progress: Progress) -> list[dict[str, Any]]:
        cold, warm = ({name: Timed() for name in TREES} for _ in range(2))
        alone = {name: Timed() for name in TREES}
        found: dict[str, Members] = {}
        # In turn, so that a noise is spread over all.
        for run in range(self._job.runs):
            for name, node in TREES.items():
                self._forget()
                self._timed(alone[name], partial(self._members, node))
                self._forget()
                self._timed(cold[name], partial(self._cohort, node))
                self._warmed()
                found[name] = self._timed(warm[name], partial(self._cohort, node))
            progress("trees", run + 1, self._job.runs)
        return [
            {
                "tree": name,
                "query": readable(node),
                "criteria": len(criteria(node)),
                "patients": len(found[name].patients),
                "notes": len(found[name].notes),
                "undated": found[name].undated,
                "cold": cold[name].json(),
                "warm": warm[name].json(),
                "without_attrition": alone[name].json(),
            }
            for name, node in TREES.items()
        ]

    def _members(self, node: Node) -> Members:
        """Without what each step leaves."""
        asking = self._asking()
        found = members(asking, asking.resolved(self._plan(node)), "patient")
        self._asking()
        return found

    def _cohort(self, node: Node) -> Members:
        """As `search_stack.retrieval.searcher.Searcher.cohort` does."""
        asking = self._asking()
        found, _ = members_step_by_step(asking, asking.resolved(self._plan(node)), "patient")
        self._asking()
        return found

    def _lists(self, progress: Progress) -> list[dict[str, Any]]:
        """Passages within a cohort: its patients as a bitmap, and as ids in a list."""
        out = []
        for done, node in enumerate((F[11], F[3], F[0])):
            patients = self._members(node).patients
            ours = partial(self._passages, among("patient_no", patients.tolist()))
            theirs = partial(self._passages, _by_ids(patients))
            sent = {f"{name}_sent_bytes": self._sent(ask) for name, ask in (("ours", ours), ("peer", theirs))}
            figures = {**paired(ours, theirs, self._job.runs).json(), **sent}
            out.append({"patients": len(patients), "passages": ours(), **figures})
            progress("bitmaps beside lists of ids", done + 1, 3)
        return out

    def _sent(self, ask: Callable[[], object]) -> int:
        self._wire.lap()
        ask()
        return self._wire.lap()["sent_bytes"]

    def _passages(self, clause: Clause) -> int:
        body = {"size": 0, "track_total_hits": True, "query": clause}
        found = self._client.search(body=body, index=self._job.index, params={"request_cache": "false"})
        return int(found["hits"]["total"]["value"])

    def _estimates(self) -> list[dict[str, Any]]:
        """Patients of single findings as the engine's ``cardinality`` has them, at its default precision."""
        out = []
        for node in F:
            exact = len(self._members(node).patients)
            body = {
                "size": 0,
                "query": self._plan(node).passages(),
                "aggs": {"patients": {"cardinality": {"field": "patient_no"}}},
            }
            timed = Timed()
            ask = partial(self._client.search, body=body, index=self._job.index, params={"request_cache": "false"})
            for _ in range(self._job.runs):
                found = self._timed(timed, ask)
            estimate = found["aggregations"]["patients"]["value"]
            error = round(100 * (estimate - exact) / exact, 2) if exact else 0.0
            out.append({"patients": exact, "estimate": estimate, "error_percent": error, **timed.json()})
        return out


def _by_ids(patients: Ints) -> Clause:
    return {"terms": {"patient_id": [f"patient-{n}" for n in patients.tolist()]}}


def _memory(name: str) -> float:
    """Megabytes of this process, as Linux tells; 0 elsewhere."""
    if not _STATUS.exists():
        return 0.0
    line = next(row for row in _STATUS.read_text().splitlines() if row.startswith(name))
    return round(int(line.split()[1]) / 1024, 1)


def asked(job: Job, progress: Progress) -> dict[str, Any]:
    with engine_errors(job.settings):
        return Bench(job).run(progress)
