"""Cohorts as a query might have found them, without an index."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from pyroaring import BitMap

from ingest.cohorts.store import Store
from ingest.ledger import Ledger
from search_stack.cohorts.rows import NO_NOTE, NONE, Rows
from search_stack.cohorts.version import NO_NOTES, Asked, Found, Left, NoteStates, Provenance

SEEN = datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
Make = Callable[..., Found]


def states(*rows: tuple[int, int, int, int]) -> NoteStates:
    if not rows:
        return NO_NOTES
    return NoteStates(*(np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)))


@pytest.fixture
def make_found() -> Make:
    """A cohort of rows (patient, day, note); of each note its first version."""

    def make(*rows: tuple[int, int, int], **other: Any) -> Found:
        keys = sorted({note for _, _, note in rows if note != NO_NOTE})
        given: dict[str, Any] = {
            "unit": "patient",
            "origin": Asked({"finding": "fever", "assertion": "present"}, "fever"),
            "patients": BitMap(patient for patient, _, _ in rows),
            "provenance": Provenance(
                SEEN, "a" * 32, 3, 99, "g", ("v1",), "lex", "rules", "bi@1", "cross@1", program="0.1"
            ),
            "rows": Rows.of(*zip(*rows, strict=True)) if rows else NONE,
            "notes": states(*((key, 1, 0, 5) for key in keys)),
            "steps": (Left("fever", len({p for p, _, _ in rows}), len(keys)),),
            "undated": 2,
        }
        return Found(**(given | other))

    return make


@pytest.fixture
def store(ledger: Ledger) -> Store:
    return Store(ledger.engine)
