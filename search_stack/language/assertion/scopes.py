"""The triggers of a sentence and how far each reaches.

A scope ends with its clause, which is told by its verb, so that a list stays whole and the next
statement is free; and at words that end it, which depend on what the trigger says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from search_stack.language.assertion.clauses import (
    COMMAS,
    LINKS,
    MARKERS,
    OPENERS,
    TELLS_WHY,
    is_stop,
    is_verb,
)
from search_stack.language.assertion.excepting import before_aside, first_excepted
from search_stack.language.assertion.extent import (
    NAMED,
    RESUMES,
    WHOSE,
    WHY,
    WIDEST,
    backward,
    forward,
    gives_reason,
    holds_for_kin,
    opens_with,
)
from search_stack.language.assertion.listed import before_what_is_there
from search_stack.language.assertion.marks import marks
from search_stack.language.assertion.predicates import predicates
from search_stack.language.assertion.table import Node, Trigger, class_of, longest, tree

SHARES = frozenset(("and", "but", ":"))
"""Behind them a verb may have the subject that stands before them."""
REACTIONS = frozenset(("reaction", "allergic", "drug", "interaction"))
"""They begin names that hold the words by which scopes end."""
RESULTS = frozenset(("negative", "neg"))
"""What a test came out as, behind it."""
TESTS_FOR = frozenset(
    ("titer", "titers", "ihc", "pcr", "stain", "stains", "serology", "serologies", "antibody", "antibodies", "antigen")
) | {
    *("ultrasound", "us", "doppler", "dopplers", "duplex", "scan", "screen", "swab", "toxin", "smear", "workup", "igg"),
    *("naat", "naats"),
}
"""Tests that are called after what they look for: "DVT ultrasound"."""
SIZES = frozenset(
    (
        "small",
        "tiny",
        "trace",
        "mild",
        "moderate",
        "minimal",
        "slight",
        "stable",
        "chronic",
        "early",
        "advanced",
        "dense",
        "known",
        "old",
        "min",
        "mod",
        "scant",
    )
)
"""Behind a comma they say how much there is of what is there; a list of denials names no size."""
ASKED_SIZES = frozenset(
    ("raised", "elevated", "high", "low", "abnormal", "normal", "new", "recent", "severe", "large", "bilateral")
) | {"previous", "prior", "increased", "decreased", "prolonged", "acute", "recurrent"}
"""Likewise, in a question."""
ASIDES = frozenset(("without", "w"))
"""Behind what is there they deny one thing, and the list goes on: "erythema without discharge, swelling"."""
QUALIFIES = frozenset(("complication", "complications", "exacerbation", "psychosis", "features", "disturbance", "aura"))
"""What diagnoses are "without", as they are coded, and others stand behind: "depression without psychosis, PTSD"."""
SAID_ANEW = frozenset(("no", "nil"))
"""Denials that are said anew of each item of a list."""
DRUG = 3
"""Words of the name of a drug in a list, at most."""
SPAN = frozenset(
    ("for", "a", "an", "/", "mg", "mcg", "day", "days", "week", "weeks", "month", "months", "year", "years")
)
"""Words of a dose and of how long it was taken, besides numbers."""
EITHER = frozenset(("neither", "nor"))
CHANGED = frozenset(
    ("improved", "resolved", "changed", "worsened", "settled", "gone", "better", "worse", "relieved", "progressed")
)
"""Behind a form of "be" or "have": what became of things that are there."""
CIRCUMSTANCES = frozenset(("after", "when", "while", "since", "following"))
"""They begin when it was."""
BARE_ITEM = 3
"""Words of a bare name in a list, at most."""
OF_REASON = Trigger("affirmed", "forward", clause=True, kinds=("disorder", "finding", "symptom"))
_TICKED = {"present": "affirmed"}
EXCEPTED = Trigger("affirmed", "both", kinds=OF_REASON.kinds)
DONE_OR_TAKEN = ("procedure", "drug", "device")
"""Kinds of concepts that are done or taken."""
THEN = frozenset(("then", "±"))
"""Behind what is planned they name what comes next."""
NEXT = 6
"""Words of it, at most."""
BULLETS = frozenset("-–—*•·#+")
"""They begin an item."""
BEHIND_NUMBER = frozenset(",.:)")
ENDS = ("end", "statement", "relative")
"""What ends scopes."""


@dataclass(frozen=True, slots=True)
class Match:
    """A trigger at the tokens ``begin`` to ``end``, which says something of those in ``first`` to ``last``."""

    trigger: Trigger
    begin: int
    end: int
    first: int
    last: int
    aside: tuple[int, int] = (0, 0)
    """Tokens inside of which it says nothing: "no chest pain (after exercise), dyspnea or palpitations"."""


def matches(
    tokens: Sequence[str], asked: bool = False, named: Set[int] = frozenset(), drugs: Set[int] = frozenset()
) -> list[Match]:
    """Every trigger with its scope, in the order of the text.

    Args:
        asked: the text is part of a question.
        named: tokens at which a mention begins.
        drugs: those at which one of a drug does.
    """
    root = tree(asked)
    begins = root.onward
    raw: list[tuple[int, int, tuple[Trigger, ...]]] = []
    groups = predicates(tokens, asked)
    ticked = marks(tokens)
    held = {n for mark in ticked for n in range(mark.begin, mark.end)}
    item = _past_marker(tokens)
    at = 0
    while at < len(tokens):
        if at in groups:
            end, trigger = groups[at]
            # "Was not felt to be necessary" is longer than its verb group, "was not felt".
            further, found = longest(root, tokens, at, len(tokens))
            named_kinds = further == end and any(t.kinds for t in found)
            if named_kinds and trigger.says == "possible":
                # Of an act it says that it is to come, of an illness that it is in doubt: "considered appendicitis".
                found = (*found, replace(trigger, spares=tuple(k for t in found for k in t.kinds)))
            raw.append((at, further, found) if further > end or named_kinds else (at, end, (trigger,)))
            at = max(end, further)
            continue
        if (tokens[at] not in begins and class_of(tokens[at]) not in begins) or at in held:
            at += 1
            continue
        end, found = _phrase(root, tokens, at, groups, named)
        opens = at in (0, item) or is_stop(tokens, at - 1)
        final = _is_final(tokens, end) or (tokens[at] == ":" and _is_aside(tokens, end))
        found = tuple(t for t in found if (final or not t.final) and (opens or not t.initial))
        # "No. 3 suture", and not "brain mets no. cT2".
        numbers = tokens[at] == "no" and tokens[at + 1 : at + 2] == ["."] and tokens[at + 2 : at + 3] != []
        numbers = numbers and tokens[at + 2][0].isdigit()
        if found and not numbers:
            raw.append((at, end, found))
            at = end
        else:
            at += 1
    raw = [(b, e, _sided(tokens, b, e, found)) for b, e, found in raw]
    ends = {b: t.says for b, _, found in raw for t in found if t.says in ENDS and not _is_named(tokens, b, named)}
    ends |= dict.fromkeys(held, "mark")
    unsaid = {n for b, e, found in raw if any(t.says == "pseudo" for t in found) for n in range(b, e)}
    out = []
    for b, e, found in raw:
        for trigger in found:
            if trigger.says in (*ENDS, "pseudo"):
                continue
            # "Considered and excluded" have one subject; "PE: excluded", "PE: unlikely" have one too.
            joined = b in groups or _answers(tokens, b, e) or _is_second_verb(tokens, b)
            shared = b - 1 if b and tokens[b - 1] in SHARES and joined else b
            shared = before_aside(tokens, shared)
            first = b if trigger.where == "forward" else backward(tokens, shared, ends, trigger.reach or WIDEST)
            if trigger.where == "backward" and e - b == 1 and tokens[b] in RESULTS:
                first = max(first, _tested(tokens, b, named))
            if trigger.says == "absent" and tokens[b] in EITHER and _of_a_change(tokens, e):
                continue
            last = e if trigger.where == "backward" else forward(tokens, e, ends, unsaid, trigger, asked)
            if trigger.says == "historical" and trigger.kinds == ("drug",) and trigger.where == "forward":
                last = _listed(tokens, e, last, named)
            if trigger.says == "historical" and trigger.kinds == ("procedure",) and trigger.where == "forward":
                last = _with_joined(tokens, last, named)
            if trigger.says == "absent" and trigger.where == "forward":
                last = _before_a_size(tokens, b, e, _of_its_item(tokens, b, e, last, asked), asked)
                if not asked or _are_two(tokens, e):
                    last = before_what_is_there(tokens, b, e, last, named, drugs)
            excepted = first_excepted(tokens, e, first, last, trigger, named)
            if excepted is not None:
                # "No wheeze except at the left base": it is there.
                if trigger.where == "forward":
                    out.append(Match(EXCEPTED, b, e, excepted, last))
                    out.append(Match(replace(trigger, spares=EXCEPTED.kinds), b, e, excepted, last))
                    last = excepted
                else:
                    out.append(Match(EXCEPTED, b, e, first, last))
                    trigger = replace(trigger, spares=EXCEPTED.kinds)
            aside = (0, 0)
            if trigger.says == "absent" and trigger.where == "forward" and (behind := _aside(tokens, last, ends)):
                aside, last = (last, behind[0]), behind[1]
            if tokens[b:e] == ["?"] and trigger.where == "forward":
                # It asks of one thing: "? stroke, weak left arm".
                last = next((n for n in range(e, last) if tokens[n] in COMMAS), last)
            out.append(Match(trigger, b, e, first, last, aside))
            if (
                trigger.says == "hypothetical"
                and trigger.clause
                and trigger.kinds
                and {*trigger.kinds} <= {*DONE_OR_TAKEN}
            ):
                out += _and_then(tokens, trigger, b, e, named)
            if (trigger.reasoned or trigger.named) and (end := _end_of_reason(tokens, last, trigger)):
                out.append(Match(OF_REASON, last, end, last, forward(tokens, end, ends, unsaid, OF_REASON, asked)))
    # What is ticked is present unless words before it say otherwise.
    for m in ticked:
        trigger = Trigger(_TICKED.get(m.says, m.says), "both", ticked=True)
        out.append(Match(trigger, m.begin, m.end, m.first, m.last))
    return sorted(out, key=lambda m: m.begin)


def _and_then(tokens: Sequence[str], trigger: Trigger, begin: int, end: int, named: Set[int]) -> list[Match]:
    """What is planned to follow what the trigger at ``begin`` to ``end`` plans: "for resection, then chemotherapy"."""
    out: list[Match] = []
    if trigger.where != "forward":
        return out
    for n in range(end + 1, len(tokens)):
        if is_stop(tokens, n) or is_verb(tokens, n):
            break
        then = tuple(tokens[n : n + 2]) == ("followed", "by")
        if not then and tokens[n] not in THEN:
            continue
        first = n + 1 + then
        last = next((m for m in range(first, min(len(tokens), first + NEXT)) if _parts(tokens, m)), first + NEXT)
        if not named.isdisjoint(range(end, n)) and not named.isdisjoint(range(first, last)):
            out.append(Match(replace(trigger, kinds=DONE_OR_TAKEN, reach=0), n, first, first, last))
    return out


def _parts(tokens: Sequence[str], at: int) -> bool:
    return tokens[at] in COMMAS or tokens[at] in LINKS or is_stop(tokens, at) or is_verb(tokens, at)


def _phrase(
    root: Node, tokens: Sequence[str], at: int, groups: Mapping[int, object], named: Set[int]
) -> tuple[int, tuple[Trigger, ...]]:
    """The longest phrase at ``at`` that leaves whole what begins inside it and reaches further.

    "Was negative" speaks of what is before it, "negative for" of what follows, as in "was negative for". Where a
    mention begins inside a phrase that would spare it, its denial counts for that alone: "no changes in weight", "not
    enlarged", "lidocaine without epinephrine was given".
    """
    end, found = longest(root, tokens, at, len(tokens))
    if named and any(t.says == "pseudo" or (t.says == "absent" and t.kinds) for t in found):
        for n in range(at + 1, end):
            shorter, other = longest(root, tokens, at, n) if n in named else (at, ())
            if any(t.says == "absent" and t.where == "forward" for t in other):
                return shorter, tuple(replace(t, reach=end - shorter) for t in other)
    if groups and (inside := next((n for n in range(at + 1, end) if n in groups), 0)):
        end, found = longest(root, tokens, at, inside)
    if found and all(t.where == "backward" for t in found):
        for n in range(at + 1, end):
            further, other = longest(root, tokens, n, len(tokens))
            if further > end and any(t.where == "forward" for t in other):
                return longest(root, tokens, at, n)
    return end, found


def _tested(tokens: Sequence[str], at: int, named: Set[int]) -> int:
    """Where the mention begins whose result stands at ``at``: of two that nothing joins the nearer one.

    "Sepsis, blood cultures negative", and without the comma: it is no sepsis that is negative. Of both where the test
    is one for what stands before it: "EBV titers negative".
    """
    before = sorted(n for n in named if n < at)
    if len(before) < 2 or not (COMMAS | LINKS).isdisjoint(tokens[before[-2] : before[-1]]):
        return 0
    if tokens[before[-1]] not in TESTS_FOR:
        return before[-1]
    first = len(before) - 2
    while first and "/" in tokens[before[first - 1] : before[first]]:
        first -= 1  # "Gonorrhea/Chlamydia NAAT: negative".
    return before[first]


def _sided(tokens: Sequence[str], begin: int, end: int, found: tuple[Trigger, ...]) -> tuple[Trigger, ...]:
    """``found`` with the side that words around them tell, of triggers that speak of either.

    "Fever, negative blood cultures" denies what follows, "HER2 negative breast cancer" the marker alone.
    """
    if {"backward", "both"}.isdisjoint(t.where for t in found):
        return found
    forward = any(t.where in ("forward", "both") for t in found)
    before = tokens[begin - 1] if begin else ","
    marker = begin - 2 if before == "-" else begin - 1
    if marker >= 0 and tokens[marker] in MARKERS:
        return tuple(replace(t, where="backward", reach=begin - marker) for t in found if t.where != "forward")
    if _is_final(tokens, end):
        return found
    if all(t.says == "family" for t in found) and _opens_for_kin(tokens, begin):
        return tuple(replace(t, where="forward") for t in found if t.where != "backward")
    opens = before in COMMAS or before in LINKS or before in OPENERS or before in "-–—("
    if forward and opens and tokens[end] not in TELLS_WHY and tokens[end][0].isalpha():
        return tuple(replace(t, where="forward") for t in found if t.where != "backward")
    return found


def _opens_for_kin(tokens: Sequence[str], begin: int) -> bool:
    """Whether a statement of what the relative at ``begin`` has begins there, behind one of the patient: "no cancer,
    her mother with lupus"."""
    first = begin
    while first and tokens[first - 1] in WHOSE:
        first -= 1
    return first > 0 and tokens[first - 1] in COMMAS and holds_for_kin(tokens, first)


