"""Whether what a trigger says is said of a mention: what stands between them, and whose it is."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Container, Sequence
from itertools import takewhile

from search_stack.language.assertion.clauses import (
    BEHIND_VERB,
    BREAKERS,
    COMMAS,
    LINKS,
    MONTHS,
)
from search_stack.language.assertion.judgement import Target
from search_stack.language.assertion.presupposed import Given, is_managed, presupposes
from search_stack.language.assertion.scopes import DONE_OR_TAKEN, Match
from search_stack.language.assertion.scopes import RESULTS as TEST_RESULTS
from search_stack.language.assertion.table import Trigger, class_of
from search_stack.language.lexicon.concepts import CONDITIONS

MEANS = frozenset(("on", "by", "via", "under"))
"""Words before the means by which something was seen."""
TAKES = frozenset(("on", "takes", "taking"))
"""Words before what somebody takes."""
ONCE_ON = frozenset(
    ("was", "were", "been", "being", "started", "placed", "put", "previously", "formerly", "once", "of")
)
"""Right before these they tell of what was taken then."""
NO_LIST = frozenset(":;.)")
ONSETS = frozenset(("began", "started", "starting", "noticed", "developed", "onset", "appeared", "came"))
"""Before "ago" they tell when something began that goes on."""
CHOICES = frozenset(("or", "vs", "versus", "nor"))
SIGNS = 6
"""Words behind a mention in which another choice is looked for."""
ANSWERED = frozenset(("neg", "absent", "denied"))
"""Behind a name and before a comma they are said of that alone: "fever denied, cough reported"."""
CLOSES = frozenset(("nil", "absent", "declined", "refused"))
"""Right before a comma they are said of what stands before them, whatever it is: "cast declined, boot provided"."""
PARTS = ([","], ["-"], ["–"], ["—"])
"""They part a test from what is denied before it: "no ascites - LFTs ok"."""
TIMES = frozenset(("on", "once", "when", "in"))
PAST_VERBS = frozenset(("given", "took", "had", "started", "underwent", "undergone", "received", "got"))
"""Right before a drug or act they say that it was taken or done, whenever."""
RECENT = frozenset(("weeks", "week", "months", "month"))
FOUND = frozenset(("diagnosed", "found"))
"""Before what was found so lately that it is there still: "diagnosed with lung cancer 3 weeks ago"."""
LISTS = frozenset(("differential", "ddx"))
DENIES = frozenset(("no", "denies", "denied", "without", "nil"))
"""Denials of things."""
USES = frozenset(("on", "with", "from", "in", "within", "around", "at", "during", "after", "post", "of", "to"))
"""Before a drug, tube or act that is there, behind what is denied."""
NAME = 4
JOINED = frozenset(("or", "nor", "and", "for"))
RESULTS = frozenset(
    ("relief", "response", "benefit", "leak", "kinks", "clots", "drainage", "thrill", "events", "change", "changes")
)
"""They come of what is there."""
FINDINGS = frozenset(("changes", "abnormality", "abnormalities", "evidence", "findings"))
"""They come of a test that was done."""
SHOWS = frozenset(("nad", "normal", "clear"))
"""Last of a test's name they are its result."""
ADVERBS = frozenset(("today", "yet", "recently", "previously", "ever", "before", "either", "please"))
"""Behind a test they are none."""
GRADES = frozenset(("stage", "grade", "class"))
"""In a name, a number behind them is what somebody has."""
SHOWN = 2
"""Words between a denial and a test whose result it denies, at most; and between that and its result."""
OVER = frozenset(("recovered", "stopped", "resolved", "settled", "terminated", "subsided", "ceased", "gone"))
"""Behind what was of this episode they may say that it is over: "desaturation at 0200, recovered at once"."""
SOON = 10
"""Words behind which they may stand, at most."""
NEAR_ON = 4
"""Words from "on" to the end of what is taken, at most."""
COMES = frozenset(("with", "now", "admitted", "w"))
"""Behind what was done they begin what is there now."""


