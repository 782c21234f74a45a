"""From left to right: criteria, the signs between them, words that name nothing, and what is left aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from search_stack.language.assertion.judgement import Target
from search_stack.language.assertion.scopes import Match
from search_stack.language.assertion.table import Trigger
from search_stack.query.items import Item, Mark, Part, Sign, Timing
from search_stack.query.nodes import Node, Not, Words
from search_stack.query.plain.findings import NO_FAMILY, trigger_text
from search_stack.query.plain.linking import linked, open_denials
from search_stack.query.plain.markers import SIGNED_MARKER, result
from search_stack.query.plain.offering import either_way, offer
from search_stack.query.plain.stretch import EXCLUDING, PAST, Said, Stretch
from search_stack.query.plain.topics import about
from search_stack.query.plain.undone import PARTICLES, did_not_happen, is_told_of_name
from search_stack.query.spelling import english
from search_stack.query.tree import any_of, not_

EVERYDAY = 6_000
"""Ranks in English up to which a word may be one of everyday talk."""
_ORS, _ANDS, _LOOSE = frozenset(("or",)), frozenset(("and", "&", "nor", "plus", "+")), frozenset(("with", "but"))
_INSIDE, _BREAKING, _SLASH = frozenset("-'%.+<>=/&#°"), frozenset("?!.,:;"), "/"
_STATES = frozenset(("are", "is", "were", "was", "do", "does", "did", "take", "takes", "took"))
"""Behind "and" they begin a statement of its own: "a stroke or a TIA and are not on aspirin"."""
_COPULA = frozenset(("is", "are", "was", "were", "be", "been", "not", "being", "got", "had", "has", "have", "never"))
_HEADS = frozenset(":–—")
"""Behind them stands what is asked of what stands before: "stroke: diabetes or hypertension"."""
_ORDER = frozenset(("after", "before", "following", "prior"))
_RELATING = frozenset(("for", "in", "on", "from"))
"""Between two names they join all that stands before with all behind: "aspirin or clopidogrel for stroke"."""
_CAUSED = (
    ("due", "to"),
    ("secondary", "to"),
    ("caused", "by"),
    ("because", "of"),
    ("related", "to"),
    ("attributed", "to"),
)
"""Likewise."""
_LISTED = frozenset(("or", "and", "nor", "&", "/", ","))
_ARTICLES = frozenset(("a", "an", "the"))
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
    waiting: list[Part | Timing] = sorted([*s.parts, *s.timings], key=lambda p: p.begin)

    def close() -> None:
        nonlocal run
        while run and s.tokens[run[-1]] in s.table.function:
            aside.append(run.pop())
        if run and any(s.tokens[n][0].isalnum() for n in run) and not _everyday(s, run, bool(said)):
            _emit_words(s, run, out)
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
        while waiting and waiting[0].begin <= place[0]:
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
            if (token in _ORDER or token in _RELATING) and out and isinstance(out[-1], Part):
                out.append(Mark("but", *place))  # A name that relates by itself: "bruising after a fall".
            begin, end = one.mention.begin, one.mention.end
            for b, e, _ in s.topics:
                if about(s, b, e, one.mention):
                    begin, end = min(begin, b), max(end, e)
            span = s.shadow.span(begin, end)
            out.append(Part(one.node, *span))
        if n in covered or n in eaten:
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
        if sign is None and (relating := _relating(s, n)):
            close_loosely(place)
            aside += range(n, n + relating)
            skipped = n + relating
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
        if sign:
            close()
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
        if token in _ORDER:
            close()
            aside.append(n)
        elif (
            (run and token in PARTICLES and (s.tokens[n - 1].endswith("ed") or s.tokens[n - 1] == "-"))
            or (token in s.table.function and run)
            or did_not_happen(s, n)
            or (token == _RESULT and _is_result(s, n, said, used, run))
        ):
            run.append(n)
        elif token in s.table.frames or token in s.table.function or s.table.is_slip(token):
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
        if not any(b <= begin and e == end for b, e in kept):  # "HIV+" is one word, and two as it is read.
            s.reading.aside.append((begin, end))
    items = linked(s, open_denials(s, out), said)
    if s.either is None:
        return items
    return [
        Mark("or", i.begin, i.end) if isinstance(i, Mark) and i.sign in (",", "but") and i.begin >= s.either else i
        for i in items
    ]


def _is_result(s: Stretch, n: int, said: Sequence[Said], used: Mapping[int, Match], run: Sequence[int]) -> bool:
    """Whether the token tells how a test came out, whether the lexicon knows that test or not."""
    if s.line[slice(*s.shadow.span(s.starts[n], s.ends[n]))].lower() != _RESULT:
        return False  # "+ve" is no word that a note is looked through for.
    tests = {t for one in said if s.known.lexicon.concepts[one.mention.concept].kind == "procedure" for t in one.tokens}
    if run or not tests.isdisjoint((n - 1, n + 1)):
        return True
    after = s.tokens[n + 1] if n + 1 < len(s.tokens) and n + 1 not in (s.covered | used.keys()) else ""
    return after.isalpha() and after not in s.table.frames and after not in s.table.function


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
    links = {n for n in inside if s.tokens[n] in _LISTED}
    return links if any(s.tokens[n] in _ORS for n in links) else set()


def _relating(s: Stretch, n: int) -> int:
    """How many words from there on relate what stands before them to what stands behind; 0 where they do not."""
    many = 2 if tuple(s.tokens[n : n + 2]) in _CAUSED else int(s.tokens[n] in _RELATING)
    return many if many and _stands_between(s, n, n + many) else 0


def _stands_between(s: Stretch, n: int, after: int) -> bool:
    while after < len(s.tokens) and s.tokens[after] in _ARTICLES:
        after += 1
    alternatives = not _ORS.isdisjoint(s.tokens[after + 1 : after + 3])  # "asthma on XYZ or prednisone"
    return n - 1 in s.covered and (after in s.covered or alternatives)


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


def _emit_words(s: Stretch, run: Sequence[int], out: list[Item]) -> None:
    begin, end = s.starts[run[0]], s.ends[run[-1]]
    place = s.shadow.span(begin, end)
    typed = SIGNED_MARKER.sub(lambda m: result(s.known, m), s.line[slice(*place)]).lower()
    written = s.table.short.sub(lambda m: s.table.shortened[m[0]], typed)  # "b/l" stands in notes as bilateral
    text = " ".join(written.split()).strip(" -.,:;/'")
    if not text:
        return
    offer(s, run, text, place)
    node: Node = Words(text)
    excluding = [
        m
        for m in s.matches
        if m.first <= run[0] < m.last and trigger_text(s, (m.begin, m.end)) in EXCLUDING and m.end <= run[0]
    ]
    if excluding and is_told_of_name(s, run, excluding):
        node = Words(f"not {text}")
    elif excluding:
        node = not_(node)
    elif said := _said_of_words(s, run):
        if not s.known.is_anatomy(text):  # "no tear of the knee or hip" denies neither
            trigger = s.shadow.span(s.starts[said.begin], s.ends[said.end - 1])
            node = Words(f"{s.line[slice(*trigger)].lower()} {text}")
        if said.trigger.says == "family" and NO_FAMILY.search(s.shadow.text[: s.starts[run[0]]]):
            node = not_(node)
        if said.trigger.says == "absent" or isinstance(node, Not):
            s.denied.add(place)
    out.append(Part(node, *place))


def _said_of_words(s: Stretch, run: Sequence[int]) -> Match | None:
    """What is said of words that no lexicon knows, where it is said of a name beside them: "no fever or norovirus"."""
    first, last = run[0], run[-1]
    while first and s.tokens[first - 1] in _ARTICLES:
        first -= 1
    apart = first and s.tokens[first - 1] in _LISTED
    listed = last + 1 >= len(s.tokens) or s.tokens[last + 1] in _LISTED
    if last + 1 in s.covered or not (apart or (listed and any(m.end == first for m in s.matches))):
        return None  # It only says more of a name: "no recurrent pulmonary embolism".
    reaching = [
        m
        for m in s.matches
        if m.end <= run[0] < m.last
        and m.trigger.where == "forward"
        and m.trigger.says in ("absent", "family")
        and m.begin not in run
        and (any(m.first <= n < m.last for n in s.covered) or m.begin in s.spoken)
    ]
    return max(reaching, key=lambda m: m.begin, default=None)


def _told_of_one(s: Stretch, first: int) -> bool:
    """Whether words say something of the concept before them: "whose asthma is not controlled"."""
    at = first - 1
    while at >= 0 and s.tokens[at] in _COPULA:
        at -= 1
    return at < first - 1 and at in s.covered


def _everyday(s: Stretch, run: Sequence[int], named: bool) -> bool:
    """Whether words that stand apart from every concept only belong to a person's way of asking.

    So where the line is talked rather than listed, names a concept besides, and nothing says that they are wanted.
    """
    table = s.table
    if not (named or s.elsewhere) or not s.talked:
        return False
    if any(n in s.covered for n in (run[0] - 1, run[-1] + 1)):
        return False
    before = run[0] - 1
    while before >= 0 and s.tokens[before] in ("a", "an", "the", "any", "some"):
        before -= 1
    if before >= 0 and s.tokens[before] in table.asks_for:
        return False
    if _told_of_one(s, run[0]):
        return False
    words = [s.tokens[n].removesuffix("'s") for n in run if s.tokens[n][0].isalnum()]
    return all(w.isalpha() and english().get(w, 1_000_000) < EVERYDAY for w in words)
