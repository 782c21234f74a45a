"""What the stretch says of each concept that it names."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace

from search_stack.core.schema import ASSERTIONS
from search_stack.core.schema import Finding as Labelled
from search_stack.language.assertion import Sentence, matches, tokenized
from search_stack.language.lexicon.chronic import is_chronic
from search_stack.language.lexicon.concepts import VITAL_SIGN
from search_stack.language.lexicon.mention import Mention
from search_stack.language.status import asked_beside
from search_stack.query.items import Notice
from search_stack.query.nodes import ANY, AnyOf, Finding, Node, Not, Topic
from search_stack.query.plain.arranged import with_plans
from search_stack.query.plain.beside import with_words_beside
from search_stack.query.plain.comparing import amount_at, with_amounts
from search_stack.query.plain.correcting import spelling_notices
from search_stack.query.plain.ever import said_of
from search_stack.query.plain.kin import KIN
from search_stack.query.plain.not_given import denies_past, not_given
from search_stack.query.plain.overlapping import own_names
from search_stack.query.plain.reacting import with_reactions
from search_stack.query.plain.siting import with_sites
from search_stack.query.plain.stretch import EXCLUDING, OTHER_THAN, Said, Stretch
from search_stack.query.plain.topics import shared
from search_stack.query.plain.truncated import with_others
from search_stack.query.tree import all_of, any_of, leaves, not_

NO_FAMILY = re.compile(
    r"\b(?:no|not\s+have|denie[sd]|denying|negative|without|lacks?)\s+(?:(?:any|an?|for|known|significant)\s+)*"
    r"(?:family\s+(?:history|hx)|fhx|fh)\b[^,;.]*$"
    r"|\b(?:family\s+(?:history|hx)|fhx|fh)\s*(?:of\s*)?:?\s*(?:(?:is|was)\s+)?(?:negative|neg|unremarkable)\s+for\b[^,;.]*$"
    r"|\b(?:family\s+(?:history|hx)|fhx|fh)\s*(?:of\s*)?:(?:[^;.]*,)?\s*(?:no|nil|denies|without)\b[^,;.]*$"
    rf"|\b{KIN}\s+(?:(?:has|have|had|with|is|are|was|were)\s+)?(?:no|not|never|without|do(?:es)?(?:n['’]t|\s+not)\s+have|did(?:n['’]t|\s+not)\s+have)\b[^,;.]*$",
    re.IGNORECASE,
)
"""A family history that is denied: the query leaves those who have it out."""
_FAMILY_DENIED = re.compile(
    r"\s*(?:(?:is|was)\s+)?(?:denied|negative|absent|unremarkable|ruled\s+out)\b", re.IGNORECASE
)
"""Likewise, behind the name."""
_EVER = ("present", "historical")
"""Who is asked for as ever having it, or left out for a history of what ends, has it now or had it."""
_HAD = ("present", "possible", "historical", ANY)
"""What is said of what somebody has, or may have: no plan, and no relative's."""
_ALLOWS = re.compile(rf"{OTHER_THAN}|(?:with)?in\s[\w\s]+?\s,?{OTHER_THAN}\s.*", re.IGNORECASE)
"""Behind a time, which was set behind what is allowed, too."""
_HISTORY = frozenset(
    (
        "history",
        "hx",
        "h",
        "/",
        "o",
        "of",
        "pmh",
        "pmhx",
        "past",
        "medical",
        "previous",
        "prior",
        "prev",
        "known",
        "a",
        "personal",
    )
)
"""Words of a history that says nothing of its end, as "former" and "in the past" do."""
_TO_COME = frozenset(("awaiting", "listed", "waitlisted", "scheduled", "booked"))
"""Before what is done: who is not awaiting it may have had it, "not on the transplant list"."""
_DOES = frozenset(("do", "does", "did"))
_JOINED = frozenset(("or", "and", "&", "nor"))
_LISTED = _JOINED | {",", "/"}
_LINKS = frozenset(("or", "and", "&", "nor", "plus", "+", "with", "but", ",", "without"))

