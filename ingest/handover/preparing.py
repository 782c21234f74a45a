"""What an export needs of ledger and index: the cohort's queries, and how its words are read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import version

from ingest.cohorts.store import Store
from ingest.handover.gathering import Gathering
from ingest.ledger import Ledger
from search_stack.cohorts.version import Asked, Combined, Found, Version
from search_stack.core.errors import AspectraError
from search_stack.handover.cover import Cover
from search_stack.query.nodes import Node
from search_stack.query.tree import any_of
from search_stack.retrieval.searcher import Searcher


def trees(found: Found, store: Store) -> Iterator[Node]:
    """The queries that brought the evidence of ``found``; of what was combined, those of its operands, as far as they
    are kept still."""
    if isinstance(found.origin, Asked):
        yield found.origin.node
    if isinstance(found.origin, Combined):
        operands = found.origin.operands
        for operand in operands[:1] if found.origin.operation == "difference" else operands:
            try:
                kept = store.version(operand.cohort, operand.number)
            except AspectraError:
                continue
            if kept.id == operand.id:
                yield from trees(kept, store)


def gathering(found: Found, store: Store, searcher: Searcher, ledger: Ledger, text: bool) -> Gathering:
    """
    Args:
        text: whether words of notes are among the rows.

    Raises:
        QueryError: a query names a concept that no lexicon holds any more.
    """
    nodes = tuple(trees(found, store))
    if not nodes:
        return Gathering(found, ledger, (), None, text)
    sought = searcher.sought(any_of(nodes))
    return Gathering(
        found,
        ledger,
        sought.criteria,
        lambda keys: searcher.evidence(sought, keys),
        text,
        sought.facts,
        lambda patients: searcher.fact_evidence(sought, patients),
    )


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