def _past_marker(tokens: Sequence[str]) -> int:
    """Where an item's statement begins, behind its bullet or number: "- ", "2) ", "(a) ", "#2 ", "number two, "."""
    first, second, third = (*tokens[:3], "", "", "")[:3]
    if first == "#" and second.isdigit():
        return 3 if third in BEHIND_NUMBER else 2
    if first == "number" and third in BEHIND_NUMBER:
        return 3
    if first == "(" and third == ")":
        return 3
    return 2 if second == ")" else int(first in BULLETS)


def _is_named(tokens: Sequence[str], begin: int, named: Set[int]) -> bool:
    """Whether the words that end scopes begin a name: "reaction to contrast"; "after a fall" ends one all the same."""
    return begin in named and tokens[begin] in REACTIONS


def _is_final(tokens: Sequence[str], end: int) -> bool:
    if tokens[end : end + 1] == ["."] and tokens[end + 1 : end + 2] and tokens[end + 1][0].isdigit():
        return False  # "0.5"
    return end >= len(tokens) or not (tokens[end][0].isalnum() or tokens[end] in "(-")


def _is_aside(tokens: Sequence[str], at: int) -> bool:
    """Whether brackets that end an item begin ``at``: "depression: no (PHQ-2 0), pain: yes"; not "CXR: no (acute)
    fracture"."""
    if tokens[at : at + 1] != ["("] or ")" not in tokens[at:]:
        return False
    return _is_final(tokens, tokens.index(")", at) + 1)


