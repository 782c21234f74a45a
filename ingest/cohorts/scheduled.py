"""Cohorts run anew by themselves: whoever claims one runs it, and keeps a version where something has changed."""

from __future__ import annotations

import logging
from datetime import timedelta

from ingest.cohorts.finding import Finder
from ingest.cohorts.store import Store
from ingest.ledger.purposes import reach_of
from search_stack.cohorts.changes import changes
from search_stack.cohorts.version import Found, Version
from search_stack.core.account import present_user
from search_stack.core.client import EngineUnavailable
from search_stack.core.errors import AspectraError

log = logging.getLogger(__name__)
AGAIN = timedelta(minutes=1)
"""Until another try, where the engine was away."""


def run_due(store: Store, finder: Finder, life: timedelta) -> int:
    """Run all that are due, one after another; how many were claimed.

    A version is kept where the patients or their evidence are other than the newest version's; else only the time is
    noted. Each finds what its purpose covers. What goes wrong with one is kept beside it, and keeps no other from its
    run.

    Args:
        life: of a claim; a run must end before.

    Raises:
        LedgerUnavailable: the claims made lapse by themselves.
    """
    count = 0
    while made := store.claim(life):
        count += 1
        claim, cohort, purpose = made
        try:
            own = finder.within(reach_of(store.engine, purpose))
            newest = Store(store.engine, purpose).version(cohort)
            store.finish(claim, _changed(newest, own), present_user())
        except EngineUnavailable as e:
            store.finish(claim, None, present_user(), e.message, AGAIN)
        except AspectraError as e:
            # Its words may name the cohort or a concept of the site's own: they stand with the cohort, not in the log.
            log.warning("scheduled cohort %d could not be run: %s", cohort, type(e).__name__)
            store.finish(claim, None, present_user(), f"{e.message} {e.remedy}".strip())
    return count


def _changed(newest: Version, finder: Finder) -> Found | None:
    found = finder.again(newest)
    return None if changes(newest, found).none else found
