"""Browsers that an account was opened in before: what they hold to say so.

Whoever knows a name can have its account wait by wrong passwords. Its owner goes on in such a browser, which has a
count of its own. What it holds opens nothing: whoever has it may try some passwords more.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from access.accounts import Account

MOST = 8
"""Accounts that one browser stands for; of more, those that signed in last."""


def noted(held: str, account: Account) -> str:
    """What a browser that held ``held`` holds from now on, since ``account`` was opened in it by its password.

    It counts until the password is another one: the password's hash, which nobody outside knows, is the key.
    """
    number = secrets.token_hex(16)
    fresh = f"{number}{_mark(number, account)}"
    others = [one for one in held.split(".") if one and not _of(one, account)]
    return ".".join([fresh, *others][:MOST])


def number_of(held: str, account: Account) -> str:
    """By which the browser's wrong passwords for ``account`` are counted; empty where it was not opened in it."""
    return next((one[:32] for one in held.split(".")[:MOST] if _of(one, account)), "")


def _of(one: str, account: Account) -> bool:
    return bool(account.password) and hmac.compare_digest(one[32:].encode(), _mark(one[:32], account).encode())


def _mark(number: str, account: Account) -> str:
    said = f"aspectra browser {number} {account.name}"
    return hmac.new(account.password.encode(), said.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
