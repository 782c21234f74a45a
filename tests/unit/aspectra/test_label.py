from __future__ import annotations

import json
from typing import Any

import pytest

from aspectra.commands.label import labelled
from search_stack.core.errors import AspectraError
from search_stack.language.labeller import Labeller
from search_stack.language.lexicon.concepts import Concept, Lexicon

INFARCT = Concept("infarct", "myocardial infarction", "disorder", abbreviations=("MI",))
INFERIOR = Concept("inferior", "inferior myocardial infarction", "disorder", parents=("infarct",), synonyms=("IWMI",))
LABELLER = Labeller(Lexicon([Concept("pneumothorax", "pneumothorax", "finding"), INFARCT, INFERIOR]), None)
TEXT = "FINDINGS: No pneumothorax. The spleen is enlarged."


def answers(*asked: dict[str, Any]) -> list[dict[str, Any]]:
    return list(labelled((json.dumps(a).encode() + b"\n" for a in asked), LABELLER))


def test_a_note_is_answered_with_sections_entities_and_findings() -> None:
    (answer,) = answers({"id": "n1", "text": TEXT})
    assert set(answer) == {"id", "sections", "entities", "findings"}
    assert answer["sections"][0]["heading"] == "FINDINGS:"
    (finding,) = answer["findings"]
    assert (finding["concept"], finding["assertion"]) == ("pneumothorax", "absent")
    assert TEXT[finding["begin"] : finding["end"]] == "pneumothorax"
    assert TEXT[finding["trigger_begin"] : finding["trigger_end"]] == "No"
    assert {"temporality", "experiencer", "name"} <= set(finding)


def test_a_concept_that_no_lexicon_has_is_judged_too() -> None:
    (answer,) = answers({"id": 7, "text": TEXT, "concept": "spleen is ENLARGED"})
    found = answer["concept_assertion"]
    assert (answer["id"], found["assertion"]) == (7, "present")
    assert TEXT[found["begin"] : found["end"]] == "spleen is enlarged"


def test_offsets_say_which_mention_is_meant() -> None:
    text = "No effusion. Effusion is back."
    (answer,) = answers({"id": "a", "text": text, "concept": "effusion", "begin": 13, "end": 21})
    assert answer["concept_assertion"]["assertion"] == "present"
    (answer,) = answers({"id": "a", "text": text, "concept": "effusion"})
    assert answer["concept_assertion"]["assertion"] == "absent"


def test_whole_words_come_before_parts_of_some() -> None:
    text = "MILD reflux. Ruled out for MI."
    (answer,) = answers({"id": "a", "text": text, "concept": "MI"})
    assert answer["concept_assertion"]["begin"] == text.index("MI.")


@pytest.mark.parametrize(
    ("text", "words"),
    [("No MI.", "MI"), ("No IWMI.", "IWMI"), ("Evaluate for MI. Impression: no IWMI.", "IWMI")],
)
def test_a_concept_by_its_name_is_found_by_whatever_words_stand_for_it_and_else_by_a_kind(
    text: str, words: str
) -> None:
    (answer,) = answers({"id": "a", "text": text, "concept": "myocardial infarction"})
    found = answer["concept_assertion"]
    assert (text[found["begin"] : found["end"]], found["assertion"]) == (words, "absent")
    assert found["concept"] == "myocardial infarction"


def test_a_concept_that_is_not_there_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    one, two = answers({"id": "a", "text": "Clear.", "concept": "mass"}, {"id": "b", "text": "Clear."})
    assert one["concept_assertion"] is None
    assert two["id"] == "b"
    assert "Standard input:1: the text does not hold the concept" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", ":2: not JSON"),
        (b"[]", ":2: not a JSON object"),
        (b"\xff", ":2: not UTF-8"),
        (b'{"text": "a"}', ":2: id is missing"),
        (b'{"id": "a"}', ":2: text is missing"),
        (b'{"id": "a", "text": "b", "concept": 3}', ":2: concept is missing"),
        (b'{"id": "a", "text": "b", "concept": "b", "begin": 0}', ":2: begin and end belong"),
        (b'{"id": "a", "text": "b", "concept": "b", "begin": 0, "end": 9}', ":2: begin and end are not offsets"),
        (b'{"id": "a", "text": "b", "concept": "b", "begin": true, "end": 1}', ":2: begin and end are not offsets"),
    ],
)
def test_a_bad_line_is_named_after_those_before_it_are_answered(line: bytes, message: str) -> None:
    found = labelled([b'{"id": "first", "text": "Clear."}\n', line], LABELLER)
    assert next(found)["id"] == "first"
    with pytest.raises(AspectraError, match=message):
        next(found)


def test_blank_lines_are_left_out() -> None:
    assert list(labelled([b"\n", b" \n"], LABELLER)) == []
