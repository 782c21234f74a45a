"""What a sentence says of the mentions in it, by trigger words and their scope.

After NegEx (Chapman et al., J Biomed Inform 34, 2001) and ConText (Harkema et al., J Biomed
Inform 42, 2009): triggers before or after a mention, pseudo-triggers that hold one and mean
nothing, and words that end a scope. Scopes here end with the clause, which is told by its
verb, so that a list stays whole and the next statement is free.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Container, Sequence
from itertools import pairwise

from search_stack.language.assertion.clauses import (
    BEHIND_VERB,
    BREAKERS,
    COMMAS,
    LINKS,
    MONTHS,
    is_stop,
    is_verb,
)
from search_stack.language.assertion.judgement import Judgement, Said, Sentence, Target
from search_stack.language.assertion.marks import ANSWERS, signed
from search_stack.language.assertion.predicates import CONTRACTED
from search_stack.language.assertion.presupposed import KINDS, Given, is_managed, presupposes
from search_stack.language.assertion.scopes import RESULTS as TEST_RESULTS
from search_stack.language.assertion.scopes import WIDEST, Match, matches
from search_stack.language.assertion.table import TOKEN, Trigger, class_of
from search_stack.language.sentences import LEADERS, NAMED_BY_LETTER

REACH = WIDEST + 12
"""Words between a mention and the beginning of a trigger that may reach it, at most."""
GOVERNS = 4
"""Words between a denial and the guess that it denies, at most: "no findings suspicious for"."""
ADJECTIVES = frozenset(("suspicious", "concerning", "suggestive", "worrisome"))
"""They say what is denied further on: "no hepatic lesion larger than 1 cm suspicious for"."""
_STOP_IN_NAME = "_"
_MARKER = re.compile(r"\s*\(?(?:\d{1,2}|[a-zA-Z])[.)]\s+")
"""The number of an item of a list."""
SWITCHED = "⇒"
"""Stands between a drug and the one that takes its place, for triggers."""
SWITCHES = frozenset(
    ("change", "switch", "swap", "replace", "convert", "changing", "switching", "swapping", "replacing")
)
INSTEAD = frozenset(("to", "for", "with", "→"))
ALIASES = {"prev": "previous"}
"""Short forms that triggers know by their long ones."""
SHORTENED = (("prev",), ("hx",), ("e", ".", "g"), ("i", ".", "e"))
"""Words that a full stop shortens, wherever it stands."""
SPECIES = 4
"""Letters of a species' name, at least."""
MEANS = frozenset(("on", "by", "via", "under"))
"""Words before the means by which something was seen."""
TAKES = frozenset(("on", "takes", "taking"))
"""Words before what somebody takes."""
ONCE_ON = frozenset(
    ("was", "were", "been", "being", "started", "placed", "put", "previously", "formerly", "once", "of")
)
"""Right before these they tell of what was taken then."""
UNITS = frozenset(("iu", "units", "unit", "u", "mg", "mcg", "ml", "cc", "kcal", "g"))
NO_LIST = frozenset(":;.)")
PLANS = frozenset(("plan", "recommendations", "assessment and plan", "orders"))
"""Aspects of sections that say what is to be done."""
BARE = 2
"""Words beside the name of a test that an item of a plan may have: "repeat CT head"."""
ONSETS = frozenset(("began", "started", "starting", "noticed", "developed", "onset", "appeared", "came"))
"""Before "ago" they tell when something began that goes on."""
CHOICES = frozenset(("or", "vs", "versus", "nor"))
SIGNS = 6
"""Words behind a mention in which another choice is looked for."""
ANSWERED = frozenset(("neg", "absent", "denied"))
"""Behind a name and before a comma they are said of that alone: "fever denied, cough reported"."""
TIMES = frozenset(("on", "once", "when", "in"))
PAST_VERBS = frozenset(("given", "took", "had", "started", "underwent", "received", "got"))
"""Right before a drug or act they say that it was taken or done, whenever."""
RECENT = frozenset(("weeks", "week", "months", "month"))
FOUND = frozenset(("diagnosed", "found"))
"""Before what was found so lately that it is there still: "diagnosed with lung cancer 3 weeks ago"."""
LISTS = frozenset(("differential", "ddx"))
DENIES = frozenset(("no", "denies", "denied", "without", "nil"))
"""Denials of things."""
USES = frozenset(("on", "with", "from", "in", "around", "at", "during", "after", "post", "of", "to"))
"""Before a drug, tube or act that is there, behind what is denied."""
NAME = 4
JOINED = frozenset(("or", "nor", "and", "for"))
RESULTS = frozenset(
    ("relief", "response", "benefit", "leak", "kinks", "clots", "drainage", "thrill", "events", "change", "changes")
)
"""They come of what is there."""
BULLETS = frozenset("-–—*•·")
"""They begin an item."""
DONE_OR_TAKEN = frozenset(("drug", "procedure", "device"))
NEAR_ON = 4
"""Words from "on" to the end of what is taken, at most."""
COMES = frozenset(("with", "now", "admitted", "w"))
"""Behind what was done they begin what is there now."""
SETTLING = frozenset(("affirmed", "recent"))
"""What a trigger says that makes a mention present, whatever the arbiter would choose."""
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
    tokens = _unbroken(tokens, places, starts, ends)
    lasts = {last for _, last in places}
    drugs = {last for t, (_, last) in zip(targets, places, strict=True) if t.kind == "drug"}
    findings = {first for t, (first, _) in zip(targets, places, strict=True) if t.kind in KINDS}
    begun = {first for t, (first, _) in zip(targets, places, strict=True) if t.kind == "drug"}
    acts = {last for t, (_, last) in zip(targets, places, strict=True) if t.kind in DONE_OR_TAKEN - {"drug"}}
    if not sentence.asked:
        tokens = _switched(tokens, [p for t, p in zip(targets, places, strict=True) if t.kind == "drug"])
    found = matches(tokens, sentence.asked, {first for first, _ in places}, begun)
    scopes = [m for m in found if not (_is_for_others(m, lasts, tokens) or _asks_on(m, tokens, starts, ends))]
    begins = [m.begin for m in scopes]
    opened = bisect_left(starts, sentence.begin)
    holders = _holders(scopes, begins, targets, tokens, starts, ends)
    out = []
    for target, (first, last) in zip(targets, places, strict=True):
        reach = range(bisect_left(begins, first - REACH), bisect_right(begins, last + REACH))
        near = [scopes[n] for n in reach if not _is_named(holders.get(n, ()), target.begin, target.end)]
        # A list behind "with a history of gout, admitted with:" is no history; one behind "history of:" is.
        near = [m for m in near if not (m.trigger.says == "historical" and m.end < opened <= first)]
        said = _said(first, last, target, near, tokens, Given(drugs, acts, lasts), findings, sentence.asked)
        out.append(_combined(said, first, last, tokens, starts, ends, sentence.aspect, target, opened))
    return out


