"""Numbers that are compared: told of the name beside them, or, where it has none, that nothing compares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from search_stack.core.amounts import MASS, SHARE, SIZES, Amount
from search_stack.language.amounts import counts_else, is_valued, may_have, paired_with, scaled, test_of, unit_names
from search_stack.language.lexicon.concepts import CONDITIONS, Concept
from search_stack.language.lexicon.mention import Mention
from search_stack.language.units import NUMBER, UNIT, number_of, number_text, unit_of
from search_stack.query.items import Notice, Part
from search_stack.query.nodes import Finding, Node, Not, Words
from search_stack.query.number_words import TWO_TO_TEN
from search_stack.query.plain.stretch import Said, Stretch
from search_stack.query.plain.usual import usual_of
from search_stack.query.tree import all_of, any_of, mapped, not_

_ABOVE = r"over|above|(?:more|greater|higher|larger|bigger|heavier)\s+than|exceeding|in\s+excess\s+of"
_BELOW = r"under|below|(?:less|lower|smaller|fewer)\s+than"
SIGNS = {
    ">=": rf">\s?=|≥|at\s+least|(?:not|no)\s+(?:{_BELOW})|(?:{_ABOVE})\s+or\s+equal(?:\s+to)?"
    rf"|(?:equal(?:\s+to)?|at)\s+or\s+(?:{_ABOVE})",
    "<=": rf"<\s?=|≤|at\s+most|(?:not|no)\s+(?:{_ABOVE})|(?:{_BELOW})\s+or\s+equal(?:\s+to)?"
    rf"|(?:equal(?:\s+to)?|at)\s+or\s+(?:{_BELOW})",
    ">": rf">|{_ABOVE}",
    "<": rf"<|{_BELOW}",
}
"""The longer first."""
ANY_SIGN = "|".join(SIGNS.values())
_UNIT_BEHIND = rf"(?:\s{{0,2}}-?(?P<unit>{UNIT})(?:(?<=g)\s?/\s?(?:d(?:ay)?|24\s?h(?:rs?|ours?)?)(?!\w))?)?"
_REFUSALS = frozenset(("refuses", "refused", "declines", "declined"))
"""As a denial is written out that somebody typed otherwise: "won't wear CPAP"."""
_DENIALS = frozenset(("no", "not", "without", "w/o", "denies", "never", "not on", "not taking", "not receiving"))
_LISTS, _ALTERNATIVES = frozenset((",", ";", "and", "&")), frozenset(("or", "nor"))
_SIGNED = re.compile(
    rf"(?:(?<![\w<>])|(?<=[^\W\d_])(?=[<>≤≥])|(?<=[^\W\d_]\d)(?=[<>≤≥]))(?P<sign>{ANY_SIGN})\s{{0,3}}(?P<first>-?(?:{NUMBER})|an?(?=\s+(?:{UNIT})))(?![\d:])"
    rf"(?P<pair>/\d+)?{_UNIT_BEHIND}(?!\w|\s?x\b)",
    re.IGNORECASE,
)
_PLUS = r"(?:\+(?!\w)|\s\+(?!\w|\s+\w))"
"""Behind a number "or more", and no sign before what else there is: "ECOG 2 + anemia"."""
_OR_MORE = re.compile(
    rf"(?<![\w./-])(?P<first>{NUMBER})(?P<pair>/\d{{2,3}})?{_UNIT_BEHIND}(?:{_PLUS}|\s+(?:or|and)\s+(?:(?:higher|above|more|greater|over|larger|bigger|worse"
    r"|up|later|beyond)|(?P<less>lower|less|below|under|smaller|fewer|better))(?:\s+than)?(?!\s+(?:\w+\s+)?(?:\d|notes?|times?|visits?)))(?!\w)",
    re.IGNORECASE,
)
_DOSE_OR_MORE = re.compile(
    rf"(?<![\w./-])(?:{NUMBER})[\s-]?(?:mg|mcg|µg|ug|g|units?|iu|mmol|tabs?|tablets?|puffs?|drops?|days?|weeks?|wks?|months?|years?|yrs?|hours?|hrs?)"
    r"(?:\s?/\s?(?:d(?:ay)?|kg|24\s?h)|\s+(?:daily|(?:a|per)\s+(?:day|week)|od|bd|bid|tds|tid|qid))?"
    r"(?P<more>\s+(?:or|and)\s+(?:more|higher|above|greater|over|longer|less|lower|below|under|shorter)|\s?\+)(?!\w|\s+(?:than|the)\b)",
    re.IGNORECASE,
)
"""Of a dose or a duration, which no number tells: "40 mg daily or more", "3 weeks or longer"."""
_GRADED = re.compile(
    r"(?<!\w)[ivx]{1,4}(?P<or>" + _PLUS + r"|\s+or\s+(?:higher|above|more|greater|lower|less|below|worse)(?!\w))",
    re.IGNORECASE,
)
"""Grades in Roman figures, of which no number tells."""
_BETWEEN = re.compile(
    rf"(?<![\w./-])(?P<between>between\s{{1,3}})?(?P<first>{NUMBER})\s?%?\s?(?(between)(?:and|to|-|–)|(?:-|–|\bto\b))\s?(?P<second>{NUMBER})"
    rf"(?![\d/:-]){_UNIT_BEHIND}(?!\w)",
    re.IGNORECASE,
)
_OUT_OF = ("/10", "/15", "/30")
_LINK = re.compile(
    r"(?:[\s:=,]|\b(?:is|was|of|at|levels?|scores?|values?|results?|counts?|size|diameter|measuring|sized|that|which|an?|with|went|goes|gone|going|rose|rises|risen|rising|fell|falls|fallen|dropped|drops|climbed|got"
    r"|peaked|reached|stayed|remained|still|now|has|had|been|ever|to|up|down)\b)*",
    re.IGNORECASE,
)
_SUCH = re.compile(
    r"\s+(?:unintentional(?:ly)?|unintended|unexplained|involuntary|unplanned|sudden|acute|severe|progressive)\s*",
    re.IGNORECASE,
)
"""What may stand between a name and its number, and is looked for as a word: "weight loss unintentional > 10%"."""
_JOINED = re.compile(r"\s*(?:/|\bor\b|\band/or\b|\band\b)\s*", re.IGNORECASE)
_MULTIPLE = re.compile(
    rf"(?:(?P<sign>{ANY_SIGN})\s{{0,3}})?(?<![\w.])(?P<many>\d{{1,2}}(?:\.\d+)?)\s?(?:x|×|\*|times)\s*(?:the\s+)?"
    r"(?:uln|upper\s+limits?(?:\s+of\s+(?:the\s+)?normal(?:\s+range)?)?|normal)(?!\w)",
    re.IGNORECASE,
)
"""So many times what a test tells at most in health."""
_BASELINE = r"\s+(?:from|above|over|below)\s+(?:the\s+)?baseline(?!\w)"
_CHANGED_BY = re.compile(
    rf"\s+(?:(?:has|have|had|is|was|that)\s+)?(?:(?:rise|increase|fall|drop|decrease|decline|reduction|change)(?P<noun>)|rises|rising|rose|risen"
    r"|increas(?:es|ed|ing)|falls|falling|fell|fallen|drops|dropped|dropping|decreas(?:es|ed|ing)|declin(?:es|ed|ing)|reduced|changed)"
    rf"(?P<much>\s+(?:by|(?(noun)of|by))\s+(?:(?:{ANY_SIGN}|about|around)\s*)?(?:{NUMBER})(?:\s?%|\s?-?(?:{UNIT}))?(?!\w)"
    rf"(?:{_BASELINE})?|(?(noun)\s*(?:{ANY_SIGN})\s*(?:{NUMBER})(?:\s?%(?:{_BASELINE})?|{_BASELINE})|(?!)))",
    re.IGNORECASE,
)
"""Behind a test, by how much it changed; "rose to 3" is a value."""
_WORD_BEHIND = re.compile(r"[\s-]*[a-z]+", re.IGNORECASE)
_LINK_BEHIND = re.compile(r"[\s-]*(?:of\s+)?(?:an?\s+|the\s+)?", re.IGNORECASE)


_MORE = re.compile(
    rf"(?<!\w)(?:\d[\d.+]*|{TWO_TO_TEN})(?:[\s-]?(?:hours?|hrs?|days?|weeks?|wks?|months?|years?|yrs?))?"
    r"(?P<more>\s+(?:or|and)\s+(?:more|higher|above|greater|worse|older|longer|later|less|fewer|lower|below|shorter|younger))(?!\w|\s+than\b)",
    re.IGNORECASE,
)
"""Behind any number: "cough for 2 weeks or more"."""


_SAMPLES = (
    r"(?:csf|cerebrospinal|urine|urinary|peritoneal|ascitic|ascites|pleural|synovial|joint|pericardial|amniotic|bal"
    r"|dialysate)"
)
_SAMPLE = re.compile(rf"(?<!\w){_SAMPLES}(?:\s+fluid)?\s+$", re.IGNORECASE)
_SAMPLE_WORD = re.compile(_SAMPLES, re.IGNORECASE)
_OF_SAMPLE = re.compile(
    rf"(?:\s+(?:counts?|levels?))?[\s:=]*(?:of\s+|is\s+)?(?:{ANY_SIGN})?\s*(?:{NUMBER})(?:\s?%)?(?![\w/])",
    re.IGNORECASE,
)
_STRAY_UNIT = re.compile(
    r"\s*(?P<unit>[mµun]?(?:g|mol|iu|u|l|eq)/[mµundk]?(?:g|mol|l|h|hr|min|day|24h)"
    r"|(?:cells?|copies)?\s?(?:/|per)\s?(?:c?mm(?:3|³|\^3)|(?:cubic\s+milli|micro)(?:metre|meter|litre|liter)|[mµu]?l)|(?:cells|copies))(?![\w/])",
    re.IGNORECASE,
)
"""One that no number tells apart: "UACR > 300 mg/g", "CD4 < 200 cells/mm3"."""
_INJURED = frozenset(("injury", "dystocia"))
"""What comes of a weight, and has none."""
_BIRTH_WEIGHT = "birth weight"
_OF_BIRTH = re.compile(
    r"\b(?:dystocia|brachial\s+plexus|erb'?s?|macrosomi\w*|newborns?|neonat\w+|bab(?:y|ies)|birth|deliver\w+|forceps|ventouse|vacuum)\b",
    re.IGNORECASE,
)
_HEAVIEST = 7_000
"""Grams that somebody may be born with."""
_QUALIFIED = re.compile(r"\s+(?P<by>systolic|(?:of\s+)?predicted)(?!\w)", re.IGNORECASE)
"""Behind a number, how it was taken."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A number that is compared, and where in the shadow."""

    begin: int
    end: int
    amount: Amount
    out_of: bool
    """Whether it is a score out of so many: "7/10"."""
    words: tuple[int, int] | None
    """Those that only compare, where they are no signs."""
    second: Amount | None = None
    """Of the number behind a stroke: "over 180/110"."""

    @property
    def one_sided(self) -> bool:
        return self.amount.least is None or self.amount.most is None


