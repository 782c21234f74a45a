"""Sentences of notes that stand for themselves, and what they say by the labels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from search_stack.core.schema import Finding
from search_stack.language.assertion import Sentence
from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.mention import Mention
from search_stack.language.sentences import sentences

WORDS = range(3, 23)
"""Of a sentence that is taken."""
_NUMBER = re.compile(r"^(?:\(?\d{1,2}[.)]|[-*•>#]+)\s*")
_UNFIT = re.compile(r"XXXX|[:\ufffd\[\]|_?]|\.\.")
"""Words that were removed, headings and their answers, damage, lists and questions."""

Said = list[tuple[Mention, Finding]]


def plain_sentences(text: str) -> Iterator[str]:
    """The sentences of a note, without the number of a list's item, white space as one space each."""
    for begin, end in sentences(text, 0, len(text)):
        words = _NUMBER.sub("", " ".join(text[begin:end].split()))
        if len(words.split()) in WORDS and not _UNFIT.search(words) and not words.isupper():
            yield words


@dataclass(frozen=True, slots=True)
class Reading:
    """What sentences say by the rules of ``labeller``."""

    labeller: Labeller

    def said(self, words: str) -> Said:
        return self.labeller.sentence(Sentence(words, 0, len(words)))


def meant(said: Said) -> list[tuple[str, str, str]]:
    """Concept, assertion and whose it is, of each finding, sorted: the same of two sentences that say the same."""
    return sorted((f.concept, f.assertion, f.experiencer) for _, f in said)
