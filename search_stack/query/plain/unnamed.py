"""Words that name nothing: what is said of them makes a criterion of them, and those of talk are left aside."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_stack.language.assertion.presupposed import presupposes
from search_stack.language.assertion.scopes import Match
from search_stack.language.lexicon.concepts import CONDITIONS
from search_stack.language.lexicon.english import english
from search_stack.query.asked import CUT_SHORT
from search_stack.query.items import Item, Notice, Part
from search_stack.query.nodes import Node, Not, Words
from search_stack.query.plain.findings import NO_FAMILY, trigger_text
from search_stack.query.plain.grading import as_grades_are_written
from search_stack.query.plain.known import EVERYDAY
from search_stack.query.plain.markers import SIGNED_MARKER, result
from search_stack.query.plain.offering import offer
from search_stack.query.plain.organs import ADJECTIVES
from search_stack.query.plain.stretch import EXCLUDING, TALKED, Stretch
from search_stack.query.plain.undone import COPULA, is_not_done, is_told_of_name
from search_stack.query.tree import any_of, not_

LONGEST_SHORT = 3
"""Letters of a short form, at most, unless it has signs."""
LISTED = frozenset(("or", "and", "nor", "&", "/", ","))
_SIDE = re.compile(r"^(?:r|rt|l|lt)(?!\w)\.?")
_DOSE = re.compile(r"(?<![\w.])(?P<number>\d+(?:\.\d+)?)\s?(?P<unit>mg|mcg|µg|ug|g|kg|ml|iu|mmol|mm|cm)(?!\w)")
_OPERAND_BEHIND = re.compile(r"(?:\(|(?<!\w)(?:OR|AND|NOT))\s*$")
_OPERAND_BEFORE = re.compile(r"\s*(?:OR|AND)(?!\w)")
_DEVICES = ("device",)
_CONTRASTED = re.compile(r"\b(?:instead\s+of|rather\s+than)\b", re.IGNORECASE)
NEGATING = frozenset(("no", "not", "never", "without", "non", "un"))
_ANY = frozenset(("any", "known"))
"""Between a denial and what it denies they say nothing."""
ARTICLES = frozenset(("a", "an", "the"))


_NO = "no"


def emit_words(s: Stretch, run: Sequence[int], out: list[Item]) -> None:
    run = _without_hollow(s, run)
    if not run:
        return
    begin, end = s.starts[run[0]], s.ends[run[-1]]
    place = s.shadow.span(begin, end)
    kept = CUT_SHORT.sub(lambda m: m["stem"], _kept(s, *place))
    typed = SIGNED_MARKER.sub(lambda m: result(s.known, m), kept).lower()
    written = s.table.short.sub(lambda m: s.table.shortened[m[0]], typed)  # "b/l" stands in notes as bilateral
    if s.tokens[run[0]] in ("left", "right"):
        typed = written = _SIDE.sub(s.tokens[run[0]], written)
    shown = " ".join(s.shadow.text[begin:end].lower().split())
    if as_grades_are_written(shown) and not as_grades_are_written(typed):
        typed = written = shown  # "AKI 2", "grade three"
    text, as_typed = (" ".join(one.split()).strip(" -.,:;/'") for one in (written, typed))
    if not text:
        return
    if _only_says_more(s, run):
        s.reading.aside.append(place)
        told = f'"{text}" was left aside: notes that deny it altogether count, too.'
        s.reading.notices.append(Notice("denial", told, text))
        return
    offer(s, run, text, place)
    ways = [text, *([as_typed] if _is_shorter(as_typed, text) else []), *s.table.otherwise(text)]
    ways += ADJECTIVES.get(text, ()) if run[0] - 1 in s.covered else ()  # "signet ring cell carcinoma stomach"
    node = any_of(as_grades_are_written(one) or _as_doses_are_written(one) for one in dict.fromkeys(ways))
    s.reading.ways.append(node)
    excluding = [
        m
        for m in s.matches
        if m.first <= run[0] < m.last and trigger_text(s, (m.begin, m.end)) in EXCLUDING and m.end <= run[0]
    ]
    if excluding and is_told_of_name(s, run, excluding):
        node = Words(f"not {text}")
    elif excluding and is_not_done(s, run, excluding):
        node = Words(f"not {text}")
        s.denied.add(place)
    elif excluding and s.tokens[run[0]] == _NO:
        pass  # "not on insulin, no DSN referral": it has a denial of its own
    elif excluding or _is_denied_alone(s, run):
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
    if isinstance(node, Words) and node.text.startswith("no ") and not any(t.wide for t in s.timings):
        told = f'"{node.text}" is looked for as it is written. NOT leaves out whoever\'s notes speak of it.'
        begin, end = place
        line = (
            s.instead(begin, end, f' NOT words:"{node.text[3:]}" ')
            if s.line[begin : begin + 3].lower() == "no "
            else ""
        )
        s.reading.notices.append(Notice("denial", told, node.text, " ".join(line.split())))


def _without_hollow(s: Stretch, run: Sequence[int]) -> Sequence[int]:
    """``run`` without words at its edges that say no more of a name beside them than that it is there: "active
    hepatitis B", "loaded with levetiracetam". What is denied of a name is said of it all the same."""
    said = any(m.end <= run[0] < m.last and m.trigger.where == "forward" and m.last <= run[-1] + 2 for m in s.matches)
    if not s.covered or said or any(s.tokens[n] in NEGATING for n in run):
        return run
    first, last = 0, len(run)
    hollow = s.table.hollow
    alone = s.table.hollow_alone | _hollow_behind(s, run[0]) | _hollow_beside(s, run)
    if all(s.tokens[n] in hollow | alone | s.table.function for n in run):
        hollow |= alone
    small = hollow | s.table.function
    while first < last and s.tokens[run[first]] in small:
        first += 1
    while first < last and s.tokens[run[last - 1]] in small:
        last -= 1
    for edge in (run[:first], run[last:]):
        if any(s.tokens[n] in hollow for n in edge):
            begin, end = s.shadow.span(s.starts[edge[0]], s.ends[edge[-1]])
            typed = s.typed(begin, end)
            told = f'"{typed}" was left aside: hardly a note says it beside the name.'
            s.reading.aside.append((begin, end))
            s.reading.notices.append(Notice("field", told, typed, s.instead(begin, end, f'words:"{typed}"')))
    left = any(s.tokens[n] in hollow for n in (*run[:first], *run[last:]))
    return run[first:last] if left else run


