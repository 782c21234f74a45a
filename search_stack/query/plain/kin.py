"""Relatives in a line, their ages, which nothing tells, and others whose disease is told."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_stack.language.assertion.scopes import DONE_OR_TAKEN
from search_stack.language.assertion.table import slot
from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.query.items import Item, Notice, Part
from search_stack.query.nodes import Finding
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow
from search_stack.query.tree import leaves

KIN = rf"(?:{'|'.join((*slot('relative'), 'relative'))})s?"
_ONE = re.compile(rf"(?<!\w)(?!relatives?\b){KIN}(?!\w)", re.IGNORECASE)
_RELATIVES = re.compile(
    rf"\b({KIN})(?:\s*(?:,|/|\bor\b|\band\b)\s*(?:(?:an?|his|her|their)\s+)?{KIN})+\b", re.IGNORECASE
)
_IN_RELATIVE = re.compile(
    r"\bin\s+(?:(?:an?|any|one|some|their|his|her|the|other)\s+)*(?:(?:first|second|1st|2nd)[\s-]degree\s+)?relatives?\b",
    re.IGNORECASE,
)
_RELATIVE_HAS = re.compile(
    r"(?<!\w)(?:(?:an?|any|one|some|their|his|her)\s+)*(?:(?:close|blood)\s+)?relatives?(?=\s+(?:who\s+)?(?:has|had|have|was|were|is|are|died|suffer\w*|diagnosed|on)(?!\w))",
    re.IGNORECASE,
)
"""As no note says it: "whose relative has been on dialysis"."""
_AGE_OF_KIN = re.compile(
    rf"\b(?:{KIN}|(?:in\s+the\s+)?family(?:\s+(?:history|hx))?|fhx?|fh)\b[^,;.]{{0,60}}?"
    r"(?P<age>\s(?:(?:under|over|below|above|by|before|aged?|[<>≤≥]=?)\s?)+(?:the\s+age\s+of\s+|age\s+)?[1-9]\d"
    r"|\s(?:in|by)\s(?:his|her|their)\s(?:(?:early|mid|late)[\s-])?[2-9]0'?s)(?=\s*(?:$|[,;.?)]|(?:and|or|but|with|who)\s))",
    re.IGNORECASE,
)
_WHO_IS_MOTHER = re.compile(
    r"\b(?:rh(?:esus)?[\s-]*d?[\s-]*neg(?:ative)?|pregnant|breast[\s-]?feeding|postpartum|postnatal|primiparous|nulliparous|lactating|labou?ring)"
    r"(?P<kin>\s+(?:mum|mom|mother))(?!\w)",
    re.IGNORECASE,
)
"""A mother who is the patient: "rh neg mum"."""
_OF_BIRTH = (
    r"(?:(?:pre-?)?eclampsia|hellp|postpartum|postnatal|mastitis|placent\w+|gestational|puerperal|hyperemesis|twins?|triplets|chorio\w*|endometritis"
    r"|breast\s?feeding|labou?r|c-?sections?|caesarean|cesarean)"
)
_MOTHER_FIRST = re.compile(
    rf"^\s*(?P<kin>(?:new\s+)?(?:mother|mom|mum)s?)(?=\s+(?:(?:of|with|in|who\s+(?:has|had|have|is|are|was)|having|after|has|on)\s+)?{_OF_BIRTH}(?!\w))",
    re.IGNORECASE,
)
_OF_NEWBORN = re.compile(r"\b(?:newborns?|neonat\w+|infants?|bab(?:y|ies)|born|child\w*|kids?|nicu)\b", re.IGNORECASE)
"""Where the line is one of these, a mother is theirs."""
_MOTHERS_ASKED = re.compile(
    r"(?<!whose\s)(?<!their\s)(?<!\bin\s)(?<!\bof\s)(?<![\w-])(?:new\s+)?(?:mothers|mums)(?!\s+(?:over|under|above|below|aged|older|younger|[<>≤≥])(?!\w))(?![\w'’])",
    re.IGNORECASE,
)
"""Who are asked for themselves: "Rh negative mothers"."""
_CHILD_OF = re.compile(r"(?<!\w)(?:child(?:ren)?|kids?|offspring)\s+of\s+(?:an?\s+|the\s+)?(?=[^\W\d_])", re.IGNORECASE)
"""What a parent has, behind it: "child of alcoholic"; not "children of parents with schizophrenia"."""
_BORN_TO = re.compile(
    r"(?<!\w)born\s+to(?=\s+(?:an?\s+|the\s+)?(?:[^\s,;.]+\s+){0,4}(?:mother|mum|mom)s?(?!\w))", re.IGNORECASE
)
_MOTHERS_WITH = re.compile(
    r"(?<!\w)(?P<child>newborns?|neonates?|infants?|bab(?:y|ies))\s+(?P<link>(?:born\s+)?(?:of|to))\s+(?:the\s+)?(?P<kin>mothers|mums|moms)\s+"
    r"(?:(?:who\s+)?(?:have|has|had|with|having|were|are|on|taking|using)\s+)+(?:an?\s+)?(?=[^\W\d_])",
    re.IGNORECASE,
)
"""What the mothers have of whose newborns are asked for."""
_WITH = re.compile(r"\s+with\s", re.IGNORECASE)
_OF_MOTHERS = re.compile(
    r"(?<!\w)(?P<child>newborns?|neonates?|infants?|bab(?:y|ies))\s+(?P<link>(?:born\s+)?(?:of|to))\s+(?:the\s+)?"
    r"(?P<what>[^\W\d_][\w\s-]{1,40}?)\s+(?P<kin>mothers|mums|moms)(?!\w)",
    re.IGNORECASE,
)
_MOTHERS = re.compile(
    r"(?P<positive>(?:\s+(?:positive|\+ve|pos)|\s?\+))?(?P<kin>\s+(?:mother|mum|mom))s?(?!\w|['’])", re.IGNORECASE
)
_FROM_ANOTHER = re.compile(
    r"(?<!\w)from\s+(?:an?\s+|the\s+)?(?=[^,;.]{2,40}?\s(?:patient|pt|source|donor|person|partner|contact)(?!\w))",
    re.IGNORECASE,
)
_IS_KIN = re.compile(rf"\s+{KIN}(?!\w)", re.IGNORECASE)
_STRONG = re.compile(
    r"(?<!\w)(?P<how>strong|extensive|significant)\s+(?:family\s+(?:history|hx)|fhx?)(?!\w)", re.IGNORECASE
)
_HISTORY_BEHIND = re.compile(r"\s+family\s+(?:history|hx)(?:\s+of)?\s*(?=$|[,;.?)])", re.IGNORECASE)
_IN_FAMILY = re.compile(
    r"\s+(?:runs\s+)?in\s+(?:(?:the|his|her|their)\s+)?family(?!\s+\w*(?:members?|medicine|doctor|practice))(?=\s*(?:$|[,;.?)]))",
    re.IGNORECASE,
)

_MANY = re.compile(
    r"(?<![\w-])(?P<many>two|three|four|[2-9]|several|multiple|many|both)\s+"
    r"(?=(?:(?:first|second|1st|2nd)[\s-]degree\s+)?(?:relatives|family\s+members|siblings|sisters|brothers|aunts|uncles)(?!\w))",
    re.IGNORECASE,
)
"""How many relatives, of whom any counts."""
_TAKES = re.compile(
    rf"(?<!new\s)(?<!\w){KIN}(?P<verb>\s+(?:(?:is|was|has\s+been|currently|had\s+been)\s+)*"
    r"(?:on|took|taking|using|used|given|received|receiving)\s+(?:an?\s+)?)(?=[^\W\d_])",
    re.IGNORECASE,
)
"""Before what is done or given, to whom: "mother on methadone", "father on dialysis"."""
_BARE_AGE = re.compile(
    rf"(?<!\w){KIN}(?P<what>\s[^,;.]{{1,40}}?)?(?P<age>\s+\(?[2-9]\d\)?)(?=\s*(?:$|[,;.]|(?:with|has|had|who)\s))",
    re.IGNORECASE,
)
"""Behind a relative, or what that one had, when: "MI father 50", "brother MI 42"."""
_PATIENTS_OWN = re.compile(
    r",\s*(?:the\s+)?(?P<who>child|baby|infant|newborn|neonate|toddler|patient|pt)\s+(?P<link>(?:with|has|had|is|was|who)\s)?",
    re.IGNORECASE,
)
"""Behind what a relative has or takes, what the child has: "mom smokes, child with asthma"."""
_WHO_HAS = re.compile(
    rf"(?P<link>(?:\s*,)?\s+(?:(?:and|but|with|whose|plus|\+)\s+)?(?:(?:an?|his|her|their|the)\s+)?)(?P<kin>{KIN}|family\s+member)"
    r"\s+(?P<verb>(?:who\s+)?(?:has|had|have|with|died\s+(?:of|from)|diagnosed\s+with)\s+(?:no\s+)?)?(?=[^\W\d_])",
    re.IGNORECASE,
)
"""Behind what the patient has, a relative and what that one has."""


def histories_behind(s: Stretch) -> None:
    """ "Malignant hyperthermia family history" as a note has it: a family history of that."""
    text = s.shadow.text
    both = ((m, _HISTORY_BEHIND.match(text, m.end) or _IN_FAMILY.match(text, m.end)) for m in s.mentions())
    if one := next(((m, found) for m, found in both if found), None):
        mention, found = one
        name = text[mention.begin : mention.end]
        whole = re.compile(re.escape(text[mention.begin : found.end()]))
        s.shadow = s.shadow.written(whole, lambda _: f"family history of {name}")


_NOT_THEMSELVES = re.compile(
    r"(?P<all>family\s+(?:history|hx)\s+of\s+(?P<what>[^,;.]{2,60}?))\s*,?\s+(?:(?:and|but|who|they|she|he)\s+)*"
    r"(?:(?:does|do|did|has|have)(?:n['’]?t|\s+not)\s+(?:have|had)|without(?:\s+having)?|not\s+having)\s+it"
    r"(?:\s+(?:herself|himself|themselves))?(?!\w)",
    re.IGNORECASE,
)


_PATIENT_IS = re.compile(
    r"(?:\s*,)?\s+(?:(?:and|but|though|although|while|whereas|yet)\s+)*(?P<who>(?:(?:the|this|her|his|their)\s+)?(?:patient|pt|child|baby|proband|he|she|they)\s+)?"
    r"(?:is|are|was|does|do|did|has|have|had)(?P<not>(?:n['’]?t|\s+not)(?:\s+(?:have|had|got))?)?(?:\s+it)?\s*(?=$|[,;.?])",
    re.IGNORECASE,
)
"""Behind what a relative has: "mother diabetic, patient isn't", "father has no gout, he does"."""
_NOT_IN_PATIENT = re.compile(
    r"\s*,?\s+(?:but\s+)?(?P<not>not)\s+(?:in\s+)?(?:the\s+|this\s+)?(?P<who>patient|pt|proband|child|self)\s*(?=$|[,;.?])",
    re.IGNORECASE,
)
"""Behind what a relative has: "bipolar in a relative, not in pt"."""
_OF_KIN = re.compile(rf"(?<!\w)(?:{KIN}|family|fhx?)(?!\w)", re.IGNORECASE)


def but_not_the_patient(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Mother diabetic, patient isn't" with what the patient has or has not, by names that stand written out."""
    told = _OF_KIN.search(shadow.text) is not None
    each = [m for pattern in (_PATIENT_IS, _NOT_IN_PATIENT) for m in pattern.finditer(shadow.text)] if told else []
    for found in sorted(each, key=lambda m: -m.start()):
        text = shadow.text
        if not (found["who"] or found["not"]):
            continue
        kin = next(iter(_OF_KIN.finditer(text, 0, found.start())), None)
        has = [m for m in s.known.named(text, 0, found.start()) if kin and s.known.is_of(m, *CONDITIONS)]
        if has and kin and (kin.start() < max(m.end for m in has) or found.re is _NOT_IN_PATIENT):
            what = text[min(m.begin for m in has) : max(m.end for m in has)]
            shadow = shadow.rewritten(*found.span(), f"; {'without ' if found['not'] else ''}{what}")
    return shadow


