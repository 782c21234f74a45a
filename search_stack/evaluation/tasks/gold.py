"""How often a mention is labelled as people judged it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from search_stack.core.schema import ASSERTIONS, STATUSES, Finding
from search_stack.evaluation.compare import Interval, paired_bootstrap
from search_stack.evaluation.datasets.gold import RANDOM, GoldMention, pairs
from search_stack.evaluation.datasets.marked_sentences import MarkedSentence
from search_stack.evaluation.measures.precision_recall import PrecisionRecall, precision_recall
from search_stack.evaluation.tasks.assertion import Rule, window_rule
from search_stack.language.arbiter.model import NONE
from search_stack.language.labeller import Labeller
from search_stack.review.agreement import Kappa, kappa

ANSWERS = (*ASSERTIONS, NONE)


@dataclass(frozen=True, slots=True)
class GoldReport:
    mentions: int
    accuracy: float
    at_random: tuple[int, float]
    """Number and accuracy of the mentions that were drawn at random."""
    classes: dict[str, PrecisionRecall]
    numbers: dict[str, int]
    """Judged mentions by class."""
    sense: float
    """Of the mentions that are labelled, those that mean the concept."""
    confusion: dict[str, dict[str, int]]
    """By what was judged, what was said."""
    window: float
    """Accuracy of the baseline: absent behind a denying word, else present."""
    interval: Interval
    """Ours minus the baseline's."""
    rules: float
    """Accuracy of the rules alone."""
    over_rules: Interval
    """Ours minus theirs."""
    unread: float
    """Accuracy without the reader."""
    over_unread: Interval
    """Ours minus that."""
    status: tuple[int, float]
    """Mentions whose status was judged and that are labelled, and how many of them have it, 0 to 1."""
    status_by_rules: float
    """Likewise by the rules alone, of those that these label."""
    absent: dict[str, PrecisionRecall]
    """Absent or not, of the mentions that mean the concept, by system."""
    over_others: dict[str, Interval]
    """By system, the share of them that we tell right, minus its own."""
    agreement: Kappa | None
    """Of two readers on what was read twice."""
    read_twice: int

    @property
    def macro_f1(self) -> float:
        """Over the classes that are judged at all; "none" is none of them."""
        held = [s.f1 for name, s in self.classes.items() if self.numbers[name]]
        return sum(held) / len(held) if held else 0.0

    @property
    def weighted_f1(self) -> float:
        total = sum(self.numbers[name] for name in self.classes)
        return sum(s.f1 * self.numbers[name] for name, s in self.classes.items()) / total if total else 0.0

    def json(self) -> dict[str, Any]:
        """The figures to keep."""
        return {**asdict(self), "macro_f1": self.macro_f1, "weighted_f1": self.weighted_f1}


