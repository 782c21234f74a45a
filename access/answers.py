"""What a viewer was told: each group, so that no later answer gives few patients away beside it."""

from __future__ import annotations

import hashlib

from pyroaring import BitMap
from sqlalchemy import Engine, insert, select

from access.accounts import Account
from ingest.ledger.database import need_open, one_at_a_time, writing
from ingest.ledger.ledger import now
from ingest.ledger.purposes import Purpose
from ingest.ledger.tables import answers
from search_stack.disclosure.differencing import tells_of_few


class Answers:
    """Of an account, for a purpose: they are held against each other only."""

    def __init__(self, engine: Engine, account: Account, purpose: Purpose, least: int) -> None:
        self._engine = engine
        self._own = {"account": account.id, "purpose": purpose.id}
        self._least = least

    def may_tell(self, patients: BitMap) -> bool:
        """Whether the number of these patients may be told beside all that was told before; then it is kept as told."""
        held = patients.serialize()
        digest = hashlib.sha256(held).hexdigest()
        own = [answers.c[name] == value for name, value in self._own.items()]
        with writing(self._engine) as c:
            one_at_a_time(c)
            need_open(c)
            if c.execute(select(answers.c.id).where(*own, answers.c.digest == digest)).first():
                return True
            earlier = c.execute(select(answers.c.patients).where(*own)).scalars()
            if tells_of_few(patients, map(BitMap.deserialize, earlier), self._least):
                return False
            c.execute(insert(answers).values(**self._own, patients=held, digest=digest, made=now()))
        return True
