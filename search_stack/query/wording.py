"""The table `wording.toml`, made ready: how people word a question."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from search_stack.language.alternation import any_of
from search_stack.language.lexicon.concepts import Concept
from search_stack.language.lexicon.english import english
from search_stack.language.sections.aspects import aspect_of, aspect_table
from search_stack.query.headings import Headings
from search_stack.query.spelling import Speller

SHORTEST_SLIP, SHORTEST_DECIDING = 7, 6
_NON = re.compile(r"(?<![\w-])non(?P<apart>[\s-]?)(?P<of>[^\W\d_]{4,})(?![\w-])")
"""What something is not, as one word or as two."""
"""Letters from which a misspelt word is taken for one that asks."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Words by their tokens that stand before or behind a name of one of ``kinds`` and make something else of it."""

    kinds: frozenset[str]
    before: tuple[tuple[str, ...], ...]
    behind: tuple[tuple[str, ...], ...]
    names: re.Pattern[str] | None = None
    """What such a name holds; any, where there is none."""
    result: str = ""
    """What a test found, where the words say that (`search_stack.core.schema.RESULTS`)."""

    def tells_of(self, concept: Concept) -> bool:
        return concept.kind in self.kinds and (self.names is None or self.names.search(concept.name) is not None)

    @property
    def words(self) -> frozenset[str]:
        return frozenset(word for phrase in (*self.before, *self.behind) for word in phrase)


