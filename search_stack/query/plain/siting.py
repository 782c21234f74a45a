"""Where in the body what is asked for must be, and how severe: "left hip fracture", "severe pneumonia of the right
lower lobe"."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from search_stack.core.schema import DENIED
from search_stack.core.sites import joined
from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.language.lexicon.mention import Mention
from search_stack.language.sites import SITELESS, Group, Severity, grouped, groups, severities, sites, wider
from search_stack.query.nodes import Finding, Leaf, Node
from search_stack.query.plain.comparing import amount_at
from search_stack.query.plain.known import Known
from search_stack.query.plain.stretch import Said, Stretch
from search_stack.query.shadow import Shadow
from search_stack.query.tree import all_of, any_of, leaves, mapped

_EITHER = "or"
AT = frozenset(("affecting", "involving"))
"""Between a name and its site they say no more than "in"."""
NOWHERE = frozenset(
    (
        "alcohol use",
        "anemia",
        "asthma",
        "bacteremia",
        "chronic kidney disease",
        "chronic obstructive pulmonary disease",
        "coagulation disorder",
        "cognitive impairment",
        "confusion",
        "delirium",
        "diabetes mellitus",
        "drug use",
        "fever",
        "human immunodeficiency virus infection",
        "hyperlipidemia",
        "hypertension",
        "malnutrition",
        "mental health problem",
        "obesity",
        "pregnancy",
        "sepsis",
        "shock",
        "syncope",
        "tobacco use",
    )
)
"""What has no place in the body, with those of its kinds whose names say none: no heel is diabetic."""
_GROWTH = "tumor"
_OR = re.compile(r"\s+or\s+", re.IGNORECASE)
_STAGE = re.compile(r"stage \w+ cancer")
"""What the lexicon calls how far a cancer has come, which is where that is."""
_JOINED = re.compile(r"\s+(?:and|or)\s", re.IGNORECASE)
_GOES_ON = re.compile(r"\s+[^\W\d_]")


_OF_OTHER = re.compile(r"\s+(?:involved|involvement|affected|damage|disease|changes)\s+(?:or|and)\s+", re.IGNORECASE)
"""Between a site and a name, that the site is of what stands before the link: "kidney involved or low platelets"."""


def with_sites(s: Stretch, said: Sequence[Said]) -> list[Said]:
    """The findings with the sites that stand beside them, as a note's mentions have theirs; what has no place has none,
    and stands in no site's way."""
    text = s.shadow.text
    placeable = [n for n, one in enumerate(said) if not is_nowhere(s.known, one.mention.concept)]
    order = sorted(placeable, key=lambda n: said[n].mention.begin)
    mentions = [said[n].mention for n in order]
    nowhere = [one.mention for n, one in enumerate(said) if n not in set(placeable)]
    found = [
        g
        for g in groups(text, 0, len(text), [m.begin for m in mentions])
        if not any(_holds(m, span) for m in nowhere for span in g.spans)
    ]
    told = grouped(text, 0, len(text), [m.parts for m in mentions], found, strictly=True)
    told = [
        [g for g in own if _reaches(s, m, g, mentions) and _reaches_back(s, m, g, mentions)]
        for m, own in zip(mentions, told, strict=True)
    ]
    _give_to_the_one_before(s, mentions, told)
    out = list(said)
    for n, mention, of_one in zip(order, mentions, told, strict=True):
        taken = [g for own in told for g in own]
        bare = [] if of_one else [g for g in found if g not in taken and _is_right_behind(s, mention, g, said)]
        out[n] = _at(s, said[n], of_one or bare, mentions)
    return _graded(s, out)


def _graded(s: Stretch, said: Sequence[Said]) -> list[Said]:
    """The findings with how severe they must be, as a note's mentions have it, and what is as good as they: "severe
    asthma or COPD"."""
    text = s.shadow.text
    named = [one.mention for one in said]
    told = severities(text, 0, len(text), named, s.known.lexicon)
    out = [_so_severe(s, one, severity) if severity else one for one, severity in zip(said, told, strict=True)]
    for n in range(1, len(out)):
        before, alike = told[n - 1], _OR.fullmatch(text, named[n - 1].end, named[n].begin)
        if before and alike and not told[n] and not said[n].denies and before.end <= named[n - 1].begin:
            out[n] = replace(out[n], node=_with_grades(s, said[n], before.grades))
            told[n] = before
    return out


def _so_severe(s: Stretch, one: Said, severity: Severity) -> Said:
    node = _with_grades(s, one, severity.grades)
    if node is one.node:
        return one
    tokens = {*_tokens(s, severity.begin, severity.end)}
    between = {n for n in _between(one.tokens, tokens) if s.tokens[n] in s.table.function} if tokens else set()
    places = [s.shadow.span(severity.begin, severity.end), *([one.sited] if one.sited else [])]
    sited = min(b for b, _ in places), max(e for _, e in places)
    return replace(one, node=node, tokens=one.tokens | tokens | between, sited=sited)


