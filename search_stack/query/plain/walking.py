"""From left to right: criteria, the signs between them, words that name nothing, and what is left aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from search_stack.language.assertion.judgement import Target
from search_stack.language.assertion.scopes import Match
from search_stack.language.assertion.table import Trigger
from search_stack.query.items import Item, Mark, Part, Timing
from search_stack.query.nodes import Finding, Node, Not
from search_stack.query.plain.findings import trigger_text
from search_stack.query.plain.grading import LETTERED
from search_stack.query.plain.joining import (
    LOOSE,
    ORDER,
    RELATING,
    SLASH,
    WHERE,
    among,
    binds_all,
    either_of,
    ends_either,
    ends_in_part,
    has_either,
    heads,
    parts_alternatives,
    relating,
    shares,
    sign_of,
)
from search_stack.query.plain.lately import spread
from search_stack.query.plain.linking import linked, open_denials
from search_stack.query.plain.offering import either_way
from search_stack.query.plain.some_of import chosen
from search_stack.query.plain.stretch import EXCLUDING, PAST, Said, Stretch, with_more
from search_stack.query.plain.topics import about
from search_stack.query.plain.undone import PARTICLES, did_not_happen, is_participle
from search_stack.query.plain.unnamed import ARTICLES, emit_words, is_talk
from search_stack.query.tree import any_of

_INSIDE, _BREAKING = frozenset("-'%.+<>=/&#°"), frozenset("?!.,:;")
_STATES = frozenset(("are", "is", "were", "was", "do", "does", "did", "take", "takes", "took"))
"""Behind "and" they begin a statement of its own: "a stroke or a TIA and are not on aspirin"."""
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
        if links := either_of(s, begun):
            close()
            first, last = min(one.mention.begin for one in begun), max(one.mention.end for one in begun)
            out.append(Part(any_of(one.node for one in begun), *s.shadow.span(first, last)))
            eaten |= links
            begun = []
        for one in begun:
            close()
            if out and isinstance(out[-1], Part) and (token in ORDER or token in RELATING or among(s, one, said)):
                out.append(Mark("but", *place))  # A name that relates by itself: "bruising after a fall".
            begin, end = one.mention.begin, one.mention.end
            for b, e, _ in s.topics:
                if about(s, b, e, one.mention):
                    begin, end = min(begin, b), max(end, e)
            out.append(Part(one.node, *with_more(one, s.shadow.span(begin, end))))
        if n in s.failed and n not in begins:
            close_loosely(place)  # "psoriasis or eczema failing steroids"
        if n in covered or n in eaten or (token == SLASH and any({n - 1, n + 1} <= one.tokens for one in said)):
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
        sign = sign_of(s, token, n)
        if token in _STATES and not run and out and isinstance(out[-1], Mark) and out[-1].sign == "and":
            out[-1] = Mark("but", out[-1].begin, out[-1].end)
        if sign is None and (many := relating(s, n, alternative=ends_either(s, n, run, out))):
            close_loosely(place)
            aside += range(n, n + many)
            skipped = n + many
            continue
        if sign is None and token in WHERE and n - 1 in covered and has_either(out) and ends_in_part(s, n + 1):
            close_loosely(place)  # "gout or pseudogout in the knee"
            aside.append(n)
            continue
        if token == _WITHIN and binds_all(s, n, out):
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
        if sign == "or" and shares(n, said):
            s.alike.add(place)
        if sign:
            close()
            if sign == "and" and parts_alternatives(out):
                out[-1] = Mark("but", *place)  # "stroke or TIA, and AF"
                continue
            out.append(Mark(sign, *place))
            if token == SLASH:
                either_way(s, n, said)
            continue
        if not token[0].isalnum():
            if heads(s, n):
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
        if token in ORDER or (token == _POST and _is_after(s, n)):
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
            or (token == _UNDER and n + 1 in covered)
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
    tests = {t for one in said if s.known.is_of(one.mention, "procedure") for t in one.tokens}
    of_disease = n - 1 in s.covered - tests  # "HIV positive CD4 200", "covid positive but well"
    if run or not tests.isdisjoint((n - 1,) if of_disease else (n - 1, n + 1)):
        return True
    after = s.tokens[n + 1] if n + 1 < len(s.tokens) and n + 1 not in (s.covered | used.keys()) else ""
    if of_disease and after in LOOSE:
        return False
    return after.isalpha() and after not in s.table.frames and after not in s.table.function


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
