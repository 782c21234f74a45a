"""Numbers that a sentence tells of what it names ("creatinine of 3.2", "a 3 cm mass"), by ``amounts.toml``. Pure."""

from __future__ import annotations

import math
import re
import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from search_stack.core.amounts import SHARE, SIZES, Amount
from search_stack.language.lexicon.concepts import VITAL_SIGN, Lexicon
from search_stack.language.lexicon.mention import Mention
from search_stack.language.units import DIGIT, NUMBER, UNIT, number_of, unit_of

SIZED = frozenset(("finding", "disorder", "symptom"))
"""Kinds of which a size is told; beside others stand doses, volumes and sizes of what is put in."""
FARTHEST = 60
"""Characters between a name and its number."""
_MOST_WORDS = 5
"""Words between a size and the name behind it: "a 5 cm infrarenal abdominal aortic aneurysm"."""
_TOLD = re.compile(
    rf"(?:(?P<than><=|>=|<|>|≤|≥|(?:less|lower|smaller)\s+than|under|below|(?:more|greater|higher|larger)\s+than|over|above"
    rf"|at\s+least|at\s+most)\s{{0,3}}|(?P<between>\bbetween)\s{{1,3}})?(?<![\w./:+#-])(?P<first>{NUMBER})(?![\d:]|\.\d|/\d{{1,4}}/)"
    rf"(?:(?P<sum>\s?\+\s?(?P<added>\d)(?!\d)(?:\s?=\s?\d+)?)|(?P<by>(?:\s{{0,2}}(?:cm|mm)?\s{{0,2}}(?:[x×]|by)\s{{0,2}}(?:{NUMBER})){{1,2}})"
    rf"|(?:\s{{0,2}}(?:{UNIT}))?\s{{0,2}}(?:[-–]|\bto\b|(?(between)and|\bto\b)|-{{1,2}}>|→)\s{{0,2}}(?P<second>{NUMBER})(?![\d:]|/\d))?"
    rf"(?P<of>\s?(?:/\s?|out\s+of\s+)(?:10|15|30)(?!\d))?(?:/(?P<pair>\d{{2,3}})(?![\d/]))?(?!/\d)(?:[\s-]{{0,6}}(?P<unit>{UNIT}))?(?![\w])",
    re.IGNORECASE,
)
_AND_DAYS = r"(?:\s?[+]\s?\d|\s\d/7)?"
_WEEKS = re.compile(rf"{_AND_DAYS}[\s-]?(?:weeks?|wks?|w(?:\d\s?d)?)(?!\w)", re.IGNORECASE)
"""Behind a number, how far a pregnancy is: "34+2 weeks", "34w2d"."""
_BELOW_ZERO = re.compile(rf"(?:(?<=[\s:=(])|(?<=score))[-−–](?P<n>{NUMBER})(?![\d.]*\d)")
_DAYS = re.compile(rf"{_AND_DAYS}(?:[\s-]?(?:weeks?|wks?)\b)?['’]?[\s-]{{0,3}}", re.IGNORECASE)
"""Between the number of weeks and what tells that they are of a pregnancy."""
_ARROW = re.compile(r"->|→")
_NUMBER = re.compile(NUMBER)
_SIGNS = {
    **dict.fromkeys(("less than", "lower than", "smaller than", "under", "below"), "<"),
    **dict.fromkeys(("more than", "greater than", "higher than", "larger than", "over", "above"), ">"),
    **dict.fromkeys(("≤", "at most"), "<="),
    **dict.fromkeys(("≥", "at least"), ">="),
}
_CHANGED = re.compile(
    r"\b(?:from|increased|decreased|rose|risen|fell|dropped|went|grown|improved|worsened)\b", re.IGNORECASE
)
_SIDE_BY_SIDE = re.compile(r"\s*(?:/|,|&|\band\b|,\s*and\b)\s*", re.IGNORECASE)
_DATE = r"\b(?:on\s+)?\d{1,2}/\d{1,2}(?:/\d{2,4})?\b"
_WORD = re.compile(r"[a-z][a-z.]*")
_BEHIND = re.compile(r"[\s-]*([a-z][a-z.]*)(?!/)")

