"""Changes of a sentence's wording, by a table: those that keep what it says, and those that turn it round."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("wordings.toml")


@dataclass(frozen=True, slots=True)
class Changed:
    """A sentence in another wording."""

    text: str
    apart: bool = False
    """Whether words stand in it that nothing is trained with."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What is found becomes one of ``say``, or of ``apart`` where nothing is trained with it."""

    find: re.Pattern[str]
    say: tuple[str, ...]
    apart: tuple[str, ...]

    def changes(self, text: str, rng: random.Random, apart: bool) -> Iterator[Changed]:
        """``text`` in each of its wordings but its own, in an order that is drawn; with those ``apart`` besides."""
        if not self.find.search(text):
            return
        said = [(s, False) for s in self.say] + [(s, True) for s in self.apart if apart]
        for words, kept_apart in rng.sample(said, len(said)):
            changed = tidy(self.find.sub(words, text, count=1), text)
            if changed.casefold() != text.casefold():
                yield Changed(changed, kept_apart)


def tidy(changed: str, like: str) -> str:
    """Begun with a capital where ``like`` is, and with single spaces.

    >>> tidy("there is  No effusion.", "No effusion.")
    'There is no effusion.'
    """
    text = " ".join(changed.split())
    first = like.split(maxsplit=1)[0] if like.split() else ""
    # A word that stood first keeps its capital only where it is more than that: "CHF", "Crohn's" may not.
    at = text.find(first)
    if at > 0 and first[:1].isupper() and not first[1:2].isupper():
        text = text[:at] + text[at].lower() + text[at + 1 :]
    return text[:1].upper() + text[1:] if like[:1].isupper() else text


@cache
def wordings(group: str) -> Sequence[Wording]:
    """Those of one group of the table: ``kept``, ``reversed`` or ``person``."""
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return tuple(
        Wording(re.compile(row["find"], re.IGNORECASE), tuple(row["say"]), tuple(row["apart"])) for row in table[group]
    )
