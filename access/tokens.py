"""Tokens for programs that use the API: random, kept as digests, with some of their account's rights, for a time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, Row, delete, insert, select

from access.accounts import Account, account_by
from access.keys import digest, new_key
from access.purposes import Purposes
from access.roles import FOR_A_PURPOSE, Right
from ingest.ledger.database import need_open, writing
from ingest.ledger.ledger import now
from ingest.ledger.purposes import Purpose
from ingest.ledger.tables import api_tokens
from search_stack.core.errors import AspectraError

PREFIX = "aspectra_"
"""By which one that has got somewhere by mistake can be told."""
LONGEST_DAYS, LONGEST_LABEL = 366, 64


@dataclass(frozen=True, slots=True)
class Token:
    """What is kept of it."""

    id: int
    label: str
    rights: frozenset[Right]
    made: datetime
    expires: datetime
    purpose: int | None
    """Number of that for which it is good."""


class Tokens:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def make(
        self, account: Account, label: str, rights: Collection[Right], days: int, purpose: Purpose | None = None
    ) -> str:
        """A new token, which is told this once.

        Args:
            purpose: for which it is good; needed where any of ``rights`` shows something of patients.

        Raises:
            AspectraError: the account has not all of ``rights`` or is not of ``purpose``, or the label or the days
                cannot be.
        """
        if missing := sorted(set(rights) - account.rights):
            raise AspectraError(
                f"The role {account.role} has no right to {', '.join(missing)}.",
                f"It has: {', '.join(sorted(account.rights))}.",
            )
        if not rights or not label.strip() or len(label) > LONGEST_LABEL or not 1 <= days <= LONGEST_DAYS:
            raise AspectraError(
                "A token needs a right, a label and an end.",
                f"Give a label of at most {LONGEST_LABEL} characters and 1 to {LONGEST_DAYS} days.",
            )
        if FOR_A_PURPOSE.intersection(rights) and not (purpose and Purposes(self._engine).stated(account, purpose.id)):
            raise AspectraError(
                "A token that shows something of patients is for a purpose that its account is of, and that is open.",
                "Name it: --purpose CODE. See them: aspectra purpose list",
            )
        key, at = new_key(PREFIX), now()
        row = {"account": account.id, "label": label.strip(), "digest": digest(key), "rights": " ".join(sorted(rights))}
        with writing(self._engine) as c:
            need_open(c)
            c.execute(
                insert(api_tokens).values(
                    **row, made=at, expires=at + timedelta(days=days), purpose=purpose and purpose.id
                )
            )
        return key

    def of(self, account: Account) -> list[Token]:
        """In order of id, those that have expired too."""
        with self._engine.connect() as c:
            rows = c.execute(select(api_tokens).where(api_tokens.c.account == account.id).order_by(api_tokens.c.id))
            return [_token(row) for row in rows]

    def revoke(self, account: Account, number: int) -> None:
        """
        Raises:
            AspectraError: ``account`` has no such token.
        """
        with writing(self._engine) as c:
            found = c.execute(delete(api_tokens).where(api_tokens.c.id == number, api_tokens.c.account == account.id))
        if not found.rowcount:
            raise AspectraError(f"{account.name} has no token {number}.", "See them: aspectra user list")

    def find(self, key: str) -> tuple[Account, Token] | None:
        """Who asks with ``key``, and what it opens: what both the token and its account's role allow by now."""
        with self._engine.connect() as c:
            where = (api_tokens.c.digest == digest(key), api_tokens.c.expires > now())
            row = c.execute(select(api_tokens).where(*where)).one_or_none()
            account = account_by(c, row.account) if row else None
        if not row or not account or account.must_change:
            return None
        found = _token(row)
        return account, replace(found, rights=found.rights & account.rights)


def _token(row: Row[Any]) -> Token:
    return Token(row.id, row.label, frozenset(map(Right, row.rights.split())), row.made, row.expires, row.purpose)
