"""What an export needs of ledger and index: the cohort's queries, and how its words are read."""

from __future__ import annotations

from datetime import datetime
from importlib.metadata import version

from ingest.cohorts.standing import trees
from ingest.cohorts.store import Store
from ingest.handover.gathering import Gathering, Settled
from ingest.ledger import Ledger
from ingest.review.store import Reviews
from search_stack.cohorts.version import Found, Version
from search_stack.handover.cover import Cover
from search_stack.query.tree import any_of
from search_stack.retrieval.searcher import Searcher
from search_stack.review.decisions import Verdict


def gathering(found: Found, store: Store, searcher: Searcher, ledger: Ledger, text: bool) -> Gathering:
    """
    Args:
        text: whether words of notes are among the rows.

    Raises:
        QueryError: a query names a concept that no lexicon holds any more.
    """
    nodes, settled = tuple(trees(found, store)), settled_of(found, ledger)
    if not nodes:
        return Gathering(found, ledger, (), None, text, settled=settled)
    sought = searcher.sought(any_of(nodes))
    return Gathering(
        found,
        ledger,
        sought.criteria,
        lambda keys: searcher.evidence(sought, keys),
        text,
        sought.facts,
        lambda patients: searcher.fact_evidence(sought, patients),
        settled,
    )


def settled_of(found: Found, ledger: Ledger) -> Settled:
    """What was adjudicated of the patients of ``found``, which is of a cohort, not of one version of it."""
    if not isinstance(found, Version):
        return lambda _: {}
    reviews = Reviews(ledger.engine, found.cohort_id)

    def settled(until: datetime) -> dict[int, Verdict]:
        final, heirs = reviews.final(until), ledger.people.heirs(found.patients)
        stay = {patient: heirs.get(patient, patient) for patient in found.patients}
        return {patient: final[heir].verdict for patient, heir in stay.items() if heir in final}

    return settled


def cover(
    found: Found,
    store: Store,
    searcher: Searcher,
    form: str,
    by: str,
    began: datetime,
    text: bool,
    definition: int | None,
) -> Cover:
    """
    Args:
        definition: OMOP's number of the cohort; None for the version's own.
    """
    kept = found if isinstance(found, Version) else None
    lexicon = searcher.lexicon()
    return Cover(
        form=form,
        found=found,
        description=store.cohort(kept.cohort).description if kept else "",
        by=by,
        began=began,
        program=version("aspectra"),
        generation=searcher.asking().generation if len(found.rows) else "",
        lexicon=lexicon.digest if lexicon else "",
        text=text,
        definition=definition or (kept.id if kept else 1),
    )
