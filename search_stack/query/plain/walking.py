"""From left to right: criteria, the signs between them, words that name nothing, and what is left aside."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from search_stack.language.assertion.judgement import Target
from search_stack.language.assertion.scopes import Match
from search_stack.language.assertion.table import Trigger
from search_stack.query.items import Item, Mark, Part, Sign, Timing
from search_stack.query.nodes import Finding, Node, Not
from search_stack.query.number_words import ONE_TO_SIX
from search_stack.query.plain.findings import trigger_text
from search_stack.query.plain.grading import LETTERED
from search_stack.query.plain.lately import spread
from search_stack.query.plain.linking import linked, open_denials
from search_stack.query.plain.offering import either_way
from search_stack.query.plain.some_of import chosen
from search_stack.query.plain.stretch import EXCLUDING, PAST, Said, Stretch, with_more
from search_stack.query.plain.topics import about
from search_stack.query.plain.undone import PARTICLES, did_not_happen, is_participle
from search_stack.query.plain.unnamed import ARTICLES, LISTED, emit_words, is_talk
from search_stack.query.tree import any_of

_ORS, _ANDS, _LOOSE = frozenset(("or",)), frozenset(("and", "&", "nor", "plus", "+")), frozenset(("with", "but"))
_INSIDE, _BREAKING, _SLASH = frozenset("-'%.+<>=/&#°"), frozenset("?!.,:;"), "/"
_STATES = frozenset(("are", "is", "were", "was", "do", "does", "did", "take", "takes", "took"))
"""Behind "and" they begin a statement of its own: "a stroke or a TIA and are not on aspirin"."""
_HEADS = frozenset(":–—")
"""Behind them stands what is asked of what stands before: "stroke: diabetes or hypertension"."""
_ORDER = frozenset(("after", "before", "following", "prior"))
_RELATING = frozenset(("for", "in", "on", "from"))
"""Between two names they join all that stands before with all behind: "aspirin or clopidogrel for stroke"."""
_WHERE = frozenset(("in", "of", "on"))
"""Before a part of the body at the end, they place all alternatives before it."""
_CAUSED = (
    ("due", "to"),
    ("secondary", "to"),
    ("caused", "by"),
    ("because", "of"),
    ("related", "to"),
    ("attributed", "to"),
    ("complicated", "by"),
    ("leading", "to"),
    ("resulting", "in"),
    ("positive", "for"),
)
"""Likewise."""
_DONE = frozenset(("drug", "procedure", "device"))
_OF_WHAT = frozenset(("related", "associated", "mediated", "induced"))
"""They make one word with what no lexicon knows before them: "immune related"."""
_UNDER = "under"
"""Before whom or what somebody is under: "under palliative care"."""
_LIKE = "like"
"""Behind a hyphen it makes one word with what stands before: "lupus-like rash"."""
_INDUCED = "induced"
"""Behind a name it says what came of it: "amiodarone induced hypothyroidism"."""
_POST = "post"
"""Before a name it says what that came before: "post-stroke depression" has both."""
_COUNTED = frozenset(("one", "both"))
_SECONDARY = "secondary"
"""Before a name it tells of what kind it is: "secondary hypertension", not "anemia secondary to CKD"."""
_NEVER = "never"
"""What did not happen belongs to it: "never admitted"."""
_TOLD_OF = frozenset(("known", "documented", "established", "confirmed", "recorded", "reported"))
"""Behind "no" they only say how one would know."""
_PRIOR = "prior"
"""Behind "no" it says when, and sets nothing in time."""
_LACKED = frozenset(("cause", "need"))
"""Behind "no" they are what is lacked: "no cause found"."""
_CAUSE, _UNKNOWN = "cause", (["unknown"], ["unclear"], ["uncertain"], ["undetermined"])
"""It belongs to what is told of it: "syncope cause unknown"."""
_WEEK = "week"
"""Behind a number it is a time: "2 week history"."""
_WITHIN = "within"
_SPAN = re.compile(
    rf"\s*(?:the\s+)?(?:\d{{1,3}}|{ONE_TO_SIX})\s*(?:days?|weeks?|months?|years?|hours?|yrs?)\s*[.?!]?\s*$"
)
"""Behind "within" at the end: what it holds for stands before, all of it."""
_RESULT = "positive"
"""Who has a disease is positive for it; of a test and of words for one it is the result."""
_NOTHING = Trigger("absent", "forward")


def items(s: Stretch, said: Sequence[Said]) -> list[Item]:
    covered = s.covered = frozenset(n for one in said for n in one.tokens)
    begins: dict[int, list[Said]] = {}
    for one in said:
        begins.setdefault(one.first, []).append(one)
    used = _used(s, said)
    s.spoken = frozenset(m.begin for m in used.values())
    out: list[Item] = []
    run: list[int] = []
    aside: list[int] = []
    spans = [s.shadow.span(one.mention.begin, one.mention.end) for one in said]

    def place_of(item: Part | Timing) -> int:
        """What counts a name stands before it, also between its words: "had two or more falls"."""
        counts = isinstance(item, Timing) and item.takes == "next" and not item.needs
        return min([b for b, e in spans if counts and b < item.begin < e] or [item.begin])

    waiting: list[Part | Timing] = sorted([*s.parts, *s.timings], key=place_of)

    def close() -> None:
        nonlocal run
        while run and s.tokens[run[-1]] in s.table.function and not _is_letter(s, run):
            aside.append(run.pop())
        if run and any(s.tokens[n][0].isalnum() for n in run) and not is_talk(s, run, bool(said)):
            emit_words(s, run, out)
        else:
            aside.extend(run)
        run = []

    def close_loosely(place: tuple[int, int]) -> None:
        """What follows is joined loosely to the criterion that stands last, where one does."""
        close()
        if out and isinstance(out[-1], Part):
            out.append(Mark("but", *place))

    skipped = 0
    eaten: set[int] = set()
    for n, token in enumerate(s.tokens):
        if n < skipped:
            continue
        place = s.shadow.span(s.starts[n], s.ends[n])
        while waiting and place_of(waiting[0]) <= place[0]:
            close()
            out.append(waiting.pop(0))
        begun = begins.get(n, [])
        if links := _either_of(s, begun):
            close()
            first, last = min(one.mention.begin for one in begun), max(one.mention.end for one in begun)
            out.append(Part(any_of(one.node for one in begun), *s.shadow.span(first, last)))
            eaten |= links
            begun = []
        for one in begun:
            close()
            if out and isinstance(out[-1], Part) and (token in _ORDER or token in _RELATING or _among(s, one, said)):
                out.append(Mark("but", *place))  # A name that relates by itself: "bruising after a fall".
            begin, end = one.mention.begin, one.mention.end
            for b, e, _ in s.topics:
                if about(s, b, e, one.mention):
                    begin, end = min(begin, b), max(end, e)
            out.append(Part(one.node, *with_more(one, s.shadow.span(begin, end))))
        if n in s.failed and n not in begins:
            close_loosely(place)  # "psoriasis or eczema failing steroids"
        if n in covered or n in eaten or (token == _SLASH and any({n - 1, n + 1} <= one.tokens for one in said)):
            continue
        if n in used:
            close()
            if used[n].begin == n and _opens_exclusion(s, used[n]) and out and isinstance(out[-1], Part):
                out.append(Mark("but", *place))
            continue
        if place[0] in s.loose and not token[0].isalnum():
            close()
            out.append(Mark("but", *place))
            continue
        if place[0] in s.cuts and not token[0].isalnum():
            close()
            continue
        sign = _sign(s, token, n)
        if token in _STATES and not run and out and isinstance(out[-1], Mark) and out[-1].sign == "and":
            out[-1] = Mark("but", out[-1].begin, out[-1].end)
        if sign is None and (relating := _relating(s, n, alternative=_ends_either(s, n, run, out))):
            close_loosely(place)
            aside += range(n, n + relating)
            skipped = n + relating
            continue
        if sign is None and token in _WHERE and n - 1 in covered and _has_either(out) and _ends_in_part(s, n + 1):
            close_loosely(place)  # "gout or pseudogout in the knee"
            aside.append(n)
            continue
        if token == _WITHIN and _binds_all(s, n, out):
            close_loosely(place)
            run.append(n)
            continue
        if token == _LIKE and s.tokens[n - 1 : n] == ["-"] and run and run[-1] == n - 1:
            run.append(n)
            continue
        if token in _OF_WHAT and run and run[-1] == n - 1 and s.tokens[n - 1] not in s.table.function:
            run.append(n)
            continue
        if token == _INDUCED and (n - 1 in covered or (s.tokens[n - 1] == "-" and n - 2 in covered)):
            close_loosely(place)
            aside.append(n)
            continue
        if sign is None and token in s.table.relating and (run or out) and n + 1 < len(s.tokens):
            close_loosely(place)
            if token in s.table.frames:
                aside.append(n)
            else:
                run.append(n)
            continue
        if sign is None and token in s.table.clauses and (run or out):
            close()
            if out and isinstance(out[-1], Part):
                out.append(Mark("but", *place))
            elif out and isinstance(out[-1], Mark) and out[-1].sign == "and":
                out[-1] = Mark("but", out[-1].begin, out[-1].end)
            aside.append(n)
            continue
        if sign == "or" and _shares(n, said):
            s.alike.add(place)
        if sign:
            close()
            if sign == "and" and _parts_alternatives(out):
                out[-1] = Mark("but", *place)  # "stroke or TIA, and AF"
                continue
            out.append(Mark(sign, *place))
            if token == _SLASH:
                either_way(s, n, said)
            continue
        if not token[0].isalnum():
            if _heads(s, n):
                close_loosely(place)
            elif run and token in _INSIDE:
                run.append(n)
            elif token in _BREAKING:
                close()
            continue
        if run == [n - 1] and s.tokens[n - 1] == "no" and (token in _TOLD_OF or token == _PRIOR) and _unnamed(s, n + 1):
            if token != _PRIOR:
                s.reading.aside.append(place)  # "no known XYZ" is "no XYZ"
            run.append(n)
            continue
        if token in _ORDER or (token == _POST and _is_after(s, n)):
            close()
            aside.append(n)
        elif (
            (run and token in PARTICLES and (s.tokens[n - 1].endswith("ed") or s.tokens[n - 1] in ("-", "follow")))
            or (token in s.table.function and run)
            or (len(token) == 1 and run and run[-1] == n - 1 and s.tokens[n - 1] in LETTERED)
            or (token in s.table.frames and run and run[-1] == n - 1 and s.tokens[n - 1] == _NEVER)
            or (token in s.table.frames and run == [n - 1] and s.tokens[n - 1] == "not" and is_participle(token))
            or (token in _LACKED and run == [n - 1] and s.tokens[n - 1] == "no")
            or (token == _CAUSE and (s.tokens[n + 1 : n + 2] if not run else [s.tokens[run[-1]]]) in _UNKNOWN)
            or did_not_happen(s, n)
            or (token == _WEEK and run and run[-1] == n - 1 and _numbers(s, n - 1))
            or (token in _COUNTED and _counts_part(s, n))
            or (token == _SECONDARY and n + 1 in covered)
            or (token == _RESULT and _is_result(s, n, said, used, run))
        ):
            run.append(n)
        elif (
            token in s.table.frames
            or token in s.table.function
            or s.table.is_slip(token)
            or (token == _UNDER and not run and n + 1 in covered)
        ):
            close()
            aside.append(n)
        else:
            run.append(n)
    close()
    out += waiting
    names = {n for one in said for n in range(min(one.tokens), max(one.tokens) + 1)}
    kept = [(part.begin, part.end) for part in out if isinstance(part, Part)]
    for n in sorted(set(aside) - names):
        begin, end = s.shadow.span(s.starts[n], s.ends[n])
        denial = any((begin, end) == s.shadow.span(s.starts[t], s.ends[t]) for t in used)  # "aren't"
        if not denial and not any(
            b <= begin and e == end for b, e in kept
        ):  # "HIV+" is one word, and two as it is read.
            s.reading.aside.append((begin, end))
    items = chosen(s, linked(s, open_denials(s, spread(_of_one_name(s, out), s.line)), said))
    if s.either is None:
        return items
    before = [n for n, i in enumerate(items) if isinstance(i, Mark) and i.begin < s.either and i.sign in ("and", ",")]
    if before and all(i.begin >= s.either for i in items[before[-1] + 1 :]):
        # "HTN plus any of DM, CKD": all that stands before, and one of these.
        items[before[-1]] = Mark("but", items[before[-1]].begin, items[before[-1]].end)
    return [
        Mark("or", i.begin, i.end) if isinstance(i, Mark) and i.sign in (",", "but") and i.begin >= s.either else i
        for i in items
    ]


def _is_letter(s: Stretch, run: Sequence[int]) -> bool:
    """Whether the run ends in the grade of a scale that grades by letters: "Stanford A"."""
    return len(run) > 1 and len(s.tokens[run[-1]]) == 1 and s.tokens[run[-2]] in LETTERED


def _shares(n: int, said: Sequence[Said]) -> bool:
    """Whether alternatives stand around ``n`` that share their last words: "hip or knee replacement infection"."""
    if any(one.amount for one in said):
        return False  # "Current or former smoker >= 10 pack-years": the number is of the nearer.
    return any(min(one.tokens) < n < max(one.tokens) for one in said)


def _of_one_name(s: Stretch, items: Sequence[Item]) -> list[Item]:
    """``items``, alternatives that share words as one criterion: "NYHA III or IV heart failure"; none denied."""
    out: list[Item] = []
    for item in items:
        sign, first = out[-1] if out else None, out[-2] if len(out) > 1 else None
        if (
            isinstance(item, Part)
            and isinstance(sign, Mark)
            and isinstance(first, Part)
            and (sign.begin, sign.end) in s.alike
            and not any(_is_denied(part.node) for part in (first, item))
        ):
            out[-2:] = [Part(any_of([first.node, item.node]), first.begin, max(first.end, item.end))]
        else:
            out.append(item)
    return out


def _is_denied(node: Node) -> bool:
    return isinstance(node, Not) or (isinstance(node, Finding) and node.assertion == "absent")


def _binds_all(s: Stretch, n: int, out: Sequence[Item]) -> bool:
    """Whether it ends a list of alternatives that stands for itself: "stroke, TIA or MI within 6 months"."""
    listed = any(isinstance(item, Mark) and item.sign == "or" for item in out)
    alone = not s.listed and not any(isinstance(item, Part) and isinstance(item.node, Not) for item in out)
    return listed and alone and _SPAN.match(s.shadow.text, s.ends[n]) is not None


def _has_either(out: Sequence[Item]) -> bool:
    return any(isinstance(item, Mark) and item.sign == "or" for item in out)


def _ends_in_part(s: Stretch, n: int) -> bool:
    """Whether nothing but a part of the body, with its side, stands from there to the end."""
    words = [t for t in s.tokens[n:] if t not in ARTICLES and t not in s.table.sides and t[0].isalnum()]
    return len(words) == 1 and s.is_part(words[0]) and len(s.tokens) - 1 not in s.covered


def _parts_alternatives(out: Sequence[Item]) -> bool:
    """Whether a comma stands last, behind alternatives."""
    signs = [item.sign for item in out if isinstance(item, Mark)]
    return bool(out) and isinstance(out[-1], Mark) and signs[-2:] == ["or", ","]


def _unnamed(s: Stretch, n: int) -> bool:
    """Whether a word stands there that names nothing and does not only ask."""
    if n >= len(s.tokens) or n in s.covered or not s.tokens[n][0].isalnum():
        return False
    return s.tokens[n] not in s.table.frames and s.tokens[n] not in s.table.function


def _is_after(s: Stretch, n: int) -> bool:
    after = n + 2 if s.tokens[n + 1 : n + 2] == ["-"] else n + 1
    return after in s.covered


def _numbers(s: Stretch, n: int) -> bool:
    return s.tokens[n].isdigit() or s.tokens[n] in s.table.numbers or s.tokens[n] in ARTICLES


def _counts_part(s: Stretch, n: int) -> bool:
    """Whether it tells of which parts of the body: "numbness in both legs", "vision loss one eye"; not "one of ..."."""
    after = s.tokens[n + 1] if n + 1 < len(s.tokens) and n + 1 not in s.covered else ""
    return bool(after) and s.is_part(after)


def _is_result(s: Stretch, n: int, said: Sequence[Said], used: Mapping[int, Match], run: Sequence[int]) -> bool:
    """Whether the token tells how a test came out, whether the lexicon knows that test or not."""
    if s.line[slice(*s.shadow.span(s.starts[n], s.ends[n]))].lower() not in (_RESULT, "pos"):
        return False  # "+ve" is no word that a note is looked through for.
    tests = {t for one in said if s.known.lexicon.concepts[one.mention.concept].kind == "procedure" for t in one.tokens}
    of_disease = n - 1 in s.covered - tests  # "HIV positive CD4 200", "covid positive but well"
    if run or not tests.isdisjoint((n - 1,) if of_disease else (n - 1, n + 1)):
        return True
    after = s.tokens[n + 1] if n + 1 < len(s.tokens) and n + 1 not in (s.covered | used.keys()) else ""
    if of_disease and after in _LOOSE:
        return False
    return after.isalpha() and after not in s.table.frames and after not in s.table.function


def _among(s: Stretch, one: Said, said: Sequence[Said]) -> bool:
    """Whether it is the first of alternatives of what is done or given, behind what that is for: "gout colchicine or
    prednisone" is gout with either."""

    def kind(said: Said) -> str:
        return s.known.lexicon.concepts[said.mention.concept].kind

    after = max(one.tokens) + 1
    if kind(one) not in _DONE or s.tokens[after : after + 1] not in ([","], ["or"]):
        return False
    before = max((o for o in said if o.first < one.first), key=lambda o: o.first, default=None)
    behind = min((o for o in said if o.first > one.first), key=lambda o: o.first, default=None)
    if before is None or behind is None or not (kind(before) not in _DONE and kind(one) == kind(behind) in _DONE):
        return False
    between = set(s.tokens[after : behind.first])
    return between <= {",", "or"} and "or" in s.tokens[after:]


