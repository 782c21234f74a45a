"""Misspelt names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_stack.language.lexicon.english import english
from search_stack.language.lexicon.mention import Mention
from search_stack.query.items import Notice
from search_stack.query.plain.stretch import Said, Stretch
from search_stack.query.shadow import WORD
from search_stack.query.spelling import COMMON

WHOLE = 5
"""Letters from which little is needed to take a word for a misspelt name."""

LONG = 7
"""Letters from which a rare word of the language is sooner a misspelt name."""

EVERYDAY = 5_000
"""Ranks in English up to which a word is hardly ever a slip."""
_DRUG_BEGINS = 4
"""Letters by which a drug is spoken of short, at least."""
_LACKS = 3
"""Letters that whoever cuts a word short leaves out at least."""
_NON = "non"


def correct(s: Stretch) -> None:
    """Words that nothing knows replaced by the nearest that makes the stretch name one concept more."""
    before = s.shadow
    _pass(s)
    if s.shadow is not before:  # A name may hold two slips: "cronic kidney diseas".
        _pass(s)


def _pass(s: Stretch) -> None:
    matcher = s.known.matcher
    vocabulary = s.known.vocabulary
    original = s.shadow
    text = original.text
    held = [p for m in s.mentions() for p in m.parts]
    for found in WORD.finditer(text):
        word = found[0]
        low = word.casefold()
        place = original.span(*found.span())
        typed = s.line[slice(*place)]
        if any(b < found.end() and found.start() < e for b, e in held) or low in vocabulary:
            continue
        if low in s.table.graded or low in s.table.frames or low in s.table.function or low != typed.casefold():
            continue
        if low in s.table.telling or low in s.table.unsure:
            continue
        if low.startswith(_NON) and low.removeprefix(_NON) in vocabulary:
            continue  # "Noncardiac" is no Nocardia.
        if joined := _joined(s, text[: found.start()], low):
            pattern = re.compile(rf"(?<!\w){re.escape(joined[0])}(?!\w)")
            s.shadow = s.shadow.written(pattern, lambda m, whole=joined[1]: whole)  # type: ignore[misc]
            s.corrected |= {original.span(*m.span())[0] for m in pattern.finditer(text)}
            continue
        if drug := _drug_begun(s, low):
            pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
            s.shadow = s.shadow.written(pattern, lambda m, name=drug: name)  # type: ignore[misc]
            s.corrected |= {original.span(*m.span())[0] for m in pattern.finditer(text)}
            continue
        suggestions = [] if typed.isupper() and _is_short_form(s, low) else s.known.speller.suggestions(low)
        longer = s.known.words_begun(low) if len(low) >= WHOLE else []
        for suggested in suggestions:
            if _is_inflected(low, suggested) or _is_cut_short(low, suggested, longer):
                continue
            pattern = re.compile(rf"(?<![\w]){re.escape(word)}(?![\w])")
            tried = s.shadow.written(pattern, lambda m, name=suggested: name)  # type: ignore[misc]
            where = tried.begins.index(place[0])
            named = [
                m
                for m in matcher.mentions(tried.text, 0, len(tried.text))
                if any(b <= where < e for b, e in m.parts) and not s.known.is_of(m, "anatomy")
            ]
            # A word of the language is taken for another one only where that completes a name.
            if named and _PREFIX.search(text[: found.start()]) and _ADJECTIVE.search(low):
                break  # "post prandial" is no slip of a brand
            if named and (
                _likely(low, suggestions) or _several(named, tried.text, english().get(low, COMMON) < EVERYDAY)
            ):
                s.shadow = tried
                s.corrected |= {original.span(*m.span())[0] for m in pattern.finditer(text)}
                break


def _drug_begun(s: Stretch, word: str) -> str:
    """The name of the one drug whose name alone begins so, as it is spoken short: "biso", "rivarox"; else empty."""
    if len(word) < _DRUG_BEGINS or not word.isalpha() or _rank(word) < COMMON:
        return ""
    begun = {concept: name for name, concept in s.known.begun(word) if name.startswith(word)}
    drugs = {concept for concept in begun if s.known.lexicon.concepts[concept].kind == "drug"}
    tops = [one for one in begun if drugs.isdisjoint(s.known.lexicon.ancestors(one))]
    return begun[tops[0]] if len(tops) == 1 and tops[0] in drugs else ""


def _joined(s: Stretch, before: str, word: str) -> tuple[str, str] | None:
    """A prefix written apart from ``word``, with it, and both as one word of the language: "post ictal"."""
    prefix = _PREFIX.search(before)
    whole = f"{prefix['prefix'].lower()}{word}" if prefix else ""
    known = prefix and word not in english() and (whole in english() or whole in s.known.vocabulary)
    return (f"{prefix['prefix']}{prefix['gap']}{word}", whole) if prefix and known else None


def _likely(word: str, suggestions: Sequence[str]) -> bool:
    """Whether a word is nothing but a slip of a name; a short one only where it lacks a letter of but one name."""
    if len(word) < WHOLE:
        return word not in english() and len(suggestions) == 1 and len(suggestions[0]) > len(word)
    return _rank(word) >= (COMMON if len(word) >= LONG else COMMON * 2)


_PREFIX = re.compile(r"(?<!\w)(?P<prefix>post|pre|peri|inter|intra|anti|sub|non)(?P<gap>[\s-])$", re.IGNORECASE)


def _rank(word: str) -> int:
    """In English, of a plural that of one of it too: "nitrites"."""
    return min(english().get(one, 1_000_000) for one in (word, word.removesuffix("s")))


_ADJECTIVE = re.compile(r"(?:al|ous|ic|ary)$")
_ENDING = re.compile(r"(?:ed|e?rs?|ing|e?s|d)$")


def _is_inflected(word: str, other: str) -> bool:
    """Whether both are common words of one stem, so that neither is a slip of the other.

    >>> _is_inflected("relieved", "reliever"), _is_inflected("relived", "relieved")
    (True, False)
    """
    stems = {_ENDING.sub("", one).removesuffix("e") for one in (word, other)}
    return len(stems) == 1 and english().get(word, COMMON) < COMMON


def _is_cut_short(word: str, suggested: str, longer: Sequence[str]) -> bool:
    """Whether ``word`` is sooner the beginning of one of the ``longer`` words than a slip of another one: "intol" of
    "intolerance", not Intal."""
    return not suggested.startswith(word) and any(len(one) >= len(word) + _LACKS for one in longer)


def _is_short_form(s: Stretch, word: str) -> bool:
    """Whether capitals stand for one: in a line that has small letters too, and short words in any."""
    shouted = s.line.isupper() and len(WORD.findall(s.line)) > 1
    return len(word) < WHOLE or (len(word) < LONG and not shouted)


def spelling_notices(s: Stretch, said: Sequence[Said]) -> None:
    matcher = s.known.matcher
    for one in said:
        for begin, end in one.mention.parts:
            for found in WORD.finditer(s.shadow.text, begin, end):
                place = s.shadow.span(*found.span())
                typed = s.line[slice(*place)]
                same = typed.casefold().replace("-", "") == found[0].casefold()
                if matcher.knows(found[0]) == "near" or (place[0] in s.corrected and not same):
                    _misspelt(s, typed, s.known.lexicon.concepts[one.mention.concept].name, place)


def _misspelt(s: Stretch, typed: str, name: str, place: tuple[int, int]) -> None:
    line = s.instead(*place, f'"{typed}"')
    s.reading.notices.append(Notice("spelling", f'"{typed}" was understood as {name}.', typed, line))


def _several(mentions: Sequence[Mention], text: str, everyday: bool) -> bool:
    """Whether one is of several words; side by side, where the word that may be a slip is an everyday one: the "call"
    of "post-discharge call" is no fall."""
    return any(
        not (everyday and len(m.parts) > 1) and len(WORD.findall(" ".join(text[b:e] for b, e in m.parts))) > 1
        for m in mentions
    )
