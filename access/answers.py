"""What a viewer was told: each group, so that no later answer gives few patients away beside them."""

from __future__ import annotations

import hashlib

from pyroaring import BitMap
from sqlalchemy import Connection, Engine, insert, select

from access.accounts import Account
from ingest.ledger.database import need_open, one_at_a_time, writing
from ingest.ledger.ledger import now
from ingest.ledger.purposes import Purpose
from ingest.ledger.tables import answers
from search_stack.disclosure.differencing import Adds, adds
from search_stack.disclosure.viewing import May

MOST = 200
"""Groups that somebody is told of for a purpose, those not counted that they could reckon themselves. Another one is
held against 200 in half a second of a processor's time among 4,000 patients, in one second among 100,000."""


class Answers:
    """Of an account, for a purpose: they are held against each other only. What was told stays told, whatever became of
    the index since: a group that has grown by one patient tells of that one."""

    def __init__(self, engine: Engine, account: Account, purpose: Purpose, least: int) -> None:
        self._engine = engine
        self._own = {"account": account.id, "purpose": purpose.id}
        self._least = least
        self._newest = 0
        self._digests: set[str] = set()
        self._told: list[BitMap] = []

    def may_tell(self, patients: BitMap) -> May:
        """Whether the number of these patients may be told beside all that was told before; then it is kept as told."""
        held = patients.serialize()
        digest = hashlib.sha256(held).hexdigest()
        with self._engine.connect() as c:
            self._take(self._newer(c))
        while True:
            may, kept = self._judged(patients, digest)
            if not kept:
                return may
            # Reckoned outside of the transaction, which nobody else writes beside.
            with writing(self._engine) as c:
                one_at_a_time(c)
                need_open(c)
                newer = self._newer(c)
                if not newer:
                    c.execute(insert(answers).values(**self._own, patients=held, digest=digest, made=now()))
                    return may
            self._take(newer)

    def _judged(self, patients: BitMap, digest: str) -> tuple[May, bool]:
        """And whether it is to be kept."""
        if digest in self._digests:
            return May.BE_TOLD, False
        found = adds(patients, self._told, self._least)
        if found is Adds.NOTHING:
            return May.BE_TOLD, False
        if len(self._told) >= MOST:
            return May.NOT_AS_TOO_MANY, False
        return (May.BE_TOLD, True) if found is Adds.NEWS else (May.NOT_BESIDE_OTHERS, False)

    def _newer(self, c: Connection) -> list[tuple[int, str, bytes]]:
        own = [answers.c[name] == value for name, value in self._own.items()]
        found = select(answers.c.id, answers.c.digest, answers.c.patients).where(*own, answers.c.id > self._newest)
        return [(row.id, row.digest, row.patients) for row in c.execute(found.order_by(answers.c.id))]

    def _take(self, rows: list[tuple[int, str, bytes]]) -> None:
        for number, digest, patients in rows:
            self._newest = number
            self._digests.add(digest)
            self._told.append(BitMap.deserialize(patients))