_OF_ANOTHER = frozenset(("with", "but", "plus"))
"""Behind them stands what else is asked for: "mentioning a fall but pneumonia"."""
_AND_IS = re.compile(r"\band\s+(?:on|taking|is|are|was|were)\b")
"""Behind it stands what is so: "mentioning a fall and on warfarin"."""


def findings(s: Stretch) -> list[Said]:
    text = s.shadow.text
    s.tokens, s.starts, s.ends = tokenized(text, 0, len(text))
    said = [
        (mention, finding)
        for mention, finding in s.known.labeller.sentence(Sentence(text, 0, len(text), asked=True))
        if finding.kind != VITAL_SIGN or amount_at(s, mention) is not None
    ]
    begun = {bisect_right(s.ends, mention.begin) for mention, _ in said}
    s.matches = matches(s.tokens, asked=True, named=begun)
    topics = shared(s, [mention for mention, _ in said])
    by_place: dict[frozenset[int], Said] = {}
    for mention, finding in said:
        held = frozenset(n for b, e in mention.parts for n in range(bisect_right(s.ends, b), bisect_left(s.starts, e)))
        # Two concepts of one name: the one that the lexicon gives for it.
        given = s.known.lexicon.find(text[mention.begin : mention.end])
        own = s.known.name_of(mention.concept) == s.known.lexicon.concepts[mention.concept].name
        own = own and (given is None or given.id == mention.concept)
        if held and (held not in by_place or own):
            of_name = _is_of_a_name(finding, mention, [m for m, _ in said])
            by_place[held] = _one(s, mention, _plain(finding) if of_name else finding, held, topics[mention])
    named = own_names(s, list(by_place.values()))
    spelling_notices(s, named)  # Before the words of an allergy are its drug's: "alergic to penicillin".
    told = with_amounts(s, with_reactions(s, _with_status(s, _excepted(s, _lasting(s, _had_before(s, named))))))
    told = with_plans(s, told)
    read = with_others(s, with_sites(s, with_words_beside(s, told)))
    return not_given(s, read)


def _is_of_a_name(finding: Labelled, mention: Mention, named: Sequence[Mention]) -> bool:
    """Whether the words that decide what is said of it are another name's: "lives with son, cough"; a name that denies
    may deny more, and one that tells of the past, "AML in remission"."""
    begin, end = finding.trigger_begin, finding.trigger_end
    if begin is None or end is None or finding.assertion == "historical":
        return False
    return any(b <= begin and end <= e for m in named if m is not mention and not m.denial for b, e in m.parts)


def _plain(finding: Labelled) -> Labelled:
    return replace(finding, assertion="present", trigger_begin=None, trigger_end=None)


def _excepted(s: Stretch, said: Sequence[Said]) -> list[Said]:
    """Of what is denied, kinds that may be there: "no cancer other than basal cell carcinoma"."""
    out: list[Said] = []
    allowed: dict[int, list[str]] = {}
    for one in said:
        place = s.shadow.span(s.starts[one.trigger[0]], s.ends[one.trigger[1] - 1]) if one.trigger else (0, 0)
        wider = out[-1] if out and one.excludes and _ALLOWS.fullmatch(s.line[slice(*place)]) else None
        apart = wider is not None and (wider.denies or s.excluded) and wider.trigger != one.trigger
        if wider and apart and wider.mention.concept in s.known.lexicon.ancestors(one.mention.concept):
            allowed.setdefault(len(out) - 1, []).append(s.known.name_of(one.mention.concept))
            tokens = wider.tokens | one.tokens | set(range(*one.trigger or (0, 0)))
            last = s.shadow.span(one.mention.begin, one.mention.end)
            begun = wider.allowed or place
            out[-1] = replace(wider, tokens=tokens, allowed=(begun[0], last[1]))
        else:
            out.append(one)
    for n, names in allowed.items():
        name = s.known.name_of(out[n].mention.concept)
        there = Finding(name, "present", tuple(sorted(names)))
        out[n] = replace(out[n], node=not_(there) if out[n].denies else there)
    return out


