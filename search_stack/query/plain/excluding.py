"""Who is left out, as it is said: "patients with dementia are not eligible", "cannot have MRI", "other than type 1"."""

from __future__ import annotations

import re

from search_stack.language.assertion.scopes import DONE_OR_TAKEN
from search_stack.language.lexicon.chronic import chronic_ones
from search_stack.language.lexicon.mention import Mention
from search_stack.query.plain.stretch import HABITS, Stretch
from search_stack.query.shadow import Shadow

_EXCLUDES = re.compile(r"(?:^|[,;.:])\s*(?:please\s+|also\s+)?without\s", re.IGNORECASE)
_ALSO_EXCLUDED = re.compile(
    r"(?<=\w)\s*,?\s+(?:or|and)\s+(?P<whom>(?:(?:if|those|anyone|anybody|patients?|pts|people|they|who|that)\s+)*(?:(?:is|are|were|was|currently|already)\s+)*(?:on|taking|receiving|having|with|who\s+have|have|has))\s+"
    r"(?![^;.:]*\bexcluded\b)",
    re.IGNORECASE,
)
"""What goes on with an exclusion that opens its statement: "exclude if eGFR < 30 or on dialysis"."""
_DENIES = re.compile(r"(?:without|w/o|not(?:\s+(?:on|taking|receiving))?)\s*$", re.IGNORECASE)
_AND = re.compile(r"\s*,?\s+and\s", re.IGNORECASE)
"""Behind what somebody is without, it begins what they are on: "not on aspirin and on warfarin"."""
IS_NOT = re.compile(
    r"(?<!\w)(?P<verb>is|are|was|were|has|have|had)n['’]?t(?=\s+(?:been|on|taking|receiving|using|spread|metasta\w+|due|caused|secondary|related|from|explained|attribut\w+|because)(?!\w))",
    re.IGNORECASE,
)
CANNOT = re.compile(
    r"(?<!\w)(?:can(?:not|\s+not|['’]?t)|(?:could|would|should|must|will)(?:\s+not|n['’]?t)|wo(?:n['’]t|nt))"
    r"\s+(?:(?<=won't\s)take|(?<=wont\s)take|(?<=will\snot\s)take|have|use|receive|undergo|go\s+on|be\s+(?:on|given|started\s+on)"
    r"|be(?=\s+\w+ed(?!\w))(?!\s+(?:excluded|ruled|confirmed|determined|assessed|visuali[sz]ed|evaluated|reached|identified|explained|controlled)))"
    r"(?=\s+\w)(?!\s+(?:been|had)(?!\w))",
    re.IGNORECASE,
)
"""Who cannot have or do what stands behind is without it; what somebody cannot take is an intolerance."""
NOT_GIVEN = re.compile(
    r"(?<!\w)(?:not|never)\s+(?:(?:been|being)\s+)?(?:given|offered|prescribed|dispensed|got|received)(?:\s+(?:any|an?))?"
    r"(?=\s+\w)(?!\s+(?:for|because|due|in|on|at|with|by|and|or|but|despite|after|before|who|since|when|if|to|as)(?!\w))",
    re.IGNORECASE,
)
"""Before what somebody is without; behind it, it is told of what stands before."""
_NOT_GIVEN_BECAUSE = re.compile(
    r"\s+(?:(?:was|were)\s+)?not\s+(?:been\s+)?given(?P<gap>\s)(?=(?:due|because|as|since|in\s+view)\s)", re.IGNORECASE
)
_NO_EXPOSURE = re.compile(
    r"(?<!\w)(?:(?:no|without(?:\s+any)?)\s+(?:any\s+)?(?:prior|previous|past|earlier)\s+(?:exposure\s+to|use\s+of|receipt\s+of)"
    r"|never\s+exposed\s+to)\s+(?:an?\s+|any\s+)?(?=(?P<what>[^\W\d_][\w-]*))",
    re.IGNORECASE,
)
"""Of a drug, which was never taken: "no prior exposure to anthracyclines"."""
_LIST = re.compile(r",[^;.]*\b(?:or|and|nor)\b", re.IGNORECASE)
_HISTORY_EXCLUDED = re.compile(
    r"(?:^\s*|[,;]\s*|\s(?=and\s))(?:and\s+)?(?:(?:a|any|their|those\s+with)\s+)*(?P<what>(?:family\s+)?history)"
    r"(?=\s+of\s[^,;]{1,60}?\s(?:is\s|are\s|were\s)?excluded(?!\w))",
    re.IGNORECASE,
)
_EXCLUDED_THEN = (
    r"(?P<end>(?:(?:should|must|will|shall|need\s+to|are\s+to|is\s+to)\s+be\s+(?:excluded|left\s+out)"
    r"|(?:are|is|were|was|will\s+be|would\s+be)\s+(?:also\s+)?(?:excluded|ineligible|not\s+(?:eligible|included|allowed))"
    r"|(?:should|must|will)\s+not\s+be\s+(?:included|enrolled)|can\s?not\s+(?:be\s+(?:included|enrolled)|participate))"
    r"(?:\s+from\s+[\w\s]+)?)\s*$"
)
_OF_THEM = r"(?:(?!(?:in\s+whom|in\s+which|where)\s)[^.;])+?"
_EXCLUDED_BEHIND = re.compile(
    r"^\s*(?P<who>(?:(?:all|any|those|these)\s+)?(?:patients?|pts|people|persons?|subjects?|participants?|individuals?|cases|those"
    r"|anyone|anybody)\s+(?:(?:with|who|that|on|taking|receiving|have|has|had|are|is|were)\s+)+(?:(?:an?|any|known)\s+)*)"
    rf"{_OF_THEM}\s+{_EXCLUDED_THEN}",
    re.IGNORECASE,
)
"""Whom a sentence leaves out at its end; "PE excluded" is what a note says."""
_SUCH_EXCLUDED = re.compile(
    rf"^\s*(?P<such>{_OF_THEM})\s+(?P<whom>(?:women|patients|pts|subjects|participants|individuals|persons|mothers)\s+){_EXCLUDED_THEN}",
    re.IGNORECASE,
)
"""Likewise, by what they have: "pregnant women are excluded"."""
_NEVER = re.compile(r"(?<!\w)never(?!\w)", re.IGNORECASE)
_OTHER_KIND = re.compile(
    r"\s+(?:other\s+than|except(?:\s+for)?|apart\s+from|but\s+not|excluding)\s+(?P<kind>type\s+\w+|[^\W\d_]+(?:\s+[^\W\d_]+)?)"
    r"(?=\s*(?:$|[,;.)]|(?:in|since|within|during|before|after|over)\s))",
    re.IGNORECASE,
)
_NOT_TOLD = re.compile(
    r"(?<!\w)no\s+(?P<what>[^,;.()]+?)\s+(?P<told>(?:was\s+|is\s+|were\s+)?(?:documented|recorded|on\s+record|on\s+file|charted)|in\s+(?:the\s+|their\s+)?(?:notes?|records?|charts?))\s*(?=$|[,;.)])",
    re.IGNORECASE,
)
"""What no note tells, and none need deny: "no sentinel node biopsy documented"."""
_NOT_SO = re.compile(r"\s+(?:instead\s+of|rather\s+than)\s+(?P<what>[^,;.()]+?)\s*(?=$|[,;.)])", re.IGNORECASE)
_EXCLUDED = re.compile(r"(?<=\w)\s(?:is\s|are\s|were\s)?excluded(?!\w)", re.IGNORECASE)