WISH = 20
"""Characters before a name in which a word of `wished` may stand."""


@dataclass(frozen=True, slots=True)
class Told:
    """A number of a text, or two between which something changed."""

    begin: int
    end: int
    amounts: tuple[Amount, ...]
    out_of: bool
    """Whether it is a score out of so many: "8/10"."""
    second: float | None
    """What stands behind a stroke: "180/110"."""
    in_weeks: bool = False

    @property
    def pair(self) -> bool:
        return self.second is not None

    @property
    def unit(self) -> str:
        return self.amounts[0].unit

    @property
    def is_size(self) -> bool:
        return self.unit in SIZES


@dataclass(frozen=True, slots=True)
class _Scale:
    concepts: frozenset[str]
    low: float
    high: float
    times: float
    plus: float
    units: frozenset[str]
    """Where one of them is told, whatever the number; another one tells that it is in no such scale. Any where there
    are none."""

    def holds(self, number: float, unit: str) -> bool:
        if unit and self.units:
            return unit in self.units
        return self.low <= number <= self.high


@dataclass(frozen=True, slots=True)
class _Table:
    valued: frozenset[str]
    scores: frozenset[str]
    pairs: frozenset[str]
    second: str
    units: Mapping[str, str]
    weeks: frozenset[str]
    signed: frozenset[str]
    joins: re.Pattern[str]
    degree: re.Pattern[str]
    measures: re.Pattern[str]
    not_after: frozenset[str]
    wished: re.Pattern[str]
    apart: frozenset[str]
    scales: tuple[_Scale, ...]
    told_as: Mapping[str, tuple[str, ...]]
    tells_of: Mapping[str, tuple[str, ...]]


@cache
def _table() -> _Table:
    raw = tomllib.loads((files("search_stack.language") / "amounts.toml").read_text(encoding="utf-8"))
    return _Table(
        frozenset(raw["valued"]),
        frozenset(raw["scores"]),
        frozenset(raw["pairs"]),
        raw["second"],
        raw["units"],
        frozenset(raw["weeks"]),
        frozenset(raw["signed"]),
        re.compile(rf"(?:[\s:=,(~-]|{_any(raw['joins'])}|{_DATE})*", re.IGNORECASE),
        re.compile(rf"(?:[\s:=]|{_any(raw['degree'])})*", re.IGNORECASE),
        re.compile(rf"{_any(raw['measures'])}", re.IGNORECASE),
        frozenset(raw["not_after"]),
        re.compile(rf"(?:{_any(raw['wished'])})[\s:]*(?:(?:for|of|a|the)\s+)?\Z", re.IGNORECASE),
        frozenset(raw["apart"]),
        tuple(
            _Scale(
                frozenset(s["concepts"]),
                s["range"][0] if "range" in s else math.inf,
                s["range"][1] if "range" in s else -math.inf,
                s["times"],
                s.get("plus", 0.0),
                frozenset(s.get("units", ())),
            )
            for s in raw["scales"]
        ),
        {concept: tuple(others) for concept, others in raw["told_as"].items()},
        {other: (concept,) for concept, others in raw["told_as"].items() for other in others},
    )


def _any(words: Iterable[str]) -> str:
    each = sorted(words, key=len, reverse=True)
    return "|".join(rf"\b{re.escape(w)}\b".replace(r"\ ", r"\s+") for w in each)


def is_valued(concept: str, lexicon: Lexicon) -> bool:
    """Whether a number alone is a value of it, as in "hemoglobin 7.1"."""
    valued = _table().valued
    return any(c in valued or not valued.isdisjoint(lexicon.ancestors(c)) for c in tells_of(concept))


