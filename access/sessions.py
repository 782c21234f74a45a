"""Who is signed in on the page: sessions on the server, of which the browser holds a random key."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine, delete, insert, or_, select, update

from access.accounts import Account, account_by, need_present
from access.keys import digest, new_key
from ingest.ledger.database import need_open, writing
from ingest.ledger.failures import LEDGER_ERRORS
from ingest.ledger.ledger import now
from ingest.ledger.tables import sessions

IDLE, LONGEST = timedelta(minutes=30), timedelta(hours=12)
NOTED = timedelta(minutes=1)
"""How exactly it is kept when somebody was last seen: not every request writes."""


@dataclass(frozen=True, slots=True)
class Session:
    number: str
    """Stands for it where it is shown; opens nothing."""
    made: datetime
    seen: datetime
    """Within `NOTED`."""
    present: bool
    """The one that asks."""


class Sessions:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def begin(self, account: Account) -> str:
        """The key of a new session of ``account``, as it was just read; what has ended is swept out.

        Raises:
            ChangedMeanwhile: the account was closed, or given another password, since.
        """
        key, at = new_key(), now()
        with writing(self._engine) as c:
            need_open(c)
            need_present(c, account, {"signed_in": at})
            c.execute(delete(sessions).where(or_(sessions.c.seen < at - IDLE, sessions.c.made < at - LONGEST)))
            c.execute(insert(sessions).values(digest=digest(key), account=account.id, made=at, seen=at))
        return key

    def find(self, key: str) -> tuple[Account, int | None] | None:
        """Whose session ``key`` opens, and the number of the purpose that was stated in it; None where it has ended, by
        time or by hand, or its account is disabled."""
        at, name = now(), digest(key)
        alive = (sessions.c.digest == name, sessions.c.seen >= at - IDLE, sessions.c.made >= at - LONGEST)
        with self._engine.connect() as c:
            row = c.execute(select(sessions).where(*alive)).one_or_none()
            account = account_by(c, row.account) if row else None
        if account and row and at - row.seen > NOTED:
            # Who reads is not sent away because the disk is full.
            with suppress(*LEDGER_ERRORS), writing(self._engine) as c:
                c.execute(update(sessions).where(sessions.c.digest == name).values(seen=at))
        return (account, row.purpose) if account and row else None

    def state(self, key: str, purpose: int) -> None:
        """What is read from now on is read for the purpose with this number."""
        with writing(self._engine) as c:
            need_open(c)
            c.execute(update(sessions).where(sessions.c.digest == digest(key)).values(purpose=purpose))

    def of(self, account: Account, key: str) -> list[Session]:
        """Those that ``account`` has now, the last seen first; ``key`` is that of the one that asks."""
        at = now()
        alive = (sessions.c.account == account.id, sessions.c.seen >= at - IDLE, sessions.c.made >= at - LONGEST)
        with self._engine.connect() as c:
            rows = c.execute(select(sessions).where(*alive).order_by(sessions.c.seen.desc(), sessions.c.digest))
            return [Session(row.digest, row.made, row.seen, row.digest == digest(key)) for row in rows]

    def end(self, key: str) -> None:
        with writing(self._engine) as c:
            c.execute(delete(sessions).where(sessions.c.digest == digest(key)))

    def end_others(self, account: Account, key: str, number: str = "") -> int:
        """End that one of ``account``, without a number all, but never the one of ``key``; how many ended."""
        wanted = [sessions.c.account == account.id, sessions.c.digest != digest(key)]
        if number:
            wanted.append(sessions.c.digest == number)
        with writing(self._engine) as c:
            return c.execute(delete(sessions).where(*wanted)).rowcount