def _place(left: int, right: int, starts: Sequence[int], ends: Sequence[int]) -> tuple[int, int]:
    """The first and the last token of a mention."""
    first = bisect_right(ends, left)
    return first, max(first, bisect_left(starts, right) - 1)


def _unbroken(
    tokens: list[str], places: Sequence[tuple[int, int]], starts: Sequence[int], ends: Sequence[int]
) -> list[str]:
    """The tokens without the full stops of initials in names, where no clause ends: "C. diff toxin was negative"."""
    inside = {n for first, last in places for n in range(first + 1, last) if tokens[n] == "."}
    stops = {n for n in inside if len(tokens[n - 1]) == 1 and ends[n - 1] == starts[n]}
    return [_STOP_IN_NAME if n in stops else token for n, token in enumerate(tokens)] if stops else tokens


def _switched(tokens: list[str], drugs: Sequence[tuple[int, int]]) -> list[str]:
    """The tokens with one sign for what stands between a drug and the one that takes its place: "change ramipril to
    losartan", "citalopram → sertraline"."""
    firsts = {first for first, _ in drugs}
    out = tokens
    for first, last in drugs:
        at = last + 1
        told = tokens[at : at + 1] == ["→"] or (tokens[first - 1] in SWITCHES if first else False)
        if told and at + 1 in firsts and tokens[at] in INSTEAD:
            out = [*out[:at], SWITCHED, *out[at + 1 :]]
    return out