def is_score(concept: str, lexicon: Lexicon) -> bool:
    """Whether a question tells its number right behind its name, as in "Gleason 8"."""
    scores = _table().scores
    return concept in scores or not scores.isdisjoint(lexicon.ancestors(concept))


def may_have(concept: str, lexicon: Lexicon) -> bool:
    """Whether a number may tell an amount of it."""
    return lexicon.concepts[concept].kind in (*SIZED, VITAL_SIGN) or is_valued(concept, lexicon)


def is_wished(text: str, begin: int, at: int) -> bool:
    """Whether the number of what is named ``at`` is one to be reached: "goal BP below 140/90"."""
    return _table().wished.search(text[max(begin, at - WISH) : at]) is not None


def unit_names(unit: str) -> str:
    """The concept that a number in the unit tells of, where the unit is a name of it: pack-years; else empty."""
    return _table().units.get(unit, "")


def paired_with(concept: str) -> str:
    """The concept of the second number that is told with it, "BP 180/110"; empty where none is."""
    return _table().second if concept in _table().pairs else ""


def told_as(concept: str) -> tuple[str, ...]:
    """Other concepts under which notes tell amounts of it: "elevated creatinine of 3.2"."""
    return _table().told_as.get(concept, ())


def tells_of(concept: str) -> tuple[str, ...]:
    """``concept``, and what its amounts are amounts of besides."""
    return (concept, *_table().tells_of.get(concept, ()))


def test_of(concept: str, lexicon: Lexicon) -> str:
    """The test of which a number beside ``concept`` tells, which has none by itself: the sodium of hyponatremia; of
    what has its own, it."""
    valued = _table().valued
    own = concept in valued or not valued.isdisjoint(lexicon.ancestors(concept))
    return concept if own else tells_of(concept)[-1]


def may_be_below_zero(concept: str) -> bool:
    return not _table().signed.isdisjoint(tells_of(concept))


def scaled(concept: str, amount: Amount) -> Amount:
    """``amount`` of ``concept`` in the unit in which most tell it, where its number alone says that it is in another:
    platelets of 42 are 42,000, a fever of 102 is one of 38.9."""
    for scale in _table().scales:
        number = amount.least if amount.least is not None else amount.most
        if not scale.concepts.isdisjoint(tells_of(concept)) and number is not None and scale.holds(number, amount.unit):
            each = (amount.least, amount.most)
            least, most = (None if n is None else round(n * scale.times + scale.plus, 4) for n in each)
            return replace(amount, least=least, most=most, unit="")
    return amount


def with_amounts(text: str, begin: int, end: int, mentions: Sequence[Mention], lexicon: Lexicon) -> list[Mention]:
    """``mentions`` of ``text[begin:end]``, in their order, each with the amounts that are told of it.

    >>> from search_stack.language.lexicon.concepts import Concept
    >>> lexicon = Lexicon([Concept("mass", "mass", "finding")])
    >>> [m.amounts for m in with_amounts("A 3 cm mass.", 0, 12, [Mention("mass", 7, 11, ((7, 11),))], lexicon)]
    [(Amount(least=30.0, most=30.0, unit='mm', beyond=False),)]
    """
    takers = (
        [n for n, m in enumerate(mentions) if may_have(m.concept, lexicon) and not is_wished(text, begin, m.begin)]
        if DIGIT.search(text, begin, end)
        else []
    )
    if not takers:
        return list(mentions)
    sentence = _Sentence(text, end, mentions, lexicon, list(numbers(text, begin, end)))
    own = sentence.of_runs() | sentence.below_zero()
    used: set[int] = set()
    seconds: dict[int, float] = {}
    for find in (sentence.inside, sentence.before, sentence.behind):
        for n in takers:
            if n not in own:
                number = find(n)
                if number is not None and number not in used:
                    used.add(number)
                    own[n] = sentence.found[number].amounts
                    if (second := sentence.found[number].second) is not None:
                        seconds[n] = second
    out = []
    for n, m in enumerate(mentions):
        out.append(replace(m, amounts=tuple(scaled(m.concept, a) for a in own[n])) if n in own else m)
        if n in seconds and _table().second in lexicon.concepts:
            amount = Amount(seconds[n], seconds[n])
            out.append(replace(m, concept=_table().second, names=(), amounts=(amount,)))
    return out


