"""Tokens for programs that use the API: random, kept as digests, with some of their account's rights, for a time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, Row, delete, insert, select

from access.accounts import Account, account_by
from access.keys import digest, new_key
from access.roles import Right
from ingest.ledger.database import need_open, writing
from ingest.ledger.ledger import now
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


class Tokens:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def make(self, account: Account, label: str, rights: Collection[Right], days: int) -> str:
        """A new token, which is told this once.

        Raises:
            AspectraError: the account has not all of ``rights``, or the label or the days cannot be.
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
        key, at = new_key(PREFIX), now()
        row = {"account": account.id, "label": label.strip(), "digest": digest(key), "rights": " ".join(sorted(rights))}
        with writing(self._engine) as c:
            need_open(c)
            c.execute(insert(api_tokens).values(**row, made=at, expires=at + timedelta(days=days)))
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

    def find(self, key: str) -> tuple[Account, frozenset[Right]] | None:
        """Who asks with ``key``, and what it opens: what both the token and its account's role allow by now."""
        with self._engine.connect() as c:
            where = (api_tokens.c.digest == digest(key), api_tokens.c.expires > now())
            row = c.execute(select(api_tokens).where(*where)).one_or_none()
            account = account_by(c, row.account) if row else None
        return (account, _token(row).rights & account.rights) if row and account and not account.must_change else None


def _token(row: Row[Any]) -> Token:
    return Token(row.id, row.label, frozenset(map(Right, row.rights.split())), row.made, row.expires)
