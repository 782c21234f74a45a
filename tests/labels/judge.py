"""Sentences that were written for the labels, judged by those who wrote them without knowing the rules.

search_stack/evaluation/gold/sentences.jsonl is looked at and learnt from; typical.jsonl, short notes as hospitals
have them, and wards.txt, 36 notes as wards write them with every mention marked as {words|answer|status}, are looked
at; so is reviewed.jsonl, by somebody who read rules and tables for what they get wrong; heldout.jsonl is only ever
measured: `python -m tests.labels.judge` prints figures, never a sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from search_stack.evaluation.datasets.gold import SENTENCES, GoldMention, sentences
from search_stack.language.labeller import Labeller
from tests import language

HELD_OUT = Path(__file__).with_name("heldout.jsonl")
TYPICAL = HELD_OUT.with_name("typical.jsonl")
REVIEWED = HELD_OUT.with_name("reviewed.jsonl")
WARDS = HELD_OUT.with_name("wards.txt")
_NOTE = re.compile(r"^### .*\n", re.MULTILINE)
_MARK = re.compile(r"\{(?P<words>[^{}|]+)\|(?P<answer>[a-z]+)(?:\|(?P<status>[^{}|]*))?\}")


@dataclass(frozen=True, slots=True)
class Marked:
    """``text[begin:end]`` of a note, as judged; ``answer`` is "none" where no concept is meant."""

    begin: int
    end: int
    answer: str
    status: str


def ward_notes(file: Path = WARDS) -> Iterator[tuple[str, list[Marked]]]:
    """The text of each note, and what is marked in it."""
    for marked in _NOTE.split(file.read_text(encoding="utf-8"))[1:]:
        text, found, at = "", list[Marked](), 0
        for mark in _MARK.finditer(marked):
            text += marked[at : mark.start()]
            found.append(Marked(len(text), len(text) + len(mark["words"]), mark["answer"], mark["status"] or ""))
            text += mark["words"]
            at = mark.end()
        yield text + marked[at:], found


def found_and_right(labeller: Labeller) -> tuple[float, float, int]:
    """Of the ward notes the share of marked mentions that is labelled at all, that of these with the assertion as
    judged, and how many are marked; what is judged to be no mention counts for neither."""
    meant, labelled, good = 0, 0, 0
    for text, marked in ward_notes():
        findings = labeller.label(text).findings
        for m in (m for m in marked if m.answer != "none"):
            here = [f for f in findings if f.begin < m.end and f.end > m.begin]
            meant += 1
            if here:
                nearest = max(here, key=lambda f: min(f.end, m.end) - max(f.begin, m.begin))
                labelled += 1
                good += nearest.assertion == m.answer or (nearest.is_normal and m.answer == "absent")
    return labelled / meant, good / labelled, meant


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
    for name, file in (("seen", SENTENCES), ("typical", TYPICAL), ("reviewed", REVIEWED), ("held out", HELD_OUT)):
        share, held = right(file, labeller)
        told = ", ".join(f"{a} {held[a, True]}/{held[a, True] + held[a, False]}" for a in sorted({a for a, _ in held}))
        print(f"{name}: {share:.3f} of {held.total()} ({told})")  # noqa: T201
    labelled, good, meant = found_and_right(labeller)
    print(f"ward notes: {labelled:.3f} of {meant} labelled, {good:.3f} of these as judged")  # noqa: T201


if __name__ == "__main__":
    main()
