"""Names of concepts that go on from what is typed."""

from __future__ import annotations

from search_stack.language.lexicon.concepts import Lexicon, folded

SHORTEST = 2


def starting(lexicon: Lexicon, start: str, size: int) -> list[tuple[str, str]]:
    """Up to ``size`` names that begin with ``start``, or have a word that does, each with its concept's id.

    Whole names come before words inside names, short names before long ones; a concept is named once. Nothing where
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
    by_id: dict[str, str] = {}
    for _, _, name, id in sorted(found):
        by_id.setdefault(id, name)
    return [(name, id) for id, name in by_id.items()][:size]
