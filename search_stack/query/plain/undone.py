"""What did not happen to a name: "nodule not followed up", "cancer not treated".

It is what a note would say, and nothing that is left out: no passage that holds the participle is excluded by it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_stack.language.assertion.scopes import Match
from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.query.items import Part
from search_stack.query.nodes import Topic, Words
from search_stack.query.plain.excluding import note_never
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import Shadow
from search_stack.query.tree import any_of, not_

COPULA = frozenset(("is", "are", "was", "were", "be", "been", "not", "being", "got", "had", "has", "have", "never"))
PARTICLES = frozenset(("up", "out", "off", "down"))
"""Behind a participle they belong to it: "ruled out", "followed up"."""
_NEVER = frozenset(("not", "never"))
_OBJECTS = frozenset(("with", "by", "on", "for", "as"))
"""Behind a participle they begin what is spoken of."""
_GIVEN = frozenset(("given", "done", "seen", "taken", "sent", "performed", "found", "kept", "made"))
"""Participles that do not end in -ed."""
_DO = frozenset(("do", "does", "did"))
_LISTED = frozenset(("or", "and", "nor", ","))
_TAKING = frozenset(
    ("taking", "receiving", "using", "having", "getting", "including", "requiring", "needing", "undergoing", "wearing")
)
"""Behind these stands what somebody is without."""
_UNTREATED = re.compile(
    r"\s*,?\s+(?:(?:and|but|who\s+(?:is|are|was|were)|is|are|was|were)\s+)*"
    r"(?P<not>(?:not|never|no\s+longer)\s+(?:currently\s+|yet\s+)?(?:on|receiving|taking|under)|off|without(?:\s+any)?)"
    r"\s+(?:(?:active|any|current|specific)\s+)*(?:treatment|therapy|treatments)(?=\s*(?:$|[,;.?)]|(?:and|or|with|but|in)\s))",
    re.IGNORECASE,
)
_NO_TREATMENT = re.compile(
    r"(?<!\w)(?P<not>(?:no|without(?:\s+any)?)\s+(?:(?:current|active|specific|systemic)\s+)?(?:treatment|therapy)\s+for)\s+(?:(?:the|their|his|her|known)\s+)*(?=\w)",
    re.IGNORECASE,
)
"""Before the disorder, which is there: "no treatment for osteoporosis"."""
_REFUSED = re.compile(
    r"\s+(?:(?:was|were|is|being)\s+)?(?:(?:offered|recommended|advised|suggested|proposed|discussed|considered)(?:\s*,)?\s+(?:(?:and|but|then)\s+)?"
    r"(?:(?:the\s+)?(?:patient|pt|family|mother|he|she|they)\s+)?(?:was\s+)?)?(?:refused|declined|refuses|declines|refusing|declining|not\s+keen|not\s+interested|unwilling)"
    r"(?:\s+by\s+(?:the\s+|his\s+|her\s+)?(?:patient|pt|family|mother|parents?|mum|mom)(?!\w))?"
    r"(?=\s*(?:$|[,;.?)]|(?:by|and|or|but|due|because|for|in|as)\s|jehovah))",
    re.IGNORECASE,
)
_NOT_UNDERGONE = re.compile(
    r"(?<!\w)(?P<what>(?:not|never)\s+(?:been\s+)?(?:treated|operated|admitted|hospitali[sz]ed|followed(?:\s+up)?))\s+"
    r"(?P<for>(?:with|for|on)\s+)?(?:an?\s+|the\s+)?(?=\w)",
    re.IGNORECASE,
)
_DID_NOT = re.compile(
    r",?\s+(?:but|and|yet|though)\s+(?:(?:they|he|she|who|then|it)\s+)*"
    r"(?:(?:was|were|has|have|had)\s+)?(?:never|not|(?:did|has|have|had|was|were)(?:\s+not|n['’]?t))"
    r"(?:\s+(?:yet|ever|been|had|have|got|gotten|get|received?|underg(?:o|one)|underwent|done|performed|completed|gone|went"
    r"|go|happen(?:ed)?|do|did))*(?:\s+(?:it|one|that|them|so|yet|to|through|with|the\s+(?:procedure|test|surgery|operation)))*"
    r"(?=\s*(?:$|[.;?]))",
    re.IGNORECASE,
)
"""Behind what was to be done, that it was not: "needs a kidney transplant but hasn't had one"."""
_YET_UNTREATED = re.compile(
    r"\s+(?:that|who|which)\s+(?:(?:have|has|had|were|was|are|is)(?:\s+not|n['’]?t)|never|(?:have|has|were|was)\s+never)"
    r"(?:\s+(?:yet|ever|been))*\s+treated(?:\s+yet)?(?=\s*(?:$|[.,;?]))",
    re.IGNORECASE,
)
_NON = re.compile(r"(?<![\w-])non[\s-]+(?P<kind>[^\W\d_]{3,})\s+(?=[^\W\d_])", re.IGNORECASE)
_OF_WHAT = re.compile(
    r"traumatic|infecti(?:ous|ve)|septic|neoplastic|malignant|cancerous|inflammatory|isch(?:a?e)mic|ha?emorrhagic|toxic|allergic",
    re.IGNORECASE,
)
"""What is said of a disorder and of nobody: "non-traumatic" tells of a bleeding, "non-diabetic" of a patient."""
_NOT_DONE_FOR = re.compile(
    r"(?<!\w)(?P<what>(?:not|never)\s+(?:(?:been|being|currently|yet)\s+)*(?:treated|medicated|investigated|admitted|operated|referred|evaluated|worked\s+up)"
    r"|no\s+(?:further\s+|clear\s+|known\s+)?(?:work-?\s?up|investigations?|referrals?|evaluation|treatment\s+response|response))"
    r"\s+(?:for|to|of|on)\s+(?:(?:an?|the|his|her|their|known)\s+)*(?=\w)",
    re.IGNORECASE,
)
"""What was not done, found or known about what stands behind, which is there."""
_WORKED_UP = re.compile(
    r"(?<=\w)\s+(?P<what>(?:work-?\s?up|investigations?)\s+(?:(?:was|is|were)\s+)?(?:all\s+)?(?:negative|normal|unremarkable|inconclusive|pending))(?!\s+for)(?!\w)",
    re.IGNORECASE,
)
"""What a search for the cause came to, and nothing of what it was done for."""
_NO_CANDIDATE = re.compile(
    r"(?<!\w)(?:(?:not|no\s+longer|never)\s+|non[\s-]?)(?:(?:considered|deemed|felt|thought|to\s+be|currently|yet|an?|good|suitable|ideal)\s+)*"
    r"(?:(?P<surgical>surgical|operative)|(?P<what>(?!candidates?\b|for\b)[^\W\d_][\w-]*(?:\s+[^\W\d_][\w-]*)?))\s+candidates?(?!\w)",
    re.IGNORECASE,
)
_OFFERED = ("procedure", "drug", "device")
"""What somebody may refuse, and what does not decline by itself."""


def refusals_behind(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Flu shot declined" as "refused flu shot": who refuses it did not have it. "Hemoglobin declined" is none."""
    text = shadow.text
    if not _REFUSED.search(text):
        return shadow
    offered = (m for m in s.known.named(text) if _may_be_refused(s, m.concept))
    both = ((m, found) for m in offered if (found := _REFUSED.match(text, m.end)))
    if one := next(both, None):
        mention, found = one
        name, whole = text[mention.begin : mention.end], re.compile(re.escape(text[mention.begin : found.end()]))
        shadow = shadow.written(whole, lambda _: f"refused {name}")
    return shadow


