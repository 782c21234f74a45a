"""Exports that a worker writes, in the ledger's database: what is to be written, and how far it is."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal, cast, get_args

from sqlalchemy import ColumnElement, Connection, Engine, Row, and_, insert, or_, select, update

from ingest.cohorts.records import Request
from ingest.handover.export import Form, Order
from ingest.ledger import Ledger
from ingest.ledger.database import need_open, one_at_a_time, writing
from ingest.ledger.ledger import now
from ingest.ledger.tables import exports
from search_stack.cohorts.rows import Unit
from search_stack.cohorts.version import Operand
from search_stack.core.errors import NotKept

JobState = Literal["waiting", "running", "done", "failed"]
WAITING, RUNNING, DONE, FAILED = get_args(JobState)
LIFE = timedelta(minutes=15)
"""After which a worker that has told nothing counts as gone."""


@dataclass(frozen=True, slots=True)
class Query:
    """To be run when the export begins."""

    tree: Mapping[str, Any]
    line: str
    unit: Unit


@dataclass(frozen=True, slots=True)
class Job:
    id: int
    of: Operand | Query
    form: Form
    output: Path
    options: Mapping[str, Any]
    """guard, references, force; text, definition."""
    made: datetime
    by: str
    state: JobState
    attempts: int
    """Times that a worker began it."""
    stage: str
    done: int
    total: int
    """``done`` of so many patients or rows, as the stage says."""
    finished: datetime | None
    problem: str
    purpose: int
    """Number of that for which it is written; 0 for the machine's commands."""

    @property
    def order(self) -> Order:
        """One that was begun before goes on."""
        kept = {name: bool(self.options[name]) for name in ("guard", "references", "force")}
        order = Order(self.form, self.output, **kept)
        again = self.attempts > 1 and order.begun
        return Order(self.form, self.output, **kept, resume=again)


class Jobs:
    """
    Args:
        purpose: number of that for which exports are asked for here; others are not seen. Claims are made of all.
    """

    def __init__(self, engine: Engine, purpose: int = 0) -> None:
        self._engine = engine
        self._purpose = purpose

    @classmethod
    def of(cls, ledger: Ledger) -> Jobs:
        """Those for the purpose of those who see ``ledger``."""
        return cls(ledger.engine, ledger.reach.purpose)

    def add(
        self,
        of: Operand | Query,
        order: Order,
        text: bool,
        definition: int | None,
        by: str,
        request: Request | None = None,
    ) -> int:
        """Have it written; its number. Of a ``request`` that has come before, the number that it got.

        Raises:
            KeyReused: its key came with another request.
        """
        options = {"guard": order.guard, "references": order.references, "force": order.force}
        values = {
            "of": json.dumps(_said(of)),
            "form": order.form,
            "output": str(order.output),
            "options": json.dumps({**options, "text": text, "definition": definition}),
            "made": now(),
            "made_by": by,
            "state": WAITING,
            "attempts": 0,
            "stage": "patients",
            "done": 0,
            "total": 0,
            "problem": "",
            "request_key": request.key if request else None,
            "request_digest": request.digest if request else None,
            "purpose": self._purpose,
        }
        with writing(self._engine) as c:
            one_at_a_time(c)
            if request and (earlier := _asked_by(c, request)):
                return earlier
            need_open(c)
            made = c.execute(insert(exports).values(values))
            return int(made.inserted_primary_key[0])  # type: ignore[index]  # one row was inserted

    def all(self) -> list[Job]:
        """The newest first."""
        with self._engine.connect() as c:
            return [_job(row) for row in c.execute(select(exports).where(self._here()).order_by(exports.c.id.desc()))]

    def asked_by(self, request: Request) -> int | None:
        """The export that ``request`` got, where it has come before.

        Raises:
            KeyReused: its key came with another request.
        """
        with self._engine.connect() as c:
            return _asked_by(c, request)

    def page(self, after: int, limit: int) -> list[Job]:
        """Those with a number above ``after``, in their order."""
        wanted = select(exports).where(self._here(), exports.c.id > after).order_by(exports.c.id).limit(limit)
        with self._engine.connect() as c:
            return [_job(row) for row in c.execute(wanted)]

    def job(self, number: int) -> Job:
        """
        Raises:
            NotKept: there is none of that number.
        """
        found = next(iter(self.page(number - 1, 1)), None)
        if found is None or found.id != number:
            raise NotKept(f"There is no export {number}.", "List them: aspectra cohort exports")
        return found

    def any_waiting(self) -> bool:
        with self._engine.connect() as c:
            waits = c.execute(select(exports.c.id).where(_waits()).limit(1)).first() is not None
            return waits and c.execute(select(exports.c.id).where(_runs()).limit(1)).first() is None

    def claim(self, life: timedelta = LIFE) -> tuple[str, Job] | None:
        """Claim the oldest that waits, or whose worker is gone; None where there is none, or another is being written:
        indexing goes before."""
        with writing(self._engine) as c:
            one_at_a_time(c)
            if c.execute(select(exports.c.id).where(_runs()).limit(1)).first():
                return None
            row = c.execute(select(exports.c.id).where(_waits()).order_by(exports.c.id).limit(1)).one_or_none()
            if row is None:
                return None
            token = secrets.token_hex(16)
            here = exports.c.id == row.id
            c.execute(
                update(exports)
                .where(here)
                .values(state=RUNNING, attempts=exports.c.attempts + 1, claim=token, claimed_until=now() + life)
            )
            return token, _job(c.execute(select(exports).where(here)).one())

    def tell(self, claim: str, stage: str, done: int, total: int, life: timedelta = LIFE) -> bool:
        """Note how far it is, and hold the claim for longer; whether it still holds."""
        values = {"stage": stage, "done": done, "total": total, "claimed_until": now() + life}
        return self._set(claim, values)

    def finish(self, claim: str, problem: str = "") -> bool:
        """End it: done, or failed where there is a problem."""
        state = FAILED if problem else DONE
        return self._set(claim, {"state": state, "problem": problem, "finished": now(), "claim": None})

    def release(self, claim: str, problem: str, pause: timedelta) -> bool:
        """Let it wait for a while, and be taken up again."""
        values = {"state": WAITING, "problem": problem, "claim": None, "claimed_until": now() + pause}
        return self._set(claim, values)

    def _here(self) -> ColumnElement[bool]:
        return exports.c.purpose == self._purpose

    def _set(self, claim: str, values: Mapping[str, Any]) -> bool:
        with writing(self._engine) as c:
            return bool(c.execute(update(exports).where(exports.c.claim == claim).values(**values)).rowcount)


