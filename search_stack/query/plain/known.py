"""What is known when a stretch is read: the lexicon with its matcher, its words and its short forms."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from itertools import islice, takewhile

from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.concepts import folded
from search_stack.language.lexicon.english import english
from search_stack.language.lexicon.mention import Mention
from search_stack.query.plain.abbreviations import Abbreviations
from search_stack.query.spelling import Speller

LONGEST = 4
"""Words of a name, behind or before those that differ."""
EVERYDAY = 6_000
"""Ranks in English up to which a word may be one of everyday talk."""
NEAR = 2
"""Words, at most, of a name that is offered for such a word."""
MOST_OFFERED = 4
"""Names among which somebody may be asked to choose."""


class Known:
    """One lexicon, made ready for reading lines; ``today`` is what "in the last two years" counts from."""

    def __init__(self, labeller: Labeller, today: date) -> None:
        self.labeller = labeller
        self.lexicon = labeller.lexicon
        self.matcher = labeller.matcher
        self.today = today
        self.vocabulary = labeller.matcher.words
        self.speller = Speller(labeller.matcher.vocabulary)
        self.abbreviations = Abbreviations(labeller.lexicon)
        named = [folded(c.name).split() for c in labeller.lexicon.concepts.values()]
        self.first_words = frozenset(words[0] for words in named if len(words) > 1)
        """Words that names of several begin with."""
        self.last_words = frozenset(words[-1] for words in named if len(words) > 1)
        self._ending: dict[str, list[str]] = {}
        self._beginning: dict[str, list[str]] = {}
        for concept in labeller.lexicon.concepts.values():
            if concept.kind == "disorder" and " " in concept.name:
                first, *_, last = concept.name.split()
                self._ending.setdefault(last, []).append(concept.name)
                self._beginning.setdefault(first, []).append(concept.name)

    def holding(self, word: str) -> tuple[str, ...]:
        """The names of disorders that end in ``word``, or, where none does, begin with it, in alphabetical order; none
        where they are too many, and of an everyday word, "procedure", none that says much else."""
        names = self._ending.get(word) or self._beginning.get(word, [])
        if english().get(word, EVERYDAY) < EVERYDAY:
            names = [name for name in names if len(name.split()) <= NEAR]
        return tuple(sorted(names)) if len(names) <= MOST_OFFERED else ()

    def begun(self, beginning: str) -> Iterator[tuple[str, str]]:
        """Each name of which a word begins with ``beginning``, and its concept."""
        return ((name, concept) for _, name, concept in _begun(self._by_word, (beginning,)))

    def words_begun(self, beginning: str) -> list[str]:
        """The words of names that begin with ``beginning``, in alphabetical order."""
        return [word for (word,) in _begun(self._words, (beginning,))]

    @cached_property
    def _by_word(self) -> list[tuple[str, ...]]:
        """The words of all names, sorted, each with its name and concept; only words cut short are looked up in it."""
        return sorted((word, name, concept) for name, concept in self.lexicon.names.items() for word in name.split(" "))

    @cached_property
    def _words(self) -> list[tuple[str, ...]]:
        return sorted((word,) for word in self.vocabulary)

    def named(self, text: str, begin: int = 0, end: int | None = None) -> list[Mention]:
        """The concepts that ``text[begin:end]`` names, as it was typed: short forms count in any case."""
        return self.matcher.mentions(text, begin, len(text) if end is None else end, asked=True)

    def ending(self, text: str, at: int, *kinds: str) -> list[Mention]:
        """Those of them that end at ``at``, whatever stands behind; of ``kinds``, where any are given."""
        return [m for m in self.named(text, 0, at) if m.end == at and self.is_of(m, *kinds)]

    def beginning(self, text: str, at: int, *kinds: str) -> list[Mention]:
        """Those that begin at ``at``, whatever stands before; of ``kinds``, where any are given."""
        return [m for m in self.named(text, at) if m.begin == at and self.is_of(m, *kinds)]

    def is_of(self, mention: Mention, *kinds: str) -> bool:
        """Whether its concept is of one of ``kinds``; of any, where none are given."""
        return not kinds or self.lexicon.concepts[mention.concept].kind in kinds

    def is_name(self, text: str) -> bool:
        """Whether it is a name as a whole, in whatever order: "CKD stage 3"."""
        return bool(self.lexicon.find(text)) or any((m.begin, m.end) == (0, len(text)) for m in self.named(text))

    def is_anatomy(self, name: str) -> bool:
        """Whether it is what a part of the body is called."""
        concept = self.lexicon.find(name)
        return concept is not None and concept.kind == "anatomy"

    def name_of(self, concept: str) -> str:
        """How a tree names a concept."""
        return self.lexicon.name_of(concept)


def _begun(rows: Sequence[tuple[str, ...]], beginning: tuple[str]) -> Iterator[tuple[str, ...]]:
    """Of sorted ``rows`` those whose first value begins so."""
    return takewhile(lambda row: row[0].startswith(beginning), islice(rows, bisect_left(rows, beginning), None))
