"""Mentions that another pipeline finds, where ``ASPECTRA_MENTIONS`` names one, asserted as our own are.

A pipeline is an entry point of the group `GROUP`: its name is what stands before the colon, what stands behind it is
the pipeline's own ("spacy:en_ner_bc5cdr_md"). It is called with that, and gives a `Pipeline`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import entry_points
from typing import Protocol

from search_stack.core.errors import AspectraError
from search_stack.language.lexicon.concepts import Lexicon
from search_stack.language.lexicon.matcher import Matcher
from search_stack.language.lexicon.mention import Mention

GROUP = "aspectra.mentions"
KEPT = 4
"""Notes whose mentions are kept: a note is asked for sentence by sentence."""


@dataclass(frozen=True, slots=True)
class Named:
    """``text[begin:end]`` names something; ``codes``: what it is called in vocabularies ("UMLS:C0032326")."""

    begin: int
    end: int
    codes: tuple[str, ...] = ()


class Pipeline(Protocol):
    """Finds what a note names."""

    @property
    def identity(self) -> str:
        """Its name and version: labels carry it."""
        ...

    def named(self, text: str) -> Iterable[Named]:
        """In the whole note."""
        ...


class Mentioner(Protocol):
    """Says what a sentence mentions."""

    def mentions(self, text: str, begin: int, end: int, asked: bool = False) -> list[Mention]:
        """In ``text[begin:end]``, which stands in a note or, ``asked``, in a question, by offsets in ``text``."""
        ...


class OtherMentions:
    """The mentions of a pipeline, under the lexicon's concepts.

    A mention counts for the concept that one of its codes belongs to, else for the one that the lexicon finds in its
    words; where there is none, nobody could ask for it, and it is left out. What denies by its own words ("lungs
    clear") is the lexicon's.
    """

    def __init__(self, pipeline: Pipeline, lexicon: Lexicon, matcher: Matcher) -> None:
        self._matcher = matcher
        self._concepts = {code: c.id for c in lexicon.concepts.values() for code in (*c.codes, c.id)}
        self._named = lru_cache(KEPT)(lambda text: sorted(pipeline.named(text), key=lambda n: (n.begin, n.end)))

    def mentions(self, text: str, begin: int, end: int, asked: bool = False) -> list[Mention]:
        own = self._matcher.mentions(text, begin, end, asked)
        denials = [m for m in own if m.denial]
        found = [
            m
            for n in self._named(text)
            if begin <= n.begin < n.end <= end and not any(d.begin < n.end and n.begin < d.end for d in denials)
            for m in self._under_concepts(n, own)
        ]
        return sorted({*found, *denials}, key=lambda m: (m.begin, m.end, m.concept))

    def _under_concepts(self, named: Named, own: Sequence[Mention]) -> list[Mention]:
        begin, end = named.begin, named.end
        if coded := dict.fromkeys(self._concepts[c] for c in named.codes if c in self._concepts):
            return [Mention(concept, begin, end, ((begin, end),)) for concept in coded]
        # Of "severe COPD" the longest that the lexicon finds inside it.
        inside = [m for m in own if begin <= m.begin and m.end <= end and not m.denial]
        longest = max((m.end - m.begin for m in inside), default=0)
        return [m for m in inside if m.end - m.begin == longest]


def pipeline_of(setting: str) -> Pipeline | None:
    """What ``ASPECTRA_MENTIONS`` names; None where it names nothing.

    Raises:
        AspectraError: there is no such pipeline.
    """
    if not setting:
        return None
    kind, _, name = setting.partition(":")
    known = {e.name: e for e in entry_points(group=GROUP)}
    if kind not in known or not name:
        kinds = ", ".join(f"{k}:NAME" for k in sorted(known)) or "none is installed"
        raise AspectraError(f"ASPECTRA_MENTIONS is {setting!r}, which names no pipeline.", f"There are: {kinds}.")
    found: Pipeline = known[kind].load()(name)
    return found
