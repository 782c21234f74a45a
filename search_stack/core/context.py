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
    """What stands before and after the passage, as far as it is kept: of labelled data, not of notes."""


NOTHING = Surroundings()


def surroundings(text: str, begin: int, title: str = "", section: str = "", end: int | None = None) -> Surroundings:
    """Around the passage of ``text`` that begins at ``begin``; with its ``end``, the document too."""
    document = "" if end is None else _document(text, begin, end)
    # Without a copy of the text: a long note has thousands of passages.
    opening = _WORD.search(text, 0, begin)
    if not opening:
        return Surroundings(title, section, document=document)
    lead = text[opening.start() : opening.start() + 2 * LONGEST["lead"]]
    return Surroundings(title, section, lead, text[max(0, begin - 2 * LONGEST["before"]) : begin], document)


def _document(text: str, begin: int, end: int) -> str:
    """What is before and after, at most half of what is read from each side, but for what the other leaves."""
    most = LONGEST["document"]
    after = min(len(text) - end, max(most // 2, most - begin))
    return f"{text[max(0, begin - (most - after)) : begin]} {text[end : end + after]}"


def contextual(text: str, around: Surroundings, parts: Sequence[Part]) -> str:
    """``text`` after the ``parts`` of its surroundings that are there, each cut to `LONGEST`.

    >>> contextual("It is inherited.", Surroundings(title="Gout", lead="Gout is common."), ["title", "lead"])
    'Gout | Gout is common. | It is inherited.'
    """
    read = [_cut(getattr(around, part), part) for part in PARTS if part in parts]
    return JOINT.join([*(words for words in read if words), text])


def _cut(words: str, part: Part) -> str:
    """Whole words of the part, white space as single spaces; of what stands before, the last ones."""
    words = " ".join(words.split())
    most = LONGEST[part]
    if len(words) <= most:
        return words
    if part == "before":
        return words[-most:].partition(" ")[2]
    return words[: most + 1].rpartition(" ")[0] or words[:most]
