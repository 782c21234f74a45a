"""The kind of a name that no lexicon knows, by how it ends: `kinds.toml`."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

_WORD = re.compile(r"[^\W\d_]+")


def guessed_kind(name: str) -> str:
    """The kind that the last words of ``name`` tell; empty where they tell none.

    >>> guessed_kind("inguinal herniotomy"), guessed_kind("dalteparin 5000"), guessed_kind("ringworm")
    ('procedure', 'drug', '')
    """
    words = [w.lower() for w in _WORD.findall(name)]
    for kind, endings, whole in _table():
        if any(w in whole or w.removesuffix("s").endswith(endings) for w in words):
            return kind
    return ""


@cache
def _table() -> tuple[tuple[str, tuple[str, ...], frozenset[str]], ...]:
    raw = tomllib.loads((files("search_stack.language.lexicon") / "kinds.toml").read_text(encoding="utf-8"))
    return tuple((kind, tuple(row["endings"].split()), frozenset(row["words"].split())) for kind, row in raw.items())