def amounts(s: Stretch) -> None:
    """Each comparison with a name beside it is taken for its amount, and for those of tests that share it."""
    of_samples(s)
    _multiples(s)
    _changes(s)
    for found in _found(s):
        if named := _named(s, found):
            mention, begin, end = named
            place = s.shadow.span(begin, end)
            at = _place(s, mention)
            if at in s.amounts:
                continue  # "eos > 300, >= 2 flares" are no two eosinophils.
            s.amounts[at] = scaled(mention.concept, found.amount), place
            for other in _sharing(s, mention) if mention.end <= found.begin else ():
                amount, usual = scaled(other.concept, found.amount), usual_of(other.concept)
                bounds = [n for n in (amount.least, amount.most) if n is not None]
                if usual and all(map(usual.may_be, bounds)):
                    s.amounts[_place(s, other)] = amount, s.shadow.span(other.begin, other.end)
            if found.second and (paired := paired_with(mention.concept)):
                s.seconds[at] = Finding(s.known.name_of(paired), amount=found.second)
            if begin < mention.begin and mention.end < end:  # "30 pack years or more"
                s.shadow = s.shadow.blank(mention.end, end)
            s.shadow = s.shadow.blank(begin, mention.begin if begin < mention.begin < end else end)
            if stray := _STRAY_UNIT.match(s.shadow.text, found.end):
                s.leave_aside(*stray.span("unit"))
            if qualified := _QUALIFIED.match(s.shadow.text, found.end):
                s.leave_aside(*qualified.span("by"))
        elif _is_birth_weight(s, found):
            place = s.shadow.span(found.begin, found.end)
            s.parts.append(Part(Finding(_BIRTH_WEIGHT, amount=found.amount), *place))
            typed = s.typed(*place)
            s.reading.notices.append(Notice("field", f'"{typed}" was read as that number of {_BIRTH_WEIGHT}.', typed))
            s.shadow = s.shadow.blank(found.begin, found.end)


