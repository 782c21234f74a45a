"""What is written otherwise: short forms, contractions, days, words that exclude."""

from __future__ import annotations

import re

from search_stack.language.lexicon.english import english
from search_stack.query.items import Notice, Part
from search_stack.query.nodes import Fact
from search_stack.query.plain.apart import former, in_place, referred, uncaused
from search_stack.query.plain.bare import tests_before_numbers
from search_stack.query.plain.bracketed import kinds_in_brackets
from search_stack.query.plain.cancers import cancers
from search_stack.query.plain.contrast import without_contrast
from search_stack.query.plain.days import days_as_read
from search_stack.query.plain.denying import free_of, in_full, not_guessed
from search_stack.query.plain.doubting import doubted
from search_stack.query.plain.ends_of_doubt import TESTED_FOR
from search_stack.query.plain.ever import ever
from search_stack.query.plain.figures import in_figures
from search_stack.query.plain.gestation import gestation
from search_stack.query.plain.given import dripping, exchanged, prophylaxis, unvaccinated
from search_stack.query.plain.grading import graded_without_a_word
from search_stack.query.plain.in_brackets import each_denied, without_brackets
from search_stack.query.plain.kin import of_another, relatives
from search_stack.query.plain.lately import lately
from search_stack.query.plain.levels import levels
from search_stack.query.plain.markers import results, signs
from search_stack.query.plain.naming import named_so, so_many
from search_stack.query.plain.needless import needless
from search_stack.query.plain.optional import optional
from search_stack.query.plain.qualified import qualified
from search_stack.query.plain.some_of import some_of
from search_stack.query.plain.staying import in_stay
from search_stack.query.plain.stretch import Stretch
from search_stack.query.plain.undone import (
    not_done_for,
    not_followed_through,
    not_undergone,
    of_other_kind,
    refusals_behind,
    untreated,
)
from search_stack.query.shadow import WORD, Shadow
from search_stack.query.wording import SHORTEST_DECIDING