def untreated(s: Stretch, shadow: Shadow) -> Shadow:
    """ "HIV not on treatment": the disorder, and nothing about its treatment."""
    shadow = shadow.written(_YET_UNTREATED, lambda m: " not on treatment")
    for found in list(_UNTREATED.finditer(shadow.text)):
        text = shadow.text
        if last := next(iter(s.known.ending(text, found.start(), "disorder")), None):
            topic = Topic(s.known.name_of(last.concept), "treatment")
            s.parts.append(Part(not_(topic), *shadow.span(found.start("not"), found.end())))
            shadow = shadow.blank(found.start("not"), found.end())
    for found in reversed(list(_NO_TREATMENT.finditer(shadow.text))):
        behind = s.known.beginning(shadow.text, found.end())
        first = max(behind, key=lambda m: m.end, default=None)
        if first and s.known.is_of(first, "disorder"):
            topic = Topic(s.known.name_of(first.concept), "treatment")
            s.parts.append(Part(not_(topic), *shadow.span(*found.span("not"))))
            shadow = shadow.blank(*found.span())
    return shadow


def not_followed_through(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Supposed to get a colonoscopy but didn't": planned, and without one."""
    found = _DID_NOT.search(shadow.text)
    if found is None:
        return shadow
    named = s.known.named(shadow.text, 0, found.start())
    last = max(named, key=lambda m: m.end, default=None)
    if last is None or not s.known.is_of(last, *_OFFERED):
        return shadow
    name = shadow.text[last.begin : last.end]
    note_never(s, shadow, _DID_NOT)
    return shadow.rewritten(*found.span(), f"; without {name}")


def not_undergone(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Never treated hepatitis C" is there, and never treated: the words beside it."""
    for found in list(_NOT_UNDERGONE.finditer(shadow.text)):
        if s.known.beginning(shadow.text, found.end(), "disorder"):
            place = found.span("what")
            shadow = s.left_aside(shadow, found.end("what"), found.end()) if found["for"] else shadow
            shadow = kept_as_words(s, shadow, *place)
    return shadow


def not_done_for(s: Stretch, shadow: Shadow) -> Shadow:
    """ "No workup for anemia", "never treated for depression": the name, and the words that say what was not done."""
    for found in reversed(list(_NOT_DONE_FOR.finditer(shadow.text))):
        # "Referred to cardiac rehab" is a name itself.
        whole = any(m.begin < found.end() < m.end for m in s.known.named(shadow.text))
        if not whole and s.known.beginning(shadow.text, found.end()):
            shadow = kept_as_words(s, shadow, *found.span("what")).blank(*found.span())
    for found in reversed(list(_WORKED_UP.finditer(shadow.text))):
        shadow = kept_as_words(s, shadow, *found.span("what"))
    return shadow


def no_candidates(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Not a surgical candidate" as notes word it, and "not a transplant candidate" as "not a candidate for" one."""
    for found in reversed(list(_NO_CANDIDATE.finditer(shadow.text))):
        if found["surgical"]:
            shadow = kept_as_words(s, shadow, *found.span(), "not a surgical candidate")
        elif s.known.is_name(found["what"]):
            shadow = shadow.rewritten(*found.span(), f"not a candidate for {found['what']}")
    return shadow


def kept_as_words(s: Stretch, shadow: Shadow, begin: int, end: int, written: str = "") -> Shadow:
    """``shadow`` without what stands there, which is looked for as words of the text, or those that are ``written``."""
    text = written or " ".join(shadow.text[begin:end].lower().split())
    node = any_of(map(Words, dict.fromkeys((text, *s.table.otherwise(text)))))
    s.reading.ways.append(node)
    s.parts.append(Part(node, *shadow.span(begin, end)))
    return shadow.blank(begin, end)


def of_other_kind(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Non diabetic foot ulcer" as a foot ulcer without a diabetic one; where its kind has no name of its own, "non
    infective endocarditis", the words beside the name."""
    for found in reversed(list(_NON.finditer(shadow.text))):
        # A hyphen would make it one word, which may look like a slip of its kind.
        text = shadow.text[: found.start() + 3] + " " + shadow.text[found.start() + 4 :]
        named = s.known.named(text, found.start())
        if any(m.begin == found.start() and _begins_so(s, m.concept) for m in named):
            continue  # "non small cell lung cancer"
        behind = s.known.named(text, found.end())
        rest = max((m for m in behind if m.begin == found.end()), key=lambda m: m.end, default=None)
        whole = max((m for m in named if m.begin == found.start("kind")), key=lambda m: m.end, default=None)
        if whole is None or len(whole.parts) > 1 or rest is None:
            continue
        apart = _OF_WHAT.fullmatch(found["kind"]) and s.known.is_of(rest, *CONDITIONS)
        if whole.end != rest.end and not (apart and whole.end == found.end("kind")):
            continue
        name = text[rest.begin : rest.end]
        if s.known.is_name(joined := f"non{found['kind']} {name}"):  # "Non-healing wound" has a name as one word.
            shadow = shadow.rewritten(found.start(), rest.end, joined)
            continue
        if rest.concept != whole.concept and whole.end == rest.end:
            pattern = re.compile(re.escape(shadow.text[found.start() : rest.end]))
            so_called = f"{found['kind']} {name}"
            if not s.known.lexicon.find(so_called):  # "Neutropenic fever", which behind a fever would be two names.
                so_called = s.known.name_of(whole.concept)
            shadow = shadow.written(pattern, lambda _, name=name, kind=so_called: f"{name} without {kind}")  # type: ignore[misc]
        else:
            typed = " ".join(found[0].lower().replace("-", " ").split())
            shadow = kept_as_words(s, shadow, found.start(), found.end("kind"), typed)
    return shadow


def _begins_so(s: Stretch, concept: str) -> bool:
    known = s.known.lexicon.concepts[concept]
    return any(name.lower().startswith("non") for name in (known.name, *known.synonyms, *known.phrases))


def _may_be_refused(s: Stretch, concept: str) -> bool:
    measured = "laboratory-test" in (concept, *s.known.lexicon.ancestors(concept))
    return s.known.lexicon.concepts[concept].kind in _OFFERED and not measured


def is_told_of_name(s: Stretch, run: Sequence[int], excluding: Sequence[Match]) -> bool:
    """Whether what is denied did not happen to the name before it, and is nothing that is left out."""
    at = max(m.begin for m in excluding)
    return at + 1 == run[0] and did_not_happen(s, run[0])


def is_not_done(s: Stretch, run: Sequence[int], excluding: Sequence[Match]) -> bool:
    """Whether the words tell what somebody does not do, and of no name: "not drinking", "did not attend"."""
    at = max(m.begin for m in excluding)
    between = range(at + 1, run[0])  # "not eating or drinking"
    if (
        not all(n in s.covered or s.tokens[n] in _LISTED for n in between)
        or s.excluded
        or s.line[slice(*s.shadow.span(s.starts[at], s.ends[at]))].lower() != "not"
    ):
        return False
    if at and s.tokens[at - 1] in _DO:
        return all(not run[-1] < n < m.last for m in excluding for n in s.covered)  # "did not respond to colchicine"
    return any(s.tokens[n].endswith("ing") and s.tokens[n] not in _TAKING for n in run[:2])


def is_participle(word: str) -> bool:
    return word.endswith("ed") or word in _GIVEN


def did_not_happen(s: Stretch, n: int) -> bool:
    """Whether a participle behind "not" tells of the name before both: "nodule not followed up", "cancer not treated";
    not "hepatitis C not treated with XYZ"."""
    word = s.tokens[n]
    goes_on = word.endswith("ing") and word not in _TAKING
    if n < 2 or not (is_participle(word) or goes_on):
        return False
    if s.line[slice(*s.shadow.span(s.starts[n - 1], s.ends[n - 1]))].lower() not in _NEVER:
        return False
    after = n + 1
    while after < len(s.tokens) and s.tokens[after] in PARTICLES:
        after += 1
    if after < len(s.tokens) and s.tokens[after] in _OBJECTS:
        return False
    before = n - 2
    while before >= 0 and s.tokens[before] in COPULA:
        before -= 1
    word = s.tokens[before] if before >= 0 else ""
    return before in s.covered or (word.isalnum() and word not in s.table.frames and word not in s.table.function)
