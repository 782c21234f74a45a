"""Clauses of the engine's query DSL, as filters: what joins them, and many numbers as a bitmap."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from typing import Any

from pyroaring import BitMap

from search_stack.index.passage import UNDATED

Clause = dict[str, Any]
NOTHING: Clause = {"match_none": {}}
EVERYTHING: Clause = {"match_all": {}}
NO_DAY: Clause = {"term": {"day": UNDATED}}


def all_clauses(clauses: Sequence[Clause]) -> Clause:
    """All of ``clauses``, as one filter; everything where there is none."""
    if not clauses:
        return EVERYTHING
    return clauses[0] if len(clauses) == 1 else {"bool": {"filter": list(clauses)}}


def any_clause(clauses: Sequence[Clause]) -> Clause:
    """Any of ``clauses``; nothing where there is none."""
    if not clauses:
        return NOTHING
    return clauses[0] if len(clauses) == 1 else {"bool": {"should": list(clauses), "minimum_should_match": 1}}


def among(field: str, numbers: Iterable[int]) -> Clause:
    """Documents whose ``field`` is one of ``numbers``, as a bitmap: half a byte each at worst, however many."""
    bitmap = base64.b64encode(BitMap(numbers).serialize()).decode()
    return {"terms": {field: [bitmap], "value_type": "bitmap"}}
