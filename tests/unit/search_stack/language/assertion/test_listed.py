"""Each word of listed.toml by its own example, and lists of denials that stay whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_stack.language.assertion import Sentence, Target, assess
from search_stack.language.assertion import listed as module
from search_stack.language.assertion.listed import read_listed, shipped_words
from search_stack.language.assertion.table import words
from tests.language import rules

TABLE = read_listed()
EXAMPLES = [
    pytest.param(group, word, sentence, id=f"{group} {word}")
    for group, rows in TABLE.items()
    if group != "but"
    for word, sentence in rows.items()
]


def said(marked: str, kind: str = "disorder", asked: bool = False) -> str:
    begin, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    return assess(Sentence(text, 0, len(text), asked=asked), [Target(begin, end, kind)])[0].assertion


@pytest.mark.parametrize(("group", "word", "sentence"), EXAMPLES)
def test_a_word_says_that_an_item_is_there(
    group: str, word: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(sentence) != "absent"
    table = shipped_words()
    without = replace(table, **{group: getattr(table, group) - {tuple(words(word))}})
    monkeypatch.setattr(module, "shipped_words", lambda: without)
    assert said(sentence) == "absent"


@pytest.mark.parametrize("word", TABLE["but"]["words"])
def test_a_size_may_be_part_of_a_name(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = f"Denies weight loss, large [{word} disease]."
    assert said(sentence) == "absent"
    table = shipped_words()
    monkeypatch.setattr(module, "shipped_words", lambda: replace(table, but=table.but - {(word,)}))
    assert said(sentence) == "present"


@pytest.mark.parametrize(
    "sentence",
    [
        "No chest pain, [SOB] x 2 days.",
        "No DM, [HTN] since 2010.",
        "No vomiting, [diarrhoea] x5.",
        "No diarrhoea, [vomiting] 4 times.",
        "No cough/cold, [sore throat] 2/7.",
        "No diarrhea, grade 2 [fatigue].",
        "No LOC, scalp [laceration] 3 cm.",
        "No pericardial effusion, [EF] 25%.",
        "No diabetes, [prediabetes] with A1c 6.2.",
        "Not weight bearing, [hip pain].",
        "Never married, [depression].",
        "Refuses food, [vomiting].",
        "USS negative for DVT, superficial [thrombophlebitis] seen.",
        "No neck stiffness or photophobia, mild [rash].",
        "No weakness, left [facial droop], large [hematoma].",
    ],
)
def test_what_is_counted_or_measured_is_there(sentence: str) -> None:
    if sentence.count("[") > 1:
        assert said(sentence.replace("[hematoma]", "hematoma")) == "present"
        sentence = sentence.replace("[facial droop]", "facial droop")
    assert said(sentence) == "present"


@pytest.mark.parametrize(
    "sentence",
    [
        "No fever, chills, [nausea].",
        "No fever, [chills] or mild cough.",
        "Denies chest pain, left arm [pain], jaw pain.",
        "Denies chest pain, lower extremity [edema].",
        "No cough, [fever] over 38.",
        "No cough, [fever] over 38.5.",
        "No weight loss, [hepatitis] type 2.",
        "No edema, tender [nodes], masses.",
        "No edema, [wheezes] noted.",
        "Does not have ASHD, [hypertension] and PVD.",
        "Denies any respiratory complaints, such as [cough].",
        "No S3, [murmur] 0.",
        "No fever, headache, [vomiting].",
        "No fever, [appetite] loss.",
    ],
)
def test_plain_lists_of_denials_stay_whole(sentence: str) -> None:
    assert said(sentence) == "absent"


@pytest.mark.parametrize(
    ("text", "disorder", "drug"),
    [("No CAD, AF on warfarin.", "AF", "warfarin"), ("Denies ulcers, on Plavix for AF.", "AF", "Plavix")],
)
def test_who_takes_a_drug_has_it_and_what_it_is_for(text: str, disorder: str, drug: str) -> None:
    places = [(text.index(name), name, kind) for name, kind in ((disorder, "disorder"), (drug, "drug"))]
    targets = [Target(at, at + len(name), kind) for at, name, kind in sorted(places)]
    assert {j.assertion for j in assess(Sentence(text, 0, len(text)), targets)} == {"present"}
    others = [replace(t, kind="disorder") for t in targets]
    assert "absent" in {j.assertion for j in assess(Sentence(text, 0, len(text)), others)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("No consolidation, large pleural effusion/pneumothorax.", ["absent", "absent", "absent"]),
        ("No consolidation, large pleural effusion or pneumothorax.", ["absent", "absent", "absent"]),
        ("No consolidation, large pleural effusion 1/2.", ["absent", "present"]),
    ],
)
def test_what_a_stroke_joins_is_one_list(text: str, said: list[str]) -> None:
    assert [f.assertion for f in rules().label(text).findings] == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("No cardiomegaly with bilateral small effusions.", ["absent", "present"]),
        ("No pneumothorax with large effusion.", ["absent", "present"]),
        ("No weight loss with fever.", ["absent", "absent"]),
        ("Denies chest pain with mild exertion or dyspnea.", ["absent", "absent"]),
        ("Without mild fever.", ["absent"]),
    ],
)
def test_what_has_a_size_behind_with_is_there(text: str, said: list[str]) -> None:
    assert [f.assertion for f in rules().label(text).findings] == said