def _end_of_reason(tokens: Sequence[str], at: int, trigger: Trigger) -> int:
    """Where the words end behind which stands what is there, 0 where none begin ``at``: "due to", "factors: …"."""
    if at >= len(tokens) or not (gives_reason(tokens, at) if trigger.reasoned else tokens[at] in NAMED):
        return 0
    return at + next((len(p) for p in WHY if tuple(tokens[at : at + len(p)]) == p), 1)


def _of_its_item(tokens: Sequence[str], begin: int, start: int, last: int, asked: bool) -> int:
    """Where the scope of a denial from ``start`` to ``last`` ends that is said anew of each item of a list.

    "No chest pain, no palpitations, short of breath" denies two; "no fever, no chills, nausea or vomiting" all four.
    "Erythema without discharge, swelling" denies one, "clear without opacity, effusion, pneumothorax" all three.
    Who asks for "DVT without cancer, surgery, trauma" shuts out three. "Diabetes without complication, HTN, CAD" denies
    what is no more than how the first is.
    """
    comma = next((n for n in range(start, last) if tokens[n] in COMMAS), last)
    if tokens[begin] in ASIDES and comma < last and not asked:
        if tokens[comma - 1] in QUALIFIES and {"or", "nor"}.isdisjoint(tokens[comma:last]):
            return comma
        opens = begin == 0 or is_stop(tokens, begin - 1) or tokens[begin - 1] in COMMAS
        listed = not {"or", "nor", "and", "&", "/"}.isdisjoint(tokens[start:last])
        many = sum(tokens[n] in COMMAS for n in range(start, last)) > 1
        return last if opens or listed or many else comma
    if tokens[begin] not in SAID_ANEW or comma == last:
        return last
    if tokens[comma + 1 : comma + 2] == [tokens[begin]]:
        return comma
    before = next((n for n in range(begin - 2, -1, -1) if tokens[n] in COMMAS or is_stop(tokens, n)), -1)
    again = begin > 0 and tokens[begin - 1] in COMMAS and tokens[before + 1] == tokens[begin]
    return comma if again and {"or", "nor"}.isdisjoint(tokens[comma:last]) else last


