"""What is to break, in which order and when: the same seed gives the same plan."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice


@dataclass(frozen=True, slots=True)
class Step:
    """One fault: seconds before it, its name, at which moment of a command it strikes, seconds that it lasts."""

    pause: float
    fault: str
    moment: float
    hold: float

    def __str__(self) -> str:
        return f"{self.pause:.1f} s later: {self.fault}, at {self.moment:.1f} s, for {self.hold:.1f} s"


def steps(seed: int, faults: Sequence[str], longest: float = 6.0) -> Iterator[Step]:
    """Without end: ``faults`` in an order of chance, each once before any comes again.

    ``longest`` is how many seconds a fault lasts at most; most last less than half of that.
    """
    chance = random.Random(seed)
    while True:
        deck = sorted(faults)
        chance.shuffle(deck)
        for name in deck:
            hold = longest * chance.random() ** 2
            yield Step(round(chance.uniform(0.2, 2.5), 1), name, round(chance.uniform(0.3, 4.0), 1), round(hold, 1))


def first(count: int, seed: int, faults: Sequence[str], longest: float = 6.0) -> list[Step]:
    """The first ``count`` steps.

    >>> first(2, 7, ["a", "b"]) == first(2, 7, ["b", "a"])
    True
    >>> sorted(step.fault for step in first(4, 7, ["a", "b"]))
    ['a', 'a', 'b', 'b']
    """
    return list(islice(steps(seed, faults, longest), count))
