"""What a sentence says of the mentions in it, by trigger words and their scope.

After NegEx (Chapman et al., J Biomed Inform 34, 2001) and ConText (Harkema et al., J Biomed
Inform 42, 2009): triggers before or after a mention, pseudo-triggers that hold one and mean
nothing, and words that end a scope. Scopes here end with the clause, which is told by its
verb, so that a list stays whole and the next statement is free.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from ingest.assertion.clauses import (
    COMMAS,
    LEAD_IN,
    LINKS,
    change_follows,
    clause_follows,
    existential,
    is_patient,
    is_stop,
    is_verb,
    reports,
)
from ingest.assertion.judgement import Judgement
from ingest.assertion.marks import marks, signed
from ingest.assertion.predicates import predicates
from ingest.assertion.table import TOKEN, Trigger, longest, tree

WIDEST = 60
"""Words that any scope is long, at most."""
REACH = WIDEST + 12
"""Words between a mention and the beginning of a trigger that may reach it, at most."""
RETURNS = frozenset(("but", "otherwise", "however", "then"))
"""Words behind which a condition no longer holds."""
SHARES = frozenset(("and", "but", ":"))
"""Behind them a verb may have the subject that stands before them."""
RESUMES = frozenset(("with", "has", "have", "had", "is", "are", "was", "were", "does", "did"))
ENDS = ("end", "statement", "relative")
"""What ends scopes."""
GOVERNS = 4
"""Words between a denial and the guess that it denies, at most: "no findings suspicious for"."""
FAMILY, PAST, REASONS = (
    frozenset(("family history",)),
    frozenset(("past medical history", "past surgical history", "past history", "medical history", "surgical history")),
    frozenset(("indication",)),
)
"""Aspects of sections in which a mention without any trigger is not plainly present."""


@dataclass(frozen=True, slots=True)
class _Match:
    """A trigger at the tokens ``begin`` to ``end``, which says something of those in ``first`` to ``last``."""

    trigger: Trigger
    begin: int
    end: int
    first: int
    last: int


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
    tokens: list[str] = []
    starts: list[int] = []
    for found in chain(TOKEN.finditer(text, *lead), TOKEN.finditer(text, begin, end)):
        tokens.append(found[0].lower().replace("’", "'"))
        starts.append(found.start())
    ends = [s + len(t) for s, t in zip(starts, tokens, strict=True)]
    if any(len(t) != len(text[s : s + len(t)].lower()) for s, t in zip(starts, tokens, strict=True) if not t.isascii()):
        # A few capitals grow in lower case: take the ends from the text itself.
        ends = [m.end() for m in chain(TOKEN.finditer(text, *lead), TOKEN.finditer(text, begin, end))]
    tokens = signed(tokens, starts, ends)
    matches = _matches(tokens)
    begins = [m.begin for m in matches]
    out = []
    for left, right in mentions:
        first = bisect_right(ends, left)
        last = max(first, bisect_left(starts, right) - 1)
        near = matches[bisect_left(begins, first - REACH) : bisect_right(begins, last + REACH)]
        out.append(_judge(first, last, near, tokens, starts, ends, aspect))
    return out


def _matches(tokens: Sequence[str]) -> list[_Match]:
    """Every trigger with its scope, in the order of the text."""
    begins = tree().onward
    raw: list[tuple[int, int, tuple[Trigger, ...]]] = []
    groups = predicates(tokens)
    ticked = marks(tokens)
    held = {n for mark in ticked for n in range(mark.begin, mark.end)}
    at = 0
    while at < len(tokens):
        if at in groups:
            end, trigger = groups[at]
            raw.append((at, end, (trigger,)))
            at = end
            continue
        if tokens[at] not in begins or at in held:
            at += 1
            continue
        end, found = _phrase(tokens, at, groups)
        opens = at == 0 or is_stop(tokens, at - 1)
        found = tuple(t for t in found if (_is_final(tokens, end) or not t.final) and (opens or not t.initial))
        if found and not (tokens[at] == "no" and tokens[at + 1 : at + 2] == ["."]):
            raw.append((at, end, found))
            at = end
        else:
            at += 1
    ends = {b: t.says for b, _, found in raw for t in found if t.says in ENDS}
    ends |= dict.fromkeys(held, "mark")
    unsaid = {n for b, e, found in raw if any(t.says == "pseudo" for t in found) for n in range(b, e)}
    out = []
    for b, e, found in raw:
        for trigger in found:
            if trigger.says in (*ENDS, "pseudo"):
                continue
            # "Considered and excluded" have one subject; "PE: excluded", "PE: unlikely" have one too.
            shared = b - 1 if b and tokens[b - 1] in SHARES and (b in groups or _answers(tokens, b, e)) else b
            first = b if trigger.where == "forward" else _backward(tokens, shared, ends, trigger.reach or WIDEST)
            last = e if trigger.where == "backward" else _forward(tokens, e, ends, unsaid, trigger)
            out.append(_Match(trigger, b, e, first, last))
    # What is ticked is present unless words before it say otherwise.
    out += [_Match(Trigger(m.says, "both"), m.begin, m.end, m.first, m.last) for m in ticked if m.says != "present"]
    return sorted(out, key=lambda m: m.begin) if ticked else out


def _phrase(tokens: Sequence[str], at: int, groups: Mapping[int, object]) -> tuple[int, tuple[Trigger, ...]]:
    """The longest phrase at ``at`` that leaves whole what begins inside it and reaches further.

    "Was negative" speaks of what is before it, "negative for" of what follows, as in "was negative for".
    """
    end, found = longest(tokens, at, len(tokens))
    if groups and (inside := next((n for n in range(at + 1, end) if n in groups), 0)):
        end, found = longest(tokens, at, inside)
    if found and all(t.where == "backward" for t in found):
        for n in range(at + 1, end):
            further, other = longest(tokens, n, len(tokens))
            if further > end and any(t.where == "forward" for t in other):
                return longest(tokens, at, n)
    return end, found


def _is_final(tokens: Sequence[str], end: int) -> bool:
    return end >= len(tokens) or not (tokens[end][0].isalnum() or tokens[end] in "(-")


def _forward(
    tokens: Sequence[str], start: int, ends: Mapping[int, str], unsaid: Container[int], trigger: Trigger
) -> int:
    """The token before which the scope of a trigger ends that ends before ``start``."""
    stop = min(len(tokens), start + (trigger.reach or WIDEST))
    headed = start < len(tokens) and tokens[start] == ":"
    if trigger.says == "hypothetical" or (headed and trigger.says in ("historical", "family")):
        # A condition or a heading holds for all that follows.
        return next(
            (n for n in range(start, stop) if is_stop(tokens, n) or (tokens[n] in RETURNS and n not in unsaid)), stop
        )
    said = opened = False
    if trigger.says == "absent":
        start = next((n for n in range(start, stop) if tokens[n] not in LEAD_IN), start)
    for n in range(start, stop):
        if is_stop(tokens, n) or (tokens[n] == ":" and n > start + 1):
            return n
        if (n in ends or trigger.says == "family") and _ends(tokens, n, start, ends, trigger):
            return n
        if tokens[n] == ")" and not opened:
            return n
        opened = opened or tokens[n] == "("
        # Right behind a denial stands what is denied, be it a verb: "has not noticed fever, chills or cough".
        said = said or (is_verb(tokens, n) and not (n == start and trigger.says == "absent"))
        if (tokens[n] in COMMAS or tokens[n] in LINKS) and trigger.says != "family":
            if said and n > start:
                return n
            if trigger.says != "historical" and (
                clause_follows(tokens, n + 1) or change_follows(tokens, n) or _resumes(tokens, n)
            ):
                return n
    return stop


def _answers(tokens: Sequence[str], begin: int, end: int) -> bool:
    """Whether the words are all that is said behind a colon: "heart failure: unlikely"."""
    return tokens[begin - 1] == ":" and _is_final(tokens, end)


def _resumes(tokens: Sequence[str], at: int) -> bool:
    """Whether a statement goes on behind the comma or link: "denies pain, has dyspnea"."""
    return tokens[at] not in ("or", "nor") and at + 1 < len(tokens) and tokens[at + 1] in RESUMES


def _ends(tokens: Sequence[str], at: int, start: int, ends: Mapping[int, str], trigger: Trigger) -> bool:
    """Whether words that end scopes end that of ``trigger``, which begins at ``start``."""
    if trigger.says == "family":
        # A relative may be the subject of a statement, or tell of the patient.
        if reports(tokens, at) or is_patient(tokens, at):
            return True
        return at in ends and ends[at] != "relative" and not (at == start and ends[at] == "statement")
    if ends.get(at) == "mark":
        return trigger.says != "historical"  # "Childhood illnesses: (+) measles".
    return at in ends and not (at == start and trigger.says == "absent" and ends[at] != "end")


def _backward(tokens: Sequence[str], start: int, ends: Container[int], reach: int) -> int:
    """The first token of the scope of a trigger that begins at ``start``."""
    verb = False
    for n in range(start - 1, max(-1, start - reach), -1):
        if n in ends or is_stop(tokens, n) or tokens[n] == ":":
            return n + 1
        if is_verb(tokens, n) and not existential(tokens, n):
            verb = True
        if tokens[n] in COMMAS or tokens[n] in ("and", "or"):
            if verb:
                return n + 1
            if _has_verb_before(tokens, n):
                return n + 1
    return max(0, start - reach)


def _has_verb_before(tokens: Sequence[str], at: int) -> bool:
    """Whether the stretch before a comma or link has a verb of its own."""
    for n in range(at - 1, max(-1, at - 12), -1):
        if is_stop(tokens, n) or tokens[n] in COMMAS:
            return False
        if is_verb(tokens, n):
            return True
    return False


def _judge(
    first: int,
    last: int,
    matches: Sequence[_Match],
    tokens: Sequence[str],
    starts: Sequence[int],
    ends: Sequence[int],
    aspect: str,
) -> Judgement:
    said: dict[str, _Match] = {}
    for m in matches:
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


def _distance(match: _Match, first: int, last: int) -> int:
    return max(first - match.end, match.begin - last - 1, 0)


def _combined(
    said: dict[str, _Match],
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
    chosen: _Match | None
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


def _governs(denied: _Match, guessed: _Match, tokens: Sequence[str]) -> bool:
    """Whether the guess is what is denied: "no lesion suspicious for"."""
    between = tokens[denied.end : guessed.begin]
    return denied.end <= guessed.begin and len(between) <= GOVERNS and not any(t in COMMAS for t in between)


def _listed(denied: _Match, guessed: _Match, first: int, tokens: Sequence[str]) -> bool:
    """Whether a guess behind the mention closes the list that is denied: "no fever, cough or pneumonia suspected"."""
    if denied.trigger.where != "forward" or denied.end > first or guessed.begin <= first:
        return False
    separators = [t for t in tokens[denied.end : first] if t in COMMAS or t in LINKS]
    return not separators or separators[-1] in ("or", "nor")


def _only_if(said: dict[str, _Match], denied: _Match | None) -> bool:
    """Whether the denial itself stands under a condition: "if there is no improvement"."""
    condition = said.get("hypothetical")
    if not condition or not denied or condition.trigger.settled:
        return False
    return condition.trigger.where == "forward" and condition.end <= denied.begin
