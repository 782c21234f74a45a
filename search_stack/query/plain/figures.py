"""Numbers as people write them, in digits: "below eight", "over sixty five", "Hb 7,5", "CK > 10 000", "=> 2"."""

from __future__ import annotations

import re

from search_stack.language.amounts import is_valued
from search_stack.language.units import UNIT, number_text
from search_stack.query.asked import HOW_MUCH
from search_stack.query.plain.comparing import ANY_SIGN
from search_stack.query.plain.stretch import Stretch
from search_stack.query.shadow import WORD, Shadow

_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = ("ten", "eleven", "twelve", *(f"{n}teen" for n in ("thir", "four", "fif", "six", "seven", "eigh", "nine")))
_ONES = (*_DIGITS, *_TEENS)
_TENS = tuple(f"{n}ty" for n in ("twen", "thir", "for", "fif", "six", "seven", "eigh", "nine"))
_NUMBERS = {word: n for n, word in enumerate(_ONES)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
_DIGIT = "|".join(_DIGITS)
_SMALL = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-]+(?:{_DIGIT}))?|{'|'.join(reversed(_ONES))})"
_SPELT_WORD = re.compile(
    rf"(?<!\w)(?:{'|'.join((*_TENS, *_ONES))}|hundred|twice|double|thrice|triple|\w+ties)(?!\w)", re.IGNORECASE
)
_DIGITS_OF = re.compile(r"\d")
_SPELT = (
    rf"(?P<number>(?:(?P<hundreds>an?|{_DIGIT})\s+hundred(?:\s+(?:and\s+)?(?P<rest>{_SMALL}))?|(?P<small>{_SMALL}))(?P<thousand>\s+thousand)?"
    rf"(?:(?P<half>\s+and\s+a\s+half)|\s+point\s+(?P<point>(?:{_DIGIT})(?:\s+(?:{_DIGIT}))*))?)(?![\w-])(?!\s+(?:of|or\s+more\s+of)\b)"
)
_UPPER = r"(?:the\s+)?(?:uln|upper\s+limits?|normal)(?!\w)"
_AFTER_SIGN = re.compile(
    rf"(?<![\w<>])(?:{ANY_SIGN}|between|aged?)\s*(?:(?:the\s+)?age\s+of\s+|of\s+)?{_SPELT}",
    re.IGNORECASE,
)
_ANY = re.compile(r"at\s+least\s+one$", re.IGNORECASE)
"""No number: "failed at least one biologic"."""
_BETWEEN = re.compile(rf"(?:between|from|aged?)\s+\d+(?:\.\d+)?\s+(?:and|to)\s+{_SPELT}", re.IGNORECASE)
_OUT_OF = re.compile(rf"(?<!\w){_SPELT}(?=\s+out\s+of\s+(?:\d|{_DIGIT}|ten|fifteen|thirty))", re.IGNORECASE)
_FULL_SCORE = re.compile(
    r"(?<=\d)\s+out\s+of\s+(?:(?P<spelt>ten|fifteen|thirty)|(?P<full>10|15|30))(?!\w)", re.IGNORECASE
)
_MINUS = re.compile(r"(?<!\w)minus\s+(?=\d)", re.IGNORECASE)
_PRESSURE = re.compile(r"(?<=\d\d)\s+over\s+(?=\d{2,3}(?![\w.]))", re.IGNORECASE)
_OF_PRESSURE = re.compile(r"(?<!\w)(?:bp|blood\s+pressures?)(?!\w)", re.IGNORECASE)
_RUNS = (
    r"(?:\s+(?:is|are|was|were|has|have|been|running|ranging|staying|stays?|levels?|consistently|persistently|mostly))*"
)
_IN_DECADE = re.compile(rf"{_RUNS}\s+in\s+the\s+(?:low\s+|mid\s+|high\s+)?(?P<first>[1-9]\d?)0'?s(?!\w)", re.IGNORECASE)
_IN_THOUSANDS = re.compile(
    rf"{_RUNS}\s+in\s+the\s+(?:(?P<ten>ten|10)s?\s+(?:of\s+)?)?(?P<how>hundreds|thousands)(?!\w)", re.IGNORECASE
)
"""Behind a test: "ALT in the thousands"."""
_WITH_UNIT = re.compile(
    rf"(?<![\w-]){_SPELT}(?=\s*%|[\s-]+(?:(?:centi|milli)?(?:met(?:er|re)|gram|lit(?:er|re))s?|[cm]m|m[gl]|kilos?|kg|per\s?cent)(?!\w)"
    rf"|[\s-]+(?:times|fold)\s+{_UPPER})",
    re.IGNORECASE,
)
_GRADED = re.compile(rf"(?<![\w-])(?:stages?|grades?|class|type|category)\s+{_SPELT}", re.IGNORECASE)
_GRADED_ALSO = re.compile(
    rf"(?<![\w-])(?:stages?|grades?|class|type|category)\s+\d\s+(?:or|to|and)\s+{_SPELT}", re.IGNORECASE
)
_BEHIND = re.compile(
    rf"[\s:=]+(?:(?:of|is|was)\s+)?{_SPELT}(?=\s*(?:$|[,;.)?%]|(?:or|and|but|with|on|in|to|then)\s))", re.IGNORECASE
)
"""A test."""
_DECADES = re.compile(r"(?<=[\s-])(?:(?P<ten>twen|thir|for|fif|six|seven|eigh|nine)ties)(?!\w)", re.IGNORECASE)
_TENTHS = {word.removesuffix("ty"): n for word, n in _NUMBERS.items() if word in _TENS}
_TWICE = re.compile(rf"(?<!\w)(?:twice|double|(?P<three>thrice|triple))\s+(?={_UPPER})", re.IGNORECASE)
_REVERSED = re.compile(r"(?<![<>=])=\s?(?P<sign>[<>])(?!=)")
_COMMA = re.compile(r"(?<![\d.,])(?P<whole>\d{1,3}),(?P<part>\d{1,2})(?![\d,])")
_SPACED = re.compile(r"(?<![\d.,])\d{1,3}(?:\s\d{3})+(?![\d/]|[.,]\d)")
_SIGN_BEFORE = re.compile(rf"(?:{ANY_SIGN}|between)\s*$", re.IGNORECASE)
_UNIT_BEHIND = re.compile(rf"\s?(?:{UNIT})", re.IGNORECASE)
_LINK = re.compile(r"[\s:=]+(?:(?:of|is|was|levels?|count)\s+)*", re.IGNORECASE)