@dataclass(frozen=True, slots=True)
class Sense:
    """What else a short form may be, and what a line holds that means it."""

    means: str
    where: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Wording:
    frames: frozenset[str]
    """Words that ask, and name nothing that is asked for."""
    loose: frozenset[str]
    """Those of `frames` that are searched where nothing else is asked for."""
    relating: frozenset[str]
    """Words that join all that stands before them with all behind."""
    function: frozenset[str]
    clauses: frozenset[str]
    asks_for: frozenset[str]
    exclusion: re.Pattern[str]
    unmentioned_before: re.Pattern[str]
    unmentioned_after: re.Pattern[str]
    mentioned_before: re.Pattern[str]
    short: re.Pattern[str]
    shortened: Mapping[str, str]
    measured: re.Pattern[str]
    """Short forms of tests, before a number that is compared."""
    measured_bare: re.Pattern[str]
    """Likewise, before any number."""
    measured_of: Mapping[str, str]
    alone: re.Pattern[str]
    """Words that leave their noun out, where none follows."""
    alone_of: Mapping[str, str]
    aspects: re.Pattern[str]
    aspect_of: Mapping[str, str]
    aspect_verbs: Mapping[str, str]
    subheadings: re.Pattern[str]
    """A slash and one of `subheading_of`, behind a name."""
    subheading_of: Mapping[str, str]
    types: re.Pattern[str]
    named_types: re.Pattern[str]
    """A type of note by itself."""
    headings: re.Pattern[str]
    """A heading of several words by itself."""
    headed: re.Pattern[str]
    """One that is set before a line: "home meds: metoprolol"; none of those that say whose or when it was."""
    sections: Headings
    asking: re.Pattern[str]
    one_of: re.Pattern[str]
    trouble: re.Pattern[str]
    """Words of trouble, before what the trouble is."""
    beside: tuple[Beside, ...]
    telling: frozenset[str]
    """Words that tell what became of a name, and are no slips of another: "held", "pulled"."""
    """The longest phrases first."""
    failure: tuple[str, ...]
    """How notes tell that a drug did not work."""
    failed: re.Pattern[str]
    told: re.Pattern[str]
    """What is added about the name before, with the sign between both."""
    remark: re.Pattern[str]
    """The same in brackets."""
    people: re.Pattern[str]
    graded: frozenset[str]
    """Words that a grade stands behind."""
    scales: Mapping[str, str]
    """By the name of what is graded, the word that may stand between it and the grade."""
    graded_as: Mapping[str, str]
    """By the name of what is graded without one, the word before its grade."""
    parts: frozenset[str]
    countable: frozenset[str]
    sides: frozenset[str]
    """Words that tell apart two of one thing."""
    numbers: Mapping[str, int]
    abbreviated: Mapping[str, str]
    """Short forms of which a line means one sense: those in capitals only as they stand, others in small letters too."""
    abbreviations: re.Pattern[str]
    senses: Mapping[str, tuple[Sense, ...]]
    """By the short form as `abbreviated` has it; the first that a line means holds."""
    written_otherwise: re.Pattern[str]
    ways: Mapping[str, Sequence[str]]
    """By words that name no concept, how else they are written."""
    written_by: re.Pattern[str]
    """Notes by who wrote them: "notes from radiology"."""
    writers: Mapping[str, str]
    """By who writes notes, the adjective of their type."""
    services: re.Pattern[str]
    """Notes of those whose type a site may have under another name: "cardiology letter"."""
    unsure: Mapping[str, Sequence[str]]
    """By short forms of which nothing tells what they mean, the names of what they may."""
    degrees: frozenset[str]
    """Adjectives that tell how much, or how lately."""
    hollow: frozenset[str]
    """Words that say no more of a name beside them than that it is there, or was done."""
    hollow_alone: frozenset[str]
    """Likewise, where no other word that names nothing stands with them."""
    hollow_behind: frozenset[str]
    """Likewise, right behind what somebody has."""
    hollow_behind_device: frozenset[str]
    """Likewise, right behind a device."""
    hollow_drug: frozenset[str]
    """Likewise, right beside a drug."""
    hollow_procedure: frozenset[str]
    """Likewise, right before what is done."""
    clinical: frozenset[str]
    everyday: frozenset[str]
    everyday_rank: int
    asking_words: Speller
    deciding: Speller

    def abbreviates(self, typed: str, line: str) -> tuple[str, str] | None:
        """What a short form means in ``line``, and what else it may be; empty where that is nothing."""
        forms = (form for one in (typed, typed.removesuffix("s")) for form in (one, one.lower(), one.upper()))
        short = next((form for form in forms if form in self.abbreviated), typed)
        meant, senses = self.abbreviated.get(short), self.senses.get(short, ())
        if meant is None or not senses:
            return (meant, "") if meant else None
        other = next((sense.means for sense in senses if sense.where.search(line)), "")
        return (other, meant) if other else (meant, senses[0].means)

    def otherwise(self, text: str) -> Iterator[str]:
        """``text`` as notes write it otherwise: "lad" as "left anterior descending", "non-cardiac" as "noncardiac"."""
        for found in self.written_otherwise.finditer(text):
            for way in self.ways[found[0].lower()]:
                yield f"{text[: found.start()]}{way}{text[found.end() :]}"
        if one := _NON.search(text):
            written = f"non {one['of']}" if not one["apart"] else f"non{one['of']}"
            yield f"{text[: one.start()]}{written}{text[one.end() :]}"

    def is_slip(self, word: str) -> bool:
        """Whether a word that is none is a misspelt one that asks: "patints"."""
        return len(word) >= SHORTEST_SLIP and word not in english() and bool(self.asking_words.suggestions(word))