def _is_for_others(match: Match, lasts: Container[int], tokens: Sequence[str]) -> bool:
    """Whether a word that may look both ways looks the other way.

    A "negative" behind a name or before a comma says what came of that, and nothing of the next: "influenza negative,
    fever", "strep negative, cough"; so does "nil" before a comma: "leg pain nil, cough". Behind a comma or "and", an
    adjective or a question mark belongs to the name behind it: "hypertension, possible stroke", "pneumonia and
    suspected empyema", "cough, ? pneumonia".

    Args:
        lasts: tokens at which a mention ends.
    """
    if match.end - match.begin > 1:
        return False
    if match.trigger.where == "forward":
        closes = match.begin > 0 and tokens[match.end : match.end + 1] == [","]
        bare = match.begin - 1 in lasts and not _names_something(tokens, match.end)
        word = tokens[match.begin]
        return (
            (word in TEST_RESULTS and (match.begin - 1 in lasts or closes))
            or (word == "nil" and closes)
            or (word in ANSWERED and closes and match.begin - 1 in lasts)
            or (word == "no" and bare)
        )
    adjective = match.trigger.where == "backward" and match.trigger.says == "possible"
    opens = match.begin > 0 and tokens[match.begin - 1] in COMMAS | LINKS
    return adjective and opens and _names_something(tokens, match.end)


def _asks_on(match: Match, tokens: Sequence[str], starts: Sequence[int], ends: Sequence[int]) -> bool:
    """Whether a question mark apart from the word before it asks of what follows: "AKI ?prerenal", "fall ? syncope"."""
    at = match.begin
    alone = match.trigger.where == "backward" and tokens[at : match.end] == ["?"] and at > 0
    return alone and starts[at] > ends[at - 1] and _names_something(tokens, match.end)


def _names_something(tokens: Sequence[str], at: int) -> bool:
    """Whether what stands ``at`` can be the name of something, be it in the lexicon or not."""
    return at < len(tokens) and tokens[at][0].isalpha() and tokens[at] not in BEHIND_VERB | LINKS | BREAKERS


