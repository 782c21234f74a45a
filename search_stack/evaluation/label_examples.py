"""Judged mentions as what the arbiter learns from, and is measured by."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from search_stack.core.schema import STATUSES
from search_stack.evaluation.datasets.gold import GoldMention
from search_stack.evaluation.tasks.gold import finding_at
from search_stack.language.arbiter import features, status_features
from search_stack.language.arbiter.model import NONE
from search_stack.language.arbiter.window import Window, window
from search_stack.language.deciding import rule_status
from search_stack.language.labeller import Labeller


@dataclass(frozen=True, slots=True)
class LabelExample:
    """One first reading beside what the rules say there."""

    mention: GoldMention
    features: tuple[str, ...]
    window: Window
    is_normal: bool
    """Whether a normal statement stands there: "heart size is normal"."""
    denies: bool
    """Whether its own words deny, so that nothing but the rules is asked."""
    status_features: tuple[str, ...] = ()
    """Where it has a status that was judged."""

    @property
    def answer(self) -> str:
        """What is to be said of it: of a normal statement that it is absent."""
        return "absent" if self.is_normal and self.mention.answer == NONE else self.mention.answer


def of_sentences(
    mentions: Sequence[GoldMention], texts: Mapping[str, str], labeller: Labeller
) -> Iterator[LabelExample]:
    """Examples of mentions by their places alone, whether the lexicon knows them or not."""
    for mention in mentions:
        one, note = labeller.judged_at(texts[mention.note], mention.begin, mention.end)
        text = one.sentence.text  # As it is read.
        yield LabelExample(mention, tuple(features(text, one, note)), window(text, one, note), False, one.denies)


def examples(mentions: Sequence[GoldMention], texts: Mapping[str, str], labeller: Labeller) -> Iterator[LabelExample]:
    """Those of ``mentions`` that a label of the same concept, or one above or below it, stands at.

    Args:
        texts: of the notes, by id.
    """
    first = sorted((m for m in mentions if m.reading == 1), key=lambda m: m.note)
    for name, group in groupby(first, key=lambda m: m.note):
        judged, note = labeller.judged(texts[name])
        for mention in group:
            if finding := finding_at(mention, [j.finding for j in judged], labeller):
                one = next(j for j in judged if j.finding is finding)
                text = one.sentence.text
                read = tuple(features(text, one, note)), window(text, one, note)
                state = rule_status(one, finding.assertion) if mention.status in STATUSES else ""
                seen = (*read[0], *status_features(state, finding.kind)) if state else ()
                yield LabelExample(mention, *read, finding.is_normal, one.denies, seen)


def unjudged(texts: Iterable[str], labeller: Labeller, count: int, seed: int) -> list[Window]:
    """At most ``count`` mentions of ``texts``, drawn at random, of those that more than the rules decide."""
    found: list[Window] = []
    for text in texts:
        judged, note = labeller.judged(text)
        asked = (one for one in judged if not one.denies and one.finding.value is None)
        found += (window(one.sentence.text, one, note) for one in asked)
    return random.Random(seed).sample(found, min(count, len(found)))