def numbers(text: str, begin: int, end: int) -> Iterator[Told]:
    """The numbers of ``text[begin:end]`` that may be amounts: no dates, times, doses or counts."""
    for m in _TOLD.finditer(text, begin, end):
        in_weeks = not m["unit"] and _WEEKS.match(text, m.end()) is not None
        if not m["unit"] and not in_weeks and counts_else(text, m.end()):
            continue
        unit, factor = unit_of(m["unit"] or "")
        first = number_of(m["first"])
        if m["sum"] and in_weeks:
            amounts = [Amount(first, first)]  # "34+2 weeks"
        elif m["sum"]:
            amounts = [Amount(first + float(m["added"]), first + float(m["added"]))]
        elif m["by"]:
            most = max(first, *(number_of(n[0]) for n in _NUMBER.finditer(m["by"])))
            amounts = [Amount(most * factor, most * factor, unit)]
        elif m["second"]:
            second = number_of(m["second"])
            pair = sorted((first * factor, second * factor))
            between = text[m.end("first") : m.start("second")]
            if _ARROW.search(between) or _CHANGED.search(text[max(begin, m.start() - 30) : m.start("first")]):
                amounts = [Amount(n, n, unit) for n in pair]
            else:
                amounts = [Amount(pair[0], pair[1], unit)]
        else:
            than = " ".join((m["than"] or "=").lower().split())
            amounts = [Amount.by_sign(_SIGNS.get(than, than), first * factor, first * factor, unit)]
        other = float(m["pair"]) if m["pair"] else None
        yield Told(m.start(), m.end(), tuple(amounts), bool(m["of"]), other, in_weeks)


def counts_else(text: str, at: int) -> bool:
    """Whether the word behind a number that ends at ``at`` is of a count, a dose or a time: "3 days"."""
    word = _BEHIND.match(text[at : at + 12].lower())
    return word is not None and word[1].rstrip(".") in _table().not_after


