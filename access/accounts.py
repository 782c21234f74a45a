"""Accounts: names, roles and passwords."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, insert, select, update

from access.passwords import hashed, matches, need_good, one_time, outdated
from access.roles import RIGHTS, Right, Role
from ingest.ledger.database import need_open, one_at_a_time, writing
from ingest.ledger.ledger import now
from ingest.ledger.tables import accounts, sessions
from search_stack.core.errors import AspectraError

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._@-]{0,62}[a-z0-9])?")


class WrongPassword(AspectraError):
    """The present password is another one."""


class ChangedMeanwhile(AspectraError):
    """The account is closed, or has another password than a moment ago."""


@dataclass(frozen=True, slots=True)
class Account:
    id: int
    name: str
    role: Role
    must_change: bool
    """The password is one-time: nothing but its change is open."""
    disabled: bool
    made: datetime
    signed_in: datetime | None
    """When a session last began."""
    password: str = field(repr=False)
    """Its hash, by which a change meanwhile can be told; empty where a provider signs the person in."""
    toured: bool = False
    """The first steps were put away."""

    @property
    def elsewhere(self) -> bool:
        """Whether a provider signs the person in: there is no password here."""
        return not self.password

    @property
    def state(self) -> str:
        """In words."""
        if self.disabled:
            return "disabled"
        return "one-time password" if self.must_change else "by the provider" if self.elsewhere else "open"

    @property
    def rights(self) -> frozenset[Right]:
        return RIGHTS[self.role]


class Accounts:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, name: str, role: Role) -> str:
        """Make an account; its one-time password.

        Raises:
            AspectraError: the name cannot be one, or is taken.
        """
        name = _checked(name)
        password = one_time()
        with writing(self._engine) as c:
            one_at_a_time(c)
            need_open(c)
            if c.execute(select(accounts).where(accounts.c.name == name)).one_or_none():
                raise AspectraError(f"There is an account {name} already.", "Choose another name.")
            row = {"name": name, "role": role, "password": hashed(password), "must_change": True, "disabled": False}
            c.execute(insert(accounts).values(**row, made=now()))
        return password

    def all(self) -> list[Account]:
        """In order of name."""
        with self._engine.connect() as c:
            return [_account(row) for row in c.execute(select(accounts).order_by(accounts.c.name))]

    def named(self, name: str) -> Account:
        """
        Raises:
            AspectraError: there is no such account.
        """
        with self._engine.connect() as c:
            return _named(c, name)

    def arrived(self, subject: str, name: str, role: Role) -> Account:
        """The account of whom a provider has signed in, made at the first time; its role is ``role`` from now on.

        Args:
            subject: stands for the person at the provider, whatever they are called.

        Raises:
            AspectraError: it is closed, or ``name`` cannot be one, or is another account's.
        """
        name = _checked(name)
        with writing(self._engine) as c:
            one_at_a_time(c)
            need_open(c)
            row = c.execute(select(accounts).where(accounts.c.subject == subject)).one_or_none()
            if row is None:
                if c.execute(select(accounts.c.id).where(accounts.c.name == name)).first():
                    raise AspectraError(
                        f"There is an account {name} already, and it is not yours.",
                        "Ask whoever gives the accounts for another name.",
                    )
                values = {"name": name, "role": role, "subject": subject, "password": "", "made": now()}
                c.execute(insert(accounts).values(**values, must_change=False, disabled=False))
            elif row.disabled:
                raise AspectraError("This account is closed.", "Ask whoever gives the accounts.")
            else:
                c.execute(update(accounts).where(accounts.c.id == row.id).values(role=role))
            return _account(c.execute(select(accounts).where(accounts.c.subject == subject)).one())

    def known(self, typed: str) -> str:
        """The name of the account that ``typed`` means; empty where there is none, since it may be a password."""
        with self._engine.connect() as c:
            return c.execute(select(accounts.c.name).where(accounts.c.name == plain(typed))).scalar() or ""

    def give_role(self, name: str, role: Role) -> None:
        """Its sessions and tokens have the rights of ``role`` from their next request on."""
        self._change(name, {"role": role})

    def disable(self, name: str) -> None:
        """Nobody can sign in with it any more; its sessions end, its tokens open nothing."""
        self._change(name, {"disabled": True}, ends=True)

    def enable(self, name: str) -> None:
        self._change(name, {"disabled": False})

    def put_tour_away(self, name: str) -> None:
        """The first steps are not shown any more."""
        self._change(name, {"toured": True})

    def renew(self, name: str) -> str:
        """A new one-time password; the old one and all sessions end."""
        if self.named(name).elsewhere:
            raise AspectraError(f"A provider signs {name} in.", "There is no password here to give anew.")
        password = one_time()
        self._change(name, {"password": hashed(password), "must_change": True}, ends=True)
        return password

    def authenticate(self, name: str, password: str) -> Account | None:
        """The account that is open to who knows this; None for a wrong name or password, or a disabled account.

        A password that is kept by parameters of before is hashed anew: only now is it here to be hashed.
        """
        row, name = None, plain(name)
        if _NAME.fullmatch(name):
            with self._engine.connect() as c:
                row = c.execute(select(accounts).where(accounts.c.name == name)).one_or_none()
        known = matches(row.password if row else None, password)
        if not (row and known) or row.disabled:
            return None
        account = _account(row)
        if not outdated(account.password):
            return account
        with suppress(ChangedMeanwhile), writing(self._engine) as c:
            need_open(c)
            need_present(c, account, {"password": hashed(password)})
        return self.authenticate(name, password)

    def change_password(self, account: Account, old: str, new: str) -> Account:
        """Give a new password to who knows the old one; every session of the account ends. The account as it is now.

        Raises:
            WrongPassword: the old one is wrong.
            ChangedMeanwhile: the account was closed, or given another password, in this moment.
            AspectraError: the new one is not good enough.
        """
        present = self.authenticate(account.name, old)
        if present is None:
            raise WrongPassword("The present password is another one.", "Type it again.")
        if old == new:
            raise AspectraError("The new password is the old one.", "Take another.")
        need_good(new, account.name)
        self._change(account.name, {"password": hashed(new), "must_change": False}, ends=True, present=present)
        return self.named(account.name)

    def _change(self, name: str, values: dict[str, Any], ends: bool = False, present: Account | None = None) -> None:
        """
        Args:
            present: the account as it must still be.

        Raises:
            AspectraError: there is no such account, or it is not as ``present`` says.
        """
        with writing(self._engine) as c:
            need_open(c)
            account = _named(c, name)
            if present:
                need_present(c, present, values)
            else:
                c.execute(update(accounts).where(accounts.c.id == account.id).values(**values))
            if ends:
                c.execute(delete(sessions).where(sessions.c.account == account.id))


def plain(name: str) -> str:
    """A name as it is kept, however it was typed."""
    return name.strip().lower()


def need_present(c: Connection, account: Account, values: dict[str, Any]) -> None:
    """Write ``values`` to ``account``, where it is open and has the password that it had when it was read.

    Raises:
        ChangedMeanwhile: it is not, or has not.
    """
    same = (accounts.c.id == account.id, accounts.c.password == account.password, accounts.c.disabled.is_(False))
    if not c.execute(update(accounts).where(*same).values(**values)).rowcount:
        raise ChangedMeanwhile("This account was changed in this moment.", "Sign in again.")


def account_by(c: Connection, number: int) -> Account | None:
    """The account with this id, where it is open."""
    row = c.execute(select(accounts).where(accounts.c.id == number, accounts.c.disabled.is_(False))).one_or_none()
    return _account(row) if row else None


def _named(c: Connection, name: str) -> Account:
    row = c.execute(select(accounts).where(accounts.c.name == plain(name))).one_or_none()
    if row is None:
        raise AspectraError(f"There is no account {name}.", "See them all: aspectra user list")
    return _account(row)


def _account(row: Row[Any]) -> Account:
    return Account(
        row.id,
        row.name,
        Role(row.role),
        row.must_change,
        row.disabled,
        row.made,
        row.signed_in,
        row.password,
        row.toured,
    )


def _checked(name: str) -> str:
    name = plain(name)
    if not _NAME.fullmatch(name):
        raise AspectraError(
            "This cannot be the name of an account.",
            "Take 1 to 64 letters, digits, dots, hyphens, underscores or @, with a letter or digit first and last.",
        )
    return name