def _is_birth_weight(s: Stretch, found: Comparison) -> bool:
    """Whether it is the weight of a newborn: "shoulder dystocia > 4.5 kg"."""
    number = found.amount.least or found.amount.most or 0
    known = s.known.lexicon.find(_BIRTH_WEIGHT) is not None
    return known and found.amount.unit == MASS and number < _HEAVIEST and _OF_BIRTH.search(s.shadow.text) is not None


def of_samples(s: Stretch) -> None:
    """A test of a sample is not that of the blood: "CSF WBC > 5" is looked for as it is written, which is told."""
    for mention in s.mentions():
        sample = _SAMPLE.search(s.shadow.text, 0, mention.begin)
        number = _OF_SAMPLE.match(s.shadow.text, mention.end)
        concept = s.known.lexicon.concepts[mention.concept]
        if not sample or not number or concept.kind != "procedure" or _is_of_sample(concept):
            continue
        place = s.shadow.span(sample.start(), number.end())
        typed = s.typed(*place)
        how = "a number of a sample is looked for as it is written."
        s.reading.notices.append(Notice("field", f'"{typed}" compares nothing: {how}', typed))
        s.parts.append(Part(Words(typed.lower()), *place))
        s.shadow = s.shadow.blank(sample.start(), number.end())


def _is_of_sample(concept: Concept) -> bool:
    """Whether it is measured in a sample, as its names tell: "urine ACR"."""
    return any(map(_SAMPLE_WORD.search, (concept.name, *concept.synonyms, *concept.phrases)))


