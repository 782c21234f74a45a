"""Symptoms that are named by their first letters: "N/V/D", "no f/c" (`initials.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_ANY = re.compile("")
MARK = "[/&+]"
"""What stands between the letters."""
LETTERS_BETWEEN = frozenset(MARK[1:-1])
AFTER = "after"
"""A group that is no concept: the mark behind which they stand."""


@dataclass(frozen=True, slots=True)
class Initials:
    """One way to write several; see `initials.toml`."""

    written: re.Pattern[str]
    letters: Mapping[str, str]
    with_f: Mapping[str, str]
    beside: re.Pattern[str]
    never: re.Pattern[str]
    denies: bool
    examples: tuple[str, ...]

    def found(self, text: str, begin: int, end: int) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Where it stands in the sentence ``text[begin:end]``, and the concepts that it means there."""
        for match in self.written.finditer(text, begin, end):
            if self.never.match(text, match.end(), end) or not self._is_meant(text, begin, end, match):
                continue
            if concepts := self.concepts(match):
                yield match.start(), match.end(), concepts

    def concepts(self, match: re.Match[str]) -> tuple[str, ...]:
        """What a match of ``written`` names, in its order; nothing where a letter has no meaning."""
        if not self.with_f:
            return tuple(c.replace("_", "-") for c, at in match.groupdict().items() if at and c != AFTER)
        said = [c for c in match[0].lower() if c not in LETTERS_BETWEEN]
        means = {**self.letters, **(self.with_f if "f" in said else {})}
        return tuple(means[c] for c in said) if means.keys() >= set(said) else ()

    def _is_meant(self, text: str, begin: int, end: int, match: re.Match[str]) -> bool:
        places = self.beside.finditer(text, begin, end)
        return self.beside is _ANY or any(p.start() <= match.start() < p.end() for p in places)


@cache
def initials() -> Sequence[Initials]:
    return tuple(_row(row) for row in _table()["initials"])


def _row(row: Mapping[str, Any]) -> Initials:
    letters = row["written"].replace("/", MARK)
    # A letter more belongs to something else, a longer word is named by itself: "n/v/diarrhea".
    whole = rf"(?<!\w)(?<!\b\w{MARK}){letters}(?!\w|{MARK}\w\b)"
    beside = re.sub(r"\s*\n\s*", "", row.get("beside", ""))
    return Initials(
        re.compile(whole, re.IGNORECASE),
        row.get("letters", {}),
        row.get("with_f", {}),
        re.compile(beside.replace("@", re.sub(r"\?P<\w+>", "?:", letters)), re.IGNORECASE) if beside else _ANY,
        re.compile(row.get("never", "(?!)"), re.IGNORECASE),
        bool(row.get("denies")),
        tuple(row["examples"]),
    )


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((files("search_stack.language.lexicon") / "initials.toml").read_text(encoding="utf-8"))