def _hollow_behind(s: Stretch, first: int) -> frozenset[str]:
    """What says no more right behind a name of its kind: "heart failure issues", "PICC placement"."""
    of_kinds = ((s.table.hollow_behind, CONDITIONS), (s.table.hollow_behind_device, _DEVICES))
    for words, kinds in of_kinds:
        if s.tokens[first] in words and first - 1 in s.covered:
            return words if s.known.ending(s.shadow.text, s.ends[first - 1], *kinds) else frozenset()
    return frozenset()


def _hollow_beside(s: Stretch, run: Sequence[int]) -> frozenset[str]:
    """How often a drug is given, and what became of its dose; how urgent what is done was: "monthly IVIG", "tacrolimus
    lowered", "elective colectomy"."""
    text, before, behind = s.shadow.text, run[0] - 1, run[-1] + 1
    if _CONTRASTED.search(s.line):
        return frozenset()  # "methotrexate daily instead of weekly"
    drug = before in s.covered and bool(s.known.ending(text, s.ends[before], "drug"))
    drug |= behind in s.covered and bool(s.known.beginning(text, s.starts[behind], "drug"))
    done = behind in s.covered and bool(s.known.beginning(text, s.starts[behind], "procedure"))
    nothing: frozenset[str] = frozenset()
    return (s.table.hollow_drug if drug else nothing) | (s.table.hollow_procedure if done else nothing)


def _is_shorter(typed: str, written: str) -> bool:
    """Whether a short form was written out, which notes may have as well: "c-spine"; not "on air"."""
    words = frozenset(written.split())
    return any(len(word) <= LONGEST_SHORT or not word.isalnum() for word in typed.split() if word not in words)


