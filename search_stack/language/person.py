"""Sex and age of the patient, where a note's own words say them: "65-year-old woman", "77M", "Sex: F".

What is said of relatives, donors or a newborn's mother is nobody's here, and a note that says two things says nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from search_stack.language.assertion.table import slot

FEMALE, MALE = "female", "male"
OLDEST = 110
PRONOUNS = 4
"""Of one sex in a note that has none of the other, so that they are the patient's."""
OPENING = 80
"""Characters at the beginning of a note within which a newborn is its patient, and no child of the patient."""
_EARLY = 600
"""Characters in which "this lady" is the patient."""
_BEFORE = 60
"""Characters before an age or a sex in which somebody else may be named."""
_WOMAN, _MAN = "woman|female|lady|girl", "man|male|gentleman|boy"
_WHO = rf"(?P<who>{_WOMAN}|{_MAN})"
_LETTER_ENDS = r"(?P<letter>[MF])(?![\w/'’-])"
_TITLE = r"(?:\A\s*|\b[Rr]e:?\s+)(?P<title>Mr|Mrs|Ms|Miss)\.?\s+[A-Z]"
_AGED = re.compile(
    r"(?<![\w.,/-])(?P<age>\d{1,3})[\s-]*"
    r"(?P<unit>y(?:ea)?rs?|y\.?\s?/?o\.?|years?|y|months?|mos?|weeks?|wks?|days?)(?:[\s-]*old|\s+of\s+age)?(?![\w/])"
    rf"(?:[\s,-]+(?:(?:[a-z][\w-]*\s+){{0,4}}?{_WHO}\b|{_LETTER_ENDS}))?",
    re.IGNORECASE,
)
"""A number with a unit of age, and who; a small letter m or f is nobody."""
_OLD = re.compile(r"old\b|of\s+age\b|y\.?\s?/?o\b", re.IGNORECASE)
_THING = re.compile(
    r"\s+(?:\w+\s+)?(?:fractures?|scars?|injur\w+|infarct\w*|strokes?|lesions?|grafts?|stents?|devices?|prosthe\w+|implants?|wounds?"
    r"|ulcers?|burns?|shunts?|pacemakers?|tattoos?|leads?)\b",
    re.IGNORECASE,
)
"""What may be so old, and is nobody."""
_LINE_BEGINS = re.compile(r"(?:\A|\n)\W*\Z")
_GOES_ON = re.compile(
    r"\s*(?:$|[.,;:)\n]|(?:with|who|whose|presents?|presenting|presented|admitted|seen|has|had|have|was|is|referred"
    r"|comes|came|here|status|s/p|h/o|p/w|c/o|in|for|today|pt|patient|g\d|gravida|smoker|ex-smoker|right|left|known"
    r"|diabetic|hypertensive|caucasian|white|black|asian|hispanic|african|retired|married|single|nulli\w+|primi\w+"
    r"|multi\w+)(?!\w))",
    re.IGNORECASE,
)
"""What follows an age that is a person's, and no fracture's."""
_LETTER = re.compile(
    r"(?:(?<=\A)|(?<=[\n.:;,(]\s)|(?<=[\n(])|(?<=\bis\sa\s)|(?<=\b[Pp]t\s))(?P<age>\d{2,3})\s?"
    rf"{_LETTER_ENDS}(?!\s*(?i:french|fr\b|foley|cath|chest\s+tube|drain|stent|sheath|introducer|needle|tube|pigtail|urinary))"
)
"""Age and sex as they are written short, and no size in French: "77M", not "16F Foley"."""
_LETTER_FIRST = re.compile(r"(?:\A|\n)\s*(?P<letter>[MF])\s?,?\s?(?P<age>\d{2,3})(?![\w./-])")
_FIELD_SEX = re.compile(r"\b(?:sex|gender)\b\s*[:=]?\s*(?P<who>female|male|woman|man|f|m)\b", re.IGNORECASE)
_FIELD_AGE = re.compile(
    r"(?<!gestational\s)(?<!bone\s)(?<!mental\s)(?<![\w-])age\s*(?:/\s*sex)?\s*[:=]\s*(?P<age>\d{1,3})"
    r"(?:\s*(?:years?|yrs?|y/?o?))?(?:\s*/?\s*(?P<letter>[MF]))?(?![\w/-])",
    re.IGNORECASE,
)
_WHO_FIRST = re.compile(
    rf"\A(?:\W*(?:well|new|this|elderly|young|pleasant|a|pt)\s+)*{_WHO}\s*,?\s*(?:aged?\s+)?(?P<age>\d{{2,3}})"
    r"(?![\w./-])(?!\s*(?:weeks?|wks?|days?|months?))",
    re.IGNORECASE,
)
_CHILDBEARING = re.compile(r"\bG\d{1,2}\s?P\d|\b(?:primi|multi)gravida\b|\bLMP\b")
_TITLED = re.compile(_TITLE)
_TITLED_AGE = re.compile(rf"{_TITLE}[\w'-]*(?:\s[A-Z][\w'-]*)?,\s*(?:aged?\s+)?(?P<age>\d{{2,3}})(?![\w./-])")
_THIS = re.compile(
    r"\b(?:this|our|an?)\s+(?:(?:very|pleasant|lovely|young|elderly|delightful|frail|fit|well|retired|single|married"
    r"|caucasian|white|black|asian|hispanic|african[ -]american|obese|healthy|previously)\s+){0,3}"
    rf"{_WHO}\b",
    re.IGNORECASE,
)
_NEWBORN = re.compile(
    r"\b(?:(?P<first>male|female)\s+(?:infant|newborn|neonate|baby)|(?:baby|infant|newborn)\s+(?P<last>boy|girl))\b",
    re.IGNORECASE,
)
_SHE = re.compile(r"\b(?:she|her|hers|herself)\b", re.IGNORECASE)
_HE = re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE)
_OTHERS = "partner|boyfriend|girlfriend|fiance|twin|sib|kin|friend|neighbou?r|carer|donor|driver"
"""People besides relatives of whom a note may give sex and age."""


