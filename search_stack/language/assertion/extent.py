"""How far the words of a trigger reach: forward to where another statement begins, backward to where its own does."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from search_stack.language.assertion.clauses import (
    BREAKERS,
    COMMAS,
    LEAD_IN,
    LINKS,
    change_follows,
    clause_follows,
    existential,
    is_adverb,
    is_patient,
    is_stop,
    is_verb,
    reports,
)
from search_stack.language.assertion.table import Trigger, slot

WIDEST = 60
"""Words that any scope is long, at most."""
RETURNS = frozenset(("but", "otherwise", "however", "then"))
"""Words behind which a condition no longer holds."""
RESUMES = frozenset(("with", "has", "have", "had", "is", "are", "was", "were", "does", "did"))
"""Behind a comma or link they begin a statement without a subject of its own."""
AFFIRMED = frozenset(("intact", "positive", "pos", "confirmed", "persists", "persist", "+"))
"""Behind a name they say that it is there."""
ORDERS = frozenset(
    (
        "repeat",
        "rpt",
        "recheck",
        "continue",
        "cont",
        "start",
        "stop",
        "give",
        "refer",
        "await",
        "awaiting",
        "plan",
        "admit",
        "will",
    )
) | {"dx", "diagnosed", "discharged", "admitted", "treated", "fhx", "pmh", "pmhx", "psh"}
"""Behind a comma they say what is to be done, "no fracture, repeat x-ray in 10 days", what was, "dx sprain", or of whom
or when it is: "not diabetic, FHx CAD"."""
WHOSE = frozenset(("his", "her", "their", "my", "our", "one", "a", "the", "maternal", "paternal", "older", "younger"))
HOLDS = frozenset(("with", "w", "has", "had"))
"""Behind a relative they say what that one has: "mother with breast cancer"."""
_KIN = frozenset(slot("relative"))
ITEM = 8
"""Words of an item of a list, at most."""
NAME, FEW = 3, 2
"""Words of a bare name in a list, at most; items that may be no list, at most."""
DOSE = frozenset(
    ("mg", "mcg", "units", "po", "iv", "sq", "subq", "gtt", "drip", "prn", "bid", "tid", "qid", "daily", "qhs", "given")
) | {"ppx", "prophylaxis"}
"""Behind a name they say that it is a drug, and got."""
CAUSES = frozenset(("cause", "causes", "etiology", "etiologies", "source", "sources", "reason"))
"""What stands behind them is there, and the verb speaks of them."""
BY_WHAT = frozenset(("on", "by", "via"))
"""Behind them stands what showed it."""
ARROWS = (("→",), ("-", ">"), ("-", "-", ">"))
"""Behind them stands what came next: "?appendicitis -> USS normal"."""
REASONS = frozenset(("given", "causing"))
"""Behind them stands why something is in doubt, or what comes of it."""
WHY = tuple(tuple(p.split()) for p in ("due to", "because", "secondary to", "related to", "r / t", "while on", "as on"))
HABITS = frozenset(("uses", "takes"))
"""Behind a comma they say what somebody has: "needs assistance, uses a walker"."""
TAKES = frozenset(("drinks", "smokes", "uses", "takes"))
"""Behind a link they say what somebody does, though something else is denied: "denies tobacco and drinks wine"."""
NAMED = frozenset(("include", "including", ":", "are"))
"""Behind them stand factors by name."""
ASIDE = frozenset(("just", "only", "still"))
"""They begin no other statement behind a relative: "son has just recovered from mumps"."""
TOLD = frozenset(("reported", "endorsed"))
"""Between a name and when it was: "nausea reported yesterday but not today"."""


def forward(
    tokens: Sequence[str], start: int, ends: Mapping[int, str], unsaid: Container[int], trigger: Trigger, asked: bool
) -> int:
    """The token before which the scope of a trigger ends that ends before ``start``."""
    stop = min(len(tokens), start + (trigger.reach or WIDEST))
    headed = start < len(tokens) and tokens[start] == ":"
    if (trigger.says == "hypothetical" and not trigger.clause) or (headed and trigger.says in ("historical", "family")):
        # A condition or a heading holds for all that follows.
        return next(
            (
                n
                for n in range(start, stop)
                if is_stop(tokens, n)
                or (tokens[n] in RETURNS and n not in unsaid)
                or (trigger.reasoned and n > start and gives_reason(tokens, n))
            ),
            stop,
        )
    said = opened = False
    if trigger.says == "absent":
        start = next((n for n in range(start, stop) if tokens[n] not in LEAD_IN), start)
    for n in range(start, stop):
        if is_stop(tokens, n) or (tokens[n] == ":" and n > start + (not _is_aside(tokens, start))):
            return n
        if (n in ends or trigger.says == "family") and _ends(tokens, n, start, ends, trigger):
            return n
        if tokens[n] == ")" and not opened:
            return n
        if trigger.says in ("possible", "absent") and n > start and is_arrow(tokens, n):
            return n
        if trigger.says == "possible" and n > start and tokens[n] in BY_WHAT:
            return n  # "Possible pneumonia on chest x-ray": the picture was taken.
        if n > start and tokens[n] in (REASONS if trigger.says == "possible" else NAMED if trigger.named else ()):
            return n  # "Concern for stroke given aphasia", "risk factors for CAD: smoking".
        opened = opened or tokens[n] == "("
        # Right behind a denial stands what is denied, be it a verb: "has not noticed fever, chills or cough".
        said = said or (is_verb(tokens, n) and not (n == start and trigger.says == "absent"))
        if (tokens[n] in COMMAS or tokens[n] in LINKS) and trigger.says != "family":
            if said and n > start:
                return n
            if trigger.says == "historical" and trigger.clause and not (asked and _goes_on_with_or(tokens, n)):
                return n
            if trigger.says != "historical" and (
                clause_follows(tokens, n + 1, _states(tokens, start))
                or change_follows(tokens, n)
                or _resumes(tokens, n)
                or (trigger.says != "absent" and tokens[n] == "," and opens_with(tokens, n + 1, HABITS))
                or (trigger.says == "absent" and _is_no_item(tokens, n))
            ):
                return n
    return stop


def _is_aside(tokens: Sequence[str], start: int) -> bool:
    """Whether the denial before ``start`` is of what a heading names: "migraine w/o aura: sumatriptan"."""
    return tokens[start - 1 : start] == ["without"] or tuple(tokens[max(0, start - 3) : start]) == ("w", "/", "o")


def is_arrow(tokens: Sequence[str], at: int) -> bool:
    return tokens[at] in ("→", "-") and any(tuple(tokens[at : at + len(arrow)]) == arrow for arrow in ARROWS)


def gives_reason(tokens: Sequence[str], at: int) -> bool:
    """Whether behind it stands why something may come: "at risk for falls due to dementia"."""
    return tokens[at] in REASONS or any(tuple(tokens[at : at + len(p)]) == p for p in WHY)


def _goes_on_with_or(tokens: Sequence[str], at: int) -> bool:
    """Whether an or stands at the link, or closes the list that goes on there: "prior MI, stroke or TIA"."""
    for n in range(at, min(at + ITEM, len(tokens))):
        if tokens[n] == "or":
            return True
        if n > at and (is_stop(tokens, n) or tokens[n] in LINKS | {"with", "on", "in", "now", "who", "no", "not"}):
            return False
    return False


def opens_with(tokens: Sequence[str], at: int, words: Container[str]) -> bool:
    return at < len(tokens) and tokens[at] in words


def _states(tokens: Sequence[str], start: int) -> bool:
    """Whether the trigger before ``start`` has said already that something is or is not there: "there is no fever"."""
    return "there" in tokens[max(0, start - 4) : start]


def _resumes(tokens: Sequence[str], at: int) -> bool:
    """Whether a statement goes on behind the comma or link: "denies pain, has dyspnea", "and occasionally drinks"."""
    if tokens[at] in ("or", "nor") or at + 1 >= len(tokens):
        return False
    adverb = is_adverb(tokens[at + 1])
    takes = (adverb or tokens[at] in LINKS) and opens_with(tokens, at + 1 + adverb, TAKES)
    return takes or tokens[at + 1] in RESUMES


def _is_no_item(tokens: Sequence[str], at: int) -> bool:
    """Whether behind the comma or link ``at`` stands no further item of what is denied: an order, something that is
    there, or a drug with its dose."""
    of_kin = holds_for_kin(tokens, at + 1)
    return of_kin or opens_with(tokens, at + 1, ORDERS) or _affirms(tokens, at) or _is_dosed(tokens, at)


def holds_for_kin(tokens: Sequence[str], at: int) -> bool:
    """Whether a statement begins at ``at`` of what a relative has: "mother with breast cancer"."""
    while at < len(tokens) and tokens[at] in WHOSE:
        at += 1
    return at + 1 < len(tokens) and tokens[at] in _KIN and tokens[at + 1] in HOLDS


def _is_dosed(tokens: Sequence[str], at: int) -> bool:
    """Whether the item behind the comma has a dose or says that it was given: "no further VT, amiodarone PO"."""
    if tokens[at] not in COMMAS:
        return False
    end = next((n for n in range(at + 1, len(tokens)) if tokens[n] in COMMAS or is_stop(tokens, n)), len(tokens))
    item = tokens[at + 2 : min(end, at + ITEM)]
    return not DOSE.isdisjoint(item) and {"or", "nor"}.isdisjoint(tokens[at:end])


def _affirms(tokens: Sequence[str], at: int) -> bool:
    """Whether all that follows the comma is one thing that is said to be there: "denies pain, PICC intact"."""
    if tokens[at] not in COMMAS:
        return False
    end = next(
        (n for n in range(at + 1, min(len(tokens), at + ITEM)) if tokens[n] in COMMAS or is_stop(tokens, n)), None
    )
    if end is None:
        end = len(tokens) if len(tokens) <= at + ITEM else 0
    return end > at + 2 and tokens[end - 1] in AFFIRMED and LINKS.isdisjoint(tokens[at:end])


def _ends(tokens: Sequence[str], at: int, start: int, ends: Mapping[int, str], trigger: Trigger) -> bool:
    """Whether words that end scopes end that of ``trigger``, which begins at ``start``."""
    if trigger.says == "family":
        # A relative may be the subject of a statement, or tell of the patient.
        if reports(tokens, at) or is_patient(tokens, at):
            return True
        ended = at in ends and ends[at] != "relative" and tokens[at] not in ASIDE
        return ended and not (at == start and ends[at] == "statement")
    if ends.get(at) == "mark":
        return trigger.says != "historical"  # "Childhood illnesses: (+) measles".
    return at in ends and not (at == start and ends[at] != "end")


def backward(tokens: Sequence[str], start: int, ends: Container[int], reach: int) -> int:
    """The first token of the scope of a trigger that begins at ``start``."""
    verb = False
    for n in range(start - 1, max(-1, start - reach), -1):
        if n in ends and tokens[n] in CAUSES:
            return start  # What is likely is the cause: "the etiology of the pancreatitis is likely gallstones".
        if n == start - 1 and tokens[n] in TOLD:
            continue
        if n in ends or is_stop(tokens, n) or tokens[n] == ":":
            return n + 1
        if is_verb(tokens, n) and not existential(tokens, n):
            verb = True
        if tokens[n] in COMMAS or tokens[n] in ("and", "or"):
            if verb or _has_verb_before(tokens, n):
                return n + 1
            bare = tokens[start] == "not" and _is_bare_list(tokens, start)
            if tokens[n] in COMMAS and n + 1 < start and LINKS.isdisjoint(tokens[n:start]) and not bare:
                return n + 1  # No list, but something else: "anemia, bleeding not excluded".
    return max(0, start - reach)


def _is_bare_list(tokens: Sequence[str], end: int) -> bool:
    """Whether nothing but three names or more stands before ``end``, behind a colon or first of all: "stool:
    Salmonella, Shigella, Campylobacter not isolated"."""
    begin = next((n + 1 for n in range(end - 1, -1, -1) if tokens[n] == ":" or is_stop(tokens, n)), 0)
    items = " ".join(tokens[begin:end]).split(",")
    names = all(0 < len(item.split()) <= NAME and item.replace(" ", "").isalpha() for item in items)
    return names and len(items) > FEW and BREAKERS.isdisjoint(tokens[begin:end])


def _has_verb_before(tokens: Sequence[str], at: int) -> bool:
    """Whether the stretch before a comma or link has a verb of its own."""
    for n in range(at - 1, max(-1, at - 12), -1):
        if is_stop(tokens, n) or tokens[n] in COMMAS:
            return False
        if is_verb(tokens, n):
            return True
    return False
