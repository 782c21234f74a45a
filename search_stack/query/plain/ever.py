"""What is there or was: "ever had a seizure", "current or prior cancer", "hysterectomy at any time"."""

from __future__ import annotations

import re

from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.query.plain.closing import ENDS
from search_stack.query.plain.denied import is_denied
from search_stack.query.plain.stretch import HABITS, Stretch
from search_stack.query.shadow import Shadow

_NOW = r"(?:current(?:ly)?|active|present|now|ongoing)"
_THEN = r"(?:prior|previous(?:ly)?|former(?:ly)?|old|(?:in\s+the\s+|any\s+)?past|before|historical)"
_EITHER = rf"(?:{_NOW}\s*(?:or|and/or|/)\s*{_THEN}|{_THEN}\s*(?:or|and/or|/)\s*{_NOW})"
_LATELY = (
    r"(?=\s+[^;.]{2,120}?\s(?:with)?in\s+(?:the\s+)?(?:(?:last|past|previous|preceding|prior)\s+)?"
    r"(?:\d{1,3}[\s-]+|[a-z]{3,6}[\s-]+)?(?:week|month|year)s?(?!\w))"
)
_HISTORY_LATELY = (
    rf"(?<!family\s)(?:(?:an?\s+|known\s+|medical\s+|personal\s+|recent\s+)*(?:history|hx)\s+of|h/o){_LATELY}"
)
"""What was so in a time that ends now may be told as there or as past: "history of MI within the last 6 months"."""
_BEFORE = re.compile(
    rf"(?<!\w)(?:{_HISTORY_LATELY}|(?<!first\s)(?<!first-)ever(?!\s+(?:and|but|plus|[+&])\s)(?:\s+(?:had|have|having|got|been|taken|used|tried|undergone|underwent|diagnosed|with|on|an?))*"
    r"|(?<!\bnot\s)(?:has|have)\s+(?:taken|tried)(?:\s+an?|\s+any)?"
    rf"|background\s+(?:history\s+)?of|bg\s+of|{_EITHER}(?:\s+(?:history\s+of|use\s+of|diagnosis\s+of|on))?)(?=\s+\w)",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf",?\s+(?:ever|at\s+(?:any|some)\s+(?:time|point|stage)(?:\s+in\s+(?:the|their|his|her)\s+(?:past|life))?|{_EITHER}){ENDS}",
    re.IGNORECASE,
)
_LIVES_WITH = re.compile(r"\s+(?P<who>recipients?|survivors?|(?<=transplant\s)(?:patients?|pts?))(?!\w)", re.IGNORECASE)
"""Behind what was done, or had, it stays: "kidney transplant recipients"."""
_HAD_BEFORE = re.compile(
    r"(?<!\w)(?P<had>had|taken|used|been\s+on|undergone)\s+(?:an?\s+|any\s+)?(?P<what>[^\s,;.][^,;.]{1,60}?)\s+before"
    + ENDS,
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"(?<!\w)(?P<one>current|active|former|ex|past|previous)\s*(?:or|/|and)\s*(?P<other>current|active|former|ex|past|previous)[\s-]+(?P<who>smok\w+|drinkers?|(?:drug|opioid|alcohol|tobacco)\s+us\w+)(?!\w)",
    re.IGNORECASE,
)
"""A habit, of which numbers may be told: "current or former smoker >= 10 pack-years"."""
_HABITS_NOW = frozenset(("current", "active"))
_PAST = re.compile(r"(?<![\w-])(?<!\bthe\s)(?<!\bin\s)past\s+(?=[^\W\d_])", re.IGNORECASE)
_OLD = re.compile(
    r"(?<![\w-])(?<!year\s)(?<!years\s)(?<!yr\s)(?<!yo\s)(?<!month\s)(?<!week\s)(?<!day\s)old\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
"""Before a disorder that has no such name: "old TB", not "old fracture"."""
_REMOTE = re.compile(r"(?<![\w-])remote\s+(?=[^\W\d_])", re.IGNORECASE)
_IN_PAST = re.compile(rf"\s+in\s+past{ENDS}|\s+before(?=\s*,[^,;]*\snow(?!\w))", re.IGNORECASE)
"""When it was, by itself or before what there is now: "kidney stones before, flank pain now"."""
_PARTS = re.compile(
    r"(?<!\w)(?:and|but|with|without|on|who|whose|which|that|have|has|had|after|before|in|plus|also)(?!\w)|[;.]",
    re.IGNORECASE,
)
"""Between the words and a name: behind them is something else."""


def ever(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without the words that say so, which `said_of` tells; in a denial they leave nothing to say."""
    shadow = _past(s, shadow).written(_HABIT, _either_habit).written(_HAD_BEFORE, lambda m: _previous(s, m))
    for pattern, places in ((_BEFORE, s.ever_before), (_BEHIND, s.ever_behind)):
        for found in list(pattern.finditer(shadow.text)):
            if not is_denied(shadow.text, found.start()):
                places.append(shadow.span(*found.span()))
                shadow = s.left_aside(shadow, *found.span())
    for found in list(_LIVES_WITH.finditer(shadow.text)):
        had = s.known.ending(shadow.text, found.start(), "procedure", "disorder")
        whole = {m.begin for m in s.known.ending(shadow.text, found.end())}  # "cancer survivors"
        if any(m.begin not in whole for m in had) and not is_denied(shadow.text, found.start()):
            s.ever_behind.append(shadow.span(*found.span("who")))
            shadow = s.left_aside(shadow, *found.span("who"))
    return shadow


def said_of(s: Stretch, place: tuple[int, int]) -> list[tuple[int, int]]:
    """The words that say so of the name at ``place``: right beside it, or beside a list that it is of."""
    before = [a for a in s.ever_before if a[1] <= place[0] and not _PARTS.search(s.line, a[1], place[0])]
    return before + [a for a in s.ever_behind if place[1] <= a[0] and not _PARTS.search(s.line, place[1], a[0])]


def _either_habit(found: re.Match[str]) -> str:
    each = {"" if found[k].lower() in _HABITS_NOW else "former " for k in ("one", "other")}
    return " or ".join(f"{when}{found['who']}" for when in sorted(each))


def _past(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Past asthma", "old TB", "remote stroke" and "asthma in past" as previous."""
    shadow = shadow.written(_IN_PAST, lambda m: " in the past")
    if not any(pattern.search(shadow.text) for pattern in (_PAST, _OLD, _REMOTE)):
        return shadow
    named = s.known.named(shadow.text)
    begun = {m.begin for m in named}
    disorders = {m.begin for m in named if s.known.is_of(m, "disorder")}
    shadow = shadow.written(_OLD, lambda m: "previous " if m.end() in disorders and m.start() not in begun else m[0])
    named = s.known.named(shadow.text)
    begun = {m.begin for m in named}
    had = {m.begin for m in named if s.known.is_of(m, *CONDITIONS) or m.concept in HABITS}
    shadow = shadow.written(_REMOTE, lambda m: "previous " if m.end() in had and m.start() not in begun else m[0])
    begun = {m.begin for m in s.known.named(shadow.text)}
    return shadow.written(_PAST, lambda m: "previous " if m.end() in begun else m[0])


def _previous(s: Stretch, found: re.Match[str]) -> str:
    """ "Had a stroke before" as a name has it."""
    named = s.known.named(found["what"])
    whole = any((m.begin, m.end) == (0, len(found["what"])) for m in named)
    return f"{found['had']} previous {found['what']}" if whole else found[0]
