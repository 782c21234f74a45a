"""How the queries of entity/aspect data are worded."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

from search_stack.evaluation.datasets.entity_aspect import EntityAspectData, Query

Wording = Literal["asked", "tuple"]
"""As a person asks, or as "entity ; heading": so do Arnold et al. (WWW 2020) and Grundmann et al. (2021)."""
WORDINGS: tuple[Wording, ...] = get_args(Wording)


def worded(data: EntityAspectData, wording: Wording) -> EntityAspectData:
    """``data`` with its queries in that wording; a query without entity or aspect stays as asked."""
    if wording == "asked":
        return data
    return replace(data, queries=tuple(replace(q, text=_tuple(q)) for q in data.queries))


def _tuple(query: Query) -> str:
    heading = query.aspect_heading or query.aspect
    return f"{query.entity} ; {heading}" if query.entity and heading else query.text
