"""What surrounds a passage: the words that a model reads before it.

A passage often does not name what it is about ("This condition is inherited in an autosomal
recessive pattern"); its document's opening words or title do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from search_stack.core.errors import AspectraError

Part = Literal["title", "section", "document", "lead", "before"]
PARTS: tuple[Part, ...] = get_args(Part)
LONGEST: dict[Part, int] = {"title": 120, "section": 80, "document": 12_000, "lead": 160, "before": 120}
"""Characters that are read of each part: about a quarter as many tokens."""
JOINT = " | "
"""Stands before the passage's own words."""
FOLLOWS = " || "
"""Stands after them, before what follows in the document."""
_WORD = re.compile(r"\S")


def read_parts(names: str) -> tuple[Part, ...]:
    """Parts from their names with commas between; none from an empty text.

    Raises:
        AspectraError: no part has one of the names.
    """
    given = [name.strip() for name in names.split(",") if name.strip()]
    if unknown := sorted(set(given) - set(PARTS)):
        raise AspectraError(f"No part of the context is called {', '.join(unknown)}.", f"There are {', '.join(PARTS)}.")
    return tuple(part for part in PARTS if part in given)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a passage; every part may be empty."""

    title: str = ""
    section: str = ""
    """Its heading."""
    lead: str = ""
    """The document's opening words; empty for the passage that they open."""
    before: str = ""
    """The words just before the passage."""
    document: str = ""
    """What stands before the passage, as far as it is kept: of labelled data, not of notes."""
    after: str = ""
    """What stands after it, likewise; read with the document."""


NOTHING = Surroundings()


def surroundings(text: str, begin: int, title: str = "", section: str = "", end: int | None = None) -> Surroundings:
    """Around the passage of ``text`` that begins at ``begin``; with its ``end``, the document too."""
    document, after = ("", "") if end is None else _document(text, begin, end)
    # Without a copy of the text: a long note has thousands of passages.
    opening = _WORD.search(text, 0, begin)
    if not opening:
        return Surroundings(title, section, document=document, after=after)
    lead = text[opening.start() : opening.start() + 2 * LONGEST["lead"]]
    return Surroundings(title, section, lead, text[max(0, begin - 2 * LONGEST["before"]) : begin], document, after)


def _document(text: str, begin: int, end: int) -> tuple[str, str]:
    """What is before and after, whole words; at most half of what is read from each side, but for what the other
    leaves."""
    most = LONGEST["document"]
    room = min(len(text) - end, max(most // 2, most - begin))
    start = max(0, begin - (most - room))
    before, after = text[start:begin], text[end : end + room]
    if start:
        before = before.partition(" ")[2]
    if end + room < len(text):
        after = after.rpartition(" ")[0]
    return before, after


def contextual(text: str, around: Surroundings, parts: Sequence[Part]) -> str:
    """``text`` after the ``parts`` of its surroundings that are there, each cut to `LONGEST`; the document stands
    around it, in its order.

    >>> contextual("It is inherited.", Surroundings(title="Gout", lead="Gout is common."), ["title", "lead"])
    'Gout | Gout is common. | It is inherited.'
    >>> contextual("It hurts.", Surroundings(document="Gout is common.", after="See a doctor."), ["document"])
    'Gout is common. | It hurts. || See a doctor.'
    """
    read = [_cut(getattr(around, part), part) for part in PARTS if part in parts]
    after = _lines(around.after) if "document" in parts else ""
    return JOINT.join([*(words for words in read if words), text]) + (FOLLOWS + after if after else "")


def apart(read: str) -> tuple[str, str, str]:
    """What `contextual` gave, as what stands before the passage, its own words, and what follows.

    >>> apart("Gout | Gout is common. | It hurts. || See a doctor.")
    ('Gout | Gout is common.', 'It hurts.', 'See a doctor.')
    >>> apart("It hurts.")
    ('', 'It hurts.', '')
    """
    head, mark, after = read.partition(FOLLOWS)
    before, _, own = head.rpartition(JOINT)
    return before, own, after if mark else ""


def _cut(words: str, part: Part) -> str:
    """Whole words of the part, white space as single spaces; of what stands before, the last ones; the document as it
    is kept, and its lines."""
    if part == "document":
        return _lines(words)
    words = " ".join(words.split())
    most = LONGEST[part]
    if len(words) <= most:
        return words
    if part == "before":
        return words[-most:].partition(" ")[2]
    return words[: most + 1].rpartition(" ")[0] or words[:most]


def _lines(words: str) -> str:
    return "\n".join(" ".join(line.split()) for line in words.splitlines() if line.strip())
