"""Where a list of what is denied ends before what there is: "no PE and started on heparin", "no tPA given, thrombectomy
done", "never got a statin, diabetes"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from search_stack.language.assertion.scopes import DONE_OR_TAKEN
from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.language.lexicon.mention import Mention
from search_stack.query.plain.excluding import DRUG_USE
from search_stack.query.plain.stretch import HABITS, Stretch

_DENIES = re.compile(
    r"(?<!\w)(?:no(?!\s+(?:more|less|fewer)\s+than)|not|never|without|denie[sd]|denying|negative\s+for|(?:ruled\s+out|excluded)(?=\s+\w)|n['’]t)(?!\w)",
    re.IGNORECASE,
)
_LINK = re.compile(r"\s*,\s*(?:(?:and|but)\s+)?|\s+(?:and|but)\s+", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*")
_DENIED = re.compile(rf"{_DENIES.pattern}\s+(?:[\w/-]+\s+){{0,2}}$", re.IGNORECASE)
_OTHER = re.compile(r"(?<!\w)(?:or|nor|n['’]t|no|not|without|never|denies|denied)(?!\w)", re.IGNORECASE)
"""Behind a link, that the list goes on or another denial begins."""
_STATES = re.compile(
    r"(?:(?:who|now|then|later|currently|still|only|instead|has\s+been|have\s+been|been|was|were|is|are)\s+)*(?:(?<!not\s)(?<!no\s)on(?!\s+(?:exam\w*|ct|mri|imaging|x-?ray|ultrasound|us)(?!\w))"
    r"|taking|takes|took|using|uses|receiving|receives|received|started|commenced|switched|given|gets|got|treated|underwent|discharged|admitted"
    r"|has|have|had|found|diagnosed|developed|develops|presents|presenting|presented|complain\w+|reports|reported|endorses|endorsed|requires|required|requiring|smokes|drinks|either"
    r"|tested\s+positive|positive\s+for|s/p|status\s+post|known|normal|nl|abnormal|neg|negative|clear|raised|elevated)\s+(?=\w)|(?:died|dies|expired|deceased)(?!\w)",
    re.IGNORECASE,
)
"""What begins a statement of what there is."""
_DONE = re.compile(
    r"(?:palliated|thrombolysed|thrombolyzed|transfused|intubated|ventilated|cooled|extubated|transplanted|operated|cardioverted"
    r"|stented|hospitali[sz]ed|readmitted|resected|bridged|anticoagulated|dialysed|dialyzed|debrided|splinted)\s*(?:$|[,;.])",
    re.IGNORECASE,
)
"""An item that is one participle, behind what there is not: "no LVT, palliated"; not "not ventilated, transfused"."""
_NOT_THERE = re.compile(r"(?<!\w)(?:no|without|negative\s+for)\s[^,;.]*$", re.IGNORECASE)
_NO_LONGER = re.compile(r"(?<!\w)no\s+longer(?!\w)[^,;.]*$", re.IGNORECASE)
"""Before a comma, what has ended: "no longer on dialysis, transplanted"."""
_THERE = re.compile(
    r"[^,;.]*?\s(?:(?:is|was|were|are)\s+)?(?:in\s+place|in\s+situ|done|performed|given|placed|inserted|started|instead|only|alone|present|confirmed|found|continued|ongoing"
    r"|normal|nl|nad|wnl|ok(?:ay)?|fine|clear|unremarkable|neg(?:ative)?|pos(?:itive)?|abnormal|raised|elevated|high|low|up|down|deranged|swollen|dilated)\s*(?:$|[,;.?])",
    re.IGNORECASE,
)
"""An item that ends by saying so, or with a result of its own: "chest tube in place", "CRP raised"."""
_SUM = re.compile(
    r"(?:(?:any|significant|known|relevant|other|active|new|acute|current|specific|further)\s+)*"
    r"(?:issues?|problems?|complaints?|concerns?|symptoms?|complications?|red\s+flags?(?:\s+(?:signs?|symptoms?|features?))?|comorbidit\w+|deficits?|abnormalit\w+"
    r"|(?:past\s+)?(?:medical\s+)?history|pmh\w*|med(?:s|ications?)|(?:drug\s+)?allerg(?:y|ies))",
    re.IGNORECASE,
)
"""What sums up a list, so that none goes on behind it: "no red flags, back pain"."""
_SINCE = re.compile(
    r"(?<!\w)no\s+(?:further|more|new|recurrent|recurrence\s+of|breakthrough)\s|\ssince(?!\w)", re.IGNORECASE
)
"""Before a comma, that something came no more, and no list of what is not there: "no further seizures, keppra"."""
_ANSWERS = re.compile(r"den(?:ies|ied|ying)|never", re.IGNORECASE)
_STATES_OF_LIFE = frozenset(("married", "pregnancy", "sexually-active"))
"""Of which "never" alone is told: "never married, depression"."""
_NEVER = re.compile(r"(?<!\w)never\s+(?:been\s+)?$", re.IGNORECASE)
_TREATED = re.compile(
    r"\s+(?:(?:well\s+)?(?:treated|managed|controlled|maintained|stable)\s+)?(?:on|with)\s+"
    r"(?:(?:an?|the|their|his|her|oral|iv|low\s+dose)\s+)*",
    re.IGNORECASE,
)
"""Between what somebody has and the drug for it: "denies SI, depression on sertraline"."""
_RISKS = frozenset(("injury", "accidental-fall"))
"""What lists of what is not there name beside operations: "no surgery, trauma"."""


def ends_of_denial(s: Stretch, mentions: Sequence[Mention]) -> list[int]:
    """The places of commas and blanks behind which such a statement begins."""
    text = s.shadow.text
    denial = _DENIES.search(text)
    if denial is None or s.listed:
        return []
    ends = (
        _before_statements(s, denial.end()),
        _behind_sums(s, mentions),
        _before_kinds(s, mentions),
        _before_treated(s, mentions),
    )
    return sorted({*chain(*ends, _before_what_helped(s, mentions))})


def _before_statements(s: Stretch, begin: int) -> Iterator[int]:
    for link in _LINK.finditer(s.shadow.text, begin):
        before = s.shadow.begins[link.start()]
        behind = _LINK.match(s.line, before)
        if behind is None or _OTHER.match(s.line, behind.end()):
            continue
        comma = link[0].lstrip().startswith(",")
        ended = comma and _NO_LONGER.search(s.line, 0, before)
        own = comma and _THERE.match(s.line, behind.end()) and not _OTHER.search(s.line, behind.end())
        done = comma and _DONE.match(s.line, behind.end()) and _NOT_THERE.search(s.line, 0, before)
        if own or ended or done or _STATES.match(s.line, behind.end()):
            yield link.start() + max(link[0].find(","), 0)


def _behind_sums(s: Stretch, mentions: Sequence[Mention]) -> Iterator[int]:
    """The comma behind one that sums up, where it is all that is denied before a name."""
    text = s.shadow.text
    begun = {m.begin for m in mentions}
    for denial in _DENIES.finditer(text):
        what = _SUM.match(text, denial.end() + 1)
        if what and (comma := _COMMA.match(text, what.end())) and comma.end() in begun:
            yield text.index(",", what.end())


def _before_treated(s: Stretch, mentions: Sequence[Mention]) -> Iterator[int]:
    """The comma before a disorder that something is taken for."""
    text = s.shadow.text
    drugs = {m.begin for m in mentions if s.known.is_of(m, "drug", "device")}
    ends = {m.end for m in mentions}
    for one in (m for m in mentions if s.known.is_of(m, "disorder")):
        treated = _TREATED.match(text, one.end)
        comma = text.rfind(",", 0, one.begin)
        if treated and treated.end() in drugs and comma in ends and not text[comma + 1 : one.begin].strip():
            yield comma


def _before_what_helped(s: Stretch, mentions: Sequence[Mention]) -> Iterator[int]:
    """The comma between what came no more and what is done about it."""
    text = s.shadow.text
    done = {m.begin for m in mentions if s.known.is_of(m, *DONE_OR_TAKEN)}
    for one in (m for m in mentions if s.known.is_of(m, *CONDITIONS)):
        comma = _COMMA.match(text, one.end)
        if comma and comma.end() in done and (denied := _DENIED.search(text, 0, one.begin)):
            begin, end = s.shadow.span(denied.start(), text.index(",", one.end) + 1)
            if _SINCE.search(s.line, begin, end):
                yield text.index(",", one.end)


def _before_kinds(s: Stretch, mentions: Sequence[Mention]) -> Iterator[int]:
    """The comma between what was not given or done and what somebody has: a drug, before whatever; anything
    else, before one name, since lists of risks go on so: "no surgery, immobility, travel"."""
    text, kinds = s.shadow.text, s.known.lexicon.concepts
    named = sorted((m for m in mentions if kinds[m.concept].kind != "anatomy"), key=lambda m: m.begin)
    habits = {*HABITS, DRUG_USE}
    for one, *others in (named[n:] for n in range(len(named) - 1)):
        comma = _COMMA.match(text, one.end)
        denied = _DENIED.search(text, 0, one.begin)
        if not (comma and denied and comma.end() == others[0].begin) or _OTHER.search(text, one.end):
            continue
        given = kinds[one.concept].kind
        habit = one.concept in habits and _ANSWERS.search(denied[0]) and len(others) == 1
        has = (given in DONE_OR_TAKEN or habit) and all(
            kinds[m.concept].kind in CONDITIONS and m.concept not in habits for m in others
        )
        sure = given == "drug" or len(others) == 1
        state = one.concept in _STATES_OF_LIFE and _NEVER.search(denied[0])
        has = has or (state and all(kinds[m.concept].kind in CONDITIONS for m in others))
        risk = any(not _RISKS.isdisjoint((m.concept, *s.known.lexicon.ancestors(m.concept))) for m in others)
        if has and sure and not risk:
            yield text.index(",", comma.start())
