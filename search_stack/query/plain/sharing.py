"""Words that alternatives share: "hepatitis b or c", "pressure ulcer stage 3 or 4", "stroke, not hemorrhagic"."""

from __future__ import annotations

import re
from itertools import pairwise

from search_stack.language.lexicon.mention import Mention
from search_stack.query.plain.alternatives import GRADES, SHORT, listed
from search_stack.query.plain.headed import headed, kinds_denied
from search_stack.query.plain.known import LONGEST
from search_stack.query.plain.other_names import called_otherwise
from search_stack.query.plain.ranging import ranges
from search_stack.query.plain.recurring import of_diseases
from search_stack.query.plain.stretch import Stretch

_EXCLUSIVE = re.compile(
    rf"(?<![\w/.-])(?P<of>(?:(?:stages?|grades?|nyha|class|type|ckd|asa|killip|ccs|gold)\s+)+)(?P<list>{SHORT}(?:\s*,\s*{SHORT})*)"
    rf"\s*(?:,\s*)?(?:and|&)\s+(?P<last>{SHORT})(?![\w/%]|\.\w|-\d)",
    re.IGNORECASE,
)
"""Of which nobody has two at once: "CKD 4 and 5" are those with either."""
_CONTRASTED = re.compile(
    r"(?<![\w-])(?P<one>[^\W\d_]{3,})(?:\s*,)?\s+(?:but\s+)?not\s+(?P<last>[^\W\d_]{3,})(?=\s+[^\W\d_])", re.IGNORECASE
)
_ORDINALS = frozenset(("first", "second", "third", "fourth", "1st", "2nd", "3rd", "4th"))
_KINDS = re.compile(
    r"(?<![\w-])(?P<one>[^\W\d_]{3,}|[1-4](?:st|nd|rd|th))\s+(?:or|and/or)\s+"
    r"(?P<last>[^\W\d_]{3,}|[1-4](?:st|nd|rd|th))(?=\s+[^\W\d_])",
    re.IGNORECASE,
)
_ELLIPTIC = re.compile(
    r"(?<![\w-])(?P<list>[^\W\d_][\w'-]+(?:\s*,\s*[^\W\d_][\w'-]+(?:\s[\w'-]+)?)*)\s+(?:and/)?or\s+"
    r"(?P<last>[^\W\d_][\w'-]+)(?=\s+[^\W\d_])",
    re.IGNORECASE,
)
"""Alternatives that share what they are of: "kidney, liver or heart transplant", "mother had breast or lung cancer"."""
_APPOSED = re.compile(
    r"(?<![\w'-])(?P<head>[^\W\d_][\w'-]*)(?:\s*,\s*|\s+)(?P<one>[^\W\d_]{3,})\s+or\s+(?P<last>[^\W\d_]{3,})\s*(?=[.?!]?\s*$)"
)
"""Kinds behind a name: "encephalopathy, metabolic or toxic"."""
_ONE_OR = re.compile(r"\s+(?P<one>[^\W\d_][\w\s-]*?)\s+(?P<or>or)\s+", re.IGNORECASE)
_OR_AT = re.compile(r"(?<!\w)or(?!\w)", re.IGNORECASE)
_PLACED = re.compile(r"(?P<head>.+\s(?:in|on|around|of|to)\s+(?:(?:the|his|her|their)\s+)?)[^\W\d_]+$", re.IGNORECASE)
_OTHER_PLACE = re.compile(
    r"\s*(?:,\s*)?(?:or|and|and/or|/)\s+(?:(?:in|on|around|of|to)\s+)?(?:(?:the|his|her|their)\s+)?(?P<place>[^\W\d_]{3,})(?!\w)",
    re.IGNORECASE,
)


