"""Each word of presupposed.toml by its own example, and that none of them is idle."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_stack.language.assertion import Sentence, Target, assess
from search_stack.language.assertion import presupposed as module
from search_stack.language.assertion.presupposed import read_presupposed, shipped_presuppositions
from search_stack.language.lexicon.concepts import CONDITIONS

TABLE = read_presupposed()
ABSENT = ("existence",)
EXAMPLES = [
    pytest.param(group, word, sentence, id=f"{group} {word}")
    for group in ("denials", "existence", "treatment", "nouns", "unable")
    for word, sentence in TABLE[group].items()
]


def said(marked: str, kind: str = "disorder") -> str:
    begin, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    return assess(Sentence(text, 0, len(text)), [Target(begin, end, kind)])[0].assertion


@pytest.mark.parametrize(("group", "word", "sentence"), EXAMPLES)
def test_a_word_decides_its_example(group: str, word: str, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    denied = said(sentence) == "absent"
    assert denied == (group in ABSENT)
    table = shipped_presuppositions()
    without = replace(table, **{group: getattr(table, group) - {word}})
    monkeypatch.setattr(module, "shipped_presuppositions", lambda: without)
    assert (said(sentence) == "absent") != denied


@pytest.mark.parametrize(("word", "sentence"), TABLE["managed"].items())
def test_a_doubt_about_what_is_done_is_none_about_why(
    word: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(sentence) == "present"
    table = shipped_presuppositions()
    monkeypatch.setattr(module, "shipped_presuppositions", lambda: replace(table, managed=table.managed - {word}))
    assert said(sentence) == "possible"


@pytest.mark.parametrize(
    "sentence",
    [
        "Possible [cellulitis].",
        "Considered antibiotics, [cellulitis].",
        "Consider admission, or [cellulitis] of the leg.",
    ],
)
def test_a_doubt_of_its_own_stays_one(sentence: str) -> None:
    assert said(sentence) == "possible"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No metformin given CKD.", ["absent", "present"]),
        ("No metformin as pregnant.", ["absent", "present"]),
        ("No metformin, CKD.", ["absent", "absent"]),
    ],
)
def test_why_a_drug_is_not_given_is_there(text: str, expected: list[str]) -> None:
    drug, why = Target(3, 12, "drug"), Target(text.rindex(" ") + 1, len(text) - 1, "disorder")
    assert [j.assertion for j in assess(Sentence(text, 0, len(text)), [drug, why])] == expected


@pytest.mark.parametrize("determiner", TABLE["definite"])
def test_a_definite_determiner_takes_for_granted(determiner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = f"No recollection of {determiner} [seizure]."
    assert said(sentence) == "present"
    table = shipped_presuppositions()
    monkeypatch.setattr(
        module, "shipped_presuppositions", lambda: replace(table, definite=table.definite - {determiner})
    )
    assert said(sentence) == "absent"


@pytest.mark.parametrize(
    "sentence",
    [
        "No fever or the usual [cough].",
        "No [pain] in the chest.",
        "Without the [fever].",
        "No evidence of the [effusion].",
        "No tenderness of the abdomen or [distension].",
        "He walks without [pain].",
        "He can not sleep, without [pain].",
        "She was never treated for [asthma].",
        "No recollection of the fall, [headache] or dizziness.",
    ],
)
def test_what_is_denied_itself_stays_denied(sentence: str) -> None:
    assert said(sentence) == "absent"


@pytest.mark.parametrize("kind", ["drug", "procedure", "device"])
def test_what_is_taken_or_done_is_denied_however_it_is_named(kind: str) -> None:
    assert said("She has not brought the [aspirin].", kind) == "absent"
    assert kind not in CONDITIONS


def test_a_drug_is_given_for_what_is_there() -> None:
    text = "No antibiotics for sinusitis."
    antibiotics, sinusitis = Target(3, 14, "drug"), Target(19, 28, "disorder")
    judged = assess(Sentence(text, 0, len(text)), [antibiotics, sinusitis])
    assert [j.assertion for j in judged] == ["absent", "present"]
    assert said("No imaging for [sinusitis].") == "absent"