def _heads(s: Stretch, n: int) -> bool:
    """Whether a colon or dash that stands apart sets off what is asked of what stands before it."""
    text, begin, end = s.shadow.text, s.starts[n], s.ends[n]
    if not text[end : end + 1].isspace():
        return False
    return s.tokens[n] in _HEADS or (s.tokens[n] == "-" and text[begin - 1 : begin].isspace())


def _either_of(s: Stretch, begun: Sequence[Said]) -> set[int]:
    """The links between what shares its first word, where any of it is meant: "fracture of the hip or wrist"."""
    if len(begun) < 2 or any(one.denies for one in begun):
        return set()
    inside = set(range(begun[0].first, max(max(one.tokens) for one in begun))) - s.covered
    links = {n for n in inside if s.tokens[n] in LISTED}
    return links if any(s.tokens[n] in _ORS for n in links) else set()


def _ends_either(s: Stretch, n: int, run: Sequence[int], out: Sequence[Item]) -> bool:
    """Whether words that name nothing, right before it, are the last of alternatives: "stent or bypass for ..."."""
    return bool(run and out) and run[-1] == n - 1 and isinstance(out[-1], Mark) and out[-1].sign == "or"


def _relating(s: Stretch, n: int, alternative: bool = False) -> int:
    """How many words from there on relate what stands before them to what stands behind; 0 where they do not."""
    many = 2 if tuple(s.tokens[n : n + 2]) in _CAUSED else int(s.tokens[n] in _RELATING)
    return many if many and _stands_between(s, n, n + many, alternative) else 0


