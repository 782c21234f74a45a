"""Verb groups that say what became of a finding: "PE excluded by CT", "cannot be confidently ruled out".

A denial, a modal or an adverb may stand anywhere in the group, so it is read as a whole, from its verb
backwards, instead of being looked up as a phrase.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from search_stack.language.assertion.clauses import is_adverb, is_stop
from search_stack.language.assertion.table import SAYS, Trigger

LONGEST = 9
"""Words before its verb that a group has, at most."""
NEAR = 5
"""Words before or behind a group in which what changes its sense is looked for."""


@dataclass(frozen=True, slots=True)
class Verb:
    """What it says as such, and with a denial, half of one, or a duty in its group; "" for nothing."""

    finite: bool
    object: bool = False
    plain: str = ""
    denied: str = ""
    hedged: str = ""
    owed: str = ""
    given: bool = False
    """Its subject may be who gets it: "she was not given aspirin", "aspirin was not given"."""
    noted: bool = False
    """In a question of its subject alone: "aspirin not given" is what a note says, "not given aspirin" asks who has
    none."""
    kinds: tuple[str, ...] = ()
    """Kinds of concepts of which alone it says something; of all where there are none."""


def _read() -> tuple[dict[str, list[tuple[tuple[str, ...], Verb]]], dict[str, frozenset[str]]]:
    """Verbs by their first word, with the rest of their words, the longest first; and the kinds of words of a group."""
    raw = tomllib.loads((files("search_stack.language.assertion") / "predicates.toml").read_text(encoding="utf-8"))
    verbs: dict[str, list[tuple[tuple[str, ...], Verb]]] = {}
    for group in raw["verbs"]:
        kinds = tuple(group.get("kinds", ()))
        verb = Verb(**{name: value for name, value in group.items() if name not in ("heads", "kinds")}, kinds=kinds)
        if unknown := {verb.plain, verb.denied, verb.hedged, verb.owed} - {*SAYS, ""}:
            raise ValueError(f"predicates.toml: {', '.join(unknown)}: no such thing to say")
        for head in group["heads"]:
            first, *rest = head.split()
            verbs.setdefault(first, []).append((tuple(rest), verb))
    for alike in verbs.values():
        alike.sort(key=lambda one: -len(one[0]))
    return verbs, {kind: frozenset(words.split()) for kind, words in raw["words"].items()}


VERBS, WORDS = _read()
CONTRACTED = {word.replace("'", ""): word for word in WORDS["denials"] if "'" in word}
"""Denials as they are typed in haste, "doesnt", and what each is."""
GROUP = frozenset[str]().union(
    *(WORDS[kind] for kind in ("be", "have", "do", "modals", "denials", "half", "blunt", "owed", "adverbs"))
)


def predicates(tokens: Sequence[str], asked: bool = False) -> dict[int, tuple[int, Trigger]]:
    """The verb groups of a sentence by their first token: the token behind them, and what they say; ``asked``: the text
    is part of a question.

    A group that only says that something lies outside ("excluded from the study") is a pseudo-trigger.
    """
    out = {}
    for at, token in enumerate(tokens):
        alike = VERBS.get(token, ())
        found = next(((rest, v) for rest, v in alike if tuple(tokens[at + 1 : at + 1 + len(rest)]) == rest), None)
        if found is None:
            continue
        rest, verb = found
        begin, end = _begin(tokens, at), at + 1 + len(rest)
        if asked and verb.noted and not (_has_subject(tokens, begin) and _has_no_object(tokens, end)):
            continue
        if verb.finite and not WORDS["do"].isdisjoint(tokens[begin:at]):
            continue  # An infinitive that is written alike: "did not present with fever".
        if says := _says(verb, tokens, begin, at, end):
            out[begin] = (end, Trigger(says, _where(verb, tokens, begin, at, end), kinds=verb.kinds))
    return out


def _has_subject(tokens: Sequence[str], begin: int) -> bool:
    """Whether what the group that starts at ``begin`` speaks of may stand before it."""
    return begin > 0 and not is_stop(tokens, begin - 1)


def _has_no_object(tokens: Sequence[str], end: int) -> bool:
    """Whether nothing that a group may speak of follows at ``end``."""
    behind = tokens[end] if end < len(tokens) else "."
    return not behind[0].isalnum() or behind in WORDS["behind_passive"] or is_adverb(behind)


def _begin(tokens: Sequence[str], at: int) -> int:
    """The first token of the group of the verb at ``at``."""
    n = at
    while n > 0 and at - n < LONGEST and (tokens[n - 1] in GROUP or is_adverb(tokens[n - 1])):
        n -= 1
    return n


def _says(verb: Verb, tokens: Sequence[str], begin: int, at: int, end: int) -> str:
    group = tokens[begin:at]
    if tokens[end : end + 1] == ["from"] and any(t in WORDS["elsewhere"] for t in tokens[end : end + NEAR]):
        return "pseudo"
    denied = any(t in WORDS["denials"] for t in group)
    once = tokens[end : end + 1] in (["on"], ["in"]) and any(t in WORDS["once"] for t in tokens[end : end + NEAR])
    blunted = once or any(t in WORDS["blunt"] for t in (*group, *tokens[end : end + 1]))
    if any(t in WORDS["half"] for t in group) or (denied and blunted):
        return verb.hedged
    owed = any(t in WORDS["owed"] for t in group) or any(
        t in WORDS["awaited"] for t in tokens[max(0, begin - NEAR) : begin]
    )
    if denied:
        # "May not be excluded" leaves it possible; "may not be demonstrated" speaks of what might be.
        return (verb.hedged or "hypothetical") if owed else verb.denied
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
        return "both" if verb.given and behind[0].isalnum() and behind not in WORDS["behind_passive"] else "backward"
    if any(t in WORDS["have"] for t in group):
        return "forward"
    passive = not verb.object or _has_no_object(tokens, end)
    return "backward" if passive and _has_subject(tokens, begin) else "forward"