def _aside(tokens: Sequence[str], at: int, ends: Mapping[int, str]) -> tuple[int, int] | None:
    """Where a list of denials goes on, and where it ends, behind an aside that begins ``at``.

    "No chest pain after exercise, dyspnea or palpitations" denies all three; the rest must be bare names up to an "or".
    """
    if at >= len(tokens) or tokens[at] not in CIRCUMSTANCES:
        return None
    stop = next((n for n in range(at, len(tokens)) if is_stop(tokens, n)), len(tokens))
    comma = next((n for n in range(at, stop) if tokens[n] in COMMAS), stop)
    rest = range(comma + 1, stop)
    items = "".join("," if tokens[n] in COMMAS or tokens[n] in ("or", "nor") else "x" for n in rest).split(",")
    bare = not any(
        is_verb(tokens, n) or n in ends or not tokens[n][0].isalnum() for n in rest if tokens[n] not in COMMAS
    )
    listed = not {"or", "nor"}.isdisjoint(tokens[comma:stop]) and max(map(len, items)) <= BARE_ITEM
    return (comma, stop) if rest and bare and listed else None


def _of_a_change(tokens: Sequence[str], start: int) -> bool:
    """Whether "neither" denies no more than that things changed: "neither the pain nor the swelling has improved"."""
    verb = next((n for n in range(start, len(tokens)) if is_stop(tokens, n) or tokens[n] in RESUMES), len(tokens))
    return any(word in CHANGED for word in tokens[verb + 1 : verb + 4])


