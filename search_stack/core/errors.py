"""Errors that a person reads."""

from __future__ import annotations


class AspectraError(Exception):
    """Something the user can mend.

    ``message`` says what is wrong and where; ``remedy`` says what to do about it.
    Neither ever holds text of a note. ``meant`` is a field of the query line, what was asked of it, and what may have
    been meant.
    """

    def __init__(self, message: str, remedy: str = "", meant: tuple[str, str, str] | None = None) -> None:
        super().__init__(f"{message} {remedy}".strip())
        self.message = message
        self.remedy = remedy
        self.meant = meant


class NotKept(AspectraError):
    """Nothing of that name or number is kept."""


class NotPossible(AspectraError):
    """It makes sense, and yet cannot be done with what is kept as it is."""


class KeyReused(AspectraError):
    """The key that names a request came before with another request."""


class LedgerUnavailable(AspectraError):
    """The ledger's database is away, full, read-only, damaged or locked: worth another try once that is mended."""