def _place(s: Stretch, mention: Mention) -> int:
    return s.shadow.span(*mention.parts[-1])[1]


def _sharing(s: Stretch, last: Mention) -> list[Mention]:
    """Tests before ``last`` that have no number of their own: "AST or ALT over 100"."""
    out: list[Mention] = []
    while True:
        begin = out[-1].begin if out else last.begin
        before = (m for m in s.mentions() if m.end < begin and _JOINED.fullmatch(s.shadow.text, m.end, begin))
        one = next((m for m in before if s.known.is_of(m, "procedure")), None)
        if one is None or _place(s, one) in s.amounts or not is_valued(one.concept, s.known.lexicon):
            return out
        out.append(one)


def _multiples(s: Stretch) -> None:
    """ "ALT > 3x ULN" as the number that it comes to, which is told."""
    for found in list(_MULTIPLE.finditer(s.shadow.text)):
        sign = next((k for k, words in SIGNS.items() if re.fullmatch(words, found["sign"] or "", re.IGNORECASE)), ">=")
        ahead = [m for m in s.mentions() if _LINK.fullmatch(s.shadow.text, m.end, found.start())]
        last = next((m for m in ahead if not m.denial and usual_of(m.concept)), None)
        if last is None:
            continue
        place = s.shadow.span(*found.span())
        for one in (last, *_sharing(s, last)):
            if (usual := usual_of(one.concept)) and usual.high:
                number = round(float(found["many"]) * usual.high, 4)
                own = place if one is last else s.shadow.span(one.begin, one.end)
                s.amounts[_place(s, one)] = Amount.by_sign(sign, number, number, ""), own
                typed, name = s.typed(*place), s.known.name_of(one.concept)
                limit = f"with {number_text(usual.high)} as the limit"
                told = f'"{typed}" was read as {sign} {number_text(number)} of {name}, {limit}.'
                s.reading.notices.append(Notice("field", told, typed))
        s.shadow = s.shadow.blank(*found.span())


def _changes(s: Stretch) -> None:
    """By how much a test changed is told to be compared by nothing, and no value: "creatinine rise > 50%", "Hb drop of
    20"; that it changed stays asked for."""
    if not _CHANGED_BY.search(s.shadow.text):
        return
    ends = {m.end for m in s.mentions() if is_valued(m.concept, s.known.lexicon)}
    for found in list(_CHANGED_BY.finditer(s.shadow.text)):
        if found.start() not in ends:
            continue
        s.leave_aside(*found.span("much"), "by how much a value changed is not compared")


def compared(s: Stretch) -> None:
    """Every other comparison is told, one of a dose or of how long something lasted too, and words that only compare
    left aside."""
    for found in list(comparisons(s.shadow.text)):
        if found.one_sided:
            _tell(s, found)
    for dose in list(_DOSE_OR_MORE.finditer(s.shadow.text)):
        _tell_as_written(s, *dose.span(), lasts=True)
        s.leave_aside(*dose.span("more"))
    for grade in list(_GRADED.finditer(s.shadow.text)):
        s.leave_aside(*grade.span("or"))
    for number in list(_MORE.finditer(s.shadow.text)):
        s.leave_aside(*number.span("more"))


