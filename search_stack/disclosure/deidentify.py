"""Notes without who they are of: what is not known to be harmless is hidden, rather than what is known to tell.

The identifiers are those of the Safe Harbor method, 45 CFR 164.514(b)(2). Showing known words
only, instead of looking for names, follows Norgeot et al., Protected Health Information filter (Philter), npj Digital
Medicine 3, 2020. It is no promise that nobody can be recognised: what happened to somebody may tell who it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from search_stack.language.lexicon.concepts import Lexicon

HIDDEN = "\ue002"
"""Stands for each hidden character; a private-use character that no note holds."""
Span = tuple[int, int]

MONTHS = (  # noqa: SIM905 (a line of words reads better than a column)
    "jan feb mar apr may jun jul aug sep sept oct nov dec "
    "january february march april june july august september october november december"
).split()
_MONTH = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?P<{}>(?:19|20)\d\d)?"
_DATED = re.compile(
    "|".join(
        (
            rf"\b{_DAY}\s*(?:of\s+)?{_MONTH}\b[\s,]*{_YEAR.format('a')}",
            rf"\b{_MONTH}\s*{_DAY}\b(?!\s*(?:mg|ml|%))[\s,]*{_YEAR.format('b')}",
            rf"\b{_MONTH}[\s,]+(?P<c>(?:19|20)\d\d)\b",
            r"\b\d{1,2}[./-]\d{1,2}[./-](?:(?P<d>(?:19|20)\d\d)|\d\d)\b",
            r"\b(?P<e>(?:19|20)\d\d)[./-]\d{1,2}[./-]\d{1,2}\b",
            r"\b(?:1[0-2]|0?[1-9])/(?:3[01]|[12]\d|0?[1-9])\b(?!/)",
        )
    ),
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\S*@\S+|\b(?:https?://|www\.)\S+|\b\d{1,3}(?:\.\d{1,3}){3}\b", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:\+|\(?\b)\d[\d() .-]{5,}\d\b")
"""Digits with signs between, as a phone's: told by `_is_call`."""
_TITLE = r"\b(?:dr|mr|mrs|ms|miss|prof|doctor|nurse|sister|professor)\b\.?"
_LABEL = r"\b(?:name|signed|signed by|dictated by|attending|provider|cc|from|to)\s*:"
_ADDRESSED = re.compile(
    rf"(?:{_TITLE}|{_LABEL})(?P<who>(?:[ \t]+(?:[A-Za-z]\.|[A-Z][\w'’-]+)){{1,4}}|[ \t]+[a-z][\w'’-]+)", re.IGNORECASE
)
_SIGNED = re.compile(
    r"(?P<who>[A-Z][\w'’.-]+(?:[ \t]+[A-Z][\w'’.-]*){0,3}),?[ \t]+"
    r"(?:M\.?D\.?|D\.?O\.?|R\.?N\.?|Ph\.?D\.?|P\.?A\.?|N\.?P\.?)(?!\w)"
)
_OLD = re.compile(r"\b(?P<age>9\d|1[0-2]\d)(?=[\s-]*(?:years?|yrs?|y\.?o\b|y/o))", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
COMMON, FIRST = 60, 300
"""Most frequent words of an encyclopedia and of films that begin sentences: none is a name of a person or place."""
SHORT = 3
"""Letters and digits of a word with both that is shown: T2, A1c, but no number of a record."""
UNITS = frozenset(
    "mg mcg ug g kg ml l cc units unit iu meq mmol cm mm bpm ms kcal steps".split()  # noqa: SIM905 (reads better)
)
SAID = UNITS | frozenset(
    (  # noqa: SIM905 (lines of words read better than a column)
        "impression findings history plan assessment comparison technique indication clinical patient examination "
        "exam medications allergies social family past medical surgical review systems physical discharge diagnosis "
        "summary hospital course report note admission procedure description reason present illness chief complaint "
        "lungs heart abdomen chest extremities neck skin normal stable mild left right upper lower small large no none "
        "denies negative hr bp rr ef na cl wbc rbc hgb hct plt bun inr bid tid qid qd qhs prn po iv im sq npo"
    ).split()
)
"""Words of notes that are in no list of names of findings or of common English."""


def deidentified(text: str, lexicon: Lexicon, mentions: Iterable[Span] = (), own: Iterable[str] = ()) -> str:
    """``text``, as long as it was, with `HIDDEN` for each character of what may tell who it is of.

    Shown are words that the lexicon or common English knows, capitalised ones only where the lexicon knows them and
    they are no names besides; numbers that can be measured; years. Hidden are names, days and months, addresses,
    numbers of phones and records, ages of 90 and more, and any word that is not known.

    Args:
        mentions: offsets of findings: what names one is shown, though it be somebody's name elsewhere (Parkinson).
        own: ids of the note and its patient, wherever they stand.
    """
    known, names, common, first = _ours(lexicon), _names(), _english(), _first()
    shown = sorted(mentions)
    hidden = [*_told(text), *(m.span() for word in own if word for m in re.finditer(re.escape(word), text))]
    for match in _TOKEN.finditer(text):
        begin, end = match.span()
        if any(b <= begin and end <= e for b, e in shown):
            continue
        if not _harmless(match[0], _after(text, end), known, names, common, first):
            hidden.append((begin, end))
    out = list(text)
    for begin, end in hidden:
        out[begin:end] = HIDDEN * (end - begin)
    return "".join(out)


def _told(text: str) -> Iterator[Span]:
    """What its form or its neighbours tell."""
    for found in _DATED.finditer(text):
        year = next((found.span(name) for name in "abcde" if found[name]), (found.end(), found.end()))
        yield found.start(), year[0]
        yield year[1], found.end()
    yield from (m.span() for m in _ADDRESS.finditer(text))
    yield from (m.span() for m in _NUMBERED.finditer(text) if _is_call(m[0]))
    for found in (m for pattern in (_ADDRESSED, _SIGNED) for m in pattern.finditer(text)):
        yield found.end("who") - len(found["who"].lstrip()), found.end("who")
    yield from (m.span("age") for m in _OLD.finditer(text))


def _is_call(written: str) -> bool:
    """Whether these are the digits of a phone or record: seven or more."""
    return sum(map(str.isdigit, written)) >= 7  # as a phone has


def _harmless(
    word: str, after: str, known: frozenset[str], names: frozenset[str], common: frozenset[str], first: frozenset[str]
) -> bool:
    if word.isdigit():
        return len(word) <= 3 or re.fullmatch(r"(19|20)\d\d", word) is not None or after in UNITS
    if any(map(str.isdigit, word)):
        return len(word) <= SHORT or word.lower() in known or word.rstrip("0123456789").lower() in UNITS | {""}
    plain = word.lower().replace("’", "'").removesuffix("'s")
    if word.islower():
        return plain in known or plain in common
    if plain in first:
        return True
    return plain in known and (plain not in names or word.isupper())


def _after(text: str, at: int) -> str:
    found = _TOKEN.match(text, at + (text[at : at + 1] == " "))
    return found[0].lower() if found else ""


@lru_cache(maxsize=1)
def _ours(lexicon: Lexicon) -> frozenset[str]:
    """Words of the lexicon's names. Phrases are left out: those of large vocabularies hold thousands of surnames."""
    names = (n for c in lexicon.concepts.values() if c.loose for n in (c.id, *c.loose, *c.abbreviations))
    return frozenset(w.lower() for name in names for w in _TOKEN.findall(name)) | SAID


def _listed(kind: str) -> Sequence[str]:
    """Words, the most frequent first."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # which take long to read, and only viewers need

    found: Sequence[str] = FREQUENCY_LISTS[kind]
    return found


@cache
def _names() -> frozenset[str]:
    return frozenset(w for kind in ("surnames", "female_names", "male_names") for w in _listed(kind))


@cache
def _english() -> frozenset[str]:
    """Common words that are no names, from the lists of zxcvbn: each word stands in one of its lists only."""
    return frozenset(w for kind in ("us_tv_and_film", "english_wikipedia") for w in _listed(kind) if w not in MONTHS)


@cache
def _first() -> frozenset[str]:
    lists: Sequence[tuple[str, int]] = (("english_wikipedia", COMMON), ("us_tv_and_film", FIRST))
    return frozenset(w for kind, most in lists for w in _listed(kind)[:most])
