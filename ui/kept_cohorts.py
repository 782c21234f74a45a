"""The kept cohorts that whoever asks may see: the one place where the page's views take them from."""

from __future__ import annotations

from ingest.cohorts.records import Cohort
from ingest.cohorts.store import Store
from ingest.review.store import Reviews
from search_stack.core.errors import NotKept
from ui.services import services

GREATEST = 2**31
"""No id or number in an address is beyond it."""


def store() -> Store:
    return Store(services().ledger.engine)


def cohort_of(number: int) -> Cohort:
    """The cohort with this id.

    Raises:
        NotKept: there is none.
    """
    if number >= GREATEST:
        raise NotKept("There is no such cohort.", "List those that are kept.")
    return store().cohort(number)


def reviews(cohort: Cohort) -> Reviews:
    """The review of a cohort that `cohort_of` gave."""
    return Reviews(services().ledger.engine, cohort.id)