def in_figures(s: Stretch, shadow: Shadow) -> Shadow:
    """``shadow`` with each number that is compared, has a unit, or is told of a test in digits, with a point."""
    for found in HOW_MUCH.finditer(shadow.text):
        shadow = shadow.blank(found.start(), found.start() + 1).blank(found.end() - 1, found.end())
    shadow = shadow.written(_REVERSED, lambda m: f"{m['sign']}=")
    spelt = _SPELT_WORD.search(shadow.text) is not None
    if spelt:
        shadow = _compared(shadow)
    if _DIGITS_OF.search(shadow.text):
        shadow = shadow.written(_FULL_SCORE, lambda m: f"/{m['full'] or _NUMBERS[m['spelt'].lower()]}")
        shadow = shadow.written(_MINUS, lambda m: "-")
        if _OF_PRESSURE.search(shadow.text):
            shadow = shadow.written(_PRESSURE, lambda m: "/")
    elif not spelt and not _IN_THOUSANDS.search(shadow.text):
        return shadow
    return _of_tests(s, shadow)


def _compared(shadow: Shadow) -> Shadow:
    """The words of numbers beside what compares them, a unit, or a grade."""
    shadow = shadow.written(_TWICE, _so_many_times).written(_DECADES, lambda m: f"{_TENTHS[m['ten'].lower()]}s")
    for pattern in (_AFTER_SIGN, _OUT_OF, _BETWEEN, _WITH_UNIT, _GRADED, _GRADED_ALSO):
        shadow = _in_digits(shadow, pattern)
    return shadow


def _of_tests(s: Stretch, shadow: Shadow) -> Shadow:
    """Numbers right behind tests."""
    if not any(pattern.search(shadow.text) for pattern in (_BEHIND, _COMMA, _SPACED, _IN_DECADE, _IN_THOUSANDS)):
        return shadow
    tests = _ends_of_tests(s, shadow)
    shadow = shadow.written(_IN_DECADE, lambda m: _decade(m) if m.start() in tests else m[0])
    tests = _ends_of_tests(s, shadow)
    shadow = shadow.written(_IN_THOUSANDS, lambda m: f" >= {_thousands(m)}" if m.start() in tests else m[0])
    shadow = _in_digits(shadow, _BEHIND, _ends_of_tests(s, shadow))
    for pattern in (_COMMA, _SPACED):
        if pattern.search(shadow.text):
            ends = _ends_of_tests(s, shadow)
            shadow = shadow.written(pattern, lambda m, ends=ends: _plainly(m, ends))  # type: ignore[misc]
    return shadow


def _decade(found: re.Match[str]) -> str:
    """ "In the 130s" are ten numbers, "in the 400s" a hundred."""
    first = int(f"{found['first']}0")
    return f" {first}-{first + (9 if first % 100 else 99)}"


def _thousands(found: re.Match[str]) -> int:
    return (10 if found["ten"] else 1) * (1_000 if found["how"].lower() == "thousands" else 100)


def _ends_of_tests(s: Stretch, shadow: Shadow) -> frozenset[int]:
    named = s.known.named(shadow.text)
    short = (m.end() for m in WORD.finditer(shadow.text) if m[0].lower() in s.table.measured_of)
    return frozenset((*(m.end for m in named if is_valued(m.concept, s.known.lexicon)), *short))


def _plainly(found: re.Match[str], tests: frozenset[int]) -> str:
    """Without its comma or spaces, where it is compared, has a unit, or stands behind a test: no list of grades."""
    text = found.string
    compared = _SIGN_BEFORE.search(text, 0, found.start())
    behind = any(_LINK.fullmatch(text, at, found.start()) for at in tests if at < found.start())
    if not (compared or behind or (found.re is _COMMA and _UNIT_BEHIND.match(text, found.end()))):
        return found[0]
    return found[0].replace(",", ".") if found.re is _COMMA else "".join(found[0].split())


def _in_digits(shadow: Shadow, pattern: re.Pattern[str], behind: frozenset[int] | None = None) -> Shadow:
    for found in reversed(list(pattern.finditer(shadow.text))):
        if not _ANY.match(found[0]) and (behind is None or found.start() in behind):
            shadow = shadow.rewritten(*found.span("number"), _digits(found))
    return shadow


def _digits(found: re.Match[str]) -> str:
    number: float = _small(found["small"] or found["rest"])
    if hundreds := (found["hundreds"] or "").lower():
        number += 100 * _NUMBERS.get(hundreds, 1)
    number *= 1000 if found["thousand"] else 1
    number += 0.5 if found["half"] else 0
    point = "".join(str(_NUMBERS[word]) for word in (found["point"] or "").lower().split())
    return f"{number_text(float(number))}{'.' * bool(point)}{point}"


def _small(words: str | None) -> int:
    return sum(_NUMBERS[word] for word in re.split(r"[\s-]+", words.lower())) if words else 0


def _so_many_times(found: re.Match[str]) -> str:
    return f"{3 if found['three'] else 2} times "
