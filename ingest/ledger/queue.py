"""The ledger as a queue: who works on which note, how often it was tried, when to try again.

The broker carries claims, nothing else. A claim stands for a batch of notes until its time
is up; then the notes are free for another claim, and a message with the old one finds
nothing to do. So a lost or doubled message costs time, never a note.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement, and_, case, func, or_, select, update

from ingest.ledger.database import writing
from ingest.ledger.ledger import Ledger, StoredNote, now, stored_note
from ingest.ledger.tables import FAILED, INDEXED, PENDING, notes


def batch_size(full: int, attempts: int) -> int:
    """Notes that share a batch after ``attempts`` that did not finish: full, a quarter, …, one.

    >>> [batch_size(16, n) for n in range(5)]
    [16, 4, 1, 1, 1]
    """
    return max(1, full >> (2 * max(0, attempts)))


def _free() -> ColumnElement[bool]:
    return and_(notes.c.state == PENDING, or_(notes.c.claimed_until.is_(None), notes.c.claimed_until < now()))


def held() -> ColumnElement[bool]:
    """Notes in a claim that is made and still holds."""
    return and_(notes.c.state == PENDING, notes.c.claim.is_not(None), notes.c.claimed_until >= now())


class Queue:
    """Claims over the ledger's pending notes.

    Args:
        full: notes in one batch.
        seconds: life of a claim, from the moment it is made and again from its start.
        max_attempts: attempts at one version before a note is set aside.
    """

    def __init__(self, ledger: Ledger, full: int, seconds: int, max_attempts: int) -> None:
        self._ledger = ledger
        self._full = full
        self._life = timedelta(seconds=seconds)
        self._max_attempts = max_attempts

    def claim(self) -> str | None:
        """Claim the next batch; None where nothing waits. Notes tried before come last."""
        with writing(self._ledger.engine) as c:
            first = c.execute(
                select(notes.c.attempts).where(_free()).order_by(notes.c.attempts, notes.c.key).limit(1)
            ).scalar_one_or_none()
            if first is None:
                return None
            size = batch_size(self._full, first)
            picked = select(notes.c.key).where(_free(), notes.c.attempts == first).order_by(notes.c.key).limit(size)
            if c.dialect.name == "postgresql":
                picked = picked.with_for_update(skip_locked=True)
            keys = c.execute(picked).scalars().all()
            token = secrets.token_hex(16)
            c.execute(update(notes).where(notes.c.key.in_(keys)).values(claim=token, claimed_until=now() + self._life))
        return token if keys else None

    def disclaim(self, claim: str) -> None:
        """Free the notes of a claim that never reached the broker."""
        with writing(self._ledger.engine) as c:
            c.execute(update(notes).where(notes.c.claim == claim).values(claim=None, claimed_until=None))

    def waiting(self) -> int:
        """Claims that are made and still hold."""
        with self._ledger.engine.connect() as c:
            return int(c.execute(select(func.count(notes.c.claim.distinct())).where(held())).scalar_one())

    def begin(self, claim: str) -> list[StoredNote]:
        """Start work on a claim: count the attempt and hand out the notes.

        A batch that was begun before and not finished is let go instead, to come back in
        smaller ones; a note without attempts left is set aside as failed.
        """
        mine = and_(notes.c.claim == claim, notes.c.state == PENDING)
        with writing(self._ledger.engine) as c:
            rows = c.execute(select(notes).where(mine).order_by(notes.c.key)).all()
            spent = [r.key for r in rows if r.attempts >= self._max_attempts]
            if spent:
                c.execute(
                    update(notes)
                    .where(notes.c.key.in_(spent))
                    .values(
                        state=FAILED,
                        claim=None,
                        claimed_until=None,
                        updated=now(),
                        last_error=func.coalesce(
                            func.nullif(notes.c.last_error, ""), "The worker was lost each time it took up this note."
                        ),
                    )
                )
            rest = [r for r in rows if r.attempts < self._max_attempts]
            tried = max((r.attempts for r in rest), default=0)
            if len(rest) > batch_size(self._full, tried):
                c.execute(update(notes).where(mine).values(claim=None, claimed_until=None))
                return []
            c.execute(update(notes).where(mine).values(attempts=notes.c.attempts + 1, claimed_until=now() + self._life))
        return [stored_note(r) for r in rest]

    def reserve(self, passages: Iterable[tuple[StoredNote, int]]) -> set[int]:
        """Note, before anything is written, how many passages of each note the index may hold.

        Returns the keys that may be written: a note that changed or was deleted since it was
        read is not among them, for nobody would take its passages out again.
        """
        current = set()
        with writing(self._ledger.engine) as c:
            for s, count in passages:
                mine = and_(notes.c.key == s.key, notes.c.version == s.version)
                most = case((notes.c.passages < count, count), else_=notes.c.passages)
                if c.execute(update(notes).where(mine).values(passages=most)).rowcount:
                    current.add(s.key)
        return current

    def current(self, written: Iterable[StoredNote]) -> set[int]:
        """Keys of those of ``written`` that are still what they were: neither changed nor deleted since."""
        version = {s.key: s.version for s in written}
        standing = self._ledger.standing(list(version))
        return {key for key, (found, _) in standing.items() if found == version[key]}

    def finish(self, done: Sequence[tuple[StoredNote, int]]) -> None:
        """Record notes as indexed with that many passages, but for those that changed meanwhile."""
        with writing(self._ledger.engine) as c:
            for s, count in done:
                values = {
                    "state": INDEXED,
                    "passages": count,
                    "progress": 0,
                    "claim": None,
                    "claimed_until": None,
                    "last_error": "",
                    "updated": now(),
                }
                mine = and_(notes.c.key == s.key, notes.c.version == s.version)
                c.execute(update(notes).where(mine).values(values))

    def pause(self, stored: StoredNote, progress: int) -> None:
        """Let go of a note whose first ``progress`` passages are written; the attempt does not count."""
        self._let_go([stored], 0, {"progress": progress, "attempts": notes.c.attempts - 1})

    def release(self, batch: Sequence[StoredNote], seconds: float) -> None:
        """Let go of notes through no fault of theirs, for at least ``seconds``; the attempt does not count."""
        self._let_go(batch, seconds, {"attempts": notes.c.attempts - 1})

    def fail(self, stored: StoredNote, error: str) -> None:
        """Record a failed attempt, to be tried again later, or never where it was the last one.

        ``error`` must not hold text of the note.
        """
        spent = stored.attempts + 1 >= self._max_attempts
        end: dict[str, object] = {"state": FAILED, "updated": now()} if spent else {}
        self._let_go([stored], 2.0**stored.attempts, {"last_error": error[:500]} | end)

    def _let_go(self, batch: Sequence[StoredNote], seconds: float, values: dict[str, object]) -> None:
        until = now() + timedelta(seconds=seconds)
        with writing(self._ledger.engine) as c:
            for s in batch:
                mine = and_(notes.c.key == s.key, notes.c.version == s.version, notes.c.state == PENDING)
                c.execute(update(notes).where(mine).values(claim=None, claimed_until=until, **values))

    def retry_failed(self, collection: str | None = None) -> int:
        """Give every failed note, or those of ``collection``, a fresh set of attempts; how many there were."""
        of_it = [] if collection is None else [notes.c.collection == collection]
        with writing(self._ledger.engine) as c:
            fresh = {
                "state": PENDING,
                "attempts": 0,
                "claim": None,
                "claimed_until": None,
                "progress": 0,
                "updated": now(),
            }
            return int(c.execute(update(notes).where(notes.c.state == FAILED, *of_it).values(fresh)).rowcount)
