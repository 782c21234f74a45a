"""What is written otherwise: short forms, contractions, days, words that exclude."""

from __future__ import annotations

import re

from search_stack.query.items import Notice, Part
from search_stack.query.nodes import Fact
from search_stack.query.number_words import ONE_TO_TWELVE, TWO_TO_THREE
from search_stack.query.plain.admitted import admitted
from search_stack.query.plain.apart import ended, former, in_place, referred, uncaused
from search_stack.query.plain.bare import tests_before_numbers
from search_stack.query.plain.bracketed import kinds_in_brackets
from search_stack.query.plain.cancers import cancers
from search_stack.query.plain.closing import ENDS
from search_stack.query.plain.days import days_as_read
from search_stack.query.plain.denying import free_of, in_full, not_guessed
from search_stack.query.plain.doubting import doubted
from search_stack.query.plain.ends_of_doubt import TESTED_FOR
from search_stack.query.plain.ever import ever
from search_stack.query.plain.examples import either_given
from search_stack.query.plain.excluding import (
    CANNOT,
    IS_NOT,
    NOT_GIVEN,
    excluded_behind,
    histories,
    never_exposed,
    not_given,
    note_never,
    uncontracted,
    without,
)
from search_stack.query.plain.figures import in_figures
from search_stack.query.plain.gestation import gestation
from search_stack.query.plain.given import (
    dripping,
    each_allergy,
    exchanged,
    never_had,
    not_tolerated,
    prophylaxis,
    taken_off,
    unvaccinated,
)
from search_stack.query.plain.grading import graded_without_a_word
from search_stack.query.plain.in_brackets import each_denied, without_brackets
from search_stack.query.plain.kin import but_not_the_patient, of_another, relatives
from search_stack.query.plain.lately import lately
from search_stack.query.plain.levels import levels
from search_stack.query.plain.markers import results, signs
from search_stack.query.plain.naming import named_so, so_many
from search_stack.query.plain.narrowing import known_by, not_caused, unknown_causes
from search_stack.query.plain.needless import done_with, needless, to_come
from search_stack.query.plain.offered import intended, turned_down
from search_stack.query.plain.operated import operated
from search_stack.query.plain.optional import optional
from search_stack.query.plain.organs import in_organs
from search_stack.query.plain.qualified import qualified
from search_stack.query.plain.recurring import which_time
from search_stack.query.plain.scans import angiographies, without_contrast
from search_stack.query.plain.short_forms import (
    HYPHENED,
    SIDE,
    TORN,
    abbreviated,
    in_letters,
    measured,
    one_word,
    side_of,
    sides_behind,
    spelt,
    torn,
    whole_name,
)
from search_stack.query.plain.siting import sides_apart
from search_stack.query.plain.some_of import some_of
from search_stack.query.plain.staying import in_stay
from search_stack.query.plain.stretch import Stretch
from search_stack.query.plain.unasked import CODES, unasked
from search_stack.query.plain.undone import (
    no_candidates,
    not_done_for,
    not_followed_through,
    not_undergone,
    of_other_kind,
    refusals_behind,
    untreated,
)
from search_stack.query.shadow import Shadow