def job_json(job: Job) -> dict[str, Any]:
    """What the command line and the API tell of it alike."""
    return {
        "export": job.id,
        "format": job.form,
        "state": job.state,
        "stage": job.stage,
        "done": job.done,
        "total": job.total,
        "asked": job.made.isoformat(),
        "by": job.by,
        "finished": job.finished.isoformat() if job.finished else None,
        "problem": job.problem,
    }


def _asked_by(c: Connection, request: Request) -> int | None:
    wanted = select(exports.c.id, exports.c.request_digest).where(exports.c.request_key == request.key)
    found = c.execute(wanted).one_or_none()
    if found is None:
        return None
    request.need_same(found.request_digest)
    return int(found.id)


def _waits() -> ColumnElement[bool]:
    free = or_(exports.c.claimed_until.is_(None), exports.c.claimed_until < now())
    return and_(exports.c.state.in_((WAITING, RUNNING)), free)


def _runs() -> ColumnElement[bool]:
    return and_(exports.c.state == RUNNING, exports.c.claimed_until >= now())


def _said(of: Operand | Query) -> dict[str, Any]:
    if isinstance(of, Operand):
        return {"cohort": of.cohort, "number": of.number, "id": of.id}
    return {"query": dict(of.tree), "line": of.line, "unit": of.unit}


def _of(data: Mapping[str, Any]) -> Operand | Query:
    if "cohort" in data:
        return Operand(data["cohort"], data["number"], data["id"])
    return Query(data["query"], data["line"], cast(Unit, data["unit"]))


def _job(row: Row[Any]) -> Job:
    return Job(
        id=row.id,
        of=_of(json.loads(row.of)),
        form=row.form,
        output=Path(row.output),
        options=json.loads(row.options),
        made=row.made,
        by=row.made_by,
        state=row.state,
        attempts=row.attempts,
        stage=row.stage,
        done=row.done,
        total=row.total,
        finished=row.finished,
        problem=row.problem,
        purpose=row.purpose,
    )
