"""How often a section's header is told from its text alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from search_stack.evaluation.compare import Interval, paired_bootstrap
from search_stack.evaluation.datasets.headed_sections import HeadedSection
from search_stack.evaluation.measures.precision_recall import PrecisionRecall, of_counts
from search_stack.language.sections.text_model import TextModel

KEYWORDS = {
    "ALLERGY": ("allerg",),
    "MEDICATIONS": (" mg", "daily", "tablet"),
    "ROS": ("denies", "no fever", "negative for"),
    "PASTSURGICAL": ("surger", "ectomy"),
    "FAM/SOCHX": ("mother", "father", "smok", "alcohol", "married"),
    "IMMUNIZATIONS": ("immuniz", "vaccin"),
    "CC": ("complain",),
    "PLAN": ("follow up", "will "),
    "PASTMEDICALHX": ("history of", "hypertension"),
}
"""The baseline: the first header of which a word is there, else the commonest one."""
COMMONEST = "GENHX"


def keyword_rule(text: str) -> str:
    folded = text.lower()
    return next((h for h, words in KEYWORDS.items() if any(w in folded for w in words)), COMMONEST)


@dataclass(frozen=True, slots=True)
class AspectsReport:
    accuracy: float
    baseline: float
    interval: Interval
    per_header: dict[str, PrecisionRecall]
    examples: int


def evaluate(examples: Sequence[HeadedSection], model: TextModel) -> AspectsReport:
    """The model's headers beside those of the keyword rule."""
    found = [model.header(e.text)[0] for e in examples]
    gold = [e.header for e in examples]
    right = [float(f == g) for f, g in zip(found, gold, strict=True)]
    ruled = [float(keyword_rule(e.text) == e.header) for e in examples]
    named, meant, hits = Counter(found), Counter(gold), Counter(g for f, g in zip(found, gold, strict=True) if f == g)
    return AspectsReport(
        accuracy=sum(right) / len(right),
        baseline=sum(ruled) / len(ruled),
        interval=paired_bootstrap(right, ruled),
        per_header={h: of_counts(hits[h], named[h], meant[h]) for h in sorted(meant)},
        examples=len(examples),
    )
