"""Which side of a concept is asked for: "treatment of asthma", "how is gout treated?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from search_stack.language.lexicon.mention import Mention
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import WORD

_KINDS = (
    "acute|chronic|severe|mild|moderate|recurrent|idiopathic|metastatic|advanced|early|late|primary|secondary|refractory|"
    "uncomplicated|complicated|newly|diagnosed|pediatric|paediatric|adult"
)
"""What kind of a disease, between an aspect and its name."""


_HOW = re.compile(
    r"\s*(?:please\s+)?(?:how\b|(?P<what>(?:what|which)\s+(?:(?:drugs?|medications?|medicines?)\s+)?(?:can\s+)?)(?=(?:treat|prevent|manage)s?\b))",
    re.IGNORECASE,
)
_DOING = re.compile(r"\s*\w+ing\s", re.IGNORECASE)
_WHY = re.compile(
    r"\s*(?P<why>why\s+(?:(?:do|does|did|would|might|can|could)\s+)?)[^,;]*?\b(?P<verb>get|gets|develops?|have|has|happens?|occurs?)\b",
    re.IGNORECASE,
)
_WHY_VERBS = frozenset(("get", "gets", "develop", "develops", "have", "has", "happen", "happens", "occur", "occurs"))
_WHETHER = re.compile(
    r"\s*(?:why\s+)?(?:do|does|did|can|could|may|might|will|would)\s[^,;]*?\b(?P<verb>cause|lead\s+to|result\s+in|trigger|induce)\b",
    re.IGNORECASE,
)
"""A question about two concepts, and not about the causes of either."""
_OF = re.compile(r"\s*(?:of|for|from)\s", re.IGNORECASE)
_AND_OR = re.compile(rf"\s*(?:[,/&]|(?:,\s*)?(?:and|or))\s*(?:(?:the|an?|{_KINDS})\s+)*", re.IGNORECASE)
_GIVING = frozenset(("therapy", "treatment", "therapies", "treatments"))
_DENY = frozenset(("no", "without"))
_DENIED = frozenset(("side effects", "complications"))
"""Aspects that somebody may be free of: "no side effects from statins". "No treatment for gout" is no topic."""
_WENT = re.compile(
    r"\s+(?:(?:have|has|had|are|is|were|was|now|fully|all|completely|not)\s+)*(?:resolv\w+|improv\w+|worse\w*|persist\w*|recurr\w+|return\w*|settled|gone|negative|normal|unremarkable|inconclusive|pending)(?!\w)",
    re.IGNORECASE,
)
"""What became of somebody's own, which is no topic: "TIA symptoms resolved"."""
_HOW_LONG = re.compile(
    r"\s*(?:of\s+)?(?:[<>≤≥]|(?:more|less|greater|shorter|longer)\s+than\s+\d|(?:at\s+least|over|under)\s+\d)",
    re.IGNORECASE,
)
"""How long somebody is to live is no topic of the name before: "ECOG <= 2 and life expectancy > 3 months"."""
_OF_THE_CASE = frozenset(("first", "initial", "unknown", "unclear"))
"""Before an aspect they tell of somebody's own: "first presentation of psychosis"."""
_UNKNOWN = re.compile(
    r"\s+(?:(?:is|was|were|remains|remained|still)\s+)*(?:not\s+(?:found|known|clear|identified)|unknown|unclear|uncertain|undetermined|unidentified)(?!\w)",
    re.IGNORECASE,
)
"""Likewise behind it: "syncope cause unknown"."""
_PLAIN_DIAGNOSIS = re.compile(
    r"\b(?:confirmed|known|established|documented|definite|clinical|previous|prior|recent|primary|current|histological|final|underlying|delayed|missed|late|wrong|incorrect)$"
)

_DENIED_NAME = re.compile(
    r"(?<!\w)(?:no|without|not|never)\s+(?:(?:an?|any|the|known|formal|confirmed|established|previous|prior)\s+)*$",
    re.IGNORECASE,
)


def aspects(s: Stretch) -> None:
    """Words for an aspect noted, and blanked so that they decide no assertion ("risk factors for")."""
    text = s.shadow.text
    found = [
        (m.start(), m.end(), s.table.aspect_of[" ".join(m[0].lower().split())]) for m in s.table.aspects.finditer(text)
    ]
    # "Side effects" is a concept as well: beside another it is that one's.
    words = {(begin, end) for begin, end, _ in found}
    mentions = [m for m in s.mentions() if (m.begin, m.end) not in words]
    taken = [p for m in mentions for p in m.parts]
    asked = _HOW.match(text)
    if asked and asked["what"]:
        s.leave_aside(*asked.span("what"))
        text = s.shadow.text
    if asked or _DOING.match(text):
        found += [
            (m.start(), m.end(), s.table.aspect_verbs[m[0].lower()])
            for m in WORD.finditer(text)
            if m[0].lower() in s.table.aspect_verbs and (asked or m[0].lower().endswith("ing"))
        ]
    if whether := _WHETHER.match(text):
        s.leave_aside(*whether.span("verb"))
        return
    if why := _WHY.match(text):
        found.append((*why.span("verb"), "causes"))
        s.leave_aside(*why.span("why"))
        text = s.shadow.text
    free = [f for f in sorted(found) if all(f[1] <= b or e <= f[0] for b, e in taken)]
    given = [f for f in free if _is_giving(s, f, mentions)]
    for begin, end, _ in given:
        s.leave_aside(begin, end)
    free = [f for f in free if f not in given]
    s.topics = [f for f in free if _is_topic(s, f, free, mentions)]
    for begin, end, _ in s.topics:
        s.shadow = s.shadow.blank(begin, end)