def is_for_others(match: Match, lasts: Container[int], tokens: Sequence[str]) -> bool:
    """Whether a word that may look both ways looks the other way.

    A "negative" behind a name or before a comma says what came of that, and nothing of the next: "influenza negative,
    fever", "strep negative, cough"; so does "nil" before a comma: "leg pain nil, cough". Behind a comma or "and", an
    adjective or a question mark belongs to the name behind it: "hypertension, possible stroke", "pneumonia and
    suspected empyema", "cough, ? pneumonia"; what is pending stands behind it where anything does: "intubated pending
    theatre".

    Args:
        lasts: tokens at which a mention ends.
    """
    if match.end - match.begin > 1:
        # "Gastrectomy not had, sleeve in 2015".
        denies = match.trigger.where == "forward" and match.trigger.says == "absent"
        return denies and match.begin - 1 in lasts and tokens[match.end : match.end + 1] == [","]
    if match.trigger.where == "forward" and match.trigger.says == "hypothetical":
        # "Colonoscopy booked, FIT positive", "renal to advise, bisoprolol 5 mg": it is the former that is to come.
        before = match.begin - 1 in lasts or tokens[max(0, match.begin - 1) : match.begin] == ["to"]
        return before and tokens[match.end : match.end + 1] in ([","], [";"], ["."])
    if match.trigger.where == "forward" and match.trigger.says == "historical":
        # "Ramipril stopped (AKI), gliclazide": why it was stopped is none of what was.
        return match.begin - 1 in lasts and tokens[match.end : match.end + 1] == ["("]
    if match.trigger.where == "forward":
        closes = match.begin > 0 and tokens[match.end : match.end + 1] == [","]
        bare = match.begin - 1 in lasts and not _names_something(tokens, match.end)
        word = tokens[match.begin]
        return (
            (word in TEST_RESULTS and (match.begin - 1 in lasts or closes))
            or (word in CLOSES and closes)
            or (word in ANSWERED and closes and match.begin - 1 in lasts)
            or (word == "no" and bare)
        )
    if match.trigger.where != "backward":
        return False
    names = _names_something(tokens, match.end)
    if tokens[match.begin] == "pending":
        return names == (match.trigger.says == "hypothetical")
    opens = match.begin > 0 and tokens[match.begin - 1] in COMMAS | LINKS
    return match.trigger.says == "possible" and opens and names


def asks_on(match: Match, tokens: Sequence[str], starts: Sequence[int], ends: Sequence[int]) -> bool:
    """Whether a question mark apart from the word before it asks of what follows: "AKI ?prerenal", "fall ? syncope"."""
    at = match.begin
    alone = match.trigger.where == "backward" and tokens[at : match.end] == ["?"] and at > 0
    return alone and starts[at] > ends[at - 1] and _names_something(tokens, match.end)


def _names_something(tokens: Sequence[str], at: int) -> bool:
    """Whether what stands ``at`` can be the name of something, be it in the lexicon or not."""
    return at < len(tokens) and tokens[at][0].isalpha() and tokens[at] not in BEHIND_VERB | LINKS | BREAKERS


def held_by(
    scopes: Sequence[Match],
    begins: Sequence[int],
    targets: Sequence[Target],
    tokens: Sequence[str],
    starts: Sequence[int],
    ends: Sequence[int],
) -> dict[int, list[tuple[int, int, bool]]]:
    """The names that a denial of what follows is part of ("not compliant"), by the denial's place in ``scopes``, and
    whether the name goes on to what is denied with it: "no known allergy to penicillin"."""
    out: dict[int, list[tuple[int, int, bool]]] = {}
    for begin, end, denies in ((t.begin, t.end, t.denies) for t in targets):
        past = bisect_right(ends, end)
        for n in range(bisect_left(begins, bisect_left(starts, begin)), bisect_left(begins, past)):
            match = scopes[n]
            if match.trigger.says == "absent" and match.trigger.where == "forward" and match.end <= past:
                out.setdefault(n, []).append((begin, end, denies and tokens[past : past + 1] == ["to"]))
    return out