_STATUSES = {
    "drug": r"(?:stopped|discontinued|ceased|held|withheld|paused|suspended|omitted|started|restarted)",
    "procedure": r"(?:done|performed|completed|planned|scheduled|booked|requested|ordered|awaited)",
}
"""By the kind of what is named, what each tells apart of it."""
_STATUS = rf"(?:{'|'.join(_STATUSES.values())})"
_TWO_STATUSES = rf"(?P<one>{_STATUS})\s*(?:/|(?<=\s)(?:and/)?or(?=\s))\s*(?P<last>{_STATUS})(?!\w)"
_TOLD_BEHIND = re.compile(
    rf"(?P<gap>\s+(?:(?:was|were|is|are|has|have|had|been|being)\s+)*){_TWO_STATUSES}", re.IGNORECASE
)
_TOLD_BEFORE = re.compile(
    rf"(?<![\w-]){_TWO_STATUSES}(?P<gap>\s+(?:(?:their|the|his|her)\s+)?)(?=[^\W\d_])", re.IGNORECASE
)
_DONE = re.compile(r"done|performed|completed|started|restarted", re.IGNORECASE)
"""Before a name they say no more of it than that it is there."""
_TO_COME = re.compile(r"requested|booked|awaited", re.IGNORECASE)
_SIGN = re.compile(r"(?<!\w)(?:and|or|with|but|without|plus)(?!\w)|[,;.:&+]", re.IGNORECASE)
"""Behind it stands what is graded: "gout and CKD stage 3 or 4"."""
_LAST_WORD = re.compile(r"(?<![\w-])[^\W\d_]+\s+$")
_SAID_OF_ALL = frozenset(("recent", "new", "suspected", "symptomatic"))
"""Beside `Wording.sides`: before alternatives they are said of each."""
_VS = re.compile(r"(?<!\w)(?:vs\.?|versus|v)(?!\w)", re.IGNORECASE)
_VERSUS = re.compile(r"\s+(?P<sign>(?:vs\.?|versus|v))\s+", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?P<comma>,)?\s*(?P<or>or)?\s*", re.IGNORECASE)


def share(s: Stretch) -> None:
    """Alternatives given all of their words where the lexicon names each, and an adjective its head."""
    ranges(s)
    s.shadow = s.shadow.written(_EXCLUSIVE, lambda m: f"{m['of']}{m['list']} or {m['last']}")
    s.shadow = s.shadow.written(_CONTRASTED, lambda m: _contrasted(s, m))
    s.shadow = s.shadow.written(_ELLIPTIC, lambda m: _together(s, m, _each_in_full(s, m)))
    s.shadow = s.shadow.written(_KINDS, lambda m: _together(s, m, _each_kind(s, m)))
    s.shadow = s.shadow.written(GRADES, lambda m: _together(s, m, _each_named(s, m)))
    of_diseases(s)
    _said_of_both(s)
    _other_places(s)
    called_otherwise(s)
    _compared_treatments(s)
    for told in (_TOLD_BEHIND, _TOLD_BEFORE):
        s.shadow = s.shadow.written(told, lambda m: _together(s, m, _each_status(s, m)))
    _described_alike(s)
    s.shadow = s.shadow.written(_APPOSED, lambda m: _either_kind(s, m))
    s.shadow = headed(s, kinds_denied(s, s.shadow))


def _compared_treatments(s: Stretch) -> None:
    """ "Apixaban vs warfarin in AF": who has either; of diseases it is a doubt."""
    kinds, text = s.known.lexicon.concepts, s.shadow.text
    done = sorted(
        (m for m in s.mentions() if kinds[m.concept].kind in ("drug", "procedure", "device")), key=lambda m: m.begin
    )
    signs = [sign for one, other in pairwise(done) if (sign := _VERSUS.fullmatch(text, one.end, other.begin))]
    places = {sign.start("sign") for sign in signs}
    s.shadow = s.shadow.written(_VS, lambda m: "or" if m.start() in places else m[0])


