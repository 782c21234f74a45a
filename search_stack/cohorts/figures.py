"""A cohort's numbers as plain data: one shape for the command line and the API."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from search_stack.cohorts.cohort import Members, Step
from search_stack.cohorts.version import Left
from search_stack.query.tree_json import to_json
from search_stack.query.write import readable


def figures(found: Members, steps: Sequence[Step]) -> dict[str, Any]:
    return {
        "patients": len(found.patients),
        "notes": len(found.notes),
        "attrition": [asdict(left) for left in lefts(steps)],
        "undated": found.undated,
        "generation": found.generation,
        "cohorts": list(found.plan.cohorts.values()),
        "query": to_json(found.plan.node),
    }


def lefts(steps: Iterable[Step]) -> tuple[Left, ...]:
    return tuple(Left(readable(s.node), s.patients, s.notes) for s in steps)