@cache
def wording() -> Wording:
    raw = tomllib.loads((files("search_stack.query") / "wording.toml").read_text(encoding="utf-8"))
    aspects = {phrase: name for name, text in raw["aspects"].items() for phrase in _phrases(text)}
    verbs = {verb: name for name, text in raw["aspect_verbs"].items() for verb in text.split()}
    subheadings = {phrase: name for name, text in raw["subheadings"].items() for phrase in _phrases(text)}
    beside = tuple(
        Beside(
            frozenset(row["kinds"].split()),
            _tokens(row["before"]),
            _tokens(row["behind"]),
            re.compile(row["names"]) if "names" in row else None,
            row.get("result", ""),
        )
        for row in raw["beside"]
    )
    types, alone = raw["types"], raw["alone"] | _eponyms(raw["eponyms"])
    return Wording(
        frames=frozenset(_frames(raw)),
        loose=frozenset(_loose(raw)),
        relating=frozenset(raw["frames"]["relating"].split()),
        function=frozenset(raw["function"]["words"].split()),
        clauses=frozenset(raw["function"]["clauses"].split()),
        asks_for=frozenset(raw["function"]["asks_for"].split()),
        exclusion=re.compile(_DOUBT + _any(_phrases(raw["exclusion"]["phrases"])).pattern + _WHOM, re.IGNORECASE),
        unmentioned_before=_any(_phrases(raw["exclusion"]["unmentioned_before"])),
        unmentioned_after=_any(_phrases(raw["exclusion"]["unmentioned_after"])),
        mentioned_before=_any(_phrases(raw["exclusion"]["mentioned_before"])),
        short=_any(raw["short"]),
        shortened=raw["short"],
        measured=re.compile(rf"{_NO_SITE}(?P<what>{_any(raw['measured']).pattern}){_COMPARED}", re.IGNORECASE),
        measured_bare=re.compile(
            rf"{_NO_SITE}(?<!\bvitamin\s)(?<!\bvit\s)(?P<what>{_any(raw['measured']).pattern})(?=[\s:=]+(?:[a-z]+\s+)?\d)",
            re.IGNORECASE,
        ),
        measured_of=raw["measured"],
        alone=_alone(raw, alone),
        alone_of=alone,
        aspects=_any(aspects),
        aspect_of=aspects,
        aspect_verbs=verbs,
        subheadings=re.compile(
            rf"(?<=\w)\s?/\s?(?P<what>{any_of(subheadings)})(?!\w)(?=\s*(?:$|[,;)\]]|(?:and|or|not)\s))",
            re.IGNORECASE,
        ),
        subheading_of=subheadings,
        types=_types(types["adjectives"], types["nouns"].split(), types["whole"]),
        named_types=re.compile(_named(types["adjectives"], types["nouns"].split(), types["whole"]), re.IGNORECASE),
        headings=_any(k for k in aspect_table().aspects if " " in k),
        headed=re.compile(
            rf"\s*(?P<heading>{_any(k for k in aspect_table().aspects if ' ' in k and not _says_when(k)).pattern})"
            r"\s*:(?=\s|$)",
            re.IGNORECASE,
        ),
        sections=_headings(frozenset(raw["sections"]["names"].split())),
        asking=re.compile(rf"(?<!\bnot\s){_any(_phrases(raw['frames']['asking'])).pattern}", re.IGNORECASE),
        one_of=_any(_phrases(raw["frames"]["one_of"])),
        trouble=_any(_phrases(raw["trouble"]["phrases"])),
        graded=frozenset(raw["shared"]["graded"].split()) | {name.split()[-1] for name in _scales(raw)},
        scales=_scales(raw),
        graded_as={name: noun for noun, names in raw["graded"].items() for name in _phrases(names)},
        parts=frozenset(raw["shared"]["parts"].split()),
        countable=frozenset(raw["shared"]["countable"].split()),
        sides=frozenset(raw["shared"]["sides"].split()),
        beside=beside,
        telling=frozenset(word for row in beside for word in row.words),
        failure=tuple(_phrases(raw["failure"]["ways"])),
        failed=re.compile(rf"{any_of(_phrases(raw['failure']['said']))}(?!\w)"),
        told=re.compile(
            r"(?P<guess>\s+(?:(?:initially|originally|at\s+first)\s+)?(?:suspected|queried|considered|recommended|offered|advised|suggested|proposed))?"
            rf"(?:\s*[,(–]|\s+-|\s+but|\s(?=\s*(?:later|then|subsequently|eventually|ultimately|finally)\s)|\s(?=\s*(?:(?:and|has|have|was|were|is)\s+)*(?:not|never)\s))\s*{_added(raw['afterthoughts'])}",
            re.IGNORECASE,
        ),
        remark=re.compile(rf"\(\s*{_added(raw['afterthoughts'])}(?<=\))", re.IGNORECASE),
        people=_PEOPLE,
        numbers=raw["numbers"],
        abbreviated=raw["abbreviated"],
        abbreviations=_abbreviations(raw["abbreviated"], raw["stressed"]),
        senses=_senses(raw["senses"]),
        written_by=re.compile(
            rf"(?<!\w)(?P<noun>{_NOTES})\s+(?:(?:written|dictated)\s+)?(?:from|by)\s+(?:the\s+)?(?P<who>{any_of(_writers(types))})(?!\w)",
            re.IGNORECASE,
        ),
        writers=_writers(types),
        services=re.compile(_of_services(any_of(_phrases(types["others"]["services"]))), re.IGNORECASE),
        unsure={short: _phrases(names) for short, names in raw["unsure"].items()},
        hollow=frozenset(raw["hollow"]["words"].split()),
        hollow_alone=frozenset(raw["hollow"]["alone"].split()),
        hollow_behind=frozenset(raw["hollow"]["behind"].split()),
        hollow_behind_device=frozenset(raw["hollow"]["behind_device"].split()),
        hollow_drug=frozenset(raw["hollow"]["beside_drug"].split()),
        hollow_procedure=frozenset(raw["hollow"]["before_procedure"].split()),
        degrees=frozenset(raw["degrees"]["words"].split()),
        written_otherwise=_any(raw["otherwise"]),
        ways={typed: _phrases(ways) for typed, ways in raw["otherwise"].items()},
        clinical=frozenset(raw["abbreviations"]["clinical"].split()),
        everyday=frozenset(raw["abbreviations"]["everyday"].split()),
        everyday_rank=raw["abbreviations"]["everyday_rank"],
        deciding=Speller(w for w in raw["deciding"]["words"].split() if len(w) >= SHORTEST_DECIDING),
        asking_words=Speller(w for w in _frames(raw) if len(w) >= SHORTEST_SLIP),
    )