_LASTING_EXCLUDED = re.compile(r"(?P<before>\S.*?),\s*(?P<what>[^,;.]+?)(?P<end>\s+excluded)\s*$", re.IGNORECASE)
_DATED_EXCLUDED = re.compile(
    r"(?:^|[,;])\s*(?P<what>[^\s,;.][^,;.]*?)\s+(?P<when>(?:with)?in|over|during)\s+(?:the\s+)?(?:(?:last|past|previous|preceding|prior)\s+)?"
    r"(?P<span>(?:(?:\d{1,3}|[^\W\d_]{3,6})\s+)?(?:day|week|month|year)s?)(?P<end>\s+(?:(?:is|are|was|were)\s+)?excluded)\s*$",
    re.IGNORECASE,
)
"""Who had it lately is left out: "stroke in past 3 years excluded"."""
_ALL_EXCLUDED = re.compile(
    r"\s*(?P<what>[^\s,;.][^,;.]*?)(?P<end>\s+(?:(?:is|are|was|were)\s+)?excluded)\s*", re.IGNORECASE
)
_PREGNANCY = "pregnancy"
"""Whoever is, is left out of a study: "pregnant or breastfeeding excluded"."""
DRUG_USE = "drug-use"


def _is_left_out(s: Stretch, mention: Mention) -> bool:
    """Whether who has it is left out, and no test of theirs: what lasts, habits, and what is taken or done."""
    if s.known.is_of(mention, *DONE_OR_TAKEN) or mention.concept in (*HABITS, DRUG_USE):
        return True
    return mention.concept in chronic_ones() and "tumor" not in s.known.lexicon.ancestors(mention.concept)