class _Sentence:
    """A sentence's names and numbers, each in their order."""

    def __init__(
        self, text: str, end: int, mentions: Sequence[Mention], lexicon: Lexicon, found: Sequence[Told]
    ) -> None:
        self.text, self.end, self.mentions, self.found = text, end, mentions, found
        self._valued = [is_valued(m.concept, lexicon) for m in mentions]
        self._begins = sorted(begin for m in mentions for begin, _ in m.parts)
        self._numbers = [told.begin for told in found]
        self._number_ends = [told.end for told in found]

    def of_runs(self) -> dict[int, tuple[Amount, ...]]:
        """Names side by side with as many numbers behind them: "BUN/creatinine 45/3.2", "AST and ALT of 120 and 95"."""
        out: dict[int, tuple[Amount, ...]] = {}
        valued = self._valued
        first = 0
        for last, mention in enumerate(self.mentions):
            after = self.mentions[last + 1] if last + 1 < len(self.mentions) and valued[last + 1] else None
            if valued[last] and after and _SIDE_BY_SIDE.fullmatch(self.text, mention.end, after.begin):
                continue
            if last > first and (values := self._side_by_side(mention.end, last - first + 1)):
                out |= {first + k: (Amount(value, value),) for k, value in enumerate(values)}
            first = last + 1
        return out

    def below_zero(self) -> dict[int, tuple[Amount, ...]]:
        """Numbers with a minus behind what may have such: "T-score of -2.7"."""
        out: dict[int, tuple[Amount, ...]] = {}
        for n, mention in enumerate(self.mentions):
            if may_be_below_zero(mention.concept):
                begin = _BELOW_ZERO.search(self.text, mention.end, min(self.end, mention.end + FARTHEST))
                if begin and _table().joins.fullmatch(self.text, mention.end, begin.start()):
                    out[n] = (Amount(-number_of(begin["n"]), -number_of(begin["n"])),)
        return out

    def _side_by_side(self, at: int, number: int) -> list[float]:
        """As many numbers, with the same sign between each; none where there are fewer."""
        behind = self.text[at : min(self.end, at + FARTHEST)]
        begin = _NUMBER.search(behind)
        if not begin or not _table().joins.fullmatch(behind, 0, begin.start()):
            return []
        values, place = [number_of(begin[0])], begin.end()
        while len(values) < number:
            sign = _SIDE_BY_SIDE.match(behind, place)
            following = _NUMBER.match(behind, sign.end()) if sign else None
            if not following:
                return []
            values.append(number_of(following[0]))
            place = following.end()
        return values

    def inside(self, n: int) -> int | None:
        """The number whose unit is the name: "a 30 pack-year history", "34 weeks pregnant"."""
        m = self.mentions[n]
        about = tells_of(m.concept)
        for k, told in enumerate(self.found):
            if told.begin < m.begin < told.end and _table().units.get(told.unit) in about:
                return k
            if told.in_weeks and self._in_weeks(n) and _DAYS.fullmatch(self.text, told.end, max(told.end, m.begin)):
                return k
        return None

    def _in_weeks(self, n: int) -> bool:
        return not _table().weeks.isdisjoint(tells_of(self.mentions[n].concept))

    def behind(self, n: int) -> int | None:
        """The number behind the name."""
        mention = self.mentions[n]
        at = bisect_left(self._numbers, mention.end)
        while at < len(self.found) and self.found[at].in_weeks and not self._in_weeks(n):
            at += 1  # "creatinine 2 weeks ago was 3"
        if at == len(self.found) or self._numbers[at] - mention.end > FARTHEST:
            return None
        paired = not _table().pairs.isdisjoint(tells_of(mention.concept))
        if self.found[at].pair and not paired:  # "creatinine on 12/10 was 2.1"
            at += 1
        if at == len(self.found) or self.found[at].pair > paired:
            return None
        told, between = self.found[at], self.text[mention.end : self._numbers[at]]
        table = _table()
        joined = table.joins.fullmatch(between) is not None  # "fell to", though it may name a fall
        if not joined and self._named(mention.end, told.begin):
            return None
        if self._valued[n]:
            fits = joined and (not told.is_size or told.unit == SHARE)
        elif told.is_size:
            fits = joined or (not set(";:\n") & set(between) and table.measures.search(between) is not None)
        else:
            fits = table.degree.fullmatch(between) is not None and (bool(between.strip()) or told.out_of)
        return at if fits else None

    def before(self, n: int) -> int | None:
        """The size before the name: "a 3 cm mass", "500 cc of blood loss"."""
        mention = self.mentions[n]
        at = bisect_right(self._number_ends, mention.begin) - 1
        if (
            at < 0
            or not self.found[at].is_size
            or self.found[at].pair
            or mention.begin - self._number_ends[at] > FARTHEST
        ):
            return None
        between = self.text[self._number_ends[at] : mention.begin].lower()
        if any(c in between for c in ".,;:()\n") or self._named(self._number_ends[at], mention.begin):
            return None
        words = _WORD.findall(between)
        words = words[1:] if words[:1] == ["of"] else words
        return at if len(words) <= _MOST_WORDS and _table().apart.isdisjoint(words) else None

    def _named(self, begin: int, end: int) -> bool:
        """Whether something else is named between."""
        at = bisect_left(self._begins, begin)
        return at < len(self._begins) and self._begins[at] < end
