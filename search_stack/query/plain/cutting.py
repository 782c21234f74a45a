"""Words of time cut out of a stretch, and what they must leave alone."""

from __future__ import annotations

import re

from search_stack.query.items import Timing
from search_stack.query.plain.stretch import Stretch

FROM_NOTHING = "of what it counts from nothing is said"
"""Why a time is no criterion."""
_ARTICLES = {"a": 1, "an": 1}


def named(s: Stretch) -> list[tuple[int, int]]:
    """Where concepts are named, "first rib fracture" holds no order; and how severe it must be: "first severe gout"."""
    graded = [(told.begin, told.end) for told in s.severities() if told]
    return [*(p for m in s.mentions() for p in m.parts), *graded]


def free(held: list[tuple[int, int]], found: re.Match[str]) -> bool:
    return not any(b < found.end() and found.start() < e for b, e in held)


def count(s: Stretch, word: str) -> int:
    word = " ".join(word.lower().split())
    return int(word) if word.isdigit() else _ARTICLES.get(word) or s.table.numbers.get(word.split()[0], 0)


def take(s: Stretch, place: tuple[int, int], timing: Timing, parting: bool = False) -> None:
    """Cut the words out; those that part two statements leave a semicolon, which no negation reaches over."""
    s.timings.append(timing)
    s.shadow = s.shadow.blank(*place)
    if parting:
        s.shadow = s.shadow.with_mark(place[0], ";")
        s.cuts.add(s.shadow.begins[place[0]])


def parted(s: Stretch, begin: int) -> None:
    """ "No effusion, fever at least twice": what has a time of its own is a statement of its own, which no denial
    before its comma reaches. ``begin``: where it begins."""
    before = s.shadow.text[:begin].rstrip()
    if before.endswith(","):
        s.shadow = s.shadow.with_mark(len(before) - 1, ";")
