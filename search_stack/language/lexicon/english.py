"""Everyday English, by which a right word is told from a misspelt name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def english() -> Mapping[str, int]:
    """English words by their rank, the commonest 0: the frequency dictionary that comes with SymSpell."""
    text = (files("symspellpy") / "frequency_dictionary_en_82_765.txt").read_text(encoding="utf-8-sig")
    return {line.split(" ", 1)[0]: n for n, line in enumerate(text.splitlines())}
