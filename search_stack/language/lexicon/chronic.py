"""Which concepts do not go away, and which end: `chronic.toml`."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

_NAMED = re.compile(r"\bchronic\b", re.IGNORECASE)
_LASTING = re.compile(r"\b(?:chronic|long-?\s?standing|lifelong)(?:\s+[\w-]+)?\s+$", re.IGNORECASE)
_BEFORE = 40


def is_chronic(concept: str, text: str, begin: int, end: int) -> bool:
    """Whether who has a history of what ``text[begin:end]`` names has it.

    >>> text = "A history of chronic otitis media and pneumonia."
    >>> is_chronic("otitis-media", text, 21, 33), is_chronic("pneumonia", text, 38, 47)
    (True, False)
    """
    if concept in chronic_ones() or _NAMED.search(text, begin, end):
        return True
    return _LASTING.search(text[max(0, begin - _BEFORE) : begin]) is not None


@cache
def chronic_ones() -> frozenset[str]:
    """Ids of concepts whose history is their presence: hypertension, not pneumonia."""
    return _ids("ids")


@cache
def passing_ones() -> frozenset[str]:
    """Ids of disorders that are over where a list of past illnesses names them: pneumonia, a stroke."""
    return _ids("passing")


@cache
def habits() -> frozenset[str]:
    """Ids of habits, of which a list of past illnesses tells no past: "PMH: HTN, tobacco 1 ppd"."""
    return _ids("habits")


def _ids(name: str) -> frozenset[str]:
    raw = tomllib.loads((files("search_stack.language.lexicon") / "chronic.toml").read_text(encoding="utf-8"))
    return frozenset(raw[name].split())
