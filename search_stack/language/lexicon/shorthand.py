"""What notes write for a word of a name: "# hip", "breast ca" (`shorthand.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_NEVER = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Shorthand:
    """Some ways to write one of ``words``; ``alone``: it needs no other word of a name beside it."""

    written: tuple[str, ...]
    words: tuple[str, ...]
    never: re.Pattern[str]
    alone: bool
    examples: tuple[str, ...]

    def holds(self, text: str, end: int) -> bool:
        """Whether what ends at ``end`` of ``text`` may stand for the word."""
        return self.never.match(text, end) is None


@cache
def shorthand() -> Sequence[Shorthand]:
    return tuple(
        Shorthand(
            tuple(row["written"]),
            tuple(row["words"]),
            re.compile(row["never"], re.IGNORECASE) if "never" in row else _NEVER,
            bool(row.get("alone")),
            tuple(row["examples"]),
        )
        for row in _table()["shorthand"]
    )


@cache
def written_so() -> Mapping[str, Shorthand]:
    """The rows, by each way of writing in small letters."""
    return {form: row for row in shorthand() for form in row.written}


@cache
def beside() -> frozenset[str]:
    """Words that may stand between what is written so and the other words of a name."""
    return frozenset(_table()["beside"].split())


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((files("search_stack.language.lexicon") / "shorthand.toml").read_text(encoding="utf-8"))