def _lasting(s: Stretch, said: Sequence[Said]) -> list[Said]:
    """Of what does not go away who has a history of it and who has it: notes that name it do not call it past."""
    if not any(isinstance(one.node, Finding) and one.node.assertion == "historical" for one in said):
        return list(said)
    names = Counter(leaf.name for one in said for leaf in leaves(one.node) if isinstance(leaf, Finding))
    out, lasts = [], []
    for one in said:
        node, mention = one.node, one.mention
        past = isinstance(node, Finding) and node.assertion == "historical" and names[node.name] == 1
        told = frozenset(s.tokens[slice(*one.trigger)]) if one.trigger else frozenset(("",))
        if past and told <= _HISTORY and is_chronic(mention.concept, s.shadow.text, mention.begin, mention.end):
            one = replace(one, node=any_of(Finding(s.known.name_of(mention.concept), says) for says in _EVER))
            s.reading.ways.append(one.node)
            lasts.append(one)
        out.append(one)
    if lasts:
        s.reading.notices.append(_of_lasting(s, lasts, said))
    return out


def _of_lasting(s: Stretch, lasts: Sequence[Said], said: Sequence[Said]) -> Notice:
    first = lasts[0]
    name = s.known.name_of(first.mention.concept)
    begin, end = s.shadow.span(first.mention.begin, first.mention.end)
    names = ", ".join(s.known.name_of(one.mention.concept) for one in lasts)
    told = f"Who has {names} counts with who has a history of it: it does not go away."
    way = ""
    if first.trigger and first.trigger[1] == first.first and sum(one.trigger == first.trigger for one in said) == 1:
        way = s.instead(_place(s, first.trigger)[0], end, f'finding:"{name}" historical')
    return Notice("time", told, s.typed(begin, end), way)


def _had_before(s: Stretch, said: Sequence[Said]) -> list[Said]:
    """Of what is asked for besides, a history left out is what was before: "stroke without a history of stroke",
    "new AF, no prior AF"."""
    has = [one.node for one in said if isinstance(one.node, Finding) and not one.denies]
    asked = {node.name for node in has if node.assertion in _HAD}
    now = {one.node.name for one in said if isinstance(one.node, Finding) and one.node.assertion == "present"}
    out = []
    for one in said:
        child = one.node.child if isinstance(one.node, Not) else None
        if isinstance(child, AnyOf) and one.excludes and isinstance(child.children[0], Finding):
            name = child.children[0].name
            one = replace(one, node=not_(Finding(name, "historical"))) if name in asked else one
        elif isinstance(one.node, Finding) and one.denies and one.node.name in now and denies_past(s, one):
            one = replace(one, node=not_(Finding(one.node.name, "historical")))
        out.append(one)
    return out


