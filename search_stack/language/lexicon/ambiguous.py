"""Which of its meanings an abbreviation has in a note: by its sentence, by the rest of the note (`ambiguous.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

_NEVER = re.compile(r"(?!)")
_SMALL = re.compile(r"[a-z]")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_WITH = re.compile(r"\bwith\b")
"""Notes write "w/" for it."""
_SHOUTED = 3
"""Words in capitals besides it from which a sentence without a small letter is written in capitals."""


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of ``short``; patterns see its sentence, ``note`` the whole text."""

    short: str
    concept: str
    says: re.Pattern[str]
    against: re.Pattern[str]
    note: re.Pattern[str]
    alone: bool
    everyday: bool
    examples: tuple[str, ...]

    def holds(self, text: str, begin: int, end: int, at: int) -> bool:
        """Whether the abbreviation at ``at`` of the sentence ``text[begin:end]`` means it."""
        sentence, place = text[begin:end], at - begin
        if _covers(self.against, sentence, place) or (self.everyday and _is_shouted(sentence)):
            return False
        return self.alone or _covers(self.says, sentence, place) or _says_note(self.note, text)


def sense(senses: Sequence[Sense], text: str, begin: int, end: int, at: int) -> str | None:
    """The concept that an abbreviation means; None where nothing tells."""
    return next((s.concept for s in senses if s.holds(text, begin, end, at)), None)


@cache
def ambiguous() -> Mapping[str, Sequence[Sense]]:
    """The senses of each abbreviation, in the order in which they are asked."""
    raw = tomllib.loads((files("search_stack.language.lexicon") / "ambiguous.toml").read_text(encoding="utf-8"))
    out: dict[str, list[Sense]] = {}
    for row in raw["senses"]:
        out.setdefault(row["short"], []).append(_sense(row))
    return out


def _sense(row: Mapping[str, Any]) -> Sense:
    short = row["short"]
    return Sense(
        short,
        row["concept"],
        _pattern(row.get("says"), short),
        _pattern(row.get("against"), short),
        re.compile(row["note"], re.IGNORECASE) if "note" in row else _NEVER,
        bool(row.get("alone")),
        bool(row.get("everyday")),
        tuple(row["examples"]),
    )


def _pattern(written: str | None, short: str) -> re.Pattern[str]:
    if written is None:
        return _NEVER
    joined = _WITH.sub(r"(?:with|w/)", re.sub(r"\s*\n\s*", "", written)).replace(" ", r"\s+")
    here = rf"(?<!\w)(?<!\w-)(?-i:{re.escape(short)})(?!\w)"
    return re.compile(rf"(?<!\w)(?:{joined.replace('@', here)})", re.IGNORECASE)


def _covers(pattern: re.Pattern[str], sentence: str, place: int) -> bool:
    return any(m.start() <= place < m.end() for m in pattern.finditer(sentence))


@lru_cache(maxsize=256)
def _says_note(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.search(text) is not None


def _is_shouted(sentence: str) -> bool:
    return not _SMALL.search(sentence) and len(_WORDS.findall(sentence)) > _SHOUTED