def is_named(holders: Sequence[tuple[int, int, bool]], left: int, right: int) -> bool:
    """Whether a denial is part of the mention ``left`` to ``right`` itself, or of a name beside it."""
    return any(
        (begin, end) == (left, right) or (end <= left and not goes_on) or right <= begin
        for begin, end, goes_on in holders
    )


def nearest_of_each(
    first: int,
    last: int,
    target: Target,
    near: Sequence[Match],
    tokens: Sequence[str],
    given: Given,
    findings: Collection[int],
    asked: bool,
) -> dict[str, Match]:
    """Of what is said of a mention, the nearest trigger of each kind.

    Args:
        findings: those at which what somebody has begins.
        asked: they are part of a question, which names what it asks for and no more.
    """
    said: dict[str, Match] = {}
    for m in near:
        # What does not go away is there, and was: both are said.
        past = target.chronic and m.trigger.says == "historical" and "chronic" in m.trigger.spares
        if not m.trigger.concerns(target) and not past:
            continue
        if m.begin <= last and first < m.end:
            # A trigger inside the mention is its own word, but for one that begins with it or before it.
            opens = m.begin < first or (m.begin == first and _may_open(m.trigger))
            if m.trigger.where != "forward" or not opens:
                continue
        elif (
            not (_reaches_back(m, first, last) if last < m.begin else m.end <= first < m.last)
            or m.aside[0] <= first < m.aside[1]
        ):
            continue
        if target.kind == "procedure" and m.end <= first and _is_means(tokens[m.end : first]):
            continue
        if target.kind == "drug" and m.trigger.says == "historical" and _is_on(tokens[m.end : first]):
            continue
        beside = 0 <= first - m.end <= SHOWN and COMMAS.isdisjoint(tokens[m.end : first])
        of_result = m.trigger.says == "absent" and beside and _is_of_result(target, tokens, last)
        if not asked and (of_result or _is_of_other(m, first, last, target, tokens, findings)):
            continue
        if m.trigger.adjoins and m.begin != last + 1:
            continue
        if (
            m.trigger.says == "recent"
            and target.kind in CONDITIONS
            and not OVER.isdisjoint(tokens[m.end : m.end + SOON])
        ):
            continue
        if m.trigger.says == "done" and tokens[m.begin] == "pending" and not tokens[last].endswith("ed"):
            continue  # "Intubated pending theatre" is done, "ultrasound pending results" may be to come.
        planned = m.trigger.says == "hypothetical" and m.trigger.clause and target.kind in DONE_OR_TAKEN
        if planned and _is_on_besides(tokens[m.end : first + 1]):
            continue
        stated = m.end <= first and target.kind in CONDITIONS
        if stated and m.trigger.says == "absent" and presupposes(tokens, m.begin, m.end, first, given):
            continue
        if (
            stated
            and m.trigger.says == "possible"
            and is_managed(tokens[m.end : first], {n - m.end for n in given.drugs})
        ):
            continue
        if (
            stated
            and m.trigger.says == "historical"
            and m.trigger.clause
            and _came_with(tokens, m.end, first, given.lasts)
        ):
            continue
        # No list goes on with a normal statement: "no murmurs, rubs, lungs clear".
        denied_twice = target.denies and m.trigger.says == "absent" and m.end <= first
        if denied_twice and not COMMAS.isdisjoint(tokens[m.end : first]):
            continue
        if m.trigger.unless and last + 1 < len(tokens) and tokens[last + 1] in m.trigger.unless:
            continue
        says = "past" if past else m.trigger.says
        before = said.get(says)
        if before is None or distance(m, first, last) <= distance(before, first, last):
            said[says] = m
    return said


