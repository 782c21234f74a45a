"""What a sentence says of the mentions in it, by trigger words and their scope.

After NegEx (Chapman et al., J Biomed Inform 34, 2001) and ConText (Harkema et al., J Biomed
Inform 42, 2009): triggers before or after a mention, pseudo-triggers that hold one and mean
nothing, and words that end a scope. Scopes here end with the clause, which is told by its
verb, so that a list stays whole and the next statement is free.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from search_stack.language.assertion.clauses import (
    COMMAS,
    LINKS,
    is_stop,
    is_verb,
)
from search_stack.language.assertion.extent import WIDEST
from search_stack.language.assertion.judgement import Judgement, Said, Sentence, Target
from search_stack.language.assertion.presupposed import Given
from search_stack.language.assertion.reach import (
    asks_on,
    distance,
    held_by,
    is_for_others,
    is_named,
    nearest_of_each,
)
from search_stack.language.assertion.scopes import DONE_OR_TAKEN, Match, matches
from search_stack.language.assertion.tokens import answered, switched, tokenized, unbroken
from search_stack.language.lexicon.concepts import CONDITIONS

REACH = WIDEST + 12
"""Words between a mention and the beginning of a trigger that may reach it, at most."""
GOVERNS = 4
"""Words between a denial and the guess that it denies, at most: "no findings suspicious for"."""
ADJECTIVES = frozenset(("suspicious", "concerning", "suggestive", "worrisome"))
"""They say what is denied further on: "no hepatic lesion larger than 1 cm suspicious for"."""
HEADS = frozenset(("history", "symptoms"))
"""Before such an adjective they are an item of a list: "denies diabetes, history suggestive of stroke or cancer"."""
PLANS = frozenset(("plan", "recommendations", "assessment and plan", "orders"))
"""Aspects of sections that say what is to be done."""
BARE = 2
"""Words beside the name of a test that an item of a plan may have: "repeat CT head"."""
BULLETS = frozenset("-–—*•·")
"""They begin an item."""
SETTLING = frozenset(("affirmed", "recent"))
"""What a trigger says that makes a mention present, whatever the arbiter would choose."""
REACTIONS = frozenset(("allergies",))
"""Aspects of sections that tell what a drug once did."""
FAMILY, STOPPED, PAST = (
    frozenset(("family history",)),
    frozenset(("stopped medications",)),
    frozenset(("past medical history", "past surgical history", "past history", "medical history", "surgical history")),
)
"""Aspects of sections in which a mention without any trigger is not plainly present."""


def assess(sentence: Sentence, targets: Sequence[Target]) -> list[Judgement]:
    """Judge each mention of a sentence.

    Args:
        targets: mentions inside the sentence.

    Returns:
        One judgement a mention, in order; triggers by their offsets in the text.
    """
    if not targets:
        return []
    tokens, starts, ends = tokenized(sentence.text, sentence.begin, sentence.end, sentence.lead)
    places = [_place(t.begin, t.end, starts, ends) for t in targets]
    tokens = unbroken(tokens, places, starts, ends)
    lasts = {last for _, last in places}
    drugs = {last for t, (_, last) in zip(targets, places, strict=True) if t.kind == "drug"}
    findings = {first for t, (first, _) in zip(targets, places, strict=True) if t.kind in CONDITIONS}
    begun = {first for t, (first, _) in zip(targets, places, strict=True) if t.kind == "drug"}
    acts = {last for t, (_, last) in zip(targets, places, strict=True) if t.kind in DONE_OR_TAKEN and t.kind != "drug"}
    if not sentence.asked:
        tokens = switched(tokens, [p for t, p in zip(targets, places, strict=True) if t.kind == "drug"])
        tokens = answered(tokens, lasts)
    found = matches(tokens, sentence.asked, {first for first, _ in places}, begun)
    found = [m for m in found if sentence.aspect not in m.trigger.outside]
    scopes = [m for m in found if not (is_for_others(m, lasts, tokens) or asks_on(m, tokens, starts, ends))]
    begins = [m.begin for m in scopes]
    opened = bisect_left(starts, sentence.begin)
    holders = held_by(scopes, begins, targets, tokens, starts, ends)
    out = []
    for target, (first, last) in zip(targets, places, strict=True):
        reach = range(bisect_left(begins, first - REACH), bisect_right(begins, last + REACH))
        near = [scopes[n] for n in reach if not is_named(holders.get(n, ()), target.begin, target.end)]
        # A list behind "with a history of gout, admitted with:" is no history; one behind "history of:" is.
        near = [m for m in near if not (m.trigger.says == "historical" and m.end < opened <= first)]
        said = nearest_of_each(first, last, target, near, tokens, Given(drugs, acts, lasts), findings, sentence.asked)
        out.append(_combined(said, first, last, tokens, starts, ends, sentence.aspect, target, opened))
    return out


def _place(left: int, right: int, starts: Sequence[int], ends: Sequence[int]) -> tuple[int, int]:
    """The first and the last token of a mention."""
    first = bisect_right(ends, left)
    return first, max(first, bisect_left(starts, right) - 1)


def _is_bare(tokens: Sequence[str], first: int, last: int, opened: int) -> bool:
    """Whether an item has little but a name, and no result: "Recs: EEG, MRI brain"; ``opened``: where it begins behind
    the words that open its list."""
    begin = next((n for n in range(first - 1, opened - 1, -1) if _parts(tokens, n)), opened - 1) + 1
    begin += tokens[begin] in BULLETS
    end = next((n for n in range(last + 1, len(tokens)) if _parts(tokens, n)), len(tokens))
    rest = [*range(begin, first), *range(last + 1, end)]
    return len(rest) <= BARE and not any(is_verb(tokens, n) or not tokens[n].isalpha() for n in rest)


def _parts(tokens: Sequence[str], at: int) -> bool:
    return tokens[at] in COMMAS | LINKS or tokens[at] == ":" or is_stop(tokens, at)


def _combined(
    said: dict[str, Match],
    first: int,
    last: int,
    tokens: Sequence[str],
    starts: Sequence[int],
    ends: Sequence[int],
    aspect: str,
    target: Target,
    opened: int,
) -> Judgement:
    """One assertion out of all that was said, the weightiest first."""
    result = said.get("affirmed")
    if "persists" in said or _is_of_now(result, said.get("hypothetical"), target):
        said.pop("hypothetical", None)  # "Repeat cultures no growth".
    if "done" in said and "hypothetical" in said and said["hypothetical"].trigger.kinds:
        said.pop("hypothetical")  # No condition: "if CT shows a stone".
    if "recent" in said:
        said.pop("historical", None)
    arrived = said.get("arrived")
    if arrived and "historical" in said and said["historical"].end <= arrived.begin:
        said.pop("historical")  # "History of stroke, admitted with pneumonia".
    past = "historical" in said or "past" in said or (aspect in PAST and not arrived and not target.habit)
    temporality = "hypothetical" if "hypothetical" in said else "historical" if past else "recent"
    denied = said.get("absent") or said.get("normal")
    guessed = said.get("possible")
    if denied and guessed and tokens[denied.begin] == "absence" and guessed.trigger.where == "backward":
        denied = None  # "The absence of malignancy cannot be confirmed".
    elif denied and guessed and not _governs(denied, guessed, tokens) and not _listed(denied, guessed, first, tokens):
        if denied.trigger.where == guessed.trigger.where == "backward":
            weightier = max((denied, guessed), key=lambda m: m.begin)  # What came out of it: "suspected and excluded".
        else:
            weightier = min((denied, guessed), key=lambda m: distance(m, first, last))
        denied = denied if weightier is denied else None
    chosen: Match | None
    if chosen := said.get("family"):
        assertion = "family"
    elif aspect in FAMILY and "own" not in said:
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
        ended = (target.passing and not target.chronic) or target.kind == "procedure"
        reacted = target.kind == "symptom" or target.passing
        over = (
            (aspect in PAST and ended and SETTLING.isdisjoint(said) and not arrived)
            or (aspect in STOPPED and target.kind == "drug")
            or (aspect in REACTIONS and reacted)
        )
        owed = (
            said.keys() <= {"recent"}
            and aspect in PLANS
            and target.kind == "procedure"
            and _is_bare(tokens, first, last, opened)
        )
        assertion = "historical" if over else "hypothetical" if owed else "present"
        chosen = None
    begin, end = (starts[chosen.begin], ends[chosen.end - 1]) if chosen else (None, None)
    heard = tuple(
        Said(m.trigger.says, " ".join(tokens[m.begin : m.end]), m.begin < first, distance(m, first, last))
        for m in said.values()
    )
    settled = chosen.trigger.ticked if chosen else assertion == "present" and not SETTLING.isdisjoint(said)
    whose = "family" if assertion == "family" else "patient"
    is_denied = denied is not None and not _only_if(said, denied)
    return Judgement(assertion, begin, end, temporality, whose, settled, is_denied, heard)


def _is_of_now(result: Match | None, planned: Match | None, target: Target) -> bool:
    """Whether what is planned is there all the same, by its result or since it is only to change."""
    if not result or not planned:
        return False
    if result.trigger.where == "backward":
        # "If CT clear": a condition stays one.
        return target.kind == "procedure" and bool(planned.trigger.kinds)
    return bool(planned.trigger.kinds) and (target.kind in ("drug", "device") or planned.trigger.where == "backward")


def _governs(denied: Match, guessed: Match, tokens: Sequence[str]) -> bool:
    """Whether the guess is what is denied: "no lesion suspicious for", "no filling defect in any branch to suggest"."""
    between = tokens[denied.end : guessed.begin]
    of_denied = tokens[guessed.begin - 1] == "to" or (
        tokens[guessed.begin] in ADJECTIVES and (COMMAS.isdisjoint(between) or tokens[guessed.begin - 1] in HEADS)
    )
    if of_denied and denied.end < guessed.begin < denied.last:
        return True
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
    if condition.trigger.kinds and denied.trigger.where == "backward":
        return False  # A plan, and what became of it: "recommended colonoscopy, which he declined".
    return condition.trigger.where == "forward" and condition.end <= denied.begin
