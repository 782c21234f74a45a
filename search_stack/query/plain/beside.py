"""What words beside a name make of it: "foley removed", "exposed to TB", "hepatitis B antibody", "negative CT".

A note that says so may count the name as there, denied or past, so that none of these is what is asked. The name counts
whatever is said of it, where the words stand in the same passage; so does what denies the whole, "no TB contacts". What
a test found is told by labels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from search_stack.query.items import Notice
from search_stack.query.nodes import ANY, Finding, Node, Not, Words
from search_stack.query.plain.comparing import amount_at
from search_stack.query.plain.levels import level_name
from search_stack.query.plain.stretch import Said, Stretch
from search_stack.query.tree import all_of, any_of, not_

_BETWEEN = frozenset(("a", "an", "the", "any", "his", "her", "their", "my", "was", "were", "is", "are", "has", "have"))
_BETWEEN |= frozenset(
    ("had", "been", "being", "both", "all", "known", "active", "confirmed", "suspected", "got", "surgical")
)
"""Words that may stand between the name and what is told of it."""
_JOINED = frozenset(("and", "or", "&", "+", "plus"))
_LISTED = _JOINED | {",", "/"}
_RESULTS = frozenset(("positive", "negative", "reactive", "nonreactive", "detected"))
"""Of a test: they belong to what is told."""
_NEGATIVE = frozenset(("negative", "neg"))
_CALLED = re.compile(r"(?:abnormal|positive)\s")
_FOR, _OF = "for", "of"
"""Behind a result the first says what was not found: "CT negative for PE"; the second what it belongs to: "out of"."""
_BETWEEN |= frozenset(("at", "least", "one", "1"))
_SO_MANY = frozenset(("two", "three", "2", "3", "multiple", "several", "one", "1", "at", "least"))
"""How many drugs failed, which nothing counts."""
_TOLERATE, _FAIL = "tolerate", "fail"
"""What is no failure of the drug; and what each word of it has that "failed" stands for."""
_AGAINST = frozenset(("contraindication", "contraindications", "contraindicated"))
"""Who has none need not have what it would speak against: "no contraindication to MRI" leaves out who has one."""
_NO_END = frozenset((("due", "to"), ("up", "to")))
"""Last word of a phrase and the one behind it that say something else: "due to", "up to date"."""
_TREATS = frozenset(("surgery", "dialysis", "transplantation", "chemotherapy", "radiation-therapy", "intubation"))
"""What finds nothing: in "hepatitis B negative dialysis patients" the result is another's."""
_AS_SAID = ("absent", "possible", "family")
"""What is said of the whole stays said: "denies exposure to TB"."""


def with_words_beside(s: Stretch, said: Sequence[Said]) -> list[Said]:
    """``said``, each name with the words beside it that make something else of it."""
    held = {n for one in said for n in one.tokens}
    told = (_told(s, one, *found, said) if (found := _beside(s, one, held, said)) else one for one in said)
    return [_or_found(s, one) for one in told]


