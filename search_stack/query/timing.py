"""The operators of time as they are written in capitals; `search_stack.query.placing` puts them on their criteria."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from search_stack.query.fields import day_behind, day_of
from search_stack.query.items import Timing
from search_stack.query.nodes import AllOf, AtAge, AtLeast, Near, Node, Pick
from search_stack.query.timed import MOST_DAYS, during, together
from search_stack.query.tree import QueryError

MEANT = "Write it as: effusion WITHIN 30 DAYS AFTER pneumothorax; FIRST stroke; AT LEAST 2 NOTES OF fever."
PATTERN = r"""AT\ LEAST\ \d{1,4}\ (?:NOTES?|DAYS?)\ OF | FIRST | LAST | SAME\ (?:NOTE|ENCOUNTER|DAY|YEAR)
    | DURING\ (?:\*|\d{4}[\d-]*)\ TO\ (?:\*|\d{4}[\d-]*) | AT\ AGE\ (?:\*|\d{1,3})\ TO\ (?:\*|\d{1,3})
    | (?:\*|-?\d{1,6})\ TO\ (?:\*|-?\d{1,6})\ DAYS\ AFTER | WITHIN\ \d{1,6}\ DAYS?\ (?:AFTER|BEFORE|OF)
    | (?:AFTER|BEFORE)(?!\ \d)"""
"""For a verbose regular expression."""


def timing_of(text: str, begin: int, end: int) -> Timing:
    """The operator ``text``, which `PATTERN` has matched.

    Raises:
        QueryError: a day is none.
    """
    words = text.split()
    if text.startswith("AT LEAST"):
        if not int(words[2]):
            raise QueryError(f"{text} asks for nothing.", MEANT)
        make = partial(AtLeast, int(words[2]), "days" if words[3].startswith("DAY") else "notes")
        return Timing(make, "next", begin, end, typed=True)
    if words[0] in ("FIRST", "LAST"):
        return Timing(partial(Pick, "first" if words[0] == "FIRST" else "last"), "next", begin, end, typed=True)
    if words[0] == "SAME":
        return Timing(partial(_same, words[1].lower()), "next", begin, end, typed=True)
    if words[0] == "DURING":
        return Timing(partial(during, *_days(words[1], words[3])), "previous", begin, end, typed=True)
    if text.startswith("AT AGE"):
        ages = _ordered(text, _bound(words[2]), _bound(words[4]))
        return Timing(partial(AtAge, *ages), "previous", begin, end, typed=True)
    return Timing(partial(Near, *_ordered(text, *_offsets(words))), "both", begin, end, typed=True)


def _ordered(text: str, least: int | None, most: int | None) -> tuple[int | None, int | None]:
    """
    Raises:
        QueryError: the first is above the second.
    """
    if least is not None and most is not None and least > most:
        raise QueryError(f"{text} leaves nothing.", "Swap the numbers.")
    return least, most


def _offsets(words: Sequence[str]) -> tuple[int | None, int | None]:
    if words[0] == "WITHIN":
        return offsets(int(words[1]), words[3].lower())
    if words[0] in ("AFTER", "BEFORE"):
        return (1, None) if words[0] == "AFTER" else (None, -1)
    return _bound(words[0]), _bound(words[2])


def offsets(days: int, side: str) -> tuple[int, int]:
    """Within so many days after, before or of: the day itself counts.

    >>> offsets(30, "after"), offsets(7, "of")
    ((0, 30), (-7, 7))
    """
    days = min(days, MOST_DAYS)
    return (0 if side == "after" else -days, 0 if side == "before" else days)


def _bound(word: str) -> int | None:
    return None if word == "*" else max(-MOST_DAYS, min(MOST_DAYS, int(word)))


def _days(first: str, last: str) -> tuple[str, str]:
    try:
        after = "" if first == "*" else day_of(first).isoformat()
        before = "" if last == "*" else day_behind(last).isoformat()
    except (ValueError, OverflowError):
        raise QueryError(
            f"DURING {first} TO {last} holds no date.", "Write it as DURING 2019-01-01 TO 2019-12-31."
        ) from None
    return after, before


def _same(by: str, child: Node) -> Node:
    return together(by, child.children if isinstance(child, AllOf) else [child])