def excluded_behind(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Patients with dementia are not eligible" as without it, and "parkinson with falls, dementia excluded"."""
    text = shadow.text.rstrip(" .")
    if text.lower().endswith("excluded") and (by_name := _excluded_by_name(s, shadow, text)):
        return by_name
    found = _EXCLUDED_BEHIND.search(text)
    if found is None and (such := _SUCH_EXCLUDED.search(text)):
        shadow = s.left_aside(s.left_aside(shadow, *such.span("end")), *such.span("whom"))
        return shadow.rewritten(*such.span("such"), f"without {such['such']}")
    if found is None:
        return shadow
    shadow = s.left_aside(shadow, *found.span("end"))
    s.reading.aside.append(shadow.span(*found.span("who")))
    return shadow.rewritten(*found.span("who"), "without ")


def _excluded_by_name(s: Stretch, shadow: Shadow, text: str) -> Shadow | None:
    """Who had it in a time is left out, at the end of the line what lasts, and what is no disorder where that is all of
    the line."""
    if (dated := _DATED_EXCLUDED.search(text)) and s.known.named(dated["what"]):
        shadow = s.left_aside(shadow, *dated.span("end"))
        shadow = shadow.rewritten(dated.start("when"), dated.end("span"), f"in the last {dated['span']}")
        return shadow.rewritten(*dated.span("what"), f"without {dated['what']}")
    if last := _LASTING_EXCLUDED.match(text):
        named = s.known.named(last["what"])
        whole = any((m.begin, m.end) == (0, len(last["what"])) for m in named)
        alone = whole and bool(s.known.named(last["before"]))
    else:
        last = None if _EXCLUDED_BEHIND.search(text) or _SUCH_EXCLUDED.search(text) else _ALL_EXCLUDED.fullmatch(text)
        named = s.known.named(last["what"]) if last else []
        looked_for = any(s.known.is_of(m, "disorder") for m in named)  # "Graves disease excluded"
        alone = bool(named) and not looked_for and not s.line[: shadow.begins[0]].strip()
    if last is None or not alone or not all(_is_left_out(s, m) or m.concept == _PREGNANCY for m in named):
        return None
    shadow = s.left_aside(shadow, *last.span("end"))
    return shadow.rewritten(*last.span("what"), f"without {last['what']}")


def histories(shadow: Shadow) -> Shadow:
    """ "Family history of cancer excluded" leaves those patients out; "PE excluded" stays what a note would say."""
    if not _HISTORY_EXCLUDED.search(shadow.text):
        return shadow
    shadow = shadow.written(_HISTORY_EXCLUDED, lambda m: f"; without {m['what']}")
    found = _EXCLUDED.search(shadow.text, shadow.text.index("; without "))
    return shadow.blank(*found.span()) if found else shadow


def not_given(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Not given statin" as not that; behind a drug it is told of that one: "haldol not given, QTc"."""

    def make(found: re.Match[str]) -> str:
        given = s.known.ending(found.string, len(found.string[: found.start()].rstrip()), "drug")
        return f"{found[0]};" if given else "not"

    return _not_given_because(s, shadow.written(NOT_GIVEN, make))


def _not_given_because(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Aspirin not given due to bleed" with the reason apart."""
    for found in reversed(list(_NOT_GIVEN_BECAUSE.finditer(shadow.text))):
        if s.known.ending(shadow.text, found.start(), "drug"):
            shadow = shadow.with_mark(found.start("gap"), ";")
    return shadow


def note_never(s: Stretch, shadow: Shadow, exclusion: re.Pattern[str]) -> None:
    """Keep where ``exclusion`` says that what stands behind never was: it is in no note as past, either."""
    s.never |= {shadow.span(*m.span())[1] for m in exclusion.finditer(shadow.text) if _NEVER.search(m[0])}


def never_exposed(s: Stretch, shadow: Shadow) -> Shadow:
    """Who never had a drug, or what has no name, is without it now and in the past."""
    for found in reversed(list(_NO_EXPOSURE.finditer(shadow.text))):
        named = s.known.beginning(shadow.text, found.end())
        if not named or any(s.known.is_of(m, "drug", "procedure") for m in named):
            s.never.add(shadow.span(*found.span())[1])
            end = max((m.end for m in named), default=found.end("what"))
            if not _LIST.match(shadow.text, end) and shadow.text[end : end + 1] == ",":
                shadow = shadow.with_mark(end, ";")  # "never exposed to methotrexate, RA"
            shadow = shadow.rewritten(*found.span(), "without ")
    return shadow


def _other_kinds(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Diabetes other than type 1" with the kind's whole name."""
    for found in reversed(list(_OTHER_KIND.finditer(shadow.text))):
        text = shadow.text
        whole = next(iter(s.known.ending(text, found.start())), None)
        own = s.known.lexicon.find(found["kind"])
        if whole is None or (own and whole.concept in s.known.lexicon.ancestors(own.id)):
            continue
        for head in (text[whole.begin : whole.end], s.known.name_of(whole.concept)):
            kind = s.known.lexicon.find(f"{found['kind']} {head}")
            if kind and whole.concept in s.known.lexicon.ancestors(kind.id):
                shadow = shadow.rewritten(*found.span("kind"), f"{found['kind']} {head}")
                break
    return shadow


def _so_and_not_so(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Daily instead of weekly" without what it was not, which a note tells beside what it was."""
    for found in reversed(list(_NOT_SO.finditer(shadow.text))):
        if not s.known.named(found["what"]):
            why = "a note that tells what was meant may tell it, too"
            shadow = s.left_aside(shadow, *found.span(), why, "denial")
    return shadow


def _not_told(s: Stretch, shadow: Shadow) -> Shadow:
    for found in reversed(list(_NOT_TOLD.finditer(shadow.text))):
        if s.known.is_name(found["what"]):
            if shadow.text[found.end() : found.end() + 1] == ",":
                shadow = shadow.rewritten(found.end(), found.end() + 1, ";")  # "No statin documented, diabetes".
            shadow = s.left_aside(shadow, *found.span("told"))
            shadow = shadow.rewritten(found.start(), found.start("what"), "without ")
    return shadow


def uncontracted(found: re.Match[str]) -> str:
    return f"{found['verb']} not"


def without(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with each exclusion as "without", the name of a kind in full, and what goes on with it."""
    shadow = _other_kinds(s, _so_and_not_so(s, _not_told(s, shadow)))
    exclusion = s.table.exclusion
    s.reading.aside += [shadow.span(*m.span("whom")) for m in exclusion.finditer(shadow.text) if m["whom"]]
    note_never(s, shadow, exclusion)
    shadow = shadow.written(exclusion, lambda m: "without")
    opens = _EXCLUDES.search(shadow.text)
    if opens is None:
        return shadow
    denies = _DENIES.search(s.typed(*shadow.span(*opens.span()))) is not None
    also = [m for m in _ALSO_EXCLUDED.finditer(shadow.text) if m.start() > opens.start()]
    also = [m for m in also if not (denies and _AND.match(m[0]))]
    s.reading.aside += [shadow.span(*m.span("whom")) for m in also]
    also_at = {m.start() for m in also}
    return shadow.written(_ALSO_EXCLUDED, lambda m: ", without " if m.start() in also_at else m[0])