def _found(s: Stretch) -> list[Comparison]:
    text = s.shadow.text
    if not any(c.isdigit() for c in text) and not _SIGNED.search(text):
        return []
    return [found for found in comparisons(text) if not counts_else(text, found.end)]


def comparisons(text: str) -> Iterator[Comparison]:
    """Those of ``text``, one after the other; no two overlap."""
    taken = 0
    each = [*_SIGNED.finditer(text), *_OR_MORE.finditer(text), *_BETWEEN.finditer(text)]
    for found in sorted(each, key=lambda m: (m.start(), -m.end())):
        if found.start() >= taken:
            taken = found.end()
            yield _comparison(found)


def _comparison(found: re.Match[str]) -> Comparison:
    parts = found.groupdict()
    unit, factor = unit_of(parts["unit"] or "")
    first = number_of(parts["first"]) * factor if parts["first"][-1].isdigit() else factor
    if parts.get("second"):
        low, high = sorted((first, number_of(parts["second"]) * factor))
        return Comparison(*found.span(), Amount.by_sign("=", low, high, unit), False, None)
    sign = ">=" if not parts.get("less") else "<="
    words: tuple[int, int] | None = max(found.end(g) for g in ("first", "pair", "unit") if parts.get(g)), found.end()
    if typed := parts.get("sign"):
        sign = next(s for s, words_for in SIGNS.items() if re.fullmatch(words_for, typed, re.IGNORECASE))
        words = found.span("sign") if typed[0].isalpha() else None
    amount, pair = Amount.by_sign(sign, first, first, unit), parts.get("pair")
    second = Amount.by_sign(sign, float(pair[1:]), float(pair[1:]), unit) if pair else None
    return Comparison(*found.span(), amount, pair in _OUT_OF, words, second)


def _named(s: Stretch, found: Comparison) -> tuple[Mention, int, int] | None:
    """What the amount is told of, and where its words begin and end."""
    text, amount = s.shadow.text, found.amount
    if unit_names(amount.unit):
        inside = (m for m in s.mentions() if found.begin < m.begin < found.end)
        if own := next((m for m in inside if _may_have(s, m, found)), None):
            return own, found.begin, found.end
    if before := name_before(s, found):
        between = _LINK.fullmatch(text, before.end, found.begin)
        return before, before.end if between else found.begin, found.end
    behind = [m for m in s.mentions() if m.begin >= found.end and _LINK_BEHIND.fullmatch(text, found.end, m.begin)]
    for mention in sorted(behind, key=lambda m: (m.begin, -m.end)):
        if amount.unit in SIZES and _may_have(s, mention, found):
            return mention, found.begin, mention.begin
    return None


def name_before(s: Stretch, found: Comparison) -> Mention | None:
    """The name before the comparison that it is told of."""
    text = s.shadow.text
    ahead = [m for m in s.mentions() if m.end <= found.begin and _LINK.fullmatch(text, m.end, found.begin)]
    ahead = ahead or [m for m in s.mentions() if m.end <= found.begin and _SUCH.fullmatch(text, m.end, found.begin)]
    return next((m for m in sorted(ahead, key=lambda m: (-m.end, m.begin)) if _may_have(s, m, found)), None)


def _may_have(s: Stretch, mention: Mention, found: Comparison) -> bool:
    unit = found.amount.unit
    if named := unit_names(unit):
        return not mention.denial and named in (mention.concept, *s.known.lexicon.ancestors(mention.concept))
    if mention.denial or not may_have(mention.concept, s.known.lexicon):
        return False
    if is_valued(mention.concept, s.known.lexicon):
        return unit not in SIZES or unit == SHARE
    if unit == MASS and not _INJURED.isdisjoint((mention.concept, *s.known.lexicon.ancestors(mention.concept))):
        return False
    return unit in SIZES or found.out_of


def _tell(s: Stretch, found: Comparison) -> None:
    """That the number is asked for as it is written."""
    text, end = s.shadow.text, found.end
    lasts = counts_else(text, end)
    if lasts and (word := _WORD_BEHIND.match(text, end)):
        end = word.end()
    _tell_as_written(s, found.begin, end, lasts)
    if found.words:  # No note has to say "over" beside the number.
        s.leave_aside(*found.words)


