"""Mentions that people judged: how they are read, how the labels are held against them."""

from __future__ import annotations

from pathlib import Path

import pytest

from aspectra.note_texts import note_texts, section_texts
from search_stack.core.errors import AspectraError
from search_stack.core.schema import STATUSES
from search_stack.evaluation.datasets import gold, whole_notes
from search_stack.evaluation.datasets.gold import COLUMNS, FILE, FRESH_FILE, GoldMention, load, pairs, part_of
from search_stack.evaluation.tasks.gold import evaluate
from search_stack.language.labeller import Labeller
from tests import language

TEXT = "Left pneumothorax. No pleural effusion. Mother had asthma. The mass of the evidence."


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return language.rules()


def judged(words: str, assertion: str, concept: str = "", reading: int = 1, drawn: str = "random") -> GoldMention:
    begin = TEXT.index(words)
    return GoldMention(
        "n", begin, begin + len(words), concept or words, bool(assertion), assertion, "", drawn, reading, False
    )


def test_labels_are_held_against_the_first_reading(labeller: Labeller) -> None:
    mentions = [
        judged("pneumothorax", "present"),
        judged("pleural effusion", "absent"),
        judged("asthma", "historical", drawn="family"),  # the labels say family
        judged("mass", ""),
        judged("pneumothorax", "present", reading=2),
        judged("pleural effusion", "possible", reading=2),
    ]
    found = evaluate(mentions, {"n": TEXT}, labeller)
    said_of_mass = next((f.assertion for f in labeller.label(TEXT).findings if f.begin == TEXT.index("mass")), "none")
    right = 2 + (said_of_mass == "none")
    assert (found.mentions, found.accuracy) == (4, right / 4)
    assert found.at_random == (3, right / 3)
    assert found.confusion["historical"] == {"family": 1}
    assert found.confusion["none"] == {said_of_mass: 1}
    assert found.numbers == {"present": 1, "absent": 1, "historical": 1, "none": 1} | dict.fromkeys(
        ("possible", "hypothetical", "family"), 0
    )
    assert found.window == 2 / 4  # nothing of the mother, nor of the mass
    assert found.read_twice == 2
    assert found.agreement is not None
    assert 0 < found.macro_f1 < 1


def test_a_broader_or_narrower_label_at_the_place_is_the_mention(labeller: Labeller) -> None:
    begin = TEXT.index("pleural effusion")
    broader = GoldMention("n", begin, begin + 16, "pleural disease", True, "absent", "", "random", 1, False)
    known = labeller.lexicon.find("pleural disease")
    expected = 1.0 if known else 0.0
    assert evaluate([broader], {"n": TEXT}, labeller).accuracy == expected
    unknown = GoldMention("n", begin, begin + 16, "no such concept", True, "absent", "", "random", 1, False)
    assert evaluate([unknown], {"n": TEXT}, labeller).accuracy == 0


@pytest.mark.parametrize(("concept", "expected"), [("tension pneumothorax", 1.0), ("pneumothorax", 0.0)])
def test_what_is_not_meant_speaks_of_no_broader_label(labeller: Labeller, concept: str, expected: float) -> None:
    assert labeller.lexicon.find(concept)
    assert evaluate([judged("pneumothorax", "", concept)], {"n": TEXT}, labeller).accuracy == expected


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        ("sense", "maybe", "sense"),
        ("assertion", "gone", "assertion"),
        ("assertion", "", "assertion"),
        ("reading", "3", "reading"),
        ("begin", "x", "offsets"),
        ("end", "4", "offsets"),
    ],
)
def test_what_cannot_be_is_named_by_line(tmp_path: Path, column: str, value: str, told: str) -> None:
    row = dict(zip(COLUMNS, ("n", "4", "9", "fever", "yes", "absent", "", "random", "1", ""), strict=True))
    file = tmp_path / "mentions.tsv"
    file.write_text("\n".join("\t".join(line) for line in (COLUMNS, tuple({**row, column: value}.values()))) + "\n")
    with pytest.raises(AspectraError, match=f"mentions.tsv:2: .*{told}"):
        load(file)


def test_ours_are_whole() -> None:
    mentions = load(FILE)
    first = [m for m in mentions if m.reading == 1]
    assert len({m.place for m in first}) == len(first) >= 1_500
    assert len(list(pairs(mentions))) >= 300
    parts = [part_of(m.note) for m in first]
    assert all(parts.count(part) >= 500 for part in gold.PARTS)
    assert not any(ord(c) > 127 for line in FILE.read_text(encoding="utf-8") for c in line)


def test_the_fresh_part_is_whole_and_of_notes_that_nothing_learnt_from() -> None:
    mentions, whole = load(FRESH_FILE), whole_notes.load(whole_notes.FRESH_FILE)
    first = [m for m in mentions if m.reading == 1]
    assert len({m.place for m in first}) == len(first) == 400
    assert sum(m.drawn == gold.RANDOM for m in first) == 300
    assert len(list(pairs(mentions))) == 80
    assert len(whole) == 10
    assert all(n.mentions and n.headings for n in whole)
    assert {m.status for m in mentions} | {m.status for n in whole for m in n.mentions} <= {"", "?", *STATUSES}
    notes = {m.note for m in first} | {n.note for n in whole}
    assert {part_of(note) for note in notes} == {"test"}  # what is learnt from is of train
    assert not notes & ({m.note for m in load(FILE)} | {n.note for n in whole_notes.load()})


def test_what_the_fresh_part_marks_is_in_the_notes(data_dir: Path) -> None:
    texts = note_texts(data_dir) | section_texts(data_dir)
    marked = [(m.note, m.begin, m.end) for m in load(FRESH_FILE)]
    marked += [(n.note, m.begin, m.end) for n in whole_notes.load(whole_notes.FRESH_FILE) for m in n.mentions]
    words = [texts[note][begin:end] for note, begin, end in marked]
    assert all(word and word == word.strip() for word in words)
