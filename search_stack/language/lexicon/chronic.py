"""Which concepts do not go away: `chronic.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def chronic_ones() -> frozenset[str]:
    """Ids of concepts whose history is their presence: hypertension, not pneumonia."""
    raw = tomllib.loads((files("search_stack.language.lexicon") / "chronic.toml").read_text(encoding="utf-8"))
    return frozenset(raw["ids"].split())
