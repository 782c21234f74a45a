"""Purposes: opened with their approval, end and collections; who is of them; ended."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from datetime import date
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Engine, Select, delete, func, insert, select, update

from access.accounts import Account, Accounts
from ingest.ledger.database import need_open, one_at_a_time, writing
from ingest.ledger.ledger import now
from ingest.ledger.purposes import Purpose, purpose_by, purpose_of
from ingest.ledger.tables import accounts, facts, notes, purpose_people, purposes
from search_stack.core.errors import AspectraError

_CODE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,62}[A-Za-z0-9])?")
LONGEST = 500
"""Characters of a title, and of an approval."""


class Kind(StrEnum):
    STUDY = "study"
    """Research, approved by a board."""
    PREPARATION = "preparation"
    """Whether a study could be done."""
    QUALITY = "quality"
    """A project that looks after the quality of care."""
    CARE = "care"
    """A patient's own treatment."""


class Purposes:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def open(
        self,
        code: str,
        kind: Kind,
        title: str,
        approval: str,
        until: date,
        collections: Collection[str] | None,
        by: str,
    ) -> Purpose:
        """A new purpose, which nobody is of yet.

        Args:
            until: its last day.
            collections: names of those that it covers; None for all that there are and will be.

        Raises:
            AspectraError: the code is taken or cannot be one, something is not told, the end has passed, or there is no
                such collection.
        """
        told = {"title": title.strip(), "approval": approval.strip()}
        _check(code, until, told)
        known = self.collections()
        if collections is not None and (missing := sorted(set(collections) - set(known))):
            raise AspectraError(
                f'There is no collection called "{missing[0]}".',
                f"There are: {', '.join(known)}." if known else "Ingest notes first: aspectra ingest PATH",
            )
        if collections is not None and not collections:
            raise AspectraError("A purpose covers at least one collection.", "Name it, or say that it is all of them.")
        covered = None if collections is None else json.dumps(sorted(collections))
        row = {"code": code, "kind": kind, **told, "until": until, "collections": covered, "made_by": by}
        with writing(self._engine) as c:
            one_at_a_time(c)
            need_open(c)
            if c.execute(select(purposes.c.id).where(func.lower(purposes.c.code) == code.lower())).first():
                raise AspectraError(f"There is a purpose {code} already.", "Take another code: none is given again.")
            c.execute(insert(purposes).values(**row, made=now()))
            return _named(c, code)

    def close(self, code: str) -> None:
        """End it now. Nobody reads for it any more; what is kept for it stays.

        Raises:
            AspectraError: there is no such purpose.
        """
        with writing(self._engine) as c:
            need_open(c)
            c.execute(update(purposes).where(purposes.c.id == _named(c, code).id).values(closed=now()))

    def all(self) -> list[Purpose]:
        """Those that are open first, then by code."""
        with self._engine.connect() as c:
            found = [purpose_of(row) for row in c.execute(select(purposes))]
        return sorted(found, key=lambda p: (not p.open, p.code.lower()))

    def named(self, code: str) -> Purpose:
        """
        Raises:
            AspectraError: there is no such purpose.
        """
        with self._engine.connect() as c:
            return _named(c, code)

    def numbered(self, number: int) -> Purpose | None:
        with self._engine.connect() as c:
            return purpose_by(c, number)

    def collections(self) -> list[str]:
        """Names of all that there are."""
        with self._engine.connect() as c:
            found = (c.execute(select(t.c.collection).distinct()).scalars().all() for t in (notes, facts))
            return sorted({name for names in found for name in names})

    # People

    def people(self, purpose: Purpose) -> list[str]:
        """Names of accounts, in order."""
        joined = select(accounts.c.name).join_from(purpose_people, accounts)
        with self._engine.connect() as c:
            wanted = joined.where(purpose_people.c.purpose == purpose.id).order_by(accounts.c.name)
            return list(c.execute(wanted).scalars())

    def add(self, purpose: Purpose, name: str) -> None:
        """
        Raises:
            AspectraError: there is no account ``name``.
        """
        account = Accounts(self._engine).named(name)
        row = {"purpose": purpose.id, "account": account.id}
        with writing(self._engine) as c:
            one_at_a_time(c)
            need_open(c)
            if not c.execute(_of(account).where(purposes.c.id == purpose.id)).first():
                c.execute(insert(purpose_people).values(row))

    def remove(self, purpose: Purpose, name: str) -> None:
        """It ends with the person's next request.

        Raises:
            AspectraError: there is no account ``name``, or it is not of this purpose.
        """
        account = Accounts(self._engine).named(name)
        here = (purpose_people.c.purpose == purpose.id, purpose_people.c.account == account.id)
        with writing(self._engine) as c:
            if not c.execute(delete(purpose_people).where(*here)).rowcount:
                raise AspectraError(f"{account.name} is not of the purpose {purpose.code}.")

    def of(self, account: Account) -> list[Purpose]:
        """Those that ``account`` may state now, by code."""
        return self._open(_of(account).order_by(func.lower(purposes.c.code)))

    def stated(self, account: Account, number: int | None) -> Purpose | None:
        """The purpose with this number, where ``account`` may state it now."""
        if number is None:
            return None
        return next(iter(self._open(_of(account).where(purposes.c.id == number))), None)

    def _open(self, wanted: Select[Any]) -> list[Purpose]:
        with self._engine.connect() as c:
            return [found for found in map(purpose_of, c.execute(wanted)) if found.open]


def _of(account: Account) -> Select[Any]:
    """Those that ``account`` is of, ended ones too."""
    return select(purposes).join_from(purpose_people, purposes).where(purpose_people.c.account == account.id)


def _named(c: Connection, code: str) -> Purpose:
    row = c.execute(select(purposes).where(func.lower(purposes.c.code) == code.strip().lower())).one_or_none()
    if row is None:
        raise AspectraError(f"There is no purpose {code}.", "See them all: aspectra purpose list")
    return purpose_of(row)


def _check(code: str, until: date, told: dict[str, str]) -> None:
    if not _CODE.fullmatch(code):
        raise AspectraError(
            "This cannot be the code of a purpose.",
            "Take 1 to 64 letters, digits, dots, hyphens, underscores or slashes, as STUDY-0042.",
        )
    for name, said in told.items():
        if not said or len(said) > LONGEST or "\0" in said:
            raise AspectraError(f"The {name} of a purpose has 1 to {LONGEST} characters.", f"Tell its {name}.")
    if until < now().date():
        raise AspectraError(f"{until} has passed.", "A purpose ends today or later.")