def _is_of_other(
    match: Match, first: int, last: int, target: Target, tokens: Sequence[str], findings: Collection[int]
) -> bool:
    """Whether what a trigger in reach says is of something else than the mention at ``first``.

    Args:
        findings: tokens at which what somebody has begins.
    """
    if match.end <= first:
        between = tokens[match.end : first]
        if match.trigger.says == "possible" and target.kind in ("symptom", "finding"):
            return tokens[match.begin] not in LISTS and _is_sign(between, tokens[first:], target.kind)
        if match.trigger.says == "possible" and target.kind == "procedure":
            # "Query TB, CXR clear": whatever is in doubt, its test is none.
            return not COMMAS.isdisjoint(between) and any(n in findings for n in range(match.end, first))
        if match.trigger.says == "historical":
            return _is_dated(tokens, match.begin, match.end)
        if match.trigger.says == "absent" and (
            _has_result(tokens, match, first, last, target, findings) or _has_number(tokens, match, first, last, target)
        ):
            return True
        return match.trigger.says == "absent" and _is_in_use(tokens, match, first, target, findings)
    if match.begin <= first:
        return False
    if match.trigger.says == "hypothetical":
        # "Started amoxicillin on Friday": it was done then.
        return tokens[match.begin] in TIMES and not PAST_VERBS.isdisjoint(tokens[max(0, first - 1) : first])
    if match.trigger.says != "historical":
        return False
    if tokens[match.end - 1] == "ago" and target.kind in ("symptom", "finding"):
        return not ONSETS.isdisjoint(tokens[first : match.begin])
    if tokens[match.end - 1] == "ago" and not target.passing and tokens[match.begin] in RECENT:
        return not FOUND.isdisjoint(tokens[max(0, first - 3) : first])
    return target.kind == "disorder" and _is_dated(tokens, match.begin, match.end, whole=True)


def _is_of_result(target: Target, tokens: Sequence[str], last: int) -> bool:
    """Whether a denial before a test is of what it showed: "no ECG changes", "no CT results yet", "no diagnostic
    electrocardiographic abnormalities"; so it is of what an adjective stands before, "no angiographic stenosis"."""
    if target.kind != "procedure":
        return False
    behind = list(takewhile(lambda word: word not in COMMAS, tokens[last + 1 : last + 1 + SHOWN]))
    adjective = tokens[last].endswith("graphic") and bool(behind) and behind[0][0].isalpha()
    return adjective or behind[:1] in (["results"], ["result"]) or not FINDINGS.isdisjoint(behind)


def _is_sign(between: Sequence[str], behind: Sequence[str], kind: str) -> bool:
    """Whether the mention is a sign of what is in doubt, and there: "likely viral illness with fever"."""
    if not between or between[0] in COMMAS or not CHOICES.isdisjoint((*between, *behind[:SIGNS])):
        return False
    marks = ("with",) if kind == "finding" else ("with", ",", "(", ":", "–", "—")
    at = next((n for n, word in enumerate(between) if word in marks), None)
    return at is not None and at > 0


def _is_dated(tokens: Sequence[str], begin: int, end: int, whole: bool = False) -> bool:
    """Whether the year of a trigger is part of a day's date, as of a test or an entry: "CT 3/2/2024: appendicitis"."""
    at = next((n for n in range(begin, end) if class_of(tokens[n]) == "{year}"), None)
    if at is None or at < 2:
        return False
    if tokens[at - 1] == "/":
        return not whole or (tokens[at - 3 : at - 2] == ["/"] and tokens[at - 5 : at - 4] != ["on"])
    return tokens[at - 1] in MONTHS and class_of(tokens[at - 2]) == "{number}" and tokens[at - 3 : at - 2] != ["on"]


def _has_result(
    tokens: Sequence[str], match: Match, first: int, last: int, target: Target, findings: Collection[int]
) -> bool:
    """Whether it is a test that says more behind what is denied: "no cough, CXR clear"."""
    between = tokens[match.end : first]
    if target.kind != "procedure" or between[-1:] not in PARTS or not JOINED.isdisjoint(between):
        return False
    told = tokens[last] in SHOWS or (_names_something(tokens, last + 1) and tokens[last + 1] not in ADVERBS)
    return told and any(n in findings for n in range(match.end, first))


