"""How a version stands by now: by what queries its evidence came, and what has become of its notes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ingest.cohorts.store import Store
from ingest.ledger import StoredNote
from ingest.ledger.tables import DELETING
from search_stack.cohorts.version import GONE, Asked, Combined, Found, NoteStates
from search_stack.core.errors import AspectraError
from search_stack.handover.row import State
from search_stack.query.nodes import Node


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


def state_of(states: NoteStates, key: int, note: StoredNote | None) -> State:
    """What has become of a note of the evidence.

    Args:
        note: as the ledger has it now.
    """
    if note is None or note.state == DELETING:
        return "deleted"
    known = np.searchsorted(states.key, key)
    if known == len(states) or states.key[known] != key or states.version[known] == GONE:
        return "as found"
    return "as found" if int(states.version[known]) == note.text_version else "changed"