def _listed(tokens: Sequence[str], start: int, at: int, named: Set[int]) -> int:
    """Where the list ends of drugs that were taken, of which the first stands between ``start`` and the comma or link
    ``at``: "failed methotrexate, leflunomide and Humira". What has a verb or a dose is another matter."""
    if named.isdisjoint(range(start, at)):
        return at
    at = _behind_span(tokens, at)
    while at < len(tokens) and (tokens[at] in COMMAS or tokens[at] in LINKS):
        begin = next((n for n in range(at, len(tokens)) if tokens[n] not in COMMAS and tokens[n] not in LINKS), at)
        end = next(
            (n for n in range(begin, len(tokens)) if tokens[n] in COMMAS | LINKS | {"("} or is_stop(tokens, n)),
            len(tokens),
        )
        span = next((n for n in range(begin, end) if tokens[n] == "for"), end)
        if _behind_span(tokens, span) < end:
            break
        item = tokens[begin:span]
        if begin not in named or len(item) > DRUG or any(is_verb(tokens, n) for n in range(begin, span)):
            break
        if any(class_of(word) for word in item):
            break
        at = end
    return at


def _with_joined(tokens: Sequence[str], at: int, named: Set[int]) -> int:
    """Where the acts end that are joined to the first, which ends at the comma, link or slash ``at``: "s/p
    lumpectomy/XRT", "s/p mastectomy, XRT and chemo". Behind a comma one word is an act, more may say how it stands:
    "s/p CABG, echo pending"."""
    while at + 1 < len(tokens) and at + 1 in named and (tokens[at] in COMMAS | LINKS or tokens[at] == "/"):
        end = next((n for n in range(at + 1, len(tokens)) if _parts(tokens, n) or tokens[n] == "/"), len(tokens))
        if (end < len(tokens) and is_verb(tokens, end)) or (tokens[at] in COMMAS and end > at + 2):
            break
        at = end
    return at