def _each_status(s: Stretch, found: re.Match[str]) -> str:
    """ "Aspirin stopped or held", "colonoscopy done or planned": either, of what is named once."""
    text = found.string
    one, last = (_TO_COME.sub("ordered", found[key]) for key in ("one", "last"))
    each = " ".join((found["one"], found["last"]))
    kinds = [k for k, told in _STATUSES.items() if re.fullmatch(f"{told} {told}", each, re.IGNORECASE)]
    for m in s.known.ending(text, found.start(), *kinds) if kinds else ():
        return f"{found['gap']}{one}; or {text[m.begin : m.end]} {last}"
    for m in s.known.beginning(text, found.end(), *kinds) if kinds else ():
        return f"{one} {text[m.begin : m.end]}; or {'' if _DONE.fullmatch(last) else f'{last} '}"
    return found[0]


def _described_alike(s: Stretch) -> None:
    """Signs between names that one adjective before the first is said of: "recent MI, stroke or TIA"."""
    text = s.shadow.text
    named = sorted((m for m in s.mentions() if len(m.parts) == 1), key=lambda m: m.begin)
    for n, first in enumerate(named):
        before = _LAST_WORD.search(text, 0, first.begin)
        if before is None or before[0].strip().lower() not in _SAID_OF_ALL | s.table.sides:
            continue
        signs = []
        for one, other in pairwise(named[n:]):
            sign = _BETWEEN.fullmatch(text, one.end, other.begin)
            if sign is None:
                break
            signs += [s.shadow.span(*sign.span(g)) for g in ("comma", "or") if sign[g]]
            if sign["or"]:
                s.alike.update(signs)
                break


def _together(s: Stretch, found: re.Match[str], whole: str) -> str:
    """``whole``, whose alternatives are one item of whatever stands around them: "NYHA III or IV heart failure"."""
    if whole != found[0]:
        s.alike.add(s.shadow.span(*found.span()))
    return whole


def _each_named(s: Stretch, found: re.Match[str]) -> str:
    """ "Hepatitis b or c" with both names in full; "type 1 or 2 diabetes" likewise."""
    text, each = found.string, listed(found)
    signs = [sign.end() for sign in _SIGN.finditer(text, 0, found.start("one"))]
    before = text[max(signs, default=0) : found.start("one")].split()[-LONGEST:]
    after = text[found.end() :].split()[:LONGEST]
    for n in range(len(before)):
        head = " ".join(before[n:])
        if all(s.known.lexicon.find(f"{head} {one}") for one in each):
            return f"{found['head']} " + " or ".join([each[0], *(f"{head} {one}" for one in each[1:])])
        if (of := " ".join(before[n:-1])) and all(s.known.is_name(f"{found['head']} {one} {of}") for one in each):
            return " or ".join([f"{found['head']} {each[0]}", *(f"{found['head']} {one} {of}" for one in each[1:])])
    for n in range(len(after), 0, -1):
        tail = " ".join(after[:n])
        if all(s.known.lexicon.find(f"{found['head']} {one} {tail}") for one in each):
            return " or ".join([*(f"{found['head']} {one} {tail}" for one in each[:-1]), f"{found['head']} {each[-1]}"])
    return found[0]


def _each_kind(s: Stretch, found: re.Match[str]) -> str:
    """ "Acute or chronic pancreatitis", "3rd or 4th degree tear" in full, where the lexicon has both names."""
    after = re.findall(r"[\w'-]+", found.string[found.end() :])[:LONGEST]
    numbered = found["one"].lower() in _ORDINALS
    if not numbered and found["one"].lower() not in s.table.sides:
        return found[0]
    named = s.known.is_name if numbered else s.known.lexicon.find
    for n in range(len(after), 0, -1):
        tail = " ".join(after[:n])
        if all(named(f"{found[k]} {tail}") for k in ("one", "last")):
            return f"{found['one']} {tail} or {found['last']}"
    return found[0]