def _scales(raw: Mapping[str, Any]) -> dict[str, str]:
    return {name: noun for noun, names in raw["scales"].items() for name in _phrases(names)}


def _writers(types: Mapping[str, Any]) -> dict[str, str]:
    return {who: kind for kind, names in types["writers"].items() for who in _phrases(names)}


def _of_services(service: str) -> str:
    where = r"(?:\s+(?:clinic|team|department))?"
    return (
        rf"(?<!\w)(?:(?P<noun>{_NOTES})\s+(?:from|by)\s+(?:the\s+)?(?P<who>{service}){where}"
        rf"|(?P<before>{service}){where}\s+(?P<behind>{_NOTES}))(?!\w)"
    )


def _senses(rows: Iterable[Mapping[str, str]]) -> dict[str, tuple[Sense, ...]]:
    out: dict[str, tuple[Sense, ...]] = {}
    for row in rows:
        where = re.compile(row["where"].replace("@", rf"\b{row['short']}\b"), re.IGNORECASE)
        out[row["short"]] = (*out.get(row["short"], ()), Sense(row["means"], where))
    return out


def _frames(raw: Mapping[str, Any]) -> list[str]:
    return [*raw["frames"]["words"].split(), *_loose(raw)]


def _loose(raw: Mapping[str, Any]) -> list[str]:
    return str(raw["frames"]["loose"]).replace("_", " ").split()


def _phrases(text: str) -> list[str]:
    """Phrases between slashes that stand apart, so that "w/o" stays one."""
    return [" ".join(p.split()) for p in re.split(r"(?:^|\s)/\s", f" {text} ") if p.strip()]


def _says_when(heading: str) -> bool:
    """Whether a heading says of what stands under it what a note would: that is read so, "fam hx: stroke"."""
    aspect = aspect_of(heading)
    return aspect == "history" or not {"past", "family", "allergies"}.isdisjoint(aspect.replace(",", "").split())


def _tokens(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted((tuple(p.split()) for p in _phrases(text)), key=len, reverse=True))


