"""Where a clause begins and ends, by its words alone."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import files

_WORDS = tomllib.loads((files("ingest.assertion") / "clauses.toml").read_text(encoding="utf-8"))
VERBS, EXISTENTIAL, FILLERS, BE, LINKS, COMMAS, STOPS = (
    frozenset(_WORDS[kind].split()) for kind in ("verbs", "existential", "fillers", "be", "links", "commas", "stops")
)
LOOK_AHEAD = 12


def is_stop(tokens: Sequence[str], at: int) -> bool:
    """Whether the token ends every scope: a semicolon, or a full stop that is not inside a number."""
    if tokens[at] in STOPS:
        return True
    inside_number = at + 1 < len(tokens) and tokens[at + 1].isdigit() and at > 0 and tokens[at - 1].isdigit()
    return tokens[at] == "." and not inside_number


def existential(tokens: Sequence[str], verb: int) -> bool:
    """Whether the verb only says that something is there: "is seen", "are not identified"."""
    if tokens[verb] in EXISTENTIAL:
        return True
    if tokens[verb] not in BE:
        return False
    n = verb + 1
    while n < len(tokens) and (tokens[n] in FILLERS or tokens[n] in BE):
        n += 1
    return n < len(tokens) and tokens[n] in EXISTENTIAL


def clause_follows(tokens: Sequence[str], at: int) -> bool:
    """Whether a clause with a verb of its own begins at ``at``, behind a comma or link.

    "No effusion, the heart is enlarged": yes; "no effusion, edema or nodule is seen": no.
    """
    end = min(len(tokens), at + LOOK_AHEAD)
    for n in range(at, end):
        token = tokens[n]
        if is_stop(tokens, n):
            return False
        if token in COMMAS and n > at:
            return False
        if token in VERBS:
            return n > at and not existential(tokens, n)
    return False