def _stands_between(s: Stretch, n: int, after: int, alternative: bool) -> bool:
    while after < len(s.tokens) and s.tokens[after] in ARTICLES | s.table.sides | s.table.degrees:
        after += 1
    alternatives = not _ORS.isdisjoint(s.tokens[after + 1 : after + 3])  # "asthma on XYZ or prednisone"
    return (n - 1 in s.covered or alternative) and (after in s.covered or alternatives)


def _sign(s: Stretch, token: str, n: int) -> Sign | None:
    if token == _SLASH:
        return "and" if n - 1 in s.covered and n + 1 in s.covered else None
    if token in _ORS:
        return "or"
    if token in _ANDS:
        return "and"
    if token in _LOOSE:
        return "but"
    return "," if token in (",", ";") else None


def _used(s: Stretch, said: Sequence[Said]) -> dict[int, Match]:
    """Tokens of triggers that say something of a finding, or exclude words."""
    out: dict[int, Match] = {}
    for m in s.matches:
        reached = [
            one
            for one in said
            if m.first <= one.first < m.last and not (m.begin < one.first < m.end) and _concerns(s, m.trigger, one)
        ]
        inside = any(m.begin <= n < m.end for n in s.covered)
        denies = m.trigger.says == "absent" and m.trigger.where == "forward"
        marks = trigger_text(s, (m.begin, m.end)) in PAST
        if (
            (reached and not inside)
            or (marks and not inside)
            or (denies and trigger_text(s, (m.begin, m.end)) in EXCLUDING)
        ):
            out |= dict.fromkeys(range(m.begin, m.end), m)
    for one in said:
        if one.trigger:
            found = next((m for m in s.matches if m.begin == one.trigger[0]), None)
            for n in range(*one.trigger):
                out.setdefault(n, found or Match(_NOTHING, *one.trigger, one.first, one.first + 1))
    return out


def _concerns(s: Stretch, trigger: Trigger, one: Said) -> bool:
    """Whether it speaks of concepts of that kind: the words of "no problems with" are looked for beside a drug."""
    kind = s.known.lexicon.concepts[one.mention.concept].kind
    return trigger.concerns(Target(0, 0, kind))


def _opens_exclusion(s: Stretch, match: Match) -> bool:
    return trigger_text(s, (match.begin, match.end)) in EXCLUDING
