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
    parts_drugs,
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
_BEFORE_NAME = frozenset(("under", "carries", "carrying", "carry"))
"""Before whom or what somebody is under, or has with them: "under palliative care", "carries an epipen"."""
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
_OF_ALL = frozenset(("who", "whose", "whom", "which", "either"))
"""Behind a comma they begin what is told of all that stands before."""
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
    walk = _Walk(s, said)
    out = walk.through()
    items = chosen(s, linked(s, open_denials(s, spread(_of_one_name(s, out), s.line)), said))
    return items if s.either is None else _any_behind(items, s.either)


class _Walk:
    """One way over the tokens of a stretch; ``out`` grows, ``run`` holds words that name nothing until something ends
    them."""

    def __init__(self, s: Stretch, said: Sequence[Said]) -> None:
        self.s, self.said = s, said
        s.covered = frozenset(n for one in said for n in one.tokens)
        self.used = _used(s, said)
        s.spoken = frozenset(m.begin for m in self.used.values())
        self.begins: dict[int, list[Said]] = {}
        for one in said:
            self.begins.setdefault(one.first, []).append(one)
        self.spans = [s.shadow.span(one.mention.begin, one.mention.end) for one in said]
        self.waiting: list[Part | Timing] = sorted([*s.parts, *s.timings], key=self._place_of)
        self.out: list[Item] = []
        self.run: list[int] = []
        self.aside: list[int] = []
        self.done: set[int] = set()
        """Tokens that a step before has dealt with."""

    def through(self) -> list[Item]:
        s = self.s
        for n, token in enumerate(s.tokens):
            if n in self.done:
                continue
            place = s.shadow.span(s.starts[n], s.ends[n])
            while self.waiting and self._place_of(self.waiting[0]) <= place[0]:
                self._close()
                self.out.append(self.waiting.pop(0))
            self._names(n, token, place)
            if not any(step(n, token, place) for step in (self._belongs, self._signs, self._joins, self._parts)):
                self._word(n, token, place)
        self._close()
        self.out += self.waiting
        self._leave_aside()
        return self.out

    def _place_of(self, item: Part | Timing) -> int:
        """What counts a name stands before it, also between its words: "had two or more falls"."""
        counts = isinstance(item, Timing) and item.takes == "next" and not item.needs
        return min([b for b, e in self.spans if counts and b < item.begin < e] or [item.begin])

    @property
    def _last(self) -> Item | None:
        return self.out[-1] if self.out else None

    def _close(self) -> None:
        """What has run until here is a criterion of words, or only talk."""
        s = self.s
        while self.run and s.tokens[self.run[-1]] in s.table.function and not _is_letter(s, self.run):
            self.aside.append(self.run.pop())
        said = any(s.tokens[n][0].isalnum() for n in self.run) and not is_talk(s, self.run, bool(self.said))
        if self.run and said:
            emit_words(s, self.run, self.out)
        else:
            self.aside.extend(self.run)
        self.run = []

    def _close_loosely(self, place: tuple[int, int]) -> None:
        """What follows is joined loosely to the criterion that stands last, where one does."""
        self._close()
        if isinstance(self._last, Part):
            self.out.append(Mark("but", *place))

    def _loosen(self) -> None:
        """An "and" that stands last joins loosely."""
        if isinstance(last := self._last, Mark) and last.sign == "and":
            self.out[-1] = Mark("but", last.begin, last.end)

    def _goes_on(self, n: int) -> bool:
        """Whether words that name nothing reach right up to the token."""
        return bool(self.run) and self.run[-1] == n - 1

    def _names(self, n: int, token: str, place: tuple[int, int]) -> None:
        """The names that begin there."""
        s, begun = self.s, self.begins.get(n, [])
        if links := either_of(s, begun):
            self._close()
            first, last = min(one.mention.begin for one in begun), max(one.mention.end for one in begun)
            self.out.append(Part(any_of(one.node for one in begun), *s.shadow.span(first, last)))
            self.done |= links
            begun = []
        for one in begun:
            self._close()
            if isinstance(self._last, Part) and (token in ORDER or token in RELATING or among(s, one, self.said)):
                self.out.append(Mark("but", *place))  # A name that relates by itself: "bruising after a fall".
            begin, end = one.mention.begin, one.mention.end
            for b, e, _ in s.topics:
                if about(s, b, e, one.mention):
                    begin, end = min(begin, b), max(end, e)
            self.out.append(Part(one.node, *with_more(one, s.shadow.span(begin, end))))
        if n in s.failed and n not in self.begins:
            self._close_loosely(place)  # "psoriasis or eczema failing steroids"

    def _belongs(self, n: int, token: str, place: tuple[int, int]) -> bool:
        """Whether it is of a name or of what is said of one, or only parts two statements."""
        s = self.s
        if n in s.covered or n in self.done:
            return True
        if token == SLASH and any({n - 1, n + 1} <= one.tokens for one in self.said):
            return True
        if match := self.used.get(n):
            self._close()
            if match.begin == n and _opens_exclusion(s, match) and isinstance(self._last, Part):
                self.out.append(Mark("but", *place))
            return True
        if token[0].isalnum() or place[0] not in s.loose | s.cuts:
            return False
        self._close()
        if place[0] in s.loose:
            self.out.append(Mark("but", *place))
        return True

    def _signs(self, n: int, token: str, place: tuple[int, int]) -> bool:
        """Whether it is a sign between criteria."""
        sign = sign_of(self.s, token, n)
        if sign is None:
            return False
        if sign == "or" and shares(n, self.said):
            self.s.alike.add(place)
        self._close()
        if sign == "and" and parts_alternatives(self.out):
            self.out[-1] = Mark("but", *place)  # "stroke or TIA, and AF"
            return True
        if token == SLASH and parts_drugs(self.s, n, self.said):
            sign = "or"
            self.s.alike.add(place)
        self.out.append(Mark(sign, *place))
        if token == SLASH:
            either_way(self.s, n, self.said, any_of_them=sign == "or")
        return True

    def _joins(self, n: int, token: str, place: tuple[int, int]) -> bool:
        """Whether it joins, by itself or with what it begins, what stands before to what stands behind."""
        s = self.s
        if token in _STATES and not self.run:
            self._loosen()
        if many := relating(s, n, alternative=ends_either(s, n, self.run, self.out)):
            self._close_loosely(place)
            self.aside += range(n, n + many)
            self.done |= set(range(n, n + many))
        elif token in WHERE and n - 1 in s.covered and has_either(self.out) and ends_in_part(s, n + 1):
            self._close_loosely(place)  # "gout or pseudogout in the knee"
            self.aside.append(n)
        elif token == _WITHIN and binds_all(s, n, self.out):
            self._close_loosely(place)
            self.run.append(n)
        elif (token == _LIKE and s.tokens[n - 1 : n] == ["-"] and self._goes_on(n)) or (
            token in _OF_WHAT and self._goes_on(n) and s.tokens[n - 1] not in s.table.function
        ):
            self.run.append(n)
        elif token == _INDUCED and (n - 1 in s.covered or (s.tokens[n - 1] == "-" and n - 2 in s.covered)):
            self._close_loosely(place)
            self.aside.append(n)
        elif token in s.table.relating and (self.run or self.out) and n + 1 < len(s.tokens):
            self._close_loosely(place)
            (self.aside if token in s.table.frames else self.run).append(n)
        elif token in s.table.clauses and (self.run or self.out):
            self._close()
            if isinstance(self._last, Part):
                self.out.append(Mark("but", *place))
            elif isinstance(last := self._last, Mark) and last.sign == "," and token in _OF_ALL:
                self.out[-1] = Mark("but", last.begin, last.end)  # "DM, HbA1c > 9, who had DKA or ketosis"
            else:
                self._loosen()
            self.aside.append(n)
        else:
            return False
        return True

    def _parts(self, n: int, token: str, place: tuple[int, int]) -> bool:
        """Whether it is a mark that is no word."""
        if token[0].isalnum():
            return False
        if heads(self.s, n):
            self._close_loosely(place)
        elif self.run and token in _INSIDE:
            self.run.append(n)
        elif token in _BREAKING:
            self._close()
        return True

    def _word(self, n: int, token: str, place: tuple[int, int]) -> None:
        """A word that names nothing is searched, or only asks."""
        s = self.s
        denied = self.run == [n - 1] and s.tokens[n - 1] == "no"
        if denied and (token in _TOLD_OF or token == _PRIOR) and _unnamed(s, n + 1):
            if token != _PRIOR:
                s.reading.aside.append(place)  # "no known XYZ" is "no XYZ"
            self.run.append(n)
        elif token in ORDER or (token == _POST and _is_after(s, n)):
            self._close()
            self.aside.append(n)
        elif self._says_more(n, token):
            self.run.append(n)
        elif self._asks(n, token):
            self._close()
            self.aside.append(n)
        else:
            self.run.append(n)

    def _says_more(self, n: int, token: str) -> bool:
        """Whether a word that mostly asks belongs to those before it or behind it: "followed up", "never admitted"."""
        s, run, table = self.s, self.run, self.s.table
        before = s.tokens[n - 1] if n else ""
        first = run == [n - 1]
        return (
            (bool(run) and token in PARTICLES and (before.endswith("ed") or before in ("-", "follow")))
            or (token in table.function and bool(run))
            or (len(token) == 1 and self._goes_on(n) and before in LETTERED)
            or (token in table.frames and self._goes_on(n) and before == _NEVER)
            or (token in table.frames and first and before == "not" and is_participle(token))
            or (token in _LACKED and first and before == "no")
            or (token == _CAUSE and ([s.tokens[run[-1]]] if run else s.tokens[n + 1 : n + 2]) in _UNKNOWN)
            or did_not_happen(s, n)
            or (token == _WEEK and self._goes_on(n) and _numbers(s, n - 1))
            or (token in _COUNTED and _counts_part(s, n))
            or (token == _SECONDARY and n + 1 in s.covered)
            or (token == _RESULT and _is_result(s, n, self.said, self.used, run))
        )

    def _asks(self, n: int, token: str) -> bool:
        """Whether a word only asks, or stands for nothing beside the name behind it."""
        table = self.s.table
        asks = token in table.frames or token in table.function or table.is_slip(token)
        if token not in _BEFORE_NAME:
            return asks
        behind = n + 2 if n + 1 < len(self.s.tokens) and self.s.tokens[n + 1] in ARTICLES else n + 1
        return behind in self.s.covered

    def _leave_aside(self) -> None:
        """What asks for nothing, but for what lies in a name, in a denial or at the end of a criterion."""
        s = self.s
        names = {n for one in self.said for n in range(min(one.tokens), max(one.tokens) + 1)}
        kept = [(part.begin, part.end) for part in self.out if isinstance(part, Part)]
        denials = {s.shadow.span(s.starts[t], s.ends[t]) for t in self.used}  # "aren't"
        for n in sorted(set(self.aside) - names):
            begin, end = s.shadow.span(s.starts[n], s.ends[n])
            # "HIV+" is one word, and two as it is read.
            if (begin, end) not in denials and not any(b <= begin and e == end for b, e in kept):
                s.reading.aside.append((begin, end))


def _any_behind(items: list[Item], either: int) -> list[Item]:
    """``items`` with any of those from the place ``either`` on, beside all that stands before."""
    before = [n for n, i in enumerate(items) if isinstance(i, Mark) and i.begin < either and i.sign in ("and", ",")]
    if before and all(i.begin >= either for i in items[before[-1] + 1 :]):
        # "HTN plus any of DM, CKD": all that stands before, and one of these.
        items[before[-1]] = Mark("but", items[before[-1]].begin, items[before[-1]].end)
    return [
        Mark("or", i.begin, i.end) if isinstance(i, Mark) and i.sign in (",", "but") and i.begin >= either else i
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