_W = re.compile(r"(?:(?<=\w\s)|^\s*)w(?=\s\w)")
_CONVERTED = re.compile(
    r"(?<![\w-])(?P<how>lap(?:aroscopic(?:ally)?)?|thoracoscopic|robotic|endovascular|arthroscopic|endoscopic)\s+(?:(?:was|were|then)\s+)*"
    r"(?P<became>converted\s+to\s+(?:an?\s+)?open)\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
_MAGNESIUM = re.compile(r"(?<=\d)\s+(?-i:Mg)(?=\s*[<>=:≤≥]?\s*\d)")
"""Between two numbers, and no unit of the first."""
_NOTE = re.compile(r"(?<!\w)(?:notes?|letters?|reports?)(?!\w)", re.IGNORECASE)
_HISTORY_FOR = re.compile(
    r"(?<![\w-])(?<!family\s)(?<!medical\s)(?<!surgical\s)(?<!social\s)(?P<what>history|hx)\s+(?:is\s+|was\s+)?(?:significant|notable|remarkable|positive)\s+for(?!\w)",
    re.IGNORECASE,
)
_NEW_DIAGNOSIS = re.compile(
    r"(?<![\w-])new\s+(?P<what>[^\W\d_][^,;.()]{1,40}?)\s+diagnos[ei]s(?=\s*(?:$|[,;.]|(?:in|since|after|before|at|during|within)\s))",
    re.IGNORECASE,
)
_WARD = re.compile(r"(?<=\w)(?P<gap>\s)wards?(?=\s*(?:$|[,;.]|(?:19|20)\d\d(?!\d)))", re.IGNORECASE)
_AND_OR = re.compile(r"\band\s*/\s*or\b", re.IGNORECASE)
_TOO = re.compile(r"(?<=\w)\s+(?:too|as\s+well)(?=\s*(?:$|[,;.?]))", re.IGNORECASE)
_A_NUMBER = re.compile(r"(?:(?<=least)|(?<=than)|(?<=most)|(?<=over))\s+an?\s+(?=\d)", re.IGNORECASE)
"""Between what compares and its number: "at least a 20 pack-year history"."""
_FAILED_SOME = re.compile(
    rf"(?<!\w)failed\s+(?:(?:at\s+least|>=?|≥)\s*)?(?:(?P<one>1|one)|(?P<many>[23]|{TWO_TO_THREE}))(?:\s+or\s+more)?\s+"
    r"(?:(?:prior|previous|different)\s+)*(?=[^\W\d_])",
    re.IGNORECASE,
)
"""Of how many treatments, which is not counted: "failed at least one prior anti-TNF"."""
_LOST = re.compile(
    r"(?<!\w)(?:lost|losing)\s+(?=(?:(?:more|less)\s+than|over|at\s+least|about|[<>≥≤]=?)?\s*\d+(?:\.\d+)?\s?(?:kg|kilos?|lbs?|pounds?|stone)(?!\w))",
    re.IGNORECASE,
)
"""How much weight somebody lost."""
_HEAVY = re.compile(
    r"(?<!\w)(?:obes(?:e|ity)|overweight|underweight)(?P<gap>\s+)(?=(?:[<>≥≤]=?|over|above|under|below|(?:more|less)\s+than|at\s+least)\s*\d+(?:\.\d+)?\s?(?:kg|kilos?|lbs?|pounds?|stone)(?!\w))",
    re.IGNORECASE,
)
"""Whose weight is told behind it: "obese > 120 kg"."""
_GLUED_SIGN = re.compile(r"(?<=\w)(?P<sign>[+-])ve(?!\w)", re.IGNORECASE)
"""A result right behind a name: "RSV+ve"."""
_OLD = re.compile(r"(?<=\d)\s?y(?:rs?)?(?![\w/'-])(?!\s+olds?\b)", re.IGNORECASE)
_OLDER_THAN = re.compile(r"(?:[<>≤≥]=?|\b(?:over|under|above|below|than))\s*\d{1,2}$", re.IGNORECASE)
"""Before a letter that stands for years: "adults (≥18 y)"."""
_NOT_YET = re.compile(r"(?<=\bnot)\s+yet(?!\w)", re.IGNORECASE)
_NO_EVER = re.compile(r"(?<!\w)(?:no|not\s+any)(?=\s[^,;]{2,60}?\s(?:ever|at\s+any\s+time)(?!\w))", re.IGNORECASE)
_ANY_OF_US = re.compile(
    r"(?<!\w)(?:any|one|some|either|all|each|which|many|most|how\s+many)\s+of\s+"
    r"(?:the|our|my|your|these|those|their|his|her|us)(?!\s+following)(?!\w)",
    re.IGNORECASE,
)
"""Whom is asked for, and no list of alternatives: "any of our patients"."""
_DENIES_BEHIND = re.compile(r"(?<=\w)\s+den(?:ies|ying)" + ENDS, re.IGNORECASE)
"""Behind what is denied: "chest pain: denies"."""
_YEARS = re.compile(
    r"(?<![\w:])(?P<first>(?:19|20)\d\d)(?:/\d\d?)*\s*:\s*(?P<last>(?:19|20)\d\d|3000)(?:/\d\d?)*(?![\w:])"
)
"""As PubMed writes a range of years; 3000 is its "until today"."""
_DATED = re.compile(
    r"(?<!\w)(?:note_?)?(?:date|year)\s*(?P<sign>>=|<=|>|<|=|≥|≤)\s*(?P<day>(?:19|20)\d\d(?:-\d\d?){0,2})(?!\w)",
    re.IGNORECASE,
)
_SIGNS = {">=": "since", "≥": "since", ">": "after", "<": "before", "<=": "until", "≤": "until", "=": "in"}
_AT_ANY_TIME = re.compile(r"(?<!\w)at\s+any\s+time(?!\w)", re.IGNORECASE)
_HOW_LONG_AGO = re.compile(
    r"(?<!\bsince\s)(?<!\bbefore\s)(?<!\bafter\s)(?<!\bfrom\s)(?<!\buntil\s)(?<!\bwithin\s)(?<![\w.-])"
    r"(?P<many>(?:(?:about|around|over|under|almost|nearly|roughly|some|more\s+than|less\s+than|at\s+least)\s+)?"
    rf"(?:an?|\d{{1,3}}|{ONE_TO_TWELVE}|a\s+few|a\s+couple\s+of))"
    r"(?=\s+(?:week|month|year)s?\s+ago(?!\w))",
    re.IGNORECASE,
)
"""How long ago something was; that it is past is asked, the number is hardly ever a word of its passage."""
_TEST = re.compile(r"(?<!\w)tests?(?:\s+(?:is|was|were|came\s+back))?(?!\w)", re.IGNORECASE)
_RESULT = re.compile(r"(?<!\w)(?:positive|negative|pos|neg)(?!\w)", re.IGNORECASE)
_LONGEST_TESTED = 3
"""Words of a name before "test", at most."""
_NOT_BOTH = re.compile(r"[,;]?\s*(?:but\s+|and\s+)?(?:not|never)\s+both\s*(?=$|[,;.?])", re.IGNORECASE)
_BY_CODE = re.compile(
    r"(?<!\w)(?:by|with|per|using|based\s+on|according\s+to)\s+(?:an?\s+|the\s+)?"
    r"(?:(?:diagnos(?:is|es|tic)|procedure|billing|discharge|icd(?:-?(?:9|10))?(?:-cm)?)\s+)+cod(?:es?|ing)(?!\w)",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"(?<!\w)icd-?\s?(?P<version>9|10)(?:-cm)?(?:\s+codes?)?:?\s+"
    r"(?P<code>[A-Z]\d[\dA-Z](?:\.\w{1,4})?|\d{3}(?:\.\d{1,2})?)(?!\w)",
    re.IGNORECASE,
)
_BARE_CODE = re.compile(r"(?<![\w.-])[EFGIJKMN]\d\d(?:\.\d{1,2})?(?![\w.]*\w)")
"""A code of ICD-10, in capitals, as coders write it before what it means; other chapters' look like vertebrae."""
_OR_OTHER = re.compile(r"(?<=\w)\s+(?:or|and)\s+(?P<other>(?:any\s+)?other\s+)(?=[^\W\d_])", re.IGNORECASE)
"""Between a name and what it is one of: "PEG or other feeding tube"."""
_COUNT = re.compile(r"(?<!\w)#\s+of\s+(?=(?P<what>\w+)(?:\s+(?P<next>\w+))?)", re.IGNORECASE)
"""How many: "# of falls", not "# of left wrist"."""
_IN_NON = re.compile(r"(?<=\w)\s+(?:in|among)\s+(?:(?:an?|the)\s+)?non[\s-](?=[^\W\d_])", re.IGNORECASE)
"""Before what they have not: "neuropathy in non-diabetics" is no diabetic neuropathy."""
_ON_LIST = re.compile(
    r"(?<!\w)on\s+(?:(?:the|his|her|their|an?|home)\s+)*(?P<when>(?:current|active|discharge)\s+)?"
    r"(?P<what>med(?:s|ications?|icines?)?|drugs?|allerg(?:y|ies)|problem)\s+list(?!\w)",
    re.IGNORECASE,
)
_LISTS = {"a": "allergies", "p": "problem list", "m": "medication list", "d": "medication list"}
"""By the first letter of what a list holds, its heading."""
_CHILD = re.compile(
    r"(?<![\w-])(?:[Cc]hild|CHILD)(?:['’]?s)?[\s-]+(?:[Cc]lass\s+|[Gg]rade\s+)?(?P<class>[ABC])(?![\w'’])"
)
"""A class of Child and Pugh's, which a small letter may not be: "child a week old"."""


def write_out(s: Stretch) -> None:
    table = s.table
    plain = in_full(s, unknown_causes(s, without_brackets(s.shadow))).written(IS_NOT, uncontracted)
    plain = s.known.abbreviations.in_capitals(plain)
    s.shadow = either_given(s, kinds_in_brackets(s, each_denied(s, not_guessed(s, spelt(s, plain)))))
    s.shadow = turned_down(s, not_caused(s, s.shadow)).written(CANNOT, lambda m: "not")
    s.shadow = never_exposed(s, s.shadow)
    note_never(s, s.shadow, NOT_GIVEN)
    s.shadow = not_given(s, s.shadow).written(_MAGNESIUM, lambda m: " magnesium")
    shadow = (
        in_letters(histories(s.shadow))
        .written(_AND_OR, lambda m: "or")
        .written(_A_NUMBER, lambda m: " ")
        .written(_FAILED_SOME, lambda m: " ".join(["failed", *([m["many"]] if m["many"] else []), ""]))
        .written(
            _YEARS, lambda m: f"since {m['first']}" if m["last"] == "3000" else f"from {m['first']} to {m['last']}"
        )
        .written(_DATED, lambda m: f"{_SIGNS[m['sign']]} {m['day']}")
        .written(_GLUED_SIGN, lambda m: " positive" if m["sign"] == "+" else " negative")
        .written(_OLD, lambda m: " years" if _OLDER_THAN.search(m.string[: m.start()]) else m[0])
        .written(_NOT_YET, lambda m: "")
        .written(_LOST, lambda m: "weight loss ")
        .written(TORN, lambda m: torn(s, m))
        .written(_HISTORY_FOR, lambda m: "history of")
        .written(_W, lambda m: "with")
        .written(_NO_EVER, lambda m: "without")
        .written(_ON_LIST, lambda m: f"in the {m['when'] or ''}{_LISTS[m['what'][0].lower()]}")
    )
    shadow = shadow.written(_NEW_DIAGNOSIS, lambda m: _new_diagnosis(s, m))
    for heavy in reversed(list(_HEAVY.finditer(shadow.text))):
        shadow = shadow.rewritten(*heavy.span("gap"), ", weight ")
    shadow = _in_others(s, shadow)
    shadow, _ = _set_aside(s, ever(s, shadow), _AT_ANY_TIME)
    shadow = unasked(s, shadow)
    shadow = _left(s, shadow, _BY_CODE, CODES)
    shadow = _coded(s, shadow)
    shadow = _left(s, shadow, _CODE, CODES)
    shadow = _of_other(s, _without_codes(s, shadow)).written(_CHILD, lambda m: f"child-pugh {m['class']}")
    shadow = _numbered(s, shadow)
    shadow = each_allergy(s, taken_off(s, not_tolerated(s, unvaccinated(s, ended(s, shadow)))))
    shadow = days_as_read(s, shadow)
    shadow = _left(s, shadow, _HOW_LONG_AGO, "notes of a time are asked for with since, before or within")
    shadow = to_come(s, known_by(s, doubted(s, shadow)))
    shadow = not_followed_through(s, excluded_behind(s, intended(s, shadow)))
    shadow, _ = _set_aside(s, shadow, table.asking)
    shadow, _ = _set_aside(s, shadow, _ANY_OF_US)
    shadow, _ = _set_aside(s, shadow, _TOO)
    shadow = relatives(s, optional(s, shadow))
    shadow = not_undergone(s, not_done_for(s, untreated(s, refusals_behind(s, no_candidates(s, shadow)))))
    shadow = shadow.written(_DENIES_BEHIND, lambda m: " denied")
    shadow = which_time(s, qualified(s, some_of(s, shadow)))
    shadow, places = _set_aside(s, shadow, table.one_of)
    if places:
        s.either = places[-1][1]
    s.reading.one_only |= bool(_NOT_BOTH.search(shadow.text))
    shadow = shadow.written(_NOT_BOTH, lambda m: " ")
    if _NOTE.search(shadow.text):
        shadow = shadow.written(table.written_by, lambda m: f"{table.writers[m['who'].lower()]} {m['noun']}")
        _of_services(s, shadow)
    shadow = named_so(s, in_stay(s, in_figures(s, admitted(s, _on_ward(s, shadow)))))
    shadow = _converted(s, shadow)
    shadow = shadow.written(table.short, lambda m: table.shortened[m[0].lower()])
    shadow = without_contrast(s, shadow)
    shadow = former(s, referred(s, needless(s, angiographies(s, uncaused(s, shadow)))))
    shadow = shadow.written(
        table.subheadings, lambda m: f": {table.subheading_of[' '.join(m['what'].lower().split())]}"
    )
    shadow = so_many(s, shadow)
    shadow = measured(s, shadow)
    shadow = tests_before_numbers(s, shadow)
    shadow = sides_behind(s, cancers(s, shadow).written(SIDE, lambda m: side_of(s, m)))
    shadow = shadow.written(table.alone, lambda m: whole_name(m, table.alone_of[m[0].lower()]))
    shadow = but_not_the_patient(s, shadow)
    shadow = gestation(s, shadow)
    shadow = results(s, shadow)
    shadow = _tested(s, shadow)
    shadow = abbreviated(s, shadow)
    shadow = in_place(s, shadow)
    shadow = _required(s, shadow)
    shadow = _flagged(s, shadow, table.unmentioned_before, "without")
    shadow = _flagged(s, shadow, table.unmentioned_after, "is absent")
    shadow = without(s, shadow)
    shadow, s.anyhow = _set_aside(s, shadow, table.mentioned_before)
    shadow = of_another(s, shadow)
    shadow = of_other_kind(s, shadow)
    shadow = shadow.written(HYPHENED, lambda m: one_word(s, m))
    shadow = lately(s, shadow)
    shadow = free_of(s, prophylaxis(s, dripping(s, shadow)))
    written = never_had(s, s.known.abbreviations.written_out(shadow, s.line, s.reading, s.known.matcher))
    shadow = signs(s, exchanged(s, done_with(s, written)))
    s.shadow = sides_apart(s, operated(s, in_organs(s, graded_without_a_word(s, levels(s, shadow)))))


def _in_others(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Neuropathy in non-diabetics" with a comma where a name would reach over what is denied."""
    for found in reversed(list(_IN_NON.finditer(shadow.text))):
        named = s.known.named(shadow.text)
        if any(m.begin < found.start() and found.end() <= m.end for m in named):
            shadow = shadow.rewritten(*found.span(), ", non-")
    return shadow


def _new_diagnosis(s: Stretch, found: re.Match[str]) -> str:
    """ "New cancer diagnosis" as a new diagnosis of that."""
    return f"new diagnosis of {found['what']}" if s.known.is_name(found["what"]) else found[0]


def _on_ward(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Pneumonia ward 2025" with the ward apart, which is none that is called so where the name begins the line."""
    found = _WARD.search(shadow.text) if "ward" in shadow.text.lower() else None
    named = s.known.ending(shadow.text, found.start("gap"), "disorder") if found else []
    first = len(shadow.text) - len(shadow.text.lstrip())
    if found and any(m.begin == first for m in named):
        return shadow.with_mark(found.start("gap"), ",")
    return shadow


def _of_services(s: Stretch, shadow: Shadow) -> None:
    """How notes of a service are asked for, of whose type only the site knows: "letters from cardiology clinic"."""
    for found in s.table.services.finditer(shadow.text):
        begin, end = shadow.span(*found.span())
        noun = (found["noun"] or found["behind"]).lower().removesuffix("s")
        kind = f'type:"{(found["who"] or found["before"]).lower()} {noun}"'
        told = f'"{s.typed(begin, end)}" is searched as words; {kind} asks for notes that are called so.'
        line = s.instead(begin, end, kind)
        s.reading.notices.append(Notice("field", told, s.typed(begin, end), line))


def _converted(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Laparoscopic converted to open cholecystectomy" as the one that was begun, and that it was converted."""
    for found in reversed(list(_CONVERTED.finditer(shadow.text))):
        text = shadow.text
        named = s.known.beginning(text, found.end())
        if what := max(named, key=lambda m: m.end, default=None):
            whole = f"{found['how']} {text[what.begin : what.end]} {found['became']}"
            shadow = shadow.rewritten(found.start(), what.end, whole)
    return shadow


def _coded(s: Stretch, shadow: Shadow) -> Shadow:
    """A code that is all of the line is asked for itself: "ICD-10 E11.9"."""
    found = _CODE.fullmatch(shadow.text.strip(" .?"))
    if not found or s.elsewhere:
        return shadow
    begin = len(shadow.text) - len(shadow.text.lstrip())
    place = shadow.span(begin, begin + found.end())
    s.parts.append(Part(Fact(f"icd{found['version']}", found["code"].upper()), *place))
    return shadow.blank(0, len(shadow.text))


def _without_codes(s: Stretch, shadow: Shadow) -> Shadow:
    """ "E11 type 2 diabetes" without the code, which a passage does not tell."""
    for found in reversed(list(_BARE_CODE.finditer(shadow.text))):
        others = [p for m in s.known.named(shadow.text) for p in m.parts]
        if others and not any(b < found.end() and found.start() < e for b, e in others):
            code = f"fact:icd10:{found[0]}"
            shadow = s.left_aside(shadow, *found.span(), f"a code is asked for by itself, as in {code}")
    return shadow


def _of_other(s: Stretch, shadow: Shadow) -> Shadow:
    for found in reversed(list(_OR_OTHER.finditer(shadow.text))):
        if s.known.beginning(shadow.text, found.end()) and s.known.ending(shadow.text, found.start()):
            shadow = s.left_aside(shadow, *found.span("other"))
    return shadow


def _numbered(s: Stretch, shadow: Shadow) -> Shadow:
    """ "# of falls" without what counts; before a part of the body "#" is a fracture."""
    for found in list(_COUNT.finditer(shadow.text)):
        if not any(s.is_part(word) for word in found.group("what", "next") if word):
            shadow = s.left_aside(shadow, *found.span())
    return shadow


def _required(s: Stretch, shadow: Shadow) -> Shadow:
    """What a plus stands before is positive where it is a test: "+trop"."""
    word = re.match(r"[\w-]+", shadow.text)
    if not word or not s.line[: shadow.begins[0]].endswith("+"):
        return shadow
    concept, risen = (s.known.lexicon.find(name) for name in (word[0], f"positive {word[0]}"))
    if concept is None or risen is None or concept.kind != "procedure":
        return shadow
    return shadow.written(re.compile(rf"^{re.escape(word[0])}"), lambda m: f"positive {m[0]}")


def _set_aside(s: Stretch, shadow: Shadow, pattern: re.Pattern[str]) -> tuple[Shadow, list[tuple[int, int]]]:
    """``shadow`` without what ``pattern`` finds, and where in the line each of it stands."""
    places = [shadow.span(*m.span()) for m in pattern.finditer(shadow.text)]
    s.reading.aside += places
    for found in list(pattern.finditer(shadow.text)):
        shadow = shadow.blank(*found.span())
    return shadow, places


def _left(s: Stretch, shadow: Shadow, pattern: re.Pattern[str], why: str) -> Shadow:
    """``shadow`` without what ``pattern`` finds, with a notice that says ``why`` of each."""
    for found in pattern.finditer(shadow.text):
        typed = s.line[slice(*shadow.span(*found.span()))]
        s.reading.notices.append(Notice("field", f'"{" ".join(typed.split())}" was left aside: {why}.', typed))
    return _set_aside(s, shadow, pattern)[0]


def _tested(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` without the word test where its result says whether what it is for is there: "covid test negative"."""
    for found in list(_TEST.finditer(shadow.text)):
        before = shadow.text[: found.start()].split()[-_LONGEST_TESTED:]
        known = (s.known.lexicon.find(" ".join(before[n:])) for n in range(len(before)))
        concept = next((c for c in known if c), None)
        about = {concept.id, *s.known.lexicon.ancestors(concept.id)} if concept else set()
        if not TESTED_FOR.isdisjoint(about) and _RESULT.search(shadow.text):
            shadow = s.left_aside(shadow, *found.span())
    return shadow


def _flagged(s: Stretch, shadow: Shadow, pattern: re.Pattern[str], word: str) -> Shadow:
    s.unmentioned |= {shadow.span(*m.span())[1] for m in pattern.finditer(shadow.text)}
    return shadow.written(pattern, lambda m: word)