@dataclass(frozen=True, slots=True)
class PersonRead:
    """What a note says of its patient; empty and None where it does not."""

    sex: str = ""
    age: int | None = None
    """In whole years."""


def person_read(text: str) -> PersonRead:
    """
    >>> person_read("A 65-year-old woman with chest pain. Her father died at 52.")
    PersonRead(sex='female', age=65)
    >>> person_read("77M CAD. Wife (70F) well."), person_read("Sex: F  Age: 41")
    (PersonRead(sex='male', age=77), PersonRead(sex='female', age=41))
    >>> person_read("Baby boy born to a 31-year-old woman."), person_read("16F Foley placed.")
    (PersonRead(sex='male', age=None), PersonRead(sex='', age=None))
    """
    told = list(_told(text))
    sexes = {sex for sex, _ in told if sex}
    ages = Counter(age for _, age in told if age is not None)
    sex = next(iter(sexes)) if len(sexes) == 1 else "" if sexes else _by_pronouns(text)
    agreed = ages and max(ages) - min(ages) <= 1
    return PersonRead(sex, ages.most_common(1)[0][0] if agreed else None)


def _told(text: str) -> Iterator[tuple[str, int | None]]:
    """Sex and age, where they are said, of each place that speaks of the patient."""
    newborn = _NEWBORN.search(text, 0, OPENING)
    if newborn:
        yield _sex(newborn["first"] or newborn["last"]), None
    for sex, age in _with_a_unit(text):
        if not (newborn and age):
            yield sex, age
    for pattern in (_LETTER, _LETTER_FIRST):
        for found in pattern.finditer(text):
            if not _of_another(text, found.start("age")):
                yield _sex(found["letter"]), _years(int(found["age"]))
    for found in _FIELD_SEX.finditer(text):
        yield _sex(found["who"]), None
    for found in _FIELD_AGE.finditer(text):
        yield _sex(found["letter"]) if found["letter"] else "", _years(int(found["age"]))
    if first := _WHO_FIRST.search(text):
        yield _sex(first["who"]), _years(int(first["age"]))
    if _CHILDBEARING.search(text):
        yield FEMALE, None
    if titled := _TITLED.search(text):
        yield MALE if titled["title"] == "Mr" else FEMALE, None
    if aged := _TITLED_AGE.search(text):
        yield "", _years(int(aged["age"]))
    this = _THIS.search(text, 0, _EARLY)
    if this and not newborn and not _of_another(text, this.start()):
        yield _sex(this["who"]), None


def _with_a_unit(text: str) -> Iterator[tuple[str, int | None]]:
    for found in _AGED.finditer(text):
        letter = found["letter"] or ""
        who = found["who"] or (letter if letter.isupper() else "")
        if _of_another(text, found.start()):
            continue
        if not who:
            begins = _LINE_BEGINS.search(text, max(0, found.start() - 5), found.start())
            own = _OLD.search(found[0]) and (begins or _GOES_ON.match(text, found.end()))
            if not own or _kin_behind().match(text, found.end()) or _THING.match(text, found.end()):
                continue
        age = _years(int(found["age"]), found["unit"])
        if age is not None:
            yield _sex(who) if who else "", age


def _sex(word: str) -> str:
    return FEMALE if re.fullmatch(rf"f|{_WOMAN}", word, re.IGNORECASE) else MALE


def _years(number: int, unit: str = "y") -> int | None:
    years = number // {"m": 12, "w": 52, "d": 365}.get(unit[0].lower(), 1)
    return years if years <= OLDEST else None


def _of_another(text: str, at: int) -> bool:
    return _other().search(text, max(0, at - _BEFORE), at) is not None


def _by_pronouns(text: str) -> str:
    she, he = (len(pattern.findall(text)) for pattern in (_SHE, _HE))
    if she >= PRONOUNS and not he:
        return FEMALE
    return MALE if he >= PRONOUNS and not she else ""


@cache
def _other() -> re.Pattern[str]:
    """Before an age or a sex: somebody else, or what makes it a number of something else."""
    kin = "|".join((*slot("relative"), _OTHERS))
    return re.compile(
        rf"(?:\b(?:{kin})s?\b(?:[\s,:(-]+(?:is|was|has|had|who|with|died|of|an?|the|at|age[d]?|also|now|her|his|healthy"
        r"|alive|and|well|dx|diagnosed)){0,5}[\s,:(=-]*"
        r"|\b(?:born\s+to|mother\s+of|father\s+of|lives?\s+with|living\s+with|child(?:ren)?|sons?|daughters?|kids?"
        r"|care[sd]?\s+for|married\s+to|hit\s+by|assaulted\s+by|since|until|from|by|at|age[d]?|over|under|above|below"
        r"|than|about|every|for|in|x|[<>≥≤=~]|\bq)\s*(?:an?\s+|the\s+|ages?\s+|of\s+)*)$",
        re.IGNORECASE,
    )


@cache
def _kin_behind() -> re.Pattern[str]:
    """Behind an age: whose it is."""
    kin = "|".join((*slot("relative"), "partner|twin|friend|donor"))
    return re.compile(rf"[\s,-]*(?:[a-z]+[\s-]+){{0,2}}(?:{kin})s?\b", re.IGNORECASE)
