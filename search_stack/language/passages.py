"""Pack a note's sentences into passages that the encoder can read whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from search_stack.core.schema import Passage, Section
from search_stack.language.sections import tidy
from search_stack.language.sentences import Span, sentences

CountTokens = Callable[[list[str]], list[int]]

_WORD = re.compile(r"\S+")
_CHARACTERS_A_TOKEN = 16
"""At most so many are paid with one token, since a tokenizer may count a very long word as one unknown."""
_SMALL = 0.2


@dataclass(frozen=True, slots=True)
class _Unit:
    """What is never cut again: a sentence, or a piece of one that was too long."""

    section: int
    begin: int
    end: int
    tokens: int
    inside_word: bool = False
    """It continues a word, so joined to what is before it the count would no longer hold."""


def passages(text: str, sections: Iterable[Section], count_tokens: CountTokens, limit: int) -> list[Passage]:
    """Passages of at most ``limit`` tokens: whole sentences, never across sections, in order.

    A passage begins after the heading; a section that has nothing but a heading gives the
    heading's words. A sentence over the limit is cut at white space, a word over it anywhere.

    Args:
        count_tokens: tokens of each of many strings, without the encoder's special tokens.
            It must not count more for texts joined by white space than for each on its own.
        limit: tokens, at least 1.
    """
    if limit < 1:
        raise ValueError(f"limit must be at least 1 token, not {limit}")
    headed = list(sections)
    units = _units(text, headed, count_tokens, limit)
    found: list[Passage] = []
    for number, group in groupby(units, key=lambda unit: unit.section):
        section = headed[number]
        for packed in _pack(list(group), limit):
            begin, end = packed[0].begin, packed[-1].end
            found.append(Passage(len(found), begin, end, text[begin:end], tidy(section.heading), section.aspect))
    return found


def _units(text: str, sections: list[Section], count_tokens: CountTokens, limit: int) -> Iterator[_Unit]:
    spans = [(number, *span) for number, section in enumerate(sections) for span in _body(text, section)]
    whole = _counted(text, [_Unit(*span, tokens=0) for span in spans], count_tokens)
    long = [unit for unit in whole if unit.tokens > limit]
    words = [
        replace(unit, begin=unit.begin + word.start(), end=unit.begin + word.end())
        for unit in long
        for word in _WORD.finditer(text[unit.begin : unit.end])
    ]
    pieces = iter(_cut_words(text, words, count_tokens, limit))
    piece = next(pieces, None)
    for unit in whole:
        if unit.tokens <= limit:
            yield unit
            continue
        mine: list[_Unit] = []
        while piece and piece.end <= unit.end:
            mine.append(piece)
            piece = next(pieces, None)
        yield from map(_joined, _greedy(mine, limit))


def _body(text: str, section: Section) -> list[Span]:
    body = sentences(text, section.heading_end, section.end)
    return body or sentences(text, section.heading_begin, section.heading_end)


def _counted(text: str, units: list[_Unit], count_tokens: CountTokens) -> list[_Unit]:
    if not units:
        return []
    texts = [text[unit.begin : unit.end] for unit in units]
    return [
        replace(unit, tokens=max(tokens, -(-len(words) // _CHARACTERS_A_TOKEN)))
        for unit, words, tokens in zip(units, texts, count_tokens(texts), strict=True)
    ]


def _cut_words(text: str, words: list[_Unit], count_tokens: CountTokens, limit: int) -> list[_Unit]:
    """The words, those over the limit halved until each piece is within it or one character."""
    done: list[_Unit] = []
    while words := _counted(text, words, count_tokens):
        done += [word for word in words if word.tokens <= limit or word.end - word.begin == 1]
        words = [
            half
            for word in words
            if word.tokens > limit and word.end - word.begin > 1
            for middle in [(word.begin + word.end) // 2]
            for half in (replace(word, end=middle), replace(word, begin=middle, inside_word=True))
        ]
    return sorted(done, key=lambda word: word.begin)


def _joined(units: list[_Unit]) -> _Unit:
    return replace(units[0], end=units[-1].end, tokens=sum(unit.tokens for unit in units))


def _greedy(units: list[_Unit], limit: int) -> list[list[_Unit]]:
    packs: list[list[_Unit]] = []
    room = 0
    for unit in units:
        if unit.tokens > room or unit.inside_word:
            packs.append([])
            room = limit
        packs[-1].append(unit)
        room -= unit.tokens
    return packs


def _pack(units: list[_Unit], limit: int) -> list[list[_Unit]]:
    """Greedy packs; sentences move from the last but one into a last one that is very small."""
    packs = _greedy(units, limit)
    if len(packs) < 2 or _tokens(packs[-1]) >= _SMALL * limit or packs[-1][0].inside_word:
        return packs
    before, last = packs[-2:]
    while len(before) > 1 and not before[-1].inside_word and _tokens(last) + before[-1].tokens < _tokens(before):
        last.insert(0, before.pop())
    return packs


def _tokens(units: list[_Unit]) -> int:
    return sum(unit.tokens for unit in units)