def _beside(s: Stretch, one: Said, held: Set[int], said: Sequence[Said]) -> tuple[range, str] | None:
    """The tokens that tell something of it, at once beside it or beside the list that it stands in, and what it found
    by them."""
    if not isinstance(one.node, Finding) and not one.denies:
        return None
    concept = s.known.lexicon.concepts[one.mention.concept]
    kind = concept.kind
    if kind == "procedure" and (inside := _result_inside(s, one, concept.name)):
        return inside
    alike = {
        n
        for o in said
        if s.known.lexicon.concepts[o.mention.concept].kind == kind and amount_at(s, o.mention) is None
        for n in o.tokens
    }
    first, last = min(one.tokens), max(one.tokens)
    begin, end = first, last + 1
    while begin and (begin - 1 in alike or s.tokens[begin - 1] in _LISTED):
        begin -= 1
    while end < len(s.tokens) and (end in alike or s.tokens[end] in _LISTED):
        end += 1
    while begin < first and s.tokens[begin] in _LISTED:
        begin += 1  # "MRI neg, EEG" is no list.
    if _JOINED.isdisjoint(s.tokens[last + 1 : end]) or amount_at(s, one.mention) is not None:
        # "Pacemaker, foley removed" speaks of the catheter alone, "ferritin < 15, OGD normal" of the OGD.
        end = last + 1
    treats = not _TREATS.isdisjoint((concept.id, *s.known.lexicon.ancestors(concept.id)))
    for row in s.table.beside:
        if not row.tells_of(concept) or (row.result and treats):
            continue
        for at in dict.fromkeys((first, begin)):
            if (found := _ends(s.tokens, at, row.before)) and held.isdisjoint(found):
                before = found[0] - 1
                if before in alike and s.tokens[found[0]] in _RESULTS:
                    continue  # "CT neg LP done": the result is of the test before it.
                if row.result == "abnormal" and before in held and _names_disorder(s, before, said):
                    continue  # "HIV positive CD4 < 200".
                return found, row.result
        for at in dict.fromkeys((last + 1, end)):
            if (found := _begins(s.tokens, at, row.behind)) and held.isdisjoint(found):
                return found, row.result
    return None


def _names_disorder(s: Stretch, n: int, said: Sequence[Said]) -> bool:
    return any(n in one.tokens and s.known.is_of(one.mention, "disorder") for one in said)


def _result_inside(s: Stretch, one: Said, name: str) -> tuple[range, str] | None:
    """The result that is a word of what a test is called: "negative cultures" are cultures."""
    rows = [row for row in s.table.beside if row.result]
    for n in sorted(one.tokens):
        result = next((row.result for row in rows if (s.tokens[n],) in row.before), "")
        if result and s.tokens[n] not in name.lower():
            return range(n, n + 1), result
    return None


def _ends(tokens: Sequence[str], at: int, phrases: Sequence[tuple[str, ...]]) -> range | None:
    """The phrase that ends at ``at``, but for small words."""
    while True:
        for phrase in phrases:
            if len(phrase) <= at and tuple(tokens[at - len(phrase) : at]) == phrase:
                return range(at - len(phrase), at)
        if not at or tokens[at - 1] not in _BETWEEN:
            return None
        at -= 1


def _goes_on(tokens: Sequence[str], phrase: Sequence[str], end: int) -> bool:
    """Whether what stands behind belongs to the phrase: "pacemaker removed for infection" says but why."""
    behind = tokens[end] if end < len(tokens) else ""
    return behind == _OF or (behind == _FOR and phrase[-1] in _RESULTS) or (phrase[-1], behind) in _NO_END


def _begins(tokens: Sequence[str], at: int, phrases: Sequence[tuple[str, ...]]) -> range | None:
    while True:
        for phrase in phrases:
            end = at + len(phrase)
            if tuple(tokens[at:end]) == phrase and not _goes_on(tokens, phrase, end):
                return range(at, end + (end < len(tokens) and tokens[end] in _RESULTS))
        if at >= len(tokens) or tokens[at] not in _BETWEEN:
            return None
        at += 1


def _ways(s: Stretch, text: str) -> tuple[Node, str]:
    """The words, of a drug that did not work all in which notes tell it; and what they are, for who is told of them."""
    said = s.table.failed.match(text)
    if said is None or _TOLERATE in text:
        return Words(text), f"the words {text}"
    rest = " ".join(word for word in text[said.end() :].split() if word not in _SO_MANY)
    first = [said[0]] if said[0] in s.table.failure or _FAIL not in said[0] else []
    ways = any_of(Words(way) for way in dict.fromkeys((*first, *s.table.failure)))
    s.reading.ways.append(ways)
    counted = "" if rest == text[said.end() :].strip() else "; how many failed is not counted"
    told = f"words that tell of a failure{f', and the words {rest}' if rest else ''}{counted}"
    return (all_of([ways, Words(rest)]) if rest else ways), told


