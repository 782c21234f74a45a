"""The trail in the ledger's database: entries are added, and read; nothing ever changes one."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select, func, insert, select

from access.audit import check
from access.audit.entry import START, Action, Entry, Head, Kept, bound, columns_of, entry_of, place_of
from access.audit.sealing import KEYS, Seal
from access.audit.witness import Witness
from ingest.ledger import Ledger
from ingest.ledger.database import AUDIT_LOCK, need_open, one_at_a_time, writing
from ingest.ledger.ledger import now
from ingest.ledger.tables import audit
from search_stack.core.account import present_user
from search_stack.core.errors import AspectraError
from search_stack.core.file_lock import file_lock
from search_stack.core.files import disk_errors
from search_stack.core.settings import Settings

LOCK = "audit.lock"
PATIENCE = 60.0
"""Seconds that an entry waits for those before it."""
AT_ONCE = 1_000
_COLUMNS = (*columns_of(Entry("", Action.AUDIT)), "form")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which entries are looked for: all that fit every part that is given."""

    person: str = ""
    patient: str = ""
    """Id in the source."""
    purpose: str = ""
    """Its code."""
    action: Action | None = None
    since: date | None = None
    until: date | None = None
    """That day included; days are those of UTC."""


class Trail:
    """
    Args:
        folder: the data folder, which holds what must not stand in the database.
        form: of new entries, where the last one has no later form.
    """

    def __init__(self, engine: Engine, folder: Path, form: str = "") -> None:
        self._engine = engine
        self._form = form
        self._folder = folder
        self._witness = Witness(folder)
        self.seal = Seal(folder / KEYS)

    @classmethod
    def from_settings(cls, settings: Settings, ledger: Ledger) -> Trail:
        return cls(ledger.engine, settings.data_dir, "" if settings.audit_hash == "sha256" else settings.audit_hash)

    def add(self, entry: Entry) -> Head:
        """Write ``entry`` behind all others; where the trail ends now. It is on the disk when this returns.

        Where the database lacks what the witness has seen, the chain goes on from the witness: the gap stays, and
        `problems` finds it.

        Raises:
            AspectraError: it cannot be written, or nobody can say where the trail ended.
            SQLAlchemyError: likewise.
        """
        columns = columns_of(entry)
        path = self._folder / LOCK
        with disk_errors(path), file_lock(path, lambda holder: _log.info("The trail waits for %s.", holder), PATIENCE):
            with writing(self._engine) as c:
                one_at_a_time(c, AUDIT_LOCK)
                need_open(c)
                last, form = _last(c)
                before = max(self._witness.head(), last, key=lambda head: head.number)
                number, at = before.number + 1, now()
                columns["form"] = self._next_form(form)
                head = Head(number, bound(before.digest, number, at, columns))
                c.execute(insert(audit).values(number=number, at=at, **columns, digest=head.digest))
            self._witness.tell(head)
        return head

    def _next_form(self, last: str) -> str:
        """Of the entry behind one of the form ``last``.

        Raises:
            AspectraError: a newer version has written the last entry.
        """
        try:
            return max(last, self._form, key=place_of)
        except ValueError:
            raise AspectraError(
                "The audit trail ends in a form that this version does not know.", "Upgrade this one."
            ) from None

    def entries(self, wanted: Wanted, most: int, before: int | None = None) -> list[Kept]:
        """The newest first, those below the number ``before``."""
        rows = self._wanted(wanted).order_by(audit.c.number.desc()).limit(most)
        if before is not None:
            rows = rows.where(audit.c.number < before)
        with self._engine.connect() as c:
            return [_kept(row) for row in c.execute(rows)]

    def all_entries(self, wanted: Wanted) -> Iterator[Kept]:
        """The newest first."""
        before: int | None = None
        while some := self.entries(wanted, AT_ONCE, before):
            yield from some
            before = some[-1].number

    def following(self, number: int, most: int) -> list[check.Row]:
        """The entries behind ``number``, in order, as they are kept."""
        rows = select(audit).where(audit.c.number > number).order_by(audit.c.number).limit(most)
        with self._engine.connect() as c:
            return [check.Row(row.number, row.at, _columns(row), row.digest) for row in c.execute(rows)]

    def head(self) -> Head:
        """Where the trail ends; `START` where nothing was written."""
        with self._engine.connect() as c:
            return _last(c)[0]

    def problems(self, noted: Sequence[Head] = ()) -> tuple[int, list[check.Problem]]:
        """How many entries there are, and what is wrong with them.

        Args:
            noted: where the trail ended at other times, besides what this installation knows itself.
        """
        # First: what is added meanwhile is behind it.
        witness = self._witness.head()
        with self._engine.connect() as c:
            count, found = check.problems(_rows(c), [witness, *noted])
        if count and witness == START:
            found.append(check.Problem(count, "This data folder holds nothing that tells where the trail ended."))
        return count, found

    def _wanted(self, wanted: Wanted) -> Select[Any]:
        found = select(audit)
        if wanted.person:
            found = found.where(audit.c.person == wanted.person)
        if wanted.action:
            found = found.where(audit.c.action == wanted.action)
        # LIKE takes large letters for small ones in SQLite.
        place = func.instr if self._engine.dialect.name == "sqlite" else func.strpos
        if wanted.patient:
            found = found.where(place(audit.c.patients, json.dumps(wanted.patient)) > 0)
        if wanted.purpose:
            found = found.where(place(audit.c.about, f'"purpose": {json.dumps(wanted.purpose)}') > 0)
        if wanted.since:
            found = found.where(audit.c.at >= _midnight(wanted.since))
        if wanted.until:
            found = found.where(audit.c.at < _midnight(wanted.until + timedelta(days=1)))
        return found


def commander() -> str:
    """Who gives a command of this machine, as the trail calls them; no account is called so."""
    return f"[{present_user()}]"


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _last(c: Connection) -> tuple[Head, str]:
    """Where the table ends, and the form of its last entry."""
    last = select(audit.c.number, audit.c.digest, audit.c.form).order_by(audit.c.number.desc()).limit(1)
    row = c.execute(last).first()
    return (Head(row.number, row.digest), row.form) if row else (START, "")


def _rows(c: Connection) -> Iterator[check.Row]:
    last = 0
    while True:
        wanted = select(audit).where(audit.c.number > last).order_by(audit.c.number).limit(AT_ONCE)
        rows = c.execute(wanted).all()
        if not rows:
            return
        yield from (check.Row(row.number, row.at, _columns(row), row.digest) for row in rows)
        last = rows[-1].number


def _columns(row: Row[Any]) -> dict[str, str]:
    return {name: row._mapping[name] for name in _COLUMNS}


def _kept(row: Row[Any]) -> Kept:
    try:
        entry = entry_of(_columns(row))
    except (ValueError, TypeError):
        raise AspectraError(
            f"Entry {row.number} of the audit trail cannot be read: it was changed.", "aspectra audit verify"
        ) from None
    return Kept(row.number, row.at, entry, row.digest)
