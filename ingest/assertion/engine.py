"""What a sentence says of the mentions in it, by trigger words and their scope.

After NegEx (Chapman et al., J Biomed Inform 34, 2001) and ConText (Harkema et al., J Biomed
Inform 42, 2009): triggers before or after a mention, pseudo-triggers that hold one and mean
nothing, and words that end a scope. Scopes here end with the clause, which is told by its
verb, so that a list stays whole and the next statement is free.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ingest.assertion.clauses import COMMAS, LINKS
from ingest.assertion.judgement import Judgement
from ingest.assertion.marks import signed
from ingest.assertion.scopes import WIDEST, Match, matches
from ingest.assertion.table import TOKEN

REACH = WIDEST + 12
"""Words between a mention and the beginning of a trigger that may reach it, at most."""
GOVERNS = 4
"""Words between a denial and the guess that it denies, at most: "no findings suspicious for"."""
FAMILY, PAST, REASONS = (
    frozenset(("family history",)),
    frozenset(("past medical history", "past surgical history", "past history", "medical history", "surgical history")),
    frozenset(("indication",)),
)
"""Aspects of sections in which a mention without any trigger is not plainly present."""


def assess(
    text: str,
    begin: int,
    end: int,
    mentions: Sequence[tuple[int, int]],
    aspect: str = "",
    lead: tuple[int, int] = (0, 0),
) -> list[Judgement]:
    """Judge each mention of the sentence ``text[begin:end]``.

    Args:
        mentions: offsets into ``text``, inside the sentence.
        aspect: of the section that the sentence is in; "family history" makes its mentions the
            family's where nothing else is said.
        lead: offsets of words before the sentence that hold for it too: "return if you have:" over a list.

    Returns:
        One judgement a mention, in order; triggers by their offsets in ``text``.
    """
    if not mentions:
        return []
    words = [*TOKEN.finditer(text, *lead), *TOKEN.finditer(text, begin, end)]
    starts, ends = [w.start() for w in words], [w.end() for w in words]
    tokens = signed([w[0].lower().replace("’", "'") for w in words], starts, ends)
    scopes = matches(tokens)
    begins = [m.begin for m in scopes]
    out = []
    for left, right in mentions:
        first = bisect_right(ends, left)
        last = max(first, bisect_left(starts, right) - 1)
        near = scopes[bisect_left(begins, first - REACH) : bisect_right(begins, last + REACH)]
        out.append(_judge(first, last, near, tokens, starts, ends, aspect))
    return out


def _judge(
    first: int,
    last: int,
    near: Sequence[Match],
    tokens: Sequence[str],
    starts: Sequence[int],
    ends: Sequence[int],
    aspect: str,
) -> Judgement:
    said: dict[str, Match] = {}
    for m in near:
        if m.begin <= last and first < m.end:
            # A trigger inside the mention is its own word, but for one that begins with it or before it.
            if m.begin > first or m.trigger.where != "forward" or (m.begin == first and m.trigger.says != "absent"):
                continue
        elif not (m.first <= first and last < m.last) and not (m.end <= first < m.last):
            continue
        if m.trigger.unless and last + 1 < len(tokens) and tokens[last + 1] in m.trigger.unless:
            continue
        before = said.get(m.trigger.says)
        if before is None or _distance(m, first, last) <= _distance(before, first, last):
            said[m.trigger.says] = m
    return _combined(said, first, last, tokens, starts, ends, aspect)


def _distance(match: Match, first: int, last: int) -> int:
    return max(first - match.end, match.begin - last - 1, 0)


def _combined(
    said: dict[str, Match],
    first: int,
    last: int,
    tokens: Sequence[str],
    starts: Sequence[int],
    ends: Sequence[int],
    aspect: str,
) -> Judgement:
    """One assertion out of all that was said, the weightiest first."""
    past = "historical" in said or aspect in PAST
    temporality = "hypothetical" if "hypothetical" in said else "historical" if past else "recent"
    denied = said.get("absent") or said.get("normal")
    guessed = said.get("possible")
    if denied and guessed and not _governs(denied, guessed, tokens) and not _listed(denied, guessed, first, tokens):
        if denied.trigger.where == guessed.trigger.where == "backward":
            weightier = max((denied, guessed), key=lambda m: m.begin)  # What came out of it: "suspected and excluded".
        else:
            weightier = min((denied, guessed), key=lambda m: _distance(m, first, last))
        denied = denied if weightier is denied else None
    chosen: Match | None
    if chosen := said.get("family"):
        assertion = "family"
    elif aspect in FAMILY:
        assertion, chosen = "family", denied
    elif (chosen := denied) and not _only_if(said, denied):
        assertion = "absent"
    elif chosen := said.get("hypothetical"):
        assertion = "hypothetical"
    elif chosen := guessed:
        assertion = "possible"
    elif chosen := said.get("historical"):
        assertion = "historical"
    else:
        assertion = "hypothetical" if aspect in REASONS else "present"
        chosen = None
    begin, end = (starts[chosen.begin], ends[chosen.end - 1]) if chosen else (None, None)
    return Judgement(assertion, begin, end, temporality, "family" if assertion == "family" else "patient")


def _governs(denied: Match, guessed: Match, tokens: Sequence[str]) -> bool:
    """Whether the guess is what is denied: "no lesion suspicious for"."""
    between = tokens[denied.end : guessed.begin]
    return denied.end <= guessed.begin and len(between) <= GOVERNS and not any(t in COMMAS for t in between)


def _listed(denied: Match, guessed: Match, first: int, tokens: Sequence[str]) -> bool:
    """Whether a guess behind the mention closes the list that is denied: "no fever, cough or pneumonia suspected"."""
    if denied.trigger.where != "forward" or denied.end > first or guessed.begin <= first:
        return False
    separators = [t for t in tokens[denied.end : first] if t in COMMAS or t in LINKS]
    return not separators or separators[-1] in ("or", "nor")


def _only_if(said: dict[str, Match], denied: Match | None) -> bool:
    """Whether the denial itself stands under a condition: "if there is no improvement"."""
    condition = said.get("hypothetical")
    if not condition or not denied or condition.trigger.settled:
        return False
    return condition.trigger.where == "forward" and condition.end <= denied.begin