def _behind_span(tokens: Sequence[str], at: int) -> int:
    """Behind a dose and how long it was taken, which begin ``at``."""
    while at < len(tokens) and (tokens[at] in SPAN or class_of(tokens[at])):
        at += 1
    return at


def _before_a_size(tokens: Sequence[str], begin: int, start: int, last: int, asked: bool) -> int:
    """Where the scope of "no" ends before what is there, in a list without "or": "no embolism, small effusion".

    A question of two items says so by more words: "no chest pain, raised troponin"; of more it may be a list.
    """
    if tokens[begin] != "no" or not {"or", "nor"}.isdisjoint(tokens[start:last]):
        return last
    sizes = SIZES | ASKED_SIZES if asked and _are_two(tokens, start) else SIZES
    return next((n for n in range(start + 1, last) if tokens[n] in COMMAS and opens_with(tokens, n + 1, sizes)), last)


def _are_two(tokens: Sequence[str], start: int) -> bool:
    """Whether one comma stands behind a denial in a question, so that it is hardly a list of what is denied."""
    return sum(t in COMMAS for t in tokens[start:]) == 1


def _answers(tokens: Sequence[str], begin: int, end: int) -> bool:
    """Whether the words are all that is said behind a colon: "heart failure: unlikely"."""
    return tokens[begin - 1] == ":" and _is_final(tokens, end)


def _is_second_verb(tokens: Sequence[str], begin: int) -> bool:
    """Whether a link joins it to a verb that has the same subject: "was repleted and resolved"."""
    was = begin > 2 and tokens[begin - 2].endswith("ed") and tokens[begin - 3] in RESUMES
    return was and tokens[begin].endswith("ed")