def _has_number(tokens: Sequence[str], match: Match, first: int, last: int, target: Target) -> bool:
    """Whether behind what is denied and a comma it is told with its number, as nobody tells what is not there: "no
    rales, BMI 31", "no JVD, 2 + edema", "no MI, stage 3 CKD"."""
    comma = max((n for n in range(match.end, first) if tokens[n] in COMMAS), default=0)
    before = tokens[comma + 1 : first]
    if comma <= match.end or not JOINED.isdisjoint(before):
        return False
    graded = not GRADES.isdisjoint(tokens[first:last])
    number = [*before, *(tokens[first : last + 1] if graded else ()), *tokens[last + 1 : last + 2]]
    return target.valued or any(token.isdigit() and token.strip("0") for token in number)


def _is_in_use(tokens: Sequence[str], match: Match, first: int, target: Target, findings: Collection[int]) -> bool:
    """Whether the denied stands before a drug, tube or act in or after which it did not come: "no bleeding on
    warfarin", "no clots in Foley"."""
    if target.kind not in ("drug", "device", "procedure") or tokens[match.begin] not in DENIES:
        return False
    at = max((n for n in range(match.end + 1, first + 1) if tokens[n] in USES), default=0)
    between = tokens[match.end : first]
    if tokens[at] == "to" and RESULTS.isdisjoint(between):
        return False  # "No allergy to penicillin".
    if not at or first - at > NAME or not COMMAS.isdisjoint(between) or not JOINED.isdisjoint(tokens[at:first]):
        return False
    return not RESULTS.isdisjoint(between) or any(n in findings for n in range(match.end, at))


def _may_open(trigger: Trigger) -> bool:
    """Whether the first words of a mention may say it of the rest: "quit drinking", and not "history of tobacco"."""
    return trigger.says == "absent" or (trigger.says == "historical" and bool(trigger.kinds))


def _reaches_back(match: Match, first: int, last: int) -> bool:
    """Whether its scope before it holds a mention: all of it, or its end where only the reach leaves its beginning out.

    A lone word that reaches one word speaks of that word: "positive ANA negative dsDNA".
    """
    reach = match.trigger.reach if match.end - match.begin > 1 else max(match.trigger.reach - 1, 0)
    ended = reach and match.first == match.begin - match.trigger.reach
    return match.first <= (last if ended else first)


def _is_means(between: Sequence[str]) -> bool:
    """Whether a test is named as what told it: "no abscess on the CT"."""
    return len(between) > 1 and not MEANS.isdisjoint(between[-3:])


def _is_on(between: Sequence[str]) -> bool:
    """Whether a drug is named as what somebody with a history takes: "history of AF and DVT, on warfarin"."""
    at = max((n for n, word in enumerate(between) if word in TAKES), default=0)
    return (
        at > 0
        and between[at - 1] not in ONCE_ON
        and BREAKERS.isdisjoint(between[at:])
        and NO_LIST.isdisjoint(between[at:])
    )


def _is_on_besides(between: Sequence[str]) -> bool:
    """Whether somebody takes it while something else is to come: "awaiting transport, on oxygen"."""
    on = [n for n, word in enumerate(between) if word == "on"]
    return (
        bool(on)
        and on[-1] > 0
        and between[on[-1] - 1] in (",", "while", "discharge")
        and len(between) - on[-1] <= NEAR_ON
    )


def _came_with(tokens: Sequence[str], start: int, first: int, lasts: Collection[int]) -> bool:
    """Whether what was done earlier stands before it, and it is what came with or after that: "s/p CABG with wound
    infection"."""
    at = next((n for n in range(start, first) if tokens[n] in COMES and n - 1 in lasts), None)
    return at is not None


def distance(match: Match, first: int, last: int) -> int:
    return max(first - match.end, match.begin - last - 1, 0)