def _headings(single: frozenset[str]) -> Headings:
    return Headings((k for k in aspect_table().aspects if len(k) > 3 or k in single), single)


def _any(phrases: Iterable[str]) -> re.Pattern[str]:
    """Any of the phrases, the longest first, whole words, whatever the case and the white space."""
    return re.compile(rf"{_NO_WORD}(?:{any_of(phrases)})(?!\w)", re.IGNORECASE)


def _abbreviations(table: Iterable[str], stressed: Mapping[str, str]) -> re.Pattern[str]:
    written = (
        stressed.get(short, "").replace("\n", "")
        or (f"{short}s?" if short.isupper() else f"{short}|{short.capitalize()}|{short.upper()}s?")
        for short in table
    )
    return re.compile(rf"(?<!\w)(?:{'|'.join(written)})(?!\w)")


def _eponyms(raw: Mapping[str, str]) -> dict[str, str]:
    """ "Lyme", "cushings" and "raynaud's" by what is called after them."""
    return {
        f"{name}{ending}": f"{name} {noun}"
        for noun, names in raw.items()
        for name in names.split()
        for ending in ("", "s", "'s")
    }


def _alone(raw: Mapping[str, Any], written: Iterable[str]) -> re.Pattern[str]:
    """What stands in for its noun: at the end, before a sign, a word that names nothing, or a topic."""
    small = {*raw["function"]["words"].split(), *raw["function"]["clauses"].split(), *raw["frames"]["relating"].split()}
    small |= {*_frames(raw), *(w for verbs in raw["aspect_verbs"].values() for w in verbs.split())}
    small |= {w for nouns in raw["aspects"].values() for w in _phrases(nouns) if " " not in w}
    small |= {"after", "before", "following", "without", "but", "not", "no", "then", "while", "since", "due", "post"}
    small |= {"delivered", "born"}
    behind = rf"(?=\s*(?:$|[^\w\s'-]|(?:{any_of(small)})(?!\w)|(?:neg|pos)(?:ative|itive)?\s*(?:$|[,;)])))"
    return re.compile(_any(written).pattern + behind, re.IGNORECASE)


def _named(adjectives: str, nouns: Iterable[str], whole: str) -> str:
    kinds = "|".join(k.replace("_", r"\s+") for k in adjectives.split())
    return rf"(?:(?:{kinds})\s+(?:{'|'.join(nouns)})|{whole})(?!\w)"


def _added(raw: Mapping[str, str]) -> str:
    """What is added about a name, and where it ends: at the end, before a sign or what it was told by."""
    joined = r"(?:(?:and|but|which|that|it|(?:the\s+)?(?:patient|pt|family|mother|he|she|they)|is|was|were|has|have|had|been)\s+)*"
    said = rf"(?:(?P<true>(?P<unproven>not\s+(?:yet\s+|been\s+)*|never\s+(?:been\s+)?|un)?(?:{any_of(_phrases(raw['true']))}))|(?P<what>{any_of(_phrases(raw['told']))}))"
    adverbs = rf"(?:(?:{any_of(raw['adverbs'].split())})\s+)*"
    ends = r"(?P<closing>\s*\))?(?=\s*(?:$|[,;.)]|(?:by|on|with|after|for|due|because|and|or|in|at)\s))"
    return rf"{joined}{adverbs}{said}{ends}"


def _types(adjectives: str, nouns: Iterable[str], whole: str) -> re.Pattern[str]:
    named = _named(adjectives, nouns, whole)
    excludes = r"(?P<not>(?:(?:but|and)\s+)?(?:(?:not|never)\s+(?=in\s|from\s)|(?:without|except)\s+))?"
    return re.compile(
        rf"(?<!\w){excludes}(?:(?:in|from|of|all|the|their|any)\s+)*(?P<type>{named})(?!\w)", re.IGNORECASE
    )