def _with_grades(s: Stretch, one: Said, grades: Sequence[str]) -> Node:
    """What is asked, so severe; as it stands where kinds of it do not count."""
    name = s.known.name_of(one.mention.concept)
    asked = [leaf for leaf in leaves(one.node) if isinstance(leaf, Finding) and leaf.name == name]
    if not asked or any(leaf.less for leaf in asked):
        return one.node

    def graded(leaf: Leaf) -> Node:
        if not isinstance(leaf, Finding) or leaf.name != name:
            return leaf
        each = [replace(leaf, site=joined(grade, leaf.site)) for grade in grades]
        return (all_of if leaf.assertion in DENIED else any_of)(each)

    return mapped(one.node, graded)


_SIDE = re.compile(r"(?<!\w)(?:left|right)(?!\w)", re.IGNORECASE)
_AND = re.compile(r"\s(?=(?:and|with)\s)", re.IGNORECASE)


def sides_apart(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Right breast cancer and heart failure" with a comma where a name would take the side of the one before."""
    if not _SIDE.search(shadow.text) or not _AND.search(shadow.text):
        return shadow
    named = s.known.named(shadow.text)
    for m in named:
        (begin, end), *others = sorted(m.parts)
        if not others or not _SIDE.fullmatch(shadow.text, begin, end):
            continue
        inside = [o for o in s.known.named(shadow.text, end) if o.end <= others[0][0]]
        last = max((o.end for o in inside), default=0)
        if last and (sign := _AND.match(shadow.text, last)):
            return shadow.rewritten(*sign.span(), ", ")
    return shadow


def _give_to_the_one_before(s: Stretch, mentions: Sequence[Mention], told: list[list[Group]]) -> None:
    """Gives a site between two names to the first, which has none yet and can be there: "DVT left leg cancer"; not what
    the second is called after, nor a symptom's, which may be anything's."""
    for n in range(len(mentions) - 1):
        before, behind = mentions[n], mentions[n + 1]
        own = [g for g in told[n + 1] if g.part and not any(_holds(behind, span) for span in g.spans)]
        between = [g for g in own if before.end < g.begin and g.end <= behind.begin]
        first = min((g.begin for g in between), default=0)
        apart = bool(between) and not s.shadow.text[before.end : first].strip()
        if told[n] or not apart or s.known.is_of(before, "symptom"):
            continue
        if all(_can_be_at(s.known, before.concept, g.part) for g in between):
            told[n] = between
            told[n + 1] = [g for g in told[n + 1] if g not in between]


def is_nowhere(known: Known, concept: str) -> bool:
    """Whether nobody asks where in the body it is."""
    here = known.lexicon.concepts[concept]
    if here.kind in SITELESS or here.name in NOWHERE or _STAGE.fullmatch(here.name):
        return True
    parents = [p for p in here.parents if p in known.lexicon.concepts]
    return bool(parents) and not any(_parts_in(here.name)) and all(is_nowhere(known, p) for p in parents)


def _reaches(s: Stretch, mention: Mention, group: Group, mentions: Sequence[Mention]) -> bool:
    """Whether a site is that of what is named behind it, also where another name stands between: of disorders and what
    is done, those that can be there: "left leg cellulitis DVT", not "left leg cellulitis AF"; no test's with a
    number."""
    known = s.known
    if _OF_OTHER.fullmatch(s.shadow.text, group.end, max(group.end, mention.begin)):
        return False
    carried = any(group.begin <= m.begin and m.end <= mention.begin for m in mentions)
    if not carried:
        return True
    if amount_at(s, mention) is not None and known.is_of(mention, *SITELESS, "procedure"):
        return False
    return known.is_of(mention, "finding", "symptom") or _is_of_part(known, mention.concept, group.part)


def _reaches_back(s: Stretch, mention: Mention, group: Group, mentions: Sequence[Mention]) -> bool:
    """Whether a site is that of what is named before it, also where another name stands between: of complaints, "pain
    and swelling of the right knee", and of what is of one kind with that and can be there; not "insulin pump, rash of
    the left arm", "retinitis, lupus affecting the kidneys"."""
    known = s.known
    between = [m for m in mentions if mention.end <= m.begin and m.end <= group.begin]
    if not between:
        return True
    had = [known.is_of(m, *CONDITIONS) for m in (mention, *between)]
    if len(set(had)) > 1:
        return False
    seen = known.is_of(mention, "finding") and _JOINED.match(s.shadow.text, mention.end)
    can_be = known.is_of(mention, "symptom") or _grows(known, mention) or _can_be_at(known, mention.concept, group.part)
    return can_be or bool(seen)


def _is_right_behind(s: Stretch, mention: Mention, group: Group, said: Sequence[Said]) -> bool:
    """Whether a part of the body that no name takes ends what is said of the one right before it, which can be there:
    "pressure sore heel"; not "OSA tonsils", "wound hand hygiene"."""
    text = s.shadow.text
    goes_on = _GOES_ON.match(text, group.end)
    named = any(one.mention.begin <= group.end + 1 < one.mention.end for one in said)
    beside = not group.side and mention.end < group.begin and not text[mention.end : group.begin].strip()
    ends = not goes_on or named or text[group.end :].split()[0].lower() in s.table.function
    return beside and ends and (_grows(s.known, mention) or _can_be_at(s.known, mention.concept, group.part))


def _grows(known: Known, mention: Mention) -> bool:
    """Whether it is a growth, which may be anywhere: "sarcoma thigh"; not one of a part of its own."""
    return _GROWTH in known.lexicon.ancestors(mention.concept) and not any(_parts_in(known.name_of(mention.concept)))


def _can_be_at(known: Known, concept: str, part: str) -> bool:
    """Whether it, or what is of one kind with it, is called after what lies where the part does."""
    around = set(wider(part)) if part else None
    return any(around is None or not around.isdisjoint(wider(p)) for p in _parts_of_kin(known, concept))


def _is_of_part(known: Known, concept: str, part: str) -> bool:
    """Whether it, or what is of one kind with it, is called after that part, what it lies in, or what lies in it; not
    after its neighbour: a cardiomyopathy is in no breast."""
    return any(not part or part in wider(p) or p in wider(part) for p in _parts_of_kin(known, concept))


def _parts_of_kin(known: Known, concept: str) -> Iterator[str]:
    lexicon = known.lexicon
    here = (concept, *lexicon.concepts[concept].parents)
    kin = {one for top in here if top in lexicon.concepts for one in (top, *lexicon.descendants(top))}
    return (part for one in sorted(kin) for part in _parts_in(lexicon.concepts[one].name))


def _parts_in(name: str) -> Iterator[str]:
    return (g.part for g in groups(name, 0, len(name)) if g.part)


def _at(s: Stretch, one: Said, found: Sequence[Group], mentions: Sequence[Mention]) -> Said:
    name = s.known.name_of(one.mention.concept)
    asked = [leaf for leaf in leaves(one.node) if isinstance(leaf, Finding) and leaf.name == name]
    beyond = [_beyond(one.mention, g) for g in found if _says_more(s.known, one.mention, g)]
    if not beyond or not asked or any(leaf.less for leaf in asked):
        return one
    either = _EITHER in s.shadow.text[beyond[0].begin : beyond[-1].end].lower().split()
    where = [g.site for g in beyond] if either else sites(beyond)

    def sited(leaf: Leaf) -> Node:
        if not isinstance(leaf, Finding) or leaf.name != name:
            return leaf
        each = [replace(leaf, site=site) for site in where]
        return any_of(each) if either and leaf.assertion not in DENIED else all_of(each)  # "no tear of knee or hip"

    tokens = {n for g in beyond for n in _tokens(s, g.begin, g.end)}
    between = _between(one.tokens, tokens)
    others = {n for m in mentions if m is not one.mention for part in m.parts for n in _tokens(s, *part)}
    place = None
    if others.isdisjoint(between):
        tokens |= {n for n in between if s.tokens[n] in s.table.function or s.tokens[n] in AT}
        place = s.shadow.span(s.starts[between[0]], s.ends[between[-1]])
    return replace(one, node=mapped(one.node, sited), tokens=one.tokens | tokens, sited=place)


def _between(name: frozenset[int], site: set[int]) -> range:
    """From the name to the end of its site, or from where that begins to the name."""
    if min(site) > max(name):
        return range(max(name) + 1, max(site) + 1)
    if max(site) < min(name):
        return range(min(site), min(name))
    return range(min(name | site), max(name | site) + 1)


def _tokens(s: Stretch, begin: int, end: int) -> range:
    return range(bisect_right(s.ends, begin), bisect_left(s.starts, end))


def _holds(mention: Mention, span: tuple[int, int]) -> bool:
    """Whether the words are the name's own: "right sided heart failure"."""
    return any(begin <= span[0] < end for begin, end in mention.parts)


def _says_more(known: Known, mention: Mention, group: Group) -> bool:
    """Whether the site is more than the name says; one of a name that its concept is not called by is: "bibasal
    creps" are crackles there."""
    if not all(_holds(mention, span) for span in group.spans):
        return True
    called = known.lexicon.concepts[mention.concept].name
    sided = bool(group.side and group.part) and known.is_of(mention, *CONDITIONS)
    return sided and not any(g.side for g in groups(called, 0, len(called)))


def _beyond(mention: Mention, group: Group) -> Group:
    """The site, without the part that the name says itself: "left knee pain" is knee pain on the left."""
    whole = all(_holds(mention, span) for span in group.spans)
    said = group.side and group.named and _holds(mention, group.named) and not whole
    return replace(group, part="") if said else group