def _is_giving(s: Stretch, one: tuple[int, int, str], mentions: Sequence[Mention]) -> bool:
    """Whether it only says that a drug is given: "warfarin therapy"."""
    text = s.shadow.text
    if text[one[0] : one[1]].lower() not in _GIVING:
        return False
    before = [m for m in mentions if m.end <= one[0] and not text[m.end : one[0]].strip()]
    return any(s.known.is_of(m, "drug") for m in before)


def _is_topic(
    s: Stretch, one: tuple[int, int, str], others: Sequence[tuple[int, int, str]], mentions: Sequence[Mention]
) -> bool:
    """Whether a concept stands beside it: "treatment of X", "X treatment"; not "with a diagnosis of X"."""
    text = s.shadow.text
    what = text[one[0] : one[1]].lower()
    before = text[: one[0]].lower().split()
    if before and before[-1] in ("a", "an", "the") and len(before) > 1:
        before.pop()
    if before and before[-1] in _DENY and s.table.aspect_of.get(what) not in _DENIED:
        return False
    if before and before[-1] in (
        "with",
        "new",
        "had",
        "has",
        "have",
        "got",
        "their",
        "on",
        "under",
    ):
        return False
    if (before and before[-1] in _OF_THE_CASE) or _UNKNOWN.match(text, one[1]):
        return False
    if what == "diagnosis" and (_PLAIN_DIAGNOSIS.search(" ".join(before)) or (not before and s.listed)):
        return False
    if _WENT.match(text, one[1]) or _HOW_LONG.match(text, one[1]):
        return False
    concepts = [m for m in mentions if not s.known.is_of(m, "anatomy")]
    for m in concepts:
        if m.begin >= one[1]:
            between = text[one[1] : m.begin]
            for b, e, _ in others:
                if one[1] <= b and e <= m.begin:
                    between = between.replace(text[b:e], " ")
            linked = re.fullmatch(
                rf"[\s,]*(?:(?:and|or|of|for|from|in|to|the|a|an|is|are|with|patients|people|somebody|someone|{_KINDS})\s+)*",
                between.lower(),
            )
            of = re.search(r"\b(?:of|for|from|in|to)\b", between.lower())
            asked = what.startswith(("what", "how", "why")) or what in s.table.aspect_verbs or what in _WHY_VERBS
            if linked is not None and (of or asked or (_is_all(text, one, m) and what != "diagnosis")):
                return True
        elif m.end <= one[0]:
            if what == "diagnosis" and _DENIED_NAME.search(text, 0, m.begin):
                return False
            between = text[m.end : one[0]]
            for b, e, _ in others:
                if m.end <= b and e <= one[0]:
                    between = between.replace(text[b:e], " ")
            if re.fullmatch(r"\s*[:;,/]?\s*(?:(?:is|be|and|or)\s+)*[,\s]*", between.lower()):
                return True
    return False


def _is_all(text: str, one: tuple[int, int, str], mention: Mention) -> bool:
    """Whether the aspect and the concept side by side are all there is: "prognosis pancreatic cancer"."""
    around = text[: one[0]], text[one[1] : mention.begin], text[mention.end :]
    return not any(part.strip(" ?.") for part in around)


def shared(s: Stretch, mentions: Sequence[Mention]) -> dict[Mention, list[tuple[int, int, str]]]:
    """The aspects of each; "treatment of asthma and COPD" is that of either, "gout treatment in COPD" is not."""
    text = s.shadow.text
    ordered = sorted(mentions, key=lambda m: m.begin)
    out: dict[Mention, list[tuple[int, int, str]]] = {m: [] for m in ordered}
    for topic in s.topics:
        begin, end, _ = topic
        behind = [m for m in ordered if m.begin >= end and about(s, begin, end, m)]
        before = [m for m in ordered if m.begin < end and about(s, begin, end, m)]
        forward = bool(behind) and (_OF.match(text, end) or _typed(s, begin, end) in _WHY_VERBS or not before)
        for m in behind if forward else before:
            out[m].append(topic)
    for one, other in pairwise(ordered):
        if not out[other] and _AND_OR.fullmatch(text[one.end : other.begin]):
            out[other] = [topic for topic in out[one] if topic[1] <= one.begin]
    return out


def _typed(s: Stretch, begin: int, end: int) -> str:
    return s.line[slice(*s.shadow.span(begin, end))].lower()


def about(s: Stretch, begin: int, end: int, mention: Mention) -> bool:
    """Whether the aspect at ``begin`` is that of the mention: the nearest on the side where it belongs."""
    between = s.shadow.text[end : mention.begin] if end <= mention.begin else s.shadow.text[mention.end : begin]
    return (
        re.fullmatch(
            rf"[\s,:;/]*(?:(?:and|or|of|for|from|in|to|the|a|an|is|are|be|with|do|does|you|we|patients|people|{_KINDS})\s+)*",
            between.lower(),
        )
        is not None
    )