def _one(
    s: Stretch, mention: Mention, finding: Labelled, held: frozenset[int], topics: Sequence[tuple[int, int, str]]
) -> Said:
    first, last = min(held), max(held)
    name = s.known.name_of(mention.concept)
    trigger, inside = None, False
    if finding.trigger_begin is not None and finding.trigger_end is not None:
        trigger = (
            bisect_right(s.ends, finding.trigger_begin),
            bisect_left(s.starts, finding.trigger_end),
        )
    if trigger and mention.denial and trigger[0] >= first and trigger[1] <= last + 1:
        # Its own denial is no second one: "no known drug allergies".
        trigger = None
        inside = True
    assertion = "absent" if inside else finding.assertion
    place = s.shadow.span(s.starts[first], s.ends[last])
    behind = s.tokens[last + 1] if last + 1 < len(s.tokens) else ""
    ends = last + 2 >= len(s.tokens) or s.tokens[last + 2] in _LINKS
    if behind in (*ASSERTIONS, ANY) and ends and not (behind == "family" and assertion == "family"):
        if behind != "absent" or assertion != "absent":
            assertion = behind
        trigger = (last + 1, last + 2)
    elif assertion == "present" and (asked := [a for a in s.anyhow if a[1] <= place[0] and _still(s, a[1], place[0])]):
        assertion = ANY
        s.reading.aside = [p for p in s.reading.aside if p not in asked]
    excludes = trigger is not None and assertion == "absent" and _excludes(s, trigger)
    node: Node = Finding(name, assertion)
    if assertion == "present" and (said := said_of(s, place)):
        node = any_of(Finding(name, says) for says in _EVER)
        s.reading.aside = [p for p in s.reading.aside if p not in said]
    elif assertion == "historical" and s.excluded:  # In a list of what excludes, whoever has it now is out, too.
        node = any_of(Finding(name, says) for says in _EVER)
    if trigger and _flag(s, trigger):
        node, excludes = not_(Finding(name, ANY)), trigger[1] <= first
    elif excludes and trigger and _of_a_history(s, mention, trigger, first):
        node = not_(any_of(Finding(name, says) for says in _EVER))
    elif excludes:
        to_come = trigger is not None and not _TO_COME.isdisjoint(s.tokens[trigger[0] : first])
        node = not_(Finding(name, "hypothetical" if to_come else "present"))
    elif assertion == "family" and (
        _shut_out(s, first)
        or NO_FAMILY.search(text_before(s, first))
        or _FAMILY_DENIED.match(s.shadow.text, s.ends[last])
    ):
        node = not_(Finding(name, "family"))
    if topics and (isinstance(node, Finding) or excludes):
        about = all_of(Topic(name, a) for _, _, a in topics)
        at_once = trigger is not None and not s.shadow.text[s.ends[trigger[1] - 1] : mention.begin].strip()
        whole = at_once and topics[0][0] >= mention.end  # "no asthma treatment", "without asthma treatment"
        denied = assertion == "absent" and (whole or _denies(s, trigger, topics[0][0]))
        node = not_(about) if denied or excludes else about
    return Said(node, mention, held, first, trigger, excludes)


def _with_status(s: Stretch, said: Sequence[Said]) -> list[Said]:
    """Drugs with the status that is asked of them. Words of an allergy to one are no concept of their own."""
    drugs = {n for one in said if s.known.is_of(one.mention, "drug") for n in one.tokens}
    taken: set[int] = set()
    called = {frozenset(one.tokens) for one in said if one.tokens.isdisjoint(drugs) and _names_allergy(s, one)}
    out = []
    for one in said:
        found = (_status(s, one, drugs) or _allergy_before(s, one, said, drugs)) if one.tokens <= drugs else None
        if found:
            status, words = found
            # "allergic" of "allergic reaction to"; not "allergic ... latex" around the drug.
            words = words.union(*(name for name in called if name & words and not _around(name, one.tokens)))
            taken |= words
            asked = Finding(s.known.name_of(one.mention.concept), status)
            keeps = one.trigger and words.isdisjoint(range(*one.trigger))
            told = [n for n in range(*one.trigger or (0, 0)) if s.tokens[n] not in _LINKS]  # "and no longer on"
            denies = one.denies and not (told and words.issuperset(told))
            one = replace(
                one,
                node=not_(asked) if denies else asked,
                tokens=one.tokens | words,
                trigger=one.trigger if keeps else None,
            )
        out.append(one)
    return [one for one in out if not (one.tokens & taken and _names_allergy(s, one))]


def _around(tokens: Set[int], others: Set[int]) -> bool:
    """Whether a name has words on both sides of another: "allergic to penicillin and latex"."""
    return min(tokens) < min(others) and max(others) < max(tokens)


def _names_allergy(s: Stretch, one: Said) -> bool:
    concept = s.known.lexicon.concepts[one.mention.concept]
    return concept.kind != "drug" and any(s.tokens[n].startswith("allerg") for n in one.tokens)