def relatives(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with one of several relatives, and one who is only called so as the language knows him."""
    shadow = shadow.written(_NOT_THEMSELVES, lambda m: f"{m['all']}, without {m['what']}")
    for found in list(_WHO_IS_MOTHER.finditer(shadow.text)):
        shadow = s.left_aside(shadow, *found.span("kin"))
    if not _OF_NEWBORN.search(s.line) and (first := _MOTHER_FIRST.search(shadow.text)):
        shadow = s.left_aside(shadow, *first.span("kin"))
    if not _OF_NEWBORN.search(s.line):
        shadow = shadow.written(_MOTHERS_ASKED, lambda m: "women")
    for found in list(_STRONG.finditer(shadow.text)):
        shadow = s.left_aside(shadow, *found.span("how"))
    shadow = shadow.written(_RELATIVES, lambda m: m[1])
    shadow = _of_parents(s, _each_their_own(s, _of_mothers(s, shadow)))
    if _OF_KIN.search(shadow.text):
        shadow = _of_the_child(s, _who_takes(s, shadow))
        for found in list(_MANY.finditer(shadow.text)):
            shadow = s.left_aside(shadow, *found.span("many"))
    shadow = shadow.written(_RELATIVE_HAS, lambda m: "family member")
    return _ages_of_kin(s, shadow).written(_IN_RELATIVE, lambda m: "in a family member")


def _of_the_child(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Mother on insulin, baby hypoglycaemic" with a mark where the child's own begins."""
    for found in reversed(list(_PATIENTS_OWN.finditer(shadow.text))):
        if not _ONE.search(shadow.text, 0, found.start()):
            continue
        whole = s.known.beginning(shadow.text, found.start("who"))  # "child abuse"
        if not whole and not found["link"] and s.known.beginning(shadow.text, found.end(), *CONDITIONS):
            shadow = shadow.rewritten(*found.span("who"), f"{found['who']} with")
        shadow = shadow.with_mark(found.start(), ";")
    return shadow


def _who_takes(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Mother on methadone" with a verb that is hers, as "takes" is, or "had" of dialysis."""
    for found in reversed(list(_TAKES.finditer(shadow.text))):
        behind = s.known.beginning(shadow.text, found.end(), *DONE_OR_TAKEN)
        if behind:
            verb = "takes" if any(s.known.is_of(m, "drug") for m in behind) else "had"
            shadow = shadow.rewritten(*found.span("verb"), f" {verb} ")
    return shadow


def of_another(s: Stretch, shadow: Shadow) -> Shadow:
    """What somebody else has counts whatever a note says of it: "needlestick from HIV patient"."""
    for found in list(_FROM_ANOTHER.finditer(shadow.text)):
        named = s.known.named(shadow.text)
        if {found.start() - 1} <= {m.end for m in named} and {found.end()} <= {m.begin for m in named}:
            s.anyhow.append(shadow.span(*found.span()))
            shadow = s.left_aside(shadow, *found.span())
    return shadow


def _each_their_own(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Breast lump and mother had breast cancer": what is named before a relative is the patient's."""
    if not _WHO_HAS.search(shadow.text):
        return shadow
    named = s.known.named(shadow.text)
    begins, ends = {m.begin for m in named}, {m.end for m in named}
    begins |= {m.start() for m in s.table.abbreviations.finditer(shadow.text) if s.table.abbreviates(m[0], s.line)}

    def make(found: re.Match[str]) -> str:
        parted = found.start() in ends or (found["link"].strip() and found["verb"])
        if not parted or found.end() not in begins:
            return found[0]
        if found["link"].strip(", "):
            s.reading.aside.append(shadow.span(*found.span("link")))
        return f", {found['kin']} {found['verb'] or ''}"

    return shadow.written(_WHO_HAS, make)


def _of_parents(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with the parents of whom what is said of them is told: "child of alcoholic", "HIV positive mother"."""
    text = shadow.text
    if _CHILD_OF.search(text):
        has = {m.begin for m in s.known.named(text) if s.known.is_of(m, "disorder") and not _IS_KIN.match(text, m.end)}
        shadow = shadow.written(_CHILD_OF, lambda m: "parent with " if m.end() in has else m[0])
    born = _BORN_TO.search(shadow.text) is not None
    shadow = shadow.written(_BORN_TO, lambda m: "; of")
    return shadow.written(_MOTHERS, lambda m: m["kin"] if born or m["positive"] else m[0])


def _of_mothers(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Newborns of diabetic mothers" by the name that their infants have, or as newborns and what their mother has."""
    for pattern in (_MOTHERS_WITH, _OF_MOTHERS):
        for found in reversed(list(pattern.finditer(shadow.text))):
            what = found.groupdict().get("what")
            if what is None:
                s.reading.aside.append(shadow.span(*found.span("link")))
                shadow = shadow.rewritten(found.end("kin"), found.end(), " with ").rewritten(
                    *found.span("kin"), "mother"
                )
                shadow = shadow.rewritten(found.end("child"), found.start("kin"), ", ")
            elif s.known.is_name(name := f"infant of {what} mother"):
                mark = ";" if _WITH.match(shadow.text, found.end()) else ""  # What follows is the infant's.
                shadow = shadow.rewritten(*found.span(), f"{name}{mark}")
            elif any(m.end == len(what) for m in s.known.beginning(what, 0, *CONDITIONS)):
                shadow = shadow.rewritten(*found.span("kin"), "mother").rewritten(*found.span("link"), "; of")
    return shadow


def _ages_of_kin(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without the ages of relatives, which nothing tells."""
    if not any(map(str.isdigit, shadow.text)):
        return shadow
    bare = [
        m
        for m in _BARE_AGE.finditer(shadow.text)
        if not m["what"] or s.known.ending(shadow.text, m.start("age"), "disorder")
    ]
    for found in [*_AGE_OF_KIN.finditer(shadow.text), *bare]:
        place = shadow.span(*found.span("age"))
        shadow = shadow.blank(*found.span("age"))
        s.reading.aside.append(place)
        s.reading.notices.append(age_of_kin(s, place))
    return shadow


def whose(s: Stretch, items: Sequence[Item]) -> None:
    """Tells that any relative counts where one is named: "mother had breast cancer"."""
    parts = [item for item in items if isinstance(item, Part)]
    told = any(isinstance(leaf, Finding) and leaf.assertion == "family" for p in parts for leaf in leaves(p.node))
    one = _ONE.search(s.shadow.text) if told else None
    if one is None:
        return
    typed = s.typed(*s.shadow.span(*one.span()))
    why = f'"{typed}" was read as any relative: what a note says of relatives counts whoever it is'
    s.reading.notices.append(Notice("field", f"{why}.", typed, f'{s.line.rstrip()} words:"{typed}"'))


def age_of_kin(s: Stretch, place: tuple[int, int]) -> Notice:
    typed = s.typed(*place)
    told = f"\"{typed}\" is no criterion: ages are the patient's at the note, and no relative's is known."
    return Notice("time", told, typed)