def _suspected(one: Said, said: Sequence[Said]) -> list[str]:
    """What a test behind it was done for, which a negative one rules out: "?PE CTPA negative"."""
    before = (o.node for o in said if o.first < one.first and isinstance(o.node, Finding))
    return [node.name for node in before if node.assertion == "possible"]


def _or_found(s: Stretch, one: Said) -> Said:
    """What is called after what a test found, or that test with that result: "abnormal mammogram"."""
    asked = one.node.child if isinstance(one.node, Not) else one.node
    if not isinstance(asked, Finding) or asked.assertion != "present" or not (called := _CALLED.match(asked.name)):
        return one
    test = s.known.lexicon.find(asked.name[called.end() :])
    if test is None or test.kind != "procedure":
        return one
    either = any_of([asked, Finding(test.name, "abnormal")])
    return replace(one, node=not_(either) if isinstance(one.node, Not) else either)


def _found(s: Stretch, one: Said, words: range, result: str, said: Sequence[Said]) -> Said:
    """It with what it found: normal too where its raised level is denied, or what it was done for."""
    name = s.known.name_of(one.mention.concept)
    ways: list[Node] = [Finding(name, result)]
    if result == "normal":
        raised = level_name(s, one.mention, high=True)
        guessed = _suspected(one, said) if not _NEGATIVE.isdisjoint(s.tokens[n] for n in words) else []
        ways += [Finding(raised, "absent")] if raised else []
        ways += [all_of([Finding(name, ANY), Finding(guess, "absent")]) for guess in guessed]
    # The denial is of the result, "no abnormal CT", or is the result, "negative".
    itself = one.trigger is not None and set(words).issuperset(range(*one.trigger))
    node = not_(any_of(ways)) if one.denies and not itself else any_of(ways)
    place = s.shadow.span(s.starts[words[0]], s.ends[words[-1]])
    tokens = one.tokens | set(words)
    return replace(one, node=node, tokens=tokens, trigger=None if itself else one.trigger, found=place)


def _told(s: Stretch, one: Said, words: range, result: str, said: Sequence[Said]) -> Said:
    if result:
        return _found(s, one, words, result, said)
    name = s.known.name_of(one.mention.concept)
    place = s.shadow.span(s.starts[words[0]], s.ends[words[-1]])
    text = " ".join(w for w in s.tokens[words[0] : words[-1] + 1] if w not in s.table.function and w[0].isalnum())
    itself = one.trigger is not None and not set(words).isdisjoint(range(*one.trigger))
    denied = one.denies and not itself
    asserted = one.node.assertion if isinstance(one.node, Finding) and not itself else ANY
    ways, told_words = _ways(s, text)
    node: Node = all_of([Finding(name, asserted if asserted in _AS_SAID else ANY), ways])
    if denied and (one.excludes or not _AGAINST.isdisjoint(text.split())):
        node = not_(all_of([Finding(name, ANY), ways]))
    if words[0] < one.first and s.known.is_of(one.mention, "drug"):
        s.failed.add(words[0])
    begin, end = s.shadow.span(one.mention.begin, one.mention.end)
    typed = " ".join(s.line[min(begin, place[0]) : max(end, place[1])].split())
    how = f"as {asserted}" if asserted in _AS_SAID else "whatever is said of it"
    told = f'"{typed}" was read as {name}, {how}, and {told_words}.'
    if isinstance(node, Not):
        told = f'"{typed}" leaves out {name}, whatever is said of it, with {told_words}.'
    s.reading.notices.append(Notice("unknown", told, typed))
    counted = {n for n in range(words[-1] + 1, one.first) if s.tokens[n] == "1"}
    return replace(one, node=node, tokens=one.tokens | counted | set(words), trigger=None if itself else one.trigger)