def _each_in_full(s: Stretch, found: re.Match[str]) -> str:
    """ "Kidney, liver or heart transplant" with each name in full, where the lexicon has them all."""
    after = re.findall(r"[\w'-]+", found.string[found.end() :])[:LONGEST]
    each = [*re.split(r"\s*,\s*", found["list"]), found["last"]]
    named = s.known.ending(found.string, found.end("list"))
    if len(each) == 2 and any(not s.known.is_of(m, "anatomy") for m in named):
        return found[0]  # "Pulmonary hypertension or interstitial lung disease"
    for n in range(len(after), 0, -1):
        tail = " ".join(after[:n])
        whole = s.known.lexicon.find(f"{each[-1]} {tail}")
        names = [_in_full(s, one, tail, whole.kind if whole else "") for one in each]
        if names[-1] and names[-2] != each[-2] and all(names):
            return " or ".join([*names[:-1], each[-1]])
    return found[0]


def _in_full(s: Stretch, one: str, tail: str, kind: str) -> str:
    """``one`` with the ``tail`` that it shares, or as it stands where that names something of the same kind: "diabetes,
    liver or kidney disease"; empty where it is neither."""
    if s.known.is_name(f"{one} {tail}"):
        return f"{one} {tail}"
    alone = s.known.lexicon.find(one)
    return one if alone and alone.kind == kind else ""


def _contrasted(s: Stretch, found: re.Match[str]) -> str:
    """ "Ischemic not hemorrhagic stroke" with both names in full."""
    after = re.findall(r"[\w'-]+", found.string[found.end() :])[:LONGEST]
    for n in range(len(after), 0, -1):
        tail = " ".join(after[:n])
        if all(s.known.is_name(f"{found[k]} {tail}") for k in ("one", "last")):
            return f"{found['one']} {tail} not {found['last']}"
    return found[0]


def _either_kind(s: Stretch, found: re.Match[str]) -> str:
    kinds = [f"{found[k]} {found['head']}" for k in ("one", "last")]
    alone = any(s.known.lexicon.find(found[k]) for k in ("one", "last"))
    return " or ".join(kinds) if not alone and all(map(s.known.lexicon.find, kinds)) else found[0]


def _said_of_both(s: Stretch) -> None:
    """ "Old MI or CVA" as "old MI or old CVA", where the second would take its first word across the other."""
    text = s.shadow.text
    whole = {m.parts[0] for m in s.mentions() if len(m.parts) == 1}
    for mention in s.mentions():
        (begin, end), (second, _), *more = (*mention.parts, (0, 0))
        between = _ONE_OR.fullmatch(text, end, second) if len(more) == 1 else None
        if between and between.span("one") in whole:
            at, how = between.start("or"), text[begin:end]

            def make(found: re.Match[str], at: int = at, how: str = how) -> str:
                return f"{found[0]} {how}" if found.start() == at else found[0]

            s.shadow = s.shadow.written(_OR_AT, make)
            return


def _other_places(s: Stretch) -> None:
    """ "Clot in the lung or leg" with both names in full, where they are names as they stand and no shorter one is."""
    found = next((other for m in s.mentions() if (other := _other_place(s, m))), None)
    if found:
        begin, place, whole = found
        pattern = re.compile(rf"(?<!\w){re.escape(place)}(?!\w)")
        s.shadow = s.shadow.written(pattern, lambda m: whole if m.start() == begin else m[0])


def _other_place(s: Stretch, mention: Mention) -> tuple[int, str, str] | None:
    """Where the second place of a name begins, what it is, and the name with it."""
    text = s.shadow.text
    head = _PLACED.fullmatch(text[mention.begin : mention.end])
    other = _OTHER_PLACE.match(text, mention.end)
    if not head or not other or not s.is_part(other["place"]):
        return None
    named = [p for m in s.mentions() if not s.known.is_of(m, "anatomy") for p in m.parts]
    if any(b <= other.start("place") < e for b, e in named):
        return None  # "Fracture of hip or wrist" is read as two as it stands.
    whole = f"{head['head']}{other['place']}"
    known = any((m.begin, m.end) == (0, len(whole)) for m in s.known.named(whole))
    return (other.start("place"), other["place"], whole) if known else None
