"""Verb groups that say what became of a finding: "PE excluded by CT", "cannot be confidently ruled out".

A denial, a modal or an adverb may stand anywhere in the group, so it is read as a whole, from its verb
backwards, instead of being looked up as a phrase.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from ingest.assertion.clauses import is_stop
from ingest.assertion.table import SAYS, Trigger

LONGEST = 9
"""Words before its verb that a group has, at most."""
NEAR = 5
"""Words before or behind a group in which what changes its sense is looked for."""


@dataclass(frozen=True, slots=True)
class Verb:
    """What it says where nothing, a denial, or a duty is in its group; "" for nothing."""

    rest: tuple[str, ...]
    finite: bool
    plain: str
    denied: str
    owed: str


def _read() -> tuple[dict[str, Verb], dict[str, frozenset[str]]]:
    raw = tomllib.loads((files("ingest.assertion") / "predicates.toml").read_text(encoding="utf-8"))
    verbs = {}
    for group in raw["verbs"]:
        if unknown := {group["plain"], group["denied"], group["owed"]} - {*SAYS, ""}:
            raise ValueError(f"predicates.toml: {', '.join(unknown)}: no such thing to say")
        for head in group["heads"]:
            first, *rest = head.split()
            verbs[first] = Verb(tuple(rest), group["finite"], group["plain"], group["denied"], group["owed"])
    return verbs, {kind: frozenset(words.split()) for kind, words in raw["words"].items()}


VERBS, WORDS = _read()
GROUP = WORDS["be"] | WORDS["have"] | WORDS["modals"] | WORDS["denials"] | WORDS["owed"] | WORDS["adverbs"]


def predicates(tokens: Sequence[str]) -> dict[int, tuple[int, Trigger]]:
    """The verb groups of a sentence by their first token: the token behind them, and what they say.

    A group that only says that something lies outside ("excluded from the study") is a pseudo-trigger.
    """
    out = {}
    for at, token in enumerate(tokens):
        verb = VERBS.get(token)
        if verb and tuple(tokens[at + 1 : at + 1 + len(verb.rest)]) == verb.rest:
            begin, end = _begin(tokens, at), at + 1 + len(verb.rest)
            if says := _says(verb, tokens, begin, at, end):
                out[begin] = (end, Trigger(says, _where(verb, tokens, begin, at, end), reach=0, final=False))
    return out


def _begin(tokens: Sequence[str], at: int) -> int:
    """The first token of the group of the verb at ``at``."""
    n = at
    while n > 0 and at - n < LONGEST and (tokens[n - 1] in GROUP or tokens[n - 1].endswith("ly")):
        n -= 1
    return n


def _says(verb: Verb, tokens: Sequence[str], begin: int, at: int, end: int) -> str:
    group = tokens[begin:at]
    if tokens[end : end + 1] == ["from"] and any(t in WORDS["elsewhere"] for t in tokens[end : end + NEAR]):
        return "pseudo"
    if any(t in WORDS["denials"] for t in group):
        return verb.denied
    owed = any(t in WORDS["owed"] for t in group) or any(
        t in WORDS["awaited"] for t in tokens[max(0, begin - NEAR) : begin]
    )
    return verb.owed if owed else verb.plain


def _where(verb: Verb, tokens: Sequence[str], begin: int, at: int, end: int) -> str:
    """Whether it speaks of what stands before it, its subject, or behind it, its object."""
    group = tokens[begin:at]
    if not verb.finite:
        # "PE is difficult to exclude" and "it is difficult to exclude PE".
        return "both" if "to" in group else "forward"
    behind = tokens[end] if end < len(tokens) else "."
    if behind in WORDS["object"]:
        return "forward"
    if any(t in WORDS["be"] for t in group):
        return "backward"
    if any(t in WORDS["have"] for t in group):
        return "forward"
    bare = not behind[0].isalnum() or behind in WORDS["behind_passive"] or behind.endswith("ly")
    return "backward" if bare and begin > 0 and not is_stop(tokens, begin - 1) else "forward"