def _tell_as_written(s: Stretch, begin: int, end: int, lasts: bool) -> None:
    typed = s.typed(*s.shadow.span(begin, end))
    how = (
        "how long something lasts, and a dose, are looked for as they are written."
        if lasts
        else "a number is looked for as it is written. Facts compare: fact:loinc:718-7<8."
    )
    s.reading.notices.append(Notice("field", f'"{typed}" compares nothing: {how}', typed))


def with_amounts(s: Stretch, said: Sequence[Said]) -> list[Said]:
    """The findings with the amounts that stand beside them; those of none are told and left aside."""
    out, taken = [], set()
    for one in said:
        at = amount_at(s, one.mention)
        if at is not None and _is_of_its_own(s, one):
            one = replace(one, node=Finding(s.known.name_of(one.mention.concept)), trigger=None, excludes=False)
        node = _with_amount(_of_test(s, one, at), s.amounts[at][0]) if at is not None else None
        if at is not None and node is not None:
            taken.add(at)
            node = _paired(node, s.seconds[at], at in s.together) if at in s.seconds else node
            if (
                isinstance(node, Finding)
                and node.assertion == "possible"
                and not s.known.is_of(one.mention, *CONDITIONS)
            ):
                node = replace(node, assertion="present")  # Nobody guesses a number: "?sepsis, lactate > 4"
            one = replace(one, node=node, amount=s.amounts[at][1])
        out.append(one)
    for at, (_, place) in s.amounts.items():
        if at not in taken:
            typed = s.typed(*place)
            message = f'"{typed}" compares nothing: there is nothing beside it that has a value.'
            s.reading.notices.append(Notice("field", message, typed))
            s.reading.aside.append(place)
    return out


def _of_test(s: Stretch, one: Said, at: int) -> Node:
    """What is said, of the test whose number stands beside it, which is told: "hyponatremia < 125" is the sodium."""
    test = test_of(one.mention.concept, s.known.lexicon)
    if test == one.mention.concept:
        return one.node
    own, name = s.known.name_of(one.mention.concept), s.known.name_of(test)
    begin, end = s.shadow.span(one.mention.begin, one.mention.end)[0], s.amounts[at][1][1]
    typed = s.typed(begin, end)
    if not any(notice.typed == typed for notice in s.reading.notices):
        s.reading.notices.append(Notice("field", f'"{typed}" was read as that number of {name}.', typed))
    return mapped(
        one.node, lambda leaf: replace(leaf, name=name) if isinstance(leaf, Finding) and leaf.name == own else leaf
    )


def _is_of_its_own(s: Stretch, one: Said) -> bool:
    """Whether what is compared stands behind a denial of something else: "no fever, lactate > 4", "not on CPAP BMI >
    35"."""
    if not one.denies or one.trigger is None or one.trigger[1] > one.first:
        return False
    begin, end = s.shadow.span(s.starts[one.trigger[0]], s.ends[one.trigger[1] - 1])
    written = s.tokens[one.trigger[0] : one.trigger[1]]
    if s.line[begin:end].lower() not in _DENIALS and _REFUSALS.isdisjoint(written):
        return False  # "Exclude pregnancy, eGFR < 30" excludes both.
    between = s.tokens[one.trigger[1] : one.first]
    if not _ALTERNATIVES.isdisjoint(between):
        return False
    other = max((m.end for m in s.mentions() if m.end < one.mention.begin), default=0)
    denied = s.starts[one.trigger[1]] < other
    return not _LISTS.isdisjoint(between) or (denied and not s.shadow.text[other : one.mention.begin].strip())


def amount_at(s: Stretch, mention: Mention) -> int | None:
    """Under which place there is an amount of what is named; None where there is none."""
    places = [s.shadow.span(*part) for part in mention.parts]
    return next((at for at in s.amounts if any(begin < at <= end for begin, end in places)), None)


def _paired(node: Node, second: Finding, together: bool) -> Node:
    """With what is told behind a stroke: a pressure over 180/110 is so in either number, one under 90/60 in
    both, and so is one of 180/110."""
    if isinstance(node, Not):
        return not_(_paired(node.child, second, together))
    above = not together and second.amount is not None and second.amount.most is None
    return any_of([node, second]) if above else all_of([node, second])


def _with_amount(node: Node, amount: Amount) -> Node | None:
    """Of a finding that is denied, or left out, those who have so much are left out: "no nodule over 1 cm"."""
    if isinstance(node, Not):
        told = _with_amount(node.child, amount)
        return not_(told) if told else None
    if not isinstance(node, Finding):
        return None
    if node.assertion == "absent":
        return not_(replace(node, assertion="present", amount=amount))
    return replace(node, amount=amount)
