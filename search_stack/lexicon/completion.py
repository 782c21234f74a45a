"""Names of concepts that go on from what is typed."""

from __future__ import annotations

from dataclasses import dataclass

from search_stack.lexicon.concepts import Lexicon, folded

SHORTEST = 2


@dataclass(frozen=True, slots=True)
class Completion:
    """A concept's name, its kind, and the passages that mention it."""

    name: str
    kind: str
    passages: int


def starting(lexicon: Lexicon, start: str, size: int) -> list[str]:
    """Ids of up to ``size`` concepts of which a name, or a word in it, begins with ``start``.

    Whole names come before words inside names, short names before long ones. Nothing where
    ``start`` has fewer than `SHORTEST` characters.
    """
    typed = folded(start)
    if len(typed) < SHORTEST:
        return []
    found = [
        (not name.startswith(typed), len(name), name, id)
        for name, id in lexicon.names.items()
        if name.startswith(typed) or f" {typed}" in name
    ]
    return list(dict.fromkeys(id for *_, id in sorted(found)))[:size]
