"""Where a text names a concept."""

from __future__ import annotations

from dataclasses import dataclass

from search_stack.core.amounts import Amount


@dataclass(frozen=True, slots=True)
class Mention:
    """``text[begin:end]`` names ``concept``; where other words stand between its words, ``parts`` are
    the stretches that are its own. ``denial``: the words themselves say that it is absent. ``value`` and ``unit``: of
    the number that says it, None and empty where words do. ``names``: those of the concept that stand there, see
    `search_stack.core.schema.Finding`. ``amounts``: what numbers beside it tell of it.
    ``sites``: where in the body it is."""

    concept: str
    begin: int
    end: int
    parts: tuple[tuple[int, int], ...]
    denial: bool = False
    value: float | None = None
    unit: str = ""
    names: tuple[str, ...] = ()
    amounts: tuple[Amount, ...] = ()
    sites: tuple[str, ...] = ()
