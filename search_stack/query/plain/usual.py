"""What tests and vital signs usually tell, by `usual.toml`, and numbers that are told as so many times that."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from search_stack.language.amounts import tells_of


@dataclass(frozen=True, slots=True)
class Usual:
    least: float
    low: float
    high: float
    most: float

    def may_be(self, number: float) -> bool:
        return self.least <= number <= self.most


@cache
def _usual() -> Mapping[str, Usual]:
    raw = tomllib.loads((files("search_stack.query") / "usual.toml").read_text(encoding="utf-8"))
    return {concept: Usual(*numbers) for concept, numbers in raw.items()}


def usual_of(concept: str) -> Usual | None:
    """What ``concept`` usually tells; None where its numbers alone do not say so."""
    return next((row for one in tells_of(concept) if (row := _usual().get(one))), None)