_SIDE = re.compile(r"(?<![\w.'-])(?P<side>[RL]|[Rr][Tt]|[Ll][Tt])\b\.?(?=\s+(?P<of>[^\W\d_]{3,}))")
_SIDES = {"r": "right", "rt": "right", "l": "left", "lt": "left"}
"""Before a part of the body: "R hip", "lt breast ca"."""
_W = re.compile(r"(?<=\w\s)w(?=\s\w)")
_CONVERTED = re.compile(
    r"(?<![\w-])(?P<how>lap(?:aroscopic(?:ally)?)?|thoracoscopic|robotic|endovascular|arthroscopic|endoscopic)\s+(?:(?:was|were|then)\s+)*"
    r"(?P<became>converted\s+to\s+(?:an?\s+)?open)\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
_MAGNESIUM = re.compile(r"(?<=\d)\s+(?-i:Mg)(?=\s*[<>=:≤≥]?\s*\d)")
"""Between two numbers, and no unit of the first."""
_NOTE = re.compile(r"(?<!\w)(?:notes?|letters?|reports?)(?!\w)", re.IGNORECASE)
_HYPHENED = re.compile(r"(?<![\w-])([^\W\d_]{2,8})-([^\W\d_]{4,})(?![\w-])")
_AND_OR = re.compile(r"\band\s*/\s*or\b", re.IGNORECASE)
_A_NUMBER = re.compile(r"(?:(?<=least)|(?<=than)|(?<=most)|(?<=over))\s+an?\s+(?=\d)", re.IGNORECASE)
"""Between what compares and its number: "at least a 20 pack-year history"."""
_FAILED_SOME = re.compile(
    r"(?<!\w)failed\s+(?:(?:at\s+least|>=?|≥)\s*)?(?:(?P<one>1|one)|(?P<many>[23]|two|three))(?:\s+or\s+more)?\s+"
    r"(?:(?:prior|previous|different)\s+)*(?=[^\W\d_])",
    re.IGNORECASE,
)
"""Of how many treatments, which is not counted: "failed at least one prior anti-TNF"."""
_LOST = re.compile(
    r"(?<!\w)(?:lost|losing)\s+(?=(?:(?:more|less)\s+than|over|at\s+least|about|[<>≥≤]=?)?\s*\d+(?:\.\d+)?\s?(?:kg|kilos?|lbs?|pounds?|stone)(?!\w))",
    re.IGNORECASE,
)
"""How much weight somebody lost."""
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
_DENIES_BEHIND = re.compile(r"(?<=\w)\s+den(?:ies|ying)(?=\s*(?:$|[,;.?]))", re.IGNORECASE)
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
    r"(?:an?|\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a\s+few|a\s+couple\s+of))"
    r"(?=\s+(?:week|month|year)s?\s+ago(?!\w))",
    re.IGNORECASE,
)
"""How long ago something was; that it is past is asked, the number is hardly ever a word of its passage."""
_TEST = re.compile(r"(?<!\w)tests?(?:\s+(?:is|was|were|came\s+back))?(?!\w)", re.IGNORECASE)
_RESULT = re.compile(r"(?<!\w)(?:positive|negative|pos|neg)(?!\w)", re.IGNORECASE)
_LONGEST_TESTED = 3
"""Words of a name before "test", at most."""
_NOT_BOTH = re.compile(r"[,;]?\s*(?:but\s+|and\s+)?(?:not|never)\s+both\s*(?=$|[,;.?])", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)
"""What has none is no word, but a short form."""
_OPERATORS = ("and", "or", "not", "no")
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
_COUNT = re.compile(r"(?<!\w)#\s+of\s+(?=(?P<what>\w+)(?:\s+(?P<next>\w+))?)", re.IGNORECASE)
"""How many: "# of falls", not "# of left wrist"."""
_CHILD = re.compile(
    r"(?<![\w-])(?:[Cc]hild|CHILD)(?:['’]?s)?[\s-]+(?:[Cc]lass\s+|[Gg]rade\s+)?(?P<class>[ABC])(?![\w'’])"
)
"""A class of Child and Pugh's, which a small letter may not be: "child a week old"."""
_EXCLUDES = re.compile(r"(?:^|[,;.:])\s*(?:please\s+|also\s+)?without\s", re.IGNORECASE)
_ALSO_EXCLUDED = re.compile(
    r"(?<=\w)\s*,?\s+(?:or|and)\s+(?P<whom>(?:(?:if|those|anyone|anybody|patients?|pts|people|they|who|that)\s+)*(?:(?:is|are|were|was|currently|already)\s+)*(?:on|taking|receiving|having|with|who\s+have|have|has))\s+"
    r"(?![^;.:]*\bexcluded\b)",
    re.IGNORECASE,
)
"""What goes on with an exclusion that opens its statement: "exclude if eGFR < 30 or on dialysis"."""
_COMPARED_BEFORE = re.compile(
    r"(?:[<>≤≥]=?|\b(?:over|under|above|below|than|least|most))\s*\d[\d.,]*\s?$", re.IGNORECASE
)
"""Behind a number that is compared stands its unit: "> 500 ms"."""
_IS_NOT = re.compile(
    r"(?<!\w)(?P<verb>is|are|was|were|has|have|had)n['’]?t(?=\s+(?:been|on|taking|receiving|using|spread|metasta\w+|due|caused|secondary|related|from|explained|attribut\w+|because)(?!\w))",
    re.IGNORECASE,
)
_CANNOT = re.compile(
    r"(?<!\w)(?:can(?:not|\s+not|['’]?t)|(?:could|would|should|must|will)(?:\s+not|n['’]?t)|wo(?:n['’]t|nt))"
    r"\s+(?:(?<=won't\s)take|(?<=wont\s)take|(?<=will\snot\s)take|have|use|receive|undergo|go\s+on|be\s+(?:on|given|started\s+on)"
    r"|be(?=\s+\w+ed(?!\w))(?!\s+(?:excluded|ruled|confirmed|determined|assessed|visuali[sz]ed|evaluated|reached|identified|explained|controlled)))"
    r"(?=\s+\w)(?!\s+(?:been|had)(?!\w))",
    re.IGNORECASE,
)
"""Who cannot have or do what stands behind is without it; what somebody cannot take is an intolerance."""
_NOT_GIVEN = re.compile(
    r"(?<!\w)(?:not|never)\s+(?:(?:been|being)\s+)?(?:given|offered|prescribed|dispensed)(?:\s+(?:any|an?))?"
    r"(?=\s+\w)(?!\s+(?:for|because|due|in|on|at|with|by|and|or|but|despite|after|before|who|since|when|if|to|as)(?!\w))",
    re.IGNORECASE,
)
"""Before what somebody is without; behind it, it is told of what stands before."""
_HISTORY_EXCLUDED = re.compile(
    r"(?:^\s*|[,;]\s*|\s(?=and\s))(?:and\s+)?(?:(?:a|any|their|those\s+with)\s+)*(?P<what>(?:family\s+)?history)"
    r"(?=\s+of\s[^,;]{1,60}?\s(?:is\s|are\s|were\s)?excluded(?!\w))",
    re.IGNORECASE,
)
_EXCLUDED_THEN = (
    r"(?P<end>(?:(?:should|must|will|shall|need\s+to|are\s+to|is\s+to)\s+be\s+(?:excluded|left\s+out)"
    r"|(?:are|is|were|was|will\s+be|would\s+be)\s+(?:also\s+)?(?:excluded|ineligible|not\s+(?:eligible|included|allowed))"
    r"|(?:should|must|will)\s+not\s+be\s+(?:included|enrolled)|can\s?not\s+(?:be\s+(?:included|enrolled)|participate))"
    r"(?:\s+from\s+[\w\s]+)?)\s*$"
)
_OF_THEM = r"(?:(?!(?:in\s+whom|in\s+which|where)\s)[^.;])+?"
_EXCLUDED_BEHIND = re.compile(
    r"^\s*(?P<who>(?:(?:all|any|those|these)\s+)?(?:patients?|pts|people|persons?|subjects?|participants?|individuals?|cases|those"
    r"|anyone|anybody)\s+(?:(?:with|who|that|on|taking|receiving|have|has|had|are|is|were)\s+)+(?:(?:an?|any|known)\s+)*)"
    rf"{_OF_THEM}\s+{_EXCLUDED_THEN}",
    re.IGNORECASE,
)
"""Whom a sentence leaves out at its end; "PE excluded" is what a note says."""
_SUCH_EXCLUDED = re.compile(
    rf"^\s*(?P<such>{_OF_THEM})\s+(?P<whom>(?:women|patients|pts|subjects|participants|individuals|persons|mothers)\s+){_EXCLUDED_THEN}",
    re.IGNORECASE,
)
"""Likewise, by what they have: "pregnant women are excluded"."""
_OTHER_KIND = re.compile(
    r"\s+(?:other\s+than|except(?:\s+for)?|apart\s+from|but\s+not|excluding)\s+(?P<kind>type\s+\w+|[^\W\d_]+(?:\s+[^\W\d_]+)?)"
    r"(?=\s*(?:$|[,;.)]))",
    re.IGNORECASE,
)
_EXCLUDED = re.compile(r"(?<=\w)\s(?:is\s|are\s|were\s)?excluded(?!\w)", re.IGNORECASE)


