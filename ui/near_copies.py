"""Passages of a record that repeat one above them, as the page folds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from search_stack.core.schema import Hit
from search_stack.language.copies import Copy, Told, copies
from search_stack.retrieval.evidence import Shown, Span
from ui.wording import counted


@dataclass(frozen=True, slots=True)
class Like:
    """What a near-copy repeats."""

    url: str
    """Of the note above, on the same page."""
    day: str
    """Of that note; empty where it has none."""
    own: tuple[Span, ...]
    """Offsets of words that the near-copy alone has."""
    numbers: bool
    """Whether one of the two has a number that the other has not."""


def likes(shown: Sequence[Shown]) -> Mapping[str, Like]:
    """The near-copies among passages of one patient, in the order in which they are read, by id."""
    found = copies([Told(one.hit.text, one.hit.findings) for one in shown])
    return {one.hit.passage_id: _like(shown[copy.of].hit, copy) for one, copy in zip(shown, found, strict=True) if copy}


def _like(repeated: Hit, copy: Copy) -> Like:
    return Like(f"#note-{repeated.note_key}", repeated.date or "", copy.own, copy.numbers)


def copies_said(folded: Sequence[Like]) -> str:
    """How many near-copies there are, and in what they differ from what they repeat.

    >>> same, other = Like("", "", (), numbers=False), Like("", "", ((0, 3),), numbers=False)
    >>> copies_said([same]), copies_said([same, other, Like("", "", ((0, 1),), numbers=True)])
    ('1 near-copy, word for word', '3 near-copies, 1 with other words, 1 with other numbers')
    """
    numbers = sum(one.numbers for one in folded)
    words = sum(bool(one.own) and not one.numbers for one in folded)
    differing = [f"{n} with other {what}" for n, what in ((words, "words"), (numbers, "numbers")) if n]
    return ", ".join((counted(len(folded), "near-copy"), *(differing or ["word for word"])))