def _status(s: Stretch, one: Said, drugs: Set[int]) -> tuple[str, frozenset[int]] | None:
    """The status that is said beside it, or beside the list of drugs that it stands in, and the words of it."""
    first, last = min(one.tokens), max(one.tokens)
    found = asked_beside(s.tokens[:first], s.tokens[last + 1 :], "drug")
    if not found:
        first = _list_begins(s, first, drugs)
        found = asked_beside(s.tokens[:first], (), "drug")
    if not found and not one.denies:
        begin = last + 1
        while last + 1 < len(s.tokens) and (last + 1 in drugs or s.tokens[last + 1] in _LISTED):
            last += 1
        # "aspirin, metformin stopped" speaks of metformin alone.
        joined = not _JOINED.isdisjoint(s.tokens[begin : last + 1])
        found = asked_beside((), s.tokens[last + 1 :], "drug") if joined else None
    if not found:
        return None
    status, words = found
    return status, frozenset(range(first + words, first) if words < 0 else range(last + 1, last + 1 + words))


def _list_begins(s: Stretch, first: int, drugs: Set[int]) -> int:
    """The first token of the list of drugs that goes on at ``first``."""
    while first and (first - 1 in drugs or s.tokens[first - 1] in _LISTED):
        first -= 1
    return first


def _allergy_before(s: Stretch, one: Said, said: Sequence[Said], drugs: Set[int]) -> tuple[str, frozenset[int]] | None:
    """The allergy that begins the list that it stands in: "allergic to latex and penicillin"."""
    first = _list_begins(s, min(one.tokens), drugs)
    other = next((o for o in said if first - 1 in o.tokens and o.tokens.isdisjoint(drugs)), None)
    joined = not _JOINED.isdisjoint(s.tokens[first : min(one.tokens)])
    if other is None or not joined or not s.tokens[min(other.tokens)].startswith("allergic"):
        return None
    return "allergy", frozenset()


def text_before(s: Stretch, token: int) -> str:
    return s.shadow.text[: s.starts[token]]


def _shut_out(s: Stretch, first: int) -> bool:
    """Whether words that exclude reach it beside those that say whose it is."""
    reaching = (m for m in s.matches if m.first <= first < m.last)
    return any(trigger_text(s, (m.begin, m.end)) in EXCLUDING for m in reaching)


def trigger_text(s: Stretch, trigger: tuple[int, int] | None) -> str:
    return " ".join(s.tokens[slice(*trigger)]) if trigger else ""


def _excludes(s: Stretch, trigger: tuple[int, int]) -> bool:
    """Whether the denial leaves concepts out: "not a smoker"; but "does not smoke or drink" is what a note says."""
    if trigger_text(s, trigger) not in EXCLUDING:
        return False
    verb = s.tokens[trigger[0] - 1] if trigger[0] else ""
    return verb not in _DOES or all(s.starts[trigger[1]] != m.begin for m in s.mentions())


def _of_a_history(s: Stretch, mention: Mention, trigger: tuple[int, int], first: int) -> bool:
    """Whether what excludes it, which ends, says that it never was, or something behind that it was before: "never had
    a stroke", "without prior stroke"."""
    said = _place(s, trigger)[1] in s.never or any(
        m.trigger.says == "historical" and trigger[1] <= m.begin and m.first <= first < m.last for m in s.matches
    )
    return said and not is_chronic(mention.concept, s.shadow.text, mention.begin, mention.end)


def _denies(s: Stretch, trigger: tuple[int, int] | None, topic: int) -> bool:
    """Whether the denial is one of the topic that begins there: "no complications of", not "no fever, treatment of"."""
    return trigger is not None and not s.shadow.text[s.ends[trigger[1] - 1] : topic].strip()


def _still(s: Stretch, begin: int, end: int) -> bool:
    """Whether no statement of its own begins between two places of the line."""
    between = s.line[begin:end].lower()
    return not (_AND_IS.search(between) or any(w in s.table.clauses or w in _OF_ANOTHER for w in between.split()))


def _flag(s: Stretch, trigger: tuple[int, int]) -> bool:
    return _place(s, trigger)[1] in s.unmentioned


def _place(s: Stretch, trigger: tuple[int, int]) -> tuple[int, int]:
    """Where in the line it stands."""
    return s.shadow.span(s.starts[trigger[0]], s.ends[trigger[1] - 1])