def _as_doses_are_written(text: str) -> Node:
    """Its words, a dose with its unit apart and joined to it, which a search takes for other words: "100mg", "100 mg".

    >>> _as_doses_are_written("100mg daily").children[1], _as_doses_are_written("vitamin 12")
    (Words(text='100 mg daily'), Words(text='vitamin 12'))
    """
    joined, apart = (_DOSE.sub(rf"\g<number>{gap}\g<unit>", text) for gap in ("", " "))
    return any_of([Words(joined), Words(apart)]) if joined != apart else Words(text)


def _is_denied_alone(s: Stretch, run: Sequence[int]) -> bool:
    """Whether a denial right before the words takes the name behind them for granted: "no treatment for gout"."""
    behind = min((n for n in s.covered if n > run[-1]), default=None)
    return behind is not None and any(
        m.end == run[0] and behind < m.last and presupposes(s.tokens, m.begin, m.end, behind) for m in s.matches
    )


def _kept(s: Stretch, begin: int, end: int) -> str:
    """What was typed from ``begin`` to ``end`` of the line, without what is left aside in between."""
    out = s.line[begin:end]
    for first, last in s.reading.aside:
        if begin <= first and last <= end:
            out = out[: first - begin] + " " * (last - first) + out[last - begin :]
    return out


def _said_of_words(s: Stretch, run: Sequence[int]) -> Match | None:
    """What is said of words that no lexicon knows, where it is said of a name beside them: "no fever or norovirus"."""
    first, last = run[0], run[-1]
    while first and s.tokens[first - 1] in ARTICLES:
        first -= 1
    apart = first and s.tokens[first - 1] in LISTED
    of_list = last + 1 < len(s.tokens) and s.tokens[last + 1] in LISTED
    listed = last + 1 >= len(s.tokens) or s.tokens[last + 1] in LISTED
    if last + 1 in s.covered or not (apart or (listed and any(m.end == first for m in s.matches))):
        return None  # It only says more of a name: "no recurrent pulmonary embolism".
    reaching = [
        m
        for m in s.matches
        if m.end <= run[0] < m.last
        and m.trigger.where == "forward"
        and m.trigger.says in ("absent", "family")
        and m.begin not in run
        and not (m.trigger.says == "family" and s.tokens[first - 1] == "," and not of_list)
        and (any(m.first <= n < m.last for n in s.covered) or m.begin in s.spoken)
    ]
    return max(reaching, key=lambda m: m.begin, default=None)


def _only_says_more(s: Stretch, run: Sequence[int]) -> bool:
    """Whether words tell how much or how lately, between a denial and the name that it denies: "no active TB". What a
    note denies so it denies under the name, and the word would but lose those who deny it altogether."""
    if run[-1] + 1 not in s.covered or any(s.tokens[n] not in s.table.degrees for n in run):
        return False
    opens = run[0]
    while opens and s.tokens[opens - 1] in ARTICLES | _ANY:
        opens -= 1
    return any(
        opens <= m.end <= run[0]
        and run[-1] + 1 < m.last
        and m.trigger.where == "forward"
        and m.trigger.says == "absent"
        and trigger_text(s, (m.begin, m.end)) not in EXCLUDING
        for m in s.matches
    )


def _told_of_one(s: Stretch, first: int) -> bool:
    """Whether words say something of the concept before them: "whose asthma is not controlled"."""
    at = first - 1
    while at >= 0 and s.tokens[at] in COPULA:
        at -= 1
    return at < first - 1 and at in s.covered


def _is_operand(s: Stretch) -> bool:
    """Whether an operator asks for all of the stretch: "who had (normal OR "no lesion") echo"."""
    behind = _OPERAND_BEHIND.search(s.line[: s.shadow.begins[0]])
    return behind is not None or _OPERAND_BEFORE.match(s.line, s.shadow.ends[-1]) is not None


def is_talk(s: Stretch, run: Sequence[int], named: bool) -> bool:
    """Whether words that stand apart from every concept only belong to a person's way of asking.

    So where the line is talked rather than listed, names a concept besides, and nothing says that they are wanted.
    """
    table = s.table
    named_so = sum(s.tokens[n] in table.frames for n in s.covered)  # the "c" of "c section" asks for nothing
    if not (named or s.elsewhere) or s.asking - named_so < TALKED:
        return False
    if any(n in s.covered for n in (run[0] - 1, run[-1] + 1)) or _is_operand(s):
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