def excluded_behind(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Patients with dementia are not eligible" as without it."""
    text = shadow.text.rstrip(" .")
    found = _EXCLUDED_BEHIND.search(text)
    if found is None and (such := _SUCH_EXCLUDED.search(text)):
        shadow = s.left_aside(s.left_aside(shadow, *such.span("end")), *such.span("whom"))
        return shadow.rewritten(*such.span("such"), f"without {such['such']}")
    if found is None:
        return shadow
    shadow = s.left_aside(shadow, *found.span("end"))
    s.reading.aside.append(shadow.span(*found.span("who")))
    return shadow.rewritten(*found.span("who"), "without ")


def _histories(shadow: Shadow) -> Shadow:
    """ "Family history of cancer excluded" leaves those patients out; "PE excluded" stays what a note would say."""
    if not _HISTORY_EXCLUDED.search(shadow.text):
        return shadow
    shadow = shadow.written(_HISTORY_EXCLUDED, lambda m: f"; without {m['what']}")
    found = _EXCLUDED.search(shadow.text, shadow.text.index("; without "))
    return shadow.blank(*found.span()) if found else shadow


def write_out(s: Stretch) -> None:
    table = s.table
    s.shadow = (
        kinds_in_brackets(
            s,
            each_denied(
                s, not_guessed(s, _spelt(s, in_full(s, without_brackets(s.shadow)).written(_IS_NOT, _uncontracted)))
            ),
        )
        .written(_CANNOT, lambda m: "not")
        .written(_NOT_GIVEN, lambda m: "not")
        .written(_MAGNESIUM, lambda m: " magnesium")
    )
    shadow = (
        _histories(s.shadow)
        .written(_AND_OR, lambda m: "or")
        .written(_A_NUMBER, lambda m: " ")
        .written(_FAILED_SOME, lambda m: " ".join(["failed", *([m["many"]] if m["many"] else []), ""]))
        .written(
            _YEARS, lambda m: f"since {m['first']}" if m["last"] == "3000" else f"from {m['first']} to {m['last']}"
        )
        .written(_DATED, lambda m: f"{_SIGNS[m['sign']]} {m['day']}")
        .written(_OLD, lambda m: " years" if _OLDER_THAN.search(m.string[: m.start()]) else m[0])
        .written(_NOT_YET, lambda m: "")
        .written(_LOST, lambda m: "weight loss ")
        .written(_W, lambda m: "with")
        .written(_NO_EVER, lambda m: "without")
    )
    shadow, _ = _set_aside(s, ever(s, shadow), _AT_ANY_TIME)
    shadow = _left(s, shadow, _BY_CODE, "a code is asked for by itself, as in fact:icd10:I48")
    shadow = _coded(s, shadow)
    shadow = _left(s, shadow, _CODE, "a code is asked for by itself, as in fact:icd10:I48")
    shadow = shadow.written(_CHILD, lambda m: f"child-pugh {m['class']}")
    shadow = _numbered(s, shadow)
    shadow = unvaccinated(s, shadow)
    shadow = days_as_read(s, shadow)
    shadow = _left(s, shadow, _HOW_LONG_AGO, "notes of a time are asked for with since, before or within")
    shadow = doubted(s, shadow)
    shadow = not_followed_through(s, excluded_behind(s, shadow))
    shadow, _ = _set_aside(s, shadow, table.asking)
    shadow, _ = _set_aside(s, shadow, _ANY_OF_US)
    shadow = relatives(s, optional(s, shadow))
    shadow = not_undergone(s, not_done_for(s, untreated(s, refusals_behind(s, shadow))))
    shadow = shadow.written(_DENIES_BEHIND, lambda m: " denied")
    shadow = qualified(s, some_of(s, shadow))
    shadow, places = _set_aside(s, shadow, table.one_of)
    if places:
        s.either = places[-1][1]
    s.reading.one_only |= bool(_NOT_BOTH.search(shadow.text))
    shadow = shadow.written(_NOT_BOTH, lambda m: " ")
    if _NOTE.search(shadow.text):
        shadow = shadow.written(table.written_by, lambda m: f"{table.writers[m['who'].lower()]} {m['noun']}")
        _of_services(s, shadow)
    shadow = named_so(s, in_stay(s, in_figures(s, shadow)))
    shadow = _converted(s, shadow)
    shadow = shadow.written(table.short, lambda m: table.shortened[m[0].lower()])
    shadow = without_contrast(s, shadow)
    shadow = former(s, referred(s, in_place(s, needless(s, uncaused(s, shadow)))))
    shadow = shadow.written(
        table.subheadings, lambda m: f": {table.subheading_of[' '.join(m['what'].lower().split())]}"
    )
    shadow = so_many(s, shadow)
    shadow = _measured(s, shadow)
    shadow = tests_before_numbers(s, shadow)
    shadow = cancers(s, shadow).written(_SIDE, lambda m: _SIDES[m["side"].lower()] if _is_sided(s, m["of"]) else m[0])
    shadow = shadow.written(table.alone, lambda m: _whole(m, table.alone_of[m[0].lower()]))
    shadow = gestation(s, shadow)
    shadow = results(s, shadow)
    shadow = _tested(s, shadow)
    if not _shouted(s):
        shadow = _abbreviated(s, shadow)
    shadow = _required(s, shadow)
    shadow = _flagged(s, shadow, table.unmentioned_before, "without")
    shadow = _flagged(s, shadow, table.unmentioned_after, "is absent")
    shadow = _other_kinds(s, shadow)
    s.reading.aside += [shadow.span(*m.span("whom")) for m in table.exclusion.finditer(shadow.text) if m["whom"]]
    shadow = shadow.written(table.exclusion, lambda m: "without")
    if opens := _EXCLUDES.search(shadow.text):
        also = [m for m in _ALSO_EXCLUDED.finditer(shadow.text) if m.start() > opens.start()]
        s.reading.aside += [shadow.span(*m.span("whom")) for m in also]
        also_at = {m.start() for m in also}
        shadow = shadow.written(_ALSO_EXCLUDED, lambda m: ", without " if m.start() in also_at else m[0])
    shadow, s.anyhow = _set_aside(s, shadow, table.mentioned_before)
    shadow = of_another(s, shadow)
    shadow = of_other_kind(s, shadow)
    shadow = shadow.written(_HYPHENED, lambda m: _one_word(s, m))
    shadow = lately(s, shadow)
    shadow = free_of(s, prophylaxis(s, dripping(s, shadow)))
    shadow = signs(s, exchanged(s, s.known.abbreviations.written_out(shadow, s.line, s.reading, s.known.matcher)))
    s.shadow = graded_without_a_word(s, levels(s, shadow))


def _of_services(s: Stretch, shadow: Shadow) -> None:
    """How notes of a service are asked for, of whose type only the site knows: "letters from cardiology clinic"."""
    for found in s.table.services.finditer(shadow.text):
        begin, end = shadow.span(*found.span())
        noun = (found["noun"] or found["behind"]).lower().removesuffix("s")
        kind = f'type:"{(found["who"] or found["before"]).lower()} {noun}"'
        told = f'"{s.typed(begin, end)}" is searched as words; {kind} asks for notes that are called so.'
        line = f"{s.line[:begin]}{kind}{s.line[end:]}"
        s.reading.notices.append(Notice("field", told, s.typed(begin, end), line))


def _converted(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Laparoscopic converted to open cholecystectomy" as the one that was begun, and that it was converted."""
    for found in reversed(list(_CONVERTED.finditer(shadow.text))):
        text = shadow.text
        named = (m for m in s.known.matcher.mentions(text, found.end(), len(text)) if m.begin == found.end())
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


def _other_kinds(s: Stretch, shadow: Shadow) -> Shadow:
    """ "Diabetes other than type 1" with the kind's whole name."""
    for found in reversed(list(_OTHER_KIND.finditer(shadow.text))):
        text = shadow.text
        named = s.known.matcher.mentions(text, 0, found.start(), asked=True)
        whole = next((m for m in named if m.end == found.start()), None)
        if whole is None or s.known.lexicon.find(found["kind"]):
            continue
        name = f"{found['kind']} {text[whole.begin : whole.end]}"
        kind = s.known.lexicon.find(name)
        if kind and whole.concept in s.known.lexicon.ancestors(kind.id):
            shadow = shadow.rewritten(*found.span("kind"), name)
    return shadow


def _numbered(s: Stretch, shadow: Shadow) -> Shadow:
    """ "# of falls" without what counts; before a part of the body "#" is a fracture."""
    for found in list(_COUNT.finditer(shadow.text)):
        if not any(s.is_part(word) for word in found.group("what", "next") if word):
            shadow = s.left_aside(shadow, *found.span())
    return shadow


def _measured(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with short forms of tests before what compares, not inside longer names: "ionized calcium"."""
    if not s.table.measured.search(shadow.text):
        return shadow
    named = [p for m in s.known.matcher.mentions(shadow.text, 0, len(shadow.text)) for p in m.parts]

    def make(found: re.Match[str]) -> str:
        begin, end = found.span("what")
        inside = any(b <= begin and end <= e and e - b > end - begin for b, e in named)
        return found[0] if inside else s.table.measured_of[found["what"].lower()]

    return shadow.written(s.table.measured, make)


def _required(s: Stretch, shadow: Shadow) -> Shadow:
    """What a plus stands before is positive where it is a test: "+trop"."""
    word = re.match(r"[\w-]+", shadow.text)
    if not word or not s.line[: shadow.begins[0]].endswith("+"):
        return shadow
    concept, risen = (s.known.lexicon.find(name) for name in (word[0], f"positive {word[0]}"))
    if concept is None or risen is None or concept.kind != "procedure":
        return shadow
    return shadow.written(re.compile(rf"^{re.escape(word[0])}"), lambda m: f"positive {m[0]}")


def _uncontracted(found: re.Match[str]) -> str:
    return f"{found['verb']} not"


def _whole(found: re.Match[str], meant: str) -> str:
    """``meant``, unless what it begins with stands there: "pancreatic pseudocyst"."""
    before, _, _ = meant.partition(found[0].lower())
    return found[0] if before and found.string[: found.start()].lower().endswith(before) else meant


def _spelt(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with the words that decide what is asked as they are spelt: "familiy history"."""

    def make(found: re.Match[str]) -> str:
        typed, word = found[0], found[0].casefold()
        if word in english() or word in s.known.vocabulary or len(word) < SHORTEST_DECIDING:
            return typed
        meant = next(iter(s.table.deciding.suggestions(word)), None)
        if meant is None:
            return typed
        s.reading.notices.append(Notice("spelling", f'"{typed}" was read as {meant}.', typed))
        return meant

    return shadow.written(WORD, make)


def _is_sided(s: Stretch, word: str) -> bool:
    return word.lower() in ("sided", "side") or s.is_part(word)


def _shouted(s: Stretch) -> bool:
    """Whether capitals say nothing: the line has no small letter, and is not of short forms alone."""
    if s.line.upper() != s.line:
        return False
    short = {*s.known.abbreviations.folded, *map(str.casefold, s.table.abbreviated), *_OPERATORS}
    return any(word.casefold().rstrip("-") not in short for word in WORD.findall(s.line) if _VOWEL.search(word))


def _one_word(s: Stretch, found: re.Match[str]) -> str:
    """ "Pre-eclampsia" as the lexicon writes it."""
    whole = found[1] + found[2]
    return whole if whole.casefold() in s.known.vocabulary else found[0]


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


def _abbreviated(s: Stretch, shadow: Shadow) -> Shadow:
    def make(found: re.Match[str]) -> str:
        typed, senses = found[0], s.table.abbreviates(found[0], s.line)
        if senses is None or _COMPARED_BEFORE.search(found.string, 0, found.start()):
            return typed
        (meant, other), (begin, end) = senses, shadow.span(*found.span())
        if any(one and _begins_with(found, one) for one in (meant, other)):
            return typed  # "anorexia nervosa" is written in full
        line = f"{s.line[:begin]}{other or f'words:{typed}'}{s.line[end:]}"
        told = f"{typed} was read as {meant}.{f' Did you mean {other}?' if other else ''}"
        s.reading.notices.append(Notice("abbreviation", told, typed, line))
        *first, last = meant.split()
        again = re.match(rf"\s+{last}s?(?!\w)", found.string[found.end() :], re.IGNORECASE)
        return " ".join(first) if again and first else meant  # "DRESS syndrome"

    return shadow.written(s.table.abbreviations, make)


def _begins_with(found: re.Match[str], name: str) -> bool:
    """Whether the name that begins with what was found stands there."""
    whole = rf"{re.escape(found[0])}(?=\s)" + r"\s+".join(["", *map(re.escape, name.split()[1:])]) + r"(?!\w)"
    return " " in name and re.match(whole, found.string[found.start() :], re.IGNORECASE) is not None


def _flagged(s: Stretch, shadow: Shadow, pattern: re.Pattern[str], word: str) -> Shadow:
    s.unmentioned |= {shadow.span(*m.span())[1] for m in pattern.finditer(shadow.text)}
    return shadow.written(pattern, lambda m: word)
