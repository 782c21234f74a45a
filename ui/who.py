"""Who asks: an account by its session or token, or nobody in particular where nobody signs in."""

from __future__ import annotations

from dataclasses import dataclass

from flask import g

from access.accounts import Account
from access.keys import form_key
from access.roles import FOR_A_PURPOSE, Right
from ingest.ledger.purposes import Purpose
from search_stack.core.account import present_user
from ui.services import services


@dataclass(frozen=True, slots=True)
class Person:
    account: Account
    rights: frozenset[Right]
    """Of this request: a token may have less than its account."""
    key: str = ""
    """Of the session; empty with a token."""
    purpose: Purpose | None = None
    """Stated, and open."""

    @property
    def form_key(self) -> str:
        """What forms of this session carry."""
        return form_key(self.key)


def person() -> Person | None:
    """Who has signed in; None for nobody, and where accounts are off."""
    found: Person | None = g.get("person")
    return found


def may(right: Right) -> bool:
    """Whether who asks has ``right``; where accounts are off, everybody has."""
    known = person()
    if known is None:
        return not services().settings.accounts and right is not Right.VIEW
    ready = not known.account.must_change and (known.purpose is not None or right not in FOR_A_PURPOSE)
    return right in known.rights and ready


def needs_purpose() -> bool:
    """Whether who asks must state a purpose before anything else of theirs opens."""
    known = person()
    return bool(known and known.purpose is None and FOR_A_PURPOSE & known.rights)


def name() -> str:
    """Who keeps something: the account, or whom the page's process belongs to."""
    known = person()
    return known.account.name if known else present_user()
