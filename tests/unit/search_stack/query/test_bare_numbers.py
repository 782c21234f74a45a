"""Numbers right behind a test or vital sign, pairs, multiples of a limit, numbers that tests share: for and against."""

from __future__ import annotations

import pytest

from search_stack.query.tree_json import to_json
from search_stack.query.understand import Understanding
from tests.queries.judge import same
from tests.queries.written import Tree, both, either, has, near, no, words


def valued(name: str, value: str) -> Tree:
    return {**has(name), "value": value}


AST, ALT = "aspartate aminotransferase", "alanine aminotransferase"
HIGH = either(valued("blood pressure", "> 180"), valued("diastolic blood pressure", "> 110"))
BARE = [
    ("inr 6", valued("international normalized ratio", ">= 6")),
    ("k 6.2", valued("potassium measurement", ">= 6.2")),
    ("K 2.1, weakness", both(valued("potassium measurement", "<= 2.1"), has("weakness"))),
    ("na 118 seizure", both(valued("sodium measurement", "<= 118"), has("seizure"))),
    ("hba1c of 9%", valued("hemoglobin a1c", ">= 9 %")),
    ("hb 62", valued("hemoglobin measurement", "<= 6.2")),
    ("no fever, hb 62", both(has("fever", "absent"), valued("hemoglobin measurement", "<= 6.2"))),
    ("creatinine 300", valued("creatinine measurement", ">= 3.393")),
    ("wcc 0.3", valued("white blood cell count", "<= 300")),
    ("sats 88%", valued("oxygen saturation", "<= 88 %")),
    ("temp 39.5", valued("body temperature", ">= 39.5")),
    ("bp 80/40", both(valued("blood pressure", "<= 80"), valued("diastolic blood pressure", "<= 40"))),
    ("sodium 140", valued("sodium measurement", "= 140")),
    ("k 6.2 or above", valued("potassium measurement", ">= 6.2")),
    ("na 120-125", valued("sodium measurement", "120-125")),
    # What no such test can tell: doses, names, other units, times, days, years.
    ("k 50", words("k 50")),
    ("vitamin k 10", both(has("vitamin k"), words("10"))),
    ("ca 19-9", has("ca 19-9")),
    ("glucose 25", both(has("glucose measurement"), words("25"))),
    ("hba1c 2021", both(has("hemoglobin a1c"), words("2021"))),
    ("platelets 2 units", both(has("platelet count"), words("2 units"))),
    ("thrombocytopenia 5 to 10 days after heparin", near(has("thrombocytopenia"), has("heparin"), 5, 10)),
    ("fever 3 weeks", has("fever")),
]
PAIRS = [
    ("bp > 180/110", HIGH),
    ("no bp > 180/110", no(HIGH)),
    ("BP below 90/60", both(valued("blood pressure", "< 90"), valued("diastolic blood pressure", "< 60"))),
    ("BP over 180", valued("blood pressure", "> 180")),
    ("gcs 8/15 or less", valued("glasgow coma scale", "<= 8")),
]
MULTIPLES = [
    ("alt > 3x uln", valued(ALT, "> 150")),
    ("AST or ALT > 3 times the upper limit of normal", either(valued(AST, "> 150"), valued(ALT, "> 150"))),
    ("bilirubin 2 x ULN", valued("bilirubin measurement", ">= 2.4")),
    ("alt checked 3 times", both(has(ALT), words("checked 3 times"))),
]
UNITS = [
    ("albumin < 25", valued("albumin measurement", "< 2.5")),
    ("anc < 0.5", valued("neutrophil count", "< 500")),
    ("hba1c over 75", valued("hemoglobin a1c", "> 9.0125")),
    ("albumin 2.1", valued("albumin measurement", "<= 2.1")),
    ("resps 32", valued("respiratory rate", ">= 32")),
    ("hiv vl < 50", valued("hiv viral load", "< 50")),
    ("glucose > 30", valued("glucose measurement", "> 30")),
]
SHARED = [
    ("ast or alt > 100", either(valued(AST, "> 100"), valued(ALT, "> 100"))),
    ("exclude if AST or ALT > 100", both(no(valued(AST, "> 100")), no(valued(ALT, "> 100")))),
    ("ast 50 or alt > 100", either(valued(AST, "= 50"), valued(ALT, "> 100"))),
    # What is no test beside it, and what the number cannot be of.
    ("fever or crp > 100", either(has("fever"), valued("c reactive protein", "> 100"))),
    ("inr or platelets < 50", either(has("international normalized ratio"), valued("platelet count", "< 50000"))),
]


@pytest.mark.parametrize(("line", "tree"), [*BARE, *PAIRS, *MULTIPLES, *UNITS, *SHARED])
def test_numbers(understanding: Understanding, line: str, tree: Tree) -> None:
    read = to_json(understanding.understand(line).query)
    assert same(read, tree), read


def test_more_than_the_number_is_told_with_the_way_back(understanding: Understanding) -> None:
    told = understanding.understand("inr 6 on warfarin").notices[0]
    assert told.message == '"inr 6" was read as international normalized ratio of 6 or more.'
    exact = to_json(understanding.understand(told.line).query)
    assert same(exact, both(valued("international normalized ratio", "= 6"), has("warfarin")))


def test_a_usual_number_is_asked_for_as_it_is(understanding: Understanding) -> None:
    assert understanding.understand("sodium 140").notices == ()


def test_how_long_something_lasts_is_told_not_to_be_compared(understanding: Understanding) -> None:
    found = understanding.understand("cough for more than 8 weeks")
    assert to_json(found.query) == has("cough")
    how = 'how long something lasts is not compared. "8 weeks" in quotes asks for notes that say so.'
    assert [n.message for n in found.notices] == [f'"for more than 8 weeks" was left aside: {how}']
    assert understanding.understand("stroke more than 8 weeks after surgery").notices == ()
    shorter = understanding.understand("cough for 8 weeks")
    assert to_json(shorter.query) == has("cough")
    assert [n.message for n in shorter.notices] == [f'"for 8 weeks" was left aside: {how}']
