"""Kept cohorts as page and API see them: the one place where the store is taken from."""

from __future__ import annotations

from ingest.cohorts.finding import Finder
from ingest.cohorts.records import Cohort
from ingest.cohorts.store import Store
from ingest.review.store import Reviews
from search_stack.cohorts.version import Operand, Version
from search_stack.core.errors import NotKept
from ui.services import services

GREATEST, LAST_VERSION = 2**63 - 1, 2**31 - 1
"""Ids and numbers that the database can be asked for."""


def store() -> Store:
    return Store.of(services().ledger)


def finder() -> Finder:
    return Finder(services().searcher, services().ledger, services().settings)


def cohort(number: int) -> Cohort:
    """The cohort with the id ``number``.

    Raises:
        NotKept: there is none.
    """
    return store().cohort(min(number, GREATEST))


def version(of: int, number: int | None = None) -> Version:
    """A version of the cohort with the id ``of``, the newest where none is named.

    Raises:
        NotKept: there is none.
    """
    return store().version(min(of, GREATEST), None if number is None else min(number, LAST_VERSION))


def reviewed(of: Cohort, number: int | None = None) -> Version:
    """A version of a cohort with its patients as they count by now, the newest where none is named.

    Raises:
        NotKept: there is none.
    """
    return services().ledger.people.as_counted(version(of.id, number))


def reviews(of: Cohort) -> Reviews:
    """The review of a cohort that `cohort` gave."""
    return Reviews(services().ledger.engine, of.id)


def still_kept(operand: Operand) -> Version | None:
    """The version that ``operand`` names; None where it was deleted, or the name is another's by now."""
    try:
        found = store().version(operand.cohort, operand.number)
    except NotKept:
        return None
    return found if found.id == operand.id else None