_NOTES = "notes?|letters?|reports?"
_NO_WORD = r"(?<![\w/-])"
_COMPARED = (
    r"(?!\D{1,16}\d[\d.,]*\s?(?:mg|mcg|g|units?|iu|tabs?)(?![\w/]|\s/))"
    r"(?=\s*(?:(?:still|remains|remaining|persistently|always)\s+)?(?:[<>≤≥]|(?:(?:of|is|was)\s+)?(?:(?:no|not)\s+)?(?:over|under|above|below|at\s+least|at\s+most|exceeding"
    r"|(?:more|less|greater|lower|higher)\s+than)\s+\d|between\s+(?!(?:19|20)\d\d\b)\d))"
)
_SITES = (
    "prostate breast lung colon rectal thyroid renal bladder ovarian skin gastric pancreatic cervical uterine liver"
)
_NO_SITE = "".join(rf"(?<!\b{site}\s)" for site in _SITES.split())
"""Behind a part of the body "ca" is a cancer, and no calcium."""
_DOUBT = "".join(rf"(?<!\b{w}\s)" for w in ("cannot", "can't", "cant", "couldn't", "couldnt", "not", "unable\\sto"))
"""What leaves an exclusion open: who "cannot exclude" something holds it for possible."""
_WHOM = (
    r"(?P<whom>\s+(?:(?:those|anyone|anybody|people|patients|pts|everyone|cases|notes|subjects|participants)"
    r"(?:\s+(?:who|that|with|on|taking|have|has|had|having|are|is|were|been)\b){1,3}"
    r"|(?:they|he|she)\b(?:\s+(?:have|has|had|are|is|were|was|been|take|takes)\b){0,3}"
    r"|(?:(?:is|are|currently|already)\s+)*(?:on|taking|receiving)(?=\s+[^\W\d]))(?!\w))?"
)
"""Whom an exclusion may name before it says what they have."""
_AGE = r"(?:\d{1,3}(?:\s*-?\s*(?:years?|yrs?|yo|y/o|months?|mos?|weeks?|wks?|days?|hours?|hrs?)(?:\s*-?\s*olds?|\s+of\s+age)?)?)"
_PEDIATRIC = (
    r"pa?e(?:diatric|ds)(?!\s+(?:[\w-]*olog\w+|surg\w+|clinics?|consult\w*|p?icu|er|ed|ward|floor|unit|hospital\w*|dos\w+"
    r"|dent\w+|residen\w+|team|services?|provider|notes?|visits?|practice|office|emergency|intensive|anesth\w+|orthop\w+"
    r"|ophth\w+|gi|neuro|cards|ortho|heme|onc|id|ent|psych\w*|rehab\w*|medicine|index|scale|score|specialist\w*|referral"
    r"|follow\w*|eval\w*|nurs\w+|home|tube|size|formula)(?!\w))"
)
"""Who they are, and no service or measure for them: "pediatric asthma", not "pediatric surgery consult"."""
_OLD_PEOPLE = (
    "".join(
        rf"(?<!{unit}\s)"
        for unit in (r"\d", "years", "year", "yrs", "yr", "months", "month", "weeks", "week", "days", "day")
    )
    + r"old(?:er)?\s+(?:people|folks?|persons?|patients?|pts|adults)(?!\s+than)"
)
_YOUNG_PEOPLE = r"young\s+(?:people|folks?|persons?|patients?|pts)"
_WHO = rf"(?<!\bas\sa\s)(?<!\bas\san\s)(?<!\btrans\s)(?<!\btransgender\s)(?:mothers(?=\s+(?:over|under|above|below|aged|older|younger|[<>≤≥])(?!\w))|wom[ae]n|m[ae]n|males?|females?|girls?|boys?|children|kids?|(?<!the\s)child(?![\s-]+(?:abuse|birth|care|protection|neglect|psychiatr\w+|pugh)\b)|infants?|newborns?|neonates?|toddlers?|pre-?schoolers?|babies|(?<!the\s)baby(?=\s*,\s*(?:mother|mum|mom)(?!\w)|\s+(?:with|who|whose|has|had|born|boy|girl|under|below|less|admitted|presenting|p/w|[<≤])(?!\w))|geriatric(?=\s+(?:patients?|people))|adults?(?![\s-]+onset)|elderly|{_OLD_PEOPLE}|{_YOUNG_PEOPLE}|{_PEDIATRIC}|teen(?:age)?rs?|teens?|teenage\s+(?:girls?|boys?)|teenage(?=\s+\w)|adolescents?|ladies|lady|gentlem[ae]n)"
_PEOPLE = re.compile(
    rf"""(?<![\w-])(?:
      (?:{_WHO}\s+)?of\s+(?:child[\s-]?bearing|reproductive)\s+(?:age|potential) | wocbp
    | {_WHO}\s+\d{{1,3}}\s*(?:-|–|to)\s*\d{{1,3}}(?:\s*-?\s*(?:years?|yrs?|months?|mos?|weeks?|wks?|days?)(?:\s+old|\s+of\s+age)?)?
    | (?:woman|man|male|female|lady|gentleman|girl|boy)\s+\d{{1,2}}(?=\s*(?:$|[,;]|(?:with|who|on|and|presenting|presented|admitted|has|had)\s))
    | (?:{_WHO}\s+)?\((?:aged?\s+)?\d{{1,3}}\s?(?:-|–|to)\s?\d{{1,3}}(?:\s?(?:years?|yrs?|yo|y))?(?:\s+old)?\)    |
      (?<!(?<!not\s)pregnant\s)(?:(?:older|younger|elderly|middle[\s-]aged|young(?=\s+(?:m[ae]n|wom[ae]n|males?|females?|adults?|lad(?:y|ies)))|(?<!\d\s)(?<!years\s)(?<!year\s)(?<!yr\s)(?<!yrs\s)(?<!month\s)(?<!week\s)(?<!day\s)old(?=\s+(?:lad|m[ae]n|wom[ae]n|gent)))\s+)?{_WHO}(?:\s+(?:patients?|pts?|only))?
        (?:\s+(?:aged?\s+)?(?:over|under|above|below|older\s+than|younger\s+than|less\s+than(?=\s+\d{{1,3}}\s*-?\s*(?:y|mo|w|d|h))|aged?|of|>=?|<=?)\s*(?:the\s+age\s+of\s+)?{_AGE}(?:\s*(?:-|to|and)\s*{_AGE})?(?:\s+(?:or|and)\s+(?:over|older|above|younger|under)(?!\s+(?:\d|the\b)))?)?
    | (?:patients?|pts|people|persons)\s+\d{{1,2}}\s*(?:-|–|to)\s*\d{{1,3}}(?=\s*(?:$|[,;]|(?:with|who|on|and|in|admitted|had|has)\s))
    | (?:sex|gender)\s*(?:=|is)\s*(?:[mf]|{_WHO})
    | (?<!p/)[mf]\s?[<>≤≥]=?\s*\d{{1,3}} | (?:(?-i:pts|patients?)\s?[<>≤≥]=?\s*(?:1[89]|[2-9]\d)|(?-i:pt)\s?[>≥]=?\s*[4-9]\d)(?!\w|\s?[%/]|\s?(?:mg|mm|cm|kg|sec\w*|yo|y/o|ye?a?rs?|days?|weeks?|months?|hours?)\b)
    | (?<!gestational\s)(?:aged?|ages)\s*(?:between|from|of|at\s+least|[<>≤≥]=?|over|under|(?:less|more|greater|older|younger|higher)\s+than)?\s*\d{{1,3}}(?:\s*(?:days?|weeks?|months?|years?|yrs?))?
        (?:\s*(?:-|–|to|and)\s*\d{{1,3}})?(?:\s*(?:days?|weeks?|months?|years?|yrs?|y))?(?:\s*\+|\s+(?:old|of\s+age|(?:or|and)\s+(?:over|older|above|up|more|greater|under|younger|below)(?!\s+\d)))?(?:\s+[mf](?=\s*(?:$|[,;.])))?
    | (?:{_WHO}\s+)?(?<![<>≤≥=+.,/:-])(?<![<>≤≥=]\s)(?:1[5-9]|[2-9]\d)(?:\s?\+(?!\w)|\s+(?:or|and)\s+(?:older|younger|over|above|under|below)(?!\w))(?=\s*(?:$|[,;.)]|(?:with|on|who|and|after|in|had|has)\s))
    | [<>≤≥]=?\s?(?:1[89]|[2-9]\d)(?!\.\d)(?=\s*(?:$|[,;.)]|(?:with|on|who|and|in|but|without|plus|[+])\s))
    | ^\s*\d{{2}}\s?\+(?=\s+(?:with|on|who|and)\b)
    | (?<!gestational\s)(?:aged?|ages)\s+(?:(?:over|under|above|below|between|from)\s+)?{_AGE}(?:\s*(?:-|to|and)\s*{_AGE})?(?:\s+(?:or|and)\s+(?:over|older|above|younger))?
    | (?:over|under)-?\s?\d{{1,2}}s
    | (?:between|from)\s+(?:the\s+ages\s+of\s+)?\d{{1,3}}\s+(?:and|to)\s+\d{{1,3}}(?:\s*(?:years?|yrs?)(?:\s+old|\s+of\s+age)?)?
        (?!\s*(?:mg|ml|mm|cm|kg|%|hours?|days?|weeks?|months?|years?))
    | (?<!\bfrom\s)(?<!\bnever\s)(?<!\bwent\s)(?<!\bgone\s)(?<!\brose\s)(?<!\bfell\s)(?:over|under|above|below|older\s+than|younger\s+than)\s+(?:the\s+age\s+of\s+)?\d{{1,3}}(?:\s*(?:years?|yrs?)(?:[\s-]+olds?|\s+of\s+age)?)?(?!\s*(?:mg|ml|mm|cm|kg|%|days?|hours?|weeks?|months?))
    | \d{{1,3}}\s*(?:years?|yrs?)(?:\s+(?:old|of\s+age))?\s+(?:and|or)\s+(?:over|older|above|under|younger|below)
    | \d{{1,3}}\s*-?\s*(?:years?|yrs?|months?|mos?|weeks?|wks?|days?)\s*-?\s*olds?(?:\s+(?:[mf](?!\w)|{_WHO}))?
    | \d{{2,3}}\s?/\s?[mf] | [mf]\s?/\s?\d{{2,3}}(?![/.]) | ^\s*[mf]\s?\d{{2}}(?=\s)
    | (?:early|mid|late)[\s-]+[2-9]0'?s | ^\s*[mf]\s+\d{{1,2}}\s?(?:-|–|to)\s?\d{{1,2}}(?=\s)
    | (?:in|aged)\s+(?:their|his|her)\s+(?:(?:early|mid|late)[\s-]+)?[1-9]0'?s
    | (?:(?:sexa|septua|octo|nona)ge|cente)narians?
    | (?:[<>≤≥]=?)\s*\d{{1,3}}\s*(?:years?|yrs?|yo\b|y/o)(?:\s+(?:old|of\s+age))?
    | \d{{1,3}}\s*(?:-|–|to)\s*\d{{1,3}}\s*-?\s*(?:years?|yrs?)(?:[\s-]+(?:olds?|of\s+age))?
    | \d{{1,3}}\s*(?:yo|y/o|y\.o\.?|y\so)(?:\s?\+|\s*(?:[mf]|{_WHO}))?
    | \d{{2,3}}\s?[mfMF]
    | (?<!\d\s)(?<![<>=≤≥]\s)(?-i:[MF])(?:(?=\s*(?:$|[,;)]|(?:with|on|who|whose|and|in|aged|adults?|pts?|patients?|not|no|without|after|s/p|p/w)\s))|(?<=^[MF])(?=\s+(?:never|ex|current|former|non)[\s-]))
    )(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
