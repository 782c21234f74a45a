"""Abbreviations in any case, where they are no everyday words."""

from __future__ import annotations

import re

from search_stack.language.alternation import any_of
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.english import english
from search_stack.language.lexicon.matcher import Matcher
from search_stack.query.items import Notice, Reading
from search_stack.query.shadow import WORD, Shadow
from search_stack.query.wording import wording

EVERYDAY = 5_000
"""Ranks in English up to which a word is an everyday one."""
_LINKS = frozenset(("no", "not", "without", "but", "has", "have", "had", "hiv", "likely", "suspected", "known"))


class Abbreviations:
    """The short forms of one lexicon, by how they look without capitals."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        written = [s for c in lexicon.concepts.values() for s in c.abbreviations]
        self._written = frozenset(written)
        self.folded: dict[str, str] = {}
        self._longer: dict[str, str] = {}
        for short in written:
            table = self.folded if WORD.fullmatch(short) else self._longer
            table.setdefault(short.casefold(), short)
        longest = sorted(self._longer, key=len, reverse=True)
        self._pattern = re.compile(rf"(?<!\w)(?:{any_of(longest)})(?!\w)", re.IGNORECASE)

    def written_out(self, shadow: Shadow, line: str, reading: Reading, matcher: Matcher) -> Shadow:
        """``shadow`` with abbreviations as the lexicon writes them; one that may be an everyday word is asked back."""

        def make(found: re.Match[str]) -> str:
            typed = found[0]
            written = self._meant(typed)
            if written is None or typed in self._written:
                return typed
            if not _is_everyday(typed.casefold()):
                return written
            if line[slice(*shadow.span(*found.span()))] != typed:
                return typed  # The reading wrote it out: "fall" of "accidental fall".
            named = matcher.mentions(found.string, 0, len(found.string), asked=True)
            if any(b <= found.start() < e for m in named for b, e in m.parts):
                return typed  # It names something as it stands: "inpatient fall".
            self._ask_back(typed, written, shadow.span(*found.span()), line, reading)
            return typed

        shadow = shadow.written(WORD, make)
        return shadow.written(self._pattern, lambda m: self._longer.get(m[0].casefold(), m[0]))

    def in_capitals(self, shadow: Shadow) -> Shadow:
        """``shadow`` with those that are no everyday words as the lexicon writes them, before anything else is read."""

        def make(found: re.Match[str]) -> str:
            written = self._meant(found[0])
            sure = written is not None and found[0].islower() and not _is_everyday(found[0])
            return written if sure and written else found[0]

        return shadow.written(WORD, make)

    def _meant(self, typed: str) -> str | None:
        written = self.folded.get(typed.casefold())
        if written is None and typed[-1] in "sS" and len(typed) > 2:
            single = self.folded.get(typed[:-1].casefold())
            return f"{single}s" if single and single.isupper() else None
        return written

    def _ask_back(self, typed: str, written: str, place: tuple[int, int], line: str, reading: Reading) -> None:
        concept = self._lexicon.find(typed)
        if concept is None or typed.isupper() or _is_plural_of_kind(typed, line[: place[0]]):
            return
        message = f'"{typed}" was read as the everyday word. Did you mean {written} ({concept.name})?'
        other = f"{line[: place[0]]}{written}{line[place[1] :]}"
        reading.notices.append(Notice("abbreviation", message, typed, other))


def _is_plural_of_kind(typed: str, before: str) -> bool:
    """Whether it is the plural of an everyday word, and the word before it says of which kind: "hearing aids"."""
    words = before.split()
    kind = words[-1].casefold() if words else ""
    if not typed.endswith("s") or not kind.isalpha() or english().get(typed[:-1], 1_000_000) > EVERYDAY:
        return False
    return kind not in wording().frames and kind not in wording().function and kind not in _LINKS


def _is_everyday(word: str) -> bool:
    table = wording()
    if word in table.clinical or word.removesuffix("s") in table.clinical:
        return False
    return word in table.everyday or english().get(word, table.everyday_rank) < table.everyday_rank
