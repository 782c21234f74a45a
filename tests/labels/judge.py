"""Sentences that were written for the labels, judged by those who wrote them without knowing the rules.

search_stack/evaluation/gold/sentences.jsonl is looked at and learnt from; typical.jsonl, short notes as hospitals
have them, is looked at; heldout.jsonl is only ever measured: `python -m tests.labels.judge` prints figures, never a
sentence.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from search_stack.evaluation.datasets.gold import SENTENCES, GoldMention, sentences
from search_stack.language.labeller import Labeller
from tests import language

HELD_OUT = Path(__file__).with_name("heldout.jsonl")
TYPICAL = HELD_OUT.with_name("typical.jsonl")


def right(file: Path, labeller: Labeller) -> tuple[float, Counter[tuple[str, bool]]]:
    """The share that is labelled as judged, and how many of each answer are and are not."""
    mentions, texts = sentences(file)
    held = Counter((m.answer, _said(m, texts[m.note], labeller) == m.answer) for m in mentions)
    return sum(n for (_, good), n in held.items() if good) / held.total(), held


def _said(mention: GoldMention, text: str, labeller: Labeller) -> str:
    """By the finding there, else by the assertion of the words; where none is meant, none there is right."""
    found = labeller.label(text).findings
    here = [f.assertion for f in found if f.begin < mention.end and f.end > mention.begin]
    if here or not mention.means:
        return here[0] if here else "none"
    return labeller.concept_assertion(text, mention.begin, mention.end).assertion


def main() -> None:
    labeller = language.labeller()
    for name, file in (("seen", SENTENCES), ("typical", TYPICAL), ("held out", HELD_OUT)):
        share, held = right(file, labeller)
        told = ", ".join(f"{a} {held[a, True]}/{held[a, True] + held[a, False]}" for a in sorted({a for a, _ in held}))
        print(f"{name}: {share:.3f} of {held.total()} ({told})")  # noqa: T201


if __name__ == "__main__":
    main()