def _holders(
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


def _is_named(holders: Sequence[tuple[int, int, bool]], left: int, right: int) -> bool:
    """Whether a denial is part of the mention ``left`` to ``right`` itself, or of a name beside it."""
    return any(
        (begin, end) == (left, right) or (end <= left and not goes_on) or right <= begin
        for begin, end, goes_on in holders
    )


def tokenized(
    text: str, begin: int, end: int, lead: tuple[int, int] = (0, 0)
) -> tuple[list[str], list[int], list[int]]:
    """The tokens of a sentence as triggers are matched against them, and where in ``text`` each begins and ends."""
    marker = _MARKER.match(text, begin, end) if lead[1] else None  # No sentence ends there: "call if: 1. fever".
    words = [*TOKEN.finditer(text, *lead), *TOKEN.finditer(text, marker.end() if marker else begin, end)]
    starts, ends = [w.start() for w in words], [w.end() for w in words]
    plain = (w[0].lower().replace("’", "'") for w in words)
    tokens = signed([CONTRACTED.get(word, ALIASES.get(word, word)) for word in plain], starts, ends)
    for n, (token, unit) in enumerate(pairwise(tokens)):
        if unit in UNITS and class_of(token) == "{year}":
            tokens[n] = "1"  # No year but a dose: "vitamin D 2000 IU".
    at = sum(start < lead[1] for start in starts)
    if at and tokens[at : at + 1] and tokens[at].isdigit() and tokens[at + 1 : at + 2] == ["."]:
        tokens[at + 1] = _STOP_IN_NAME  # The number of an item, over which the words before the list hold.
    tokens, starts, ends = _without_stops_of_short_forms(tokens, starts, ends)
    stops = [n for n, word in enumerate(tokens) if word == "."]
    for n in stops:
        if _is_of_species(text, tokens, starts, ends, n):
            tokens[n] = _STOP_IN_NAME
    return _led(tokens, starts, ends) if len(stops) >= LEADERS else (tokens, starts, ends)


def _is_of_species(text: str, tokens: Sequence[str], starts: Sequence[int], ends: Sequence[int], stop: int) -> bool:
    """Whether the full stop shortens a genus before its species: "no E. coli or C. difficile"."""
    if not 0 < stop < len(tokens) - 1 or ends[stop - 1] != starts[stop] or len(tokens[stop - 1]) != 1:
        return False
    species = text[starts[stop + 1] : ends[stop + 1]]
    capital = text[starts[stop - 1] : ends[stop - 1]].isupper()
    named = stop > 1 and tokens[stop - 2] in NAMED_BY_LETTER
    return capital and len(species) >= SPECIES and species.isalpha() and species.islower() and not named


def _without_stops_of_short_forms(
    tokens: list[str], starts: list[int], ends: list[int]
) -> tuple[list[str], list[int], list[int]]:
    """The tokens without the full stops that shorten a word, where no clause ends: "no hx. of stroke", "e.g. AKI"."""
    gone: set[int] = set()
    for n, word in enumerate(tokens):
        if word != "." or n + 1 == len(tokens) or ends[n - 1] != starts[n]:
            continue
        for short in SHORTENED:
            begin = n - len(short)
            if begin >= 0 and tuple(ALIASES.get(w, w) for w in short) == tuple(tokens[begin:n]):
                gone |= {n, *(at for at in range(begin, n) if tokens[at] == ".")}
    if not gone:
        return tokens, starts, ends
    kept = [n for n in range(len(tokens)) if n not in gone]
    return [tokens[n] for n in kept], [starts[n] for n in kept], [ends[n] for n in kept]


def _led(tokens: list[str], starts: list[int], ends: list[int]) -> tuple[list[str], list[int], list[int]]:
    """The tokens with the dots of a form, which lead from an item to its answer, as a colon: "murmur ....... no"."""
    kept: list[tuple[str, int, int]] = []
    n = 0
    while n < len(tokens):
        past = n
        while past < len(tokens) and tokens[past] == ".":
            past += 1
        if past - n >= LEADERS and past < len(tokens) and tokens[past] in ANSWERS:
            kept.append((":", starts[n], ends[past - 1]))
        else:
            past = max(past, n + 1)
            kept += zip(tokens[n:past], starts[n:past], ends[n:past], strict=True)
        n = past
    return [k[0] for k in kept], [k[1] for k in kept], [k[2] for k in kept]


def _said(
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
        of_result = m.trigger.says == "absent" and m.end == first and _is_of_result(target, tokens, last)
        if not asked and (of_result or _is_of_other(m, first, target, tokens, findings)):
            continue
        planned = m.trigger.says == "hypothetical" and m.trigger.clause and target.kind in DONE_OR_TAKEN
        if planned and _is_on_besides(tokens[m.end : first + 1]):
            continue
        stated = m.end <= first and target.kind in KINDS
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
        if before is None or _distance(m, first, last) <= _distance(before, first, last):
            said[says] = m
    return said


def _is_of_other(match: Match, first: int, target: Target, tokens: Sequence[str], findings: Collection[int]) -> bool:
    """Whether what a trigger in reach says is of something else than the mention at ``first``.

    Args:
        findings: tokens at which what somebody has begins.
    """
    if match.end <= first:
        between = tokens[match.end : first]
        if match.trigger.says == "possible" and target.kind in ("symptom", "finding"):
            return tokens[match.begin] not in LISTS and _is_sign(between, tokens[first:], target.kind)
        if match.trigger.says == "historical":
            return _is_dated(tokens, match.begin, match.end)
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
    """Whether a denial right before a test is of what it showed: "no ECG changes", "no CT results yet"."""
    return target.kind == "procedure" and tokens[last + 1 : last + 2] in (["changes"], ["results"], ["result"])


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


def _is_in_use(tokens: Sequence[str], match: Match, first: int, target: Target, findings: Collection[int]) -> bool:
    """Whether the denied stands before a drug, tube or act in or after which it did not come: "no bleeding on
    warfarin", "no clots in Foley"."""
    if target.kind not in ("drug", "device", "procedure") or tokens[match.begin] not in DENIES:
        return False
    at = max((n for n in range(match.end + 1, first) if tokens[n] in USES), default=0)
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
    past = "historical" in said or "past" in said or (aspect in PAST and not arrived)
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
        ended = (target.passing and not target.chronic) or target.kind == "procedure"
        over = (aspect in PAST and ended and SETTLING.isdisjoint(said) and not arrived) or (
            aspect in STOPPED and target.kind == "drug"
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
        Said(m.trigger.says, " ".join(tokens[m.begin : m.end]), m.begin < first, _distance(m, first, last))
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
        return target.kind == "procedure"
    return bool(planned.trigger.kinds) and (target.kind in ("drug", "device") or planned.trigger.where == "backward")


def _governs(denied: Match, guessed: Match, tokens: Sequence[str]) -> bool:
    """Whether the guess is what is denied: "no lesion suspicious for", "no filling defect in any branch to suggest"."""
    between = tokens[denied.end : guessed.begin]
    of_denied = tokens[guessed.begin - 1] == "to" or (
        tokens[guessed.begin] in ADJECTIVES and COMMAS.isdisjoint(between)
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
    return condition.trigger.where == "forward" and condition.end <= denied.begin