def evaluate(
    mentions: Sequence[GoldMention],
    texts: Mapping[str, str],
    labeller: Labeller,
    others: Mapping[str, Rule] | None = None,
) -> GoldReport:
    """Label the notes of ``mentions`` whole, and hold each mention against its first reading.

    Args:
        texts: of the notes, by id.
        others: by name, systems that are told the mention and say whether it is absent.
    """
    judged = [m for m in mentions if m.reading == 1]
    found = _found(judged, texts, labeller)
    said = [_answer(m, f) for m, f in zip(judged, found, strict=True)]
    gold = [m.answer for m in judged]
    right = [float(a == b) for a, b in zip(said, gold, strict=True)]
    marked = [_marked(m, texts[m.note]) for m in judged]
    window = [window_rule(m) for m in marked]
    by_window = [float(("absent" if w else "present") == g) for w, g in zip(window, gold, strict=True)]
    denied = {"aspectra": [s == "absent" for s in said], "window": window}
    denied |= {name: list(rule(marked)) for name, rule in (others or {}).items()}
    meant = [n for n, m in enumerate(judged) if m.means]
    hits = {name: [float(d[n] == (gold[n] == "absent")) for n in meant] for name, d in denied.items()}
    alone = _found(judged, texts, Labeller(labeller.lexicon, None))
    by_rules = [float(_answer(m, f) == m.answer) for m, f in zip(judged, alone, strict=True)]
    unread = _found(judged, texts, Labeller(labeller.lexicon, labeller.arbiter))
    by_arbiter = [float(_answer(m, f) == m.answer) for m, f in zip(judged, unread, strict=True)]
    stated, by_rules_stated = _stated(judged, found), _stated(judged, alone)
    random = [hit for hit, m in zip(right, judged, strict=True) if m.drawn == RANDOM]
    labelled = [m.means for m, answer in zip(judged, said, strict=True) if answer != NONE]
    twice = list(pairs(list(mentions)))
    return GoldReport(
        mentions=len(judged),
        accuracy=_mean(right),
        at_random=(len(random), _mean(random)),
        classes={a: precision_recall([s == a for s in said], [g == a for g in gold]) for a in ASSERTIONS},
        numbers={a: gold.count(a) for a in ANSWERS},
        sense=_mean([float(means) for means in labelled]),
        confusion={g: dict(Counter(s for s, one in zip(said, gold, strict=True) if one == g)) for g in ANSWERS},
        window=_mean(by_window),
        interval=paired_bootstrap(right, by_window),
        rules=_mean(by_rules),
        over_rules=paired_bootstrap(right, by_rules),
        unread=_mean(by_arbiter),
        over_unread=paired_bootstrap(right, by_arbiter),
        status=(len(stated), _mean(stated)),
        status_by_rules=_mean(by_rules_stated),
        absent={
            name: precision_recall([d[n] for n in meant], [gold[n] == "absent" for n in meant])
            for name, d in denied.items()
        },
        over_others={
            name: paired_bootstrap(hits["aspectra"], h) for name, h in hits.items() if name != "aspectra" and meant
        },
        agreement=kappa(_table(twice)) if twice else None,
        read_twice=len(twice),
    )


def _found(judged: Sequence[GoldMention], texts: Mapping[str, str], labeller: Labeller) -> list[Finding | None]:
    """What is labelled at each place."""
    labelled = {note: labeller.label(texts[note]).findings for note in dict.fromkeys(m.note for m in judged)}
    return [finding_at(m, labelled[m.note], labeller) for m in judged]


def _stated(judged: Sequence[GoldMention], found: Sequence[Finding | None]) -> list[float]:
    """Whether the status is right, of those that have one and are labelled."""
    return [float(f.status == m.status) for m, f in zip(judged, found, strict=True) if f and m.status in STATUSES]


def finding_at(mention: GoldMention, findings: Sequence[Finding], labeller: Labeller) -> Finding | None:
    """The finding that overlaps the place and is the concept, or one above or below it; None where there is none.

    Of a concept that is not meant none above it: what is no vascular stent may well be a stent.
    """
    concept = labeller.lexicon.find(mention.concept)
    kin = labeller.lexicon.kin(mention.concept)
    if concept and not mention.means:
        kin -= labeller.lexicon.ancestors(concept.id)
    here = [f for f in findings if f.concept in kin and f.begin < mention.end and f.end > mention.begin]
    here.sort(key=lambda f: (concept is None or f.concept != concept.id, abs(f.begin - mention.begin)))
    return here[0] if here else None


def _answer(mention: GoldMention, finding: Finding | None) -> str:
    """`NONE` where nothing is labelled."""
    if finding is None:
        return NONE
    # A normal statement names no finding, and says that it is absent: either reading is right.
    return mention.answer if finding.is_normal and mention.answer in (NONE, "absent") else finding.assertion


def _marked(mention: GoldMention, text: str) -> MarkedSentence:
    """The mention in its line."""
    begin = text.rfind("\n", 0, mention.begin) + 1
    end = text.find("\n", mention.end)
    line = text[begin : end if end >= 0 else len(text)]
    return MarkedSentence(line, mention.begin - begin, mention.end - begin, mention.answer == "absent", "", True)


def _table(twice: Sequence[tuple[GoldMention, GoldMention]]) -> np.ndarray:
    """(7, 7): how often the first reader's answer met each of the second's."""
    at = {name: n for n, name in enumerate(ANSWERS)}
    table = np.zeros((len(ANSWERS), len(ANSWERS)))
    for one, other in twice:
        table[at[one.answer], at[other.answer]] += 1
    return table


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
