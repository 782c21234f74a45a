"""Names that are matched word for word."""

from __future__ import annotations

import pytest

from search_stack.language.lexicon.concepts import Concept, Lexicon
from search_stack.language.lexicon.matcher import Matcher
from search_stack.language.version import labels_version

PAIN = Concept("pain", "pain", "symptom")
OPEN = Concept("X:1", "Open mouth", "finding", phrases=("Open mouth",))
VITAMIN = Concept("X:2", "Vitamin A", "drug", phrases=("Vitamin A",))
TUMOUR = Concept("X:3", "Carcinoma of the oesophagus", "disorder", phrases=("Carcinoma of the oesophagus",))
BACK_KNEE = Concept("X:4", "Back knee", "finding", phrases=("Back knee",))
DISEASE = Concept("X:5", "Fournier gangrene", "disorder", phrases=("Fournier gangrene",))
GENERAL = Concept("X:6", "General anesthesia", "procedure", phrases=("General anesthesia", "anesthesia: general"))
MATCHER = Matcher(Lexicon([PAIN, OPEN, VITAMIN, TUMOUR, BACK_KNEE, DISEASE, GENERAL]))


def found(text: str) -> list[tuple[str, str]]:
    return [(m.concept, text[m.begin : m.end]) for m in MATCHER.mentions(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("He has an open mouth.", "X:1"),
        ("Open Mouths were drawn.", "X:1"),
        ("She takes vitamin A daily.", "X:2"),
        ("Carcinoma of the esophagus.", "X:3"),
        ("Known oesophagus carcinomas.", "X:3"),
        ("Fournier's gangrene was seen.", "X:5"),
        ("ANESTHESIA:  General.", "X:6"),
    ],
)
def test_case_plural_spelling_and_articles_do_not_matter(text: str, concept: str) -> None:
    assert [c for c, _ in found(text)] == [concept]


@pytest.mark.parametrize(
    "text",
    [
        "The mouth was held open.",  # another order
        "An open and dry mouth.",  # other words between
        "The back of the knee is tender.",
        "Opened mouth.",  # another ending
        "Open, mouth.",
        "Mouth open.",
        "Anesthesia, general.",  # no answer behind a colon
    ],
)
def test_anything_looser_is_no_mention(text: str) -> None:
    assert found(text) == []


def test_a_longer_phrase_takes_the_place_of_what_lies_inside() -> None:
    back = Concept("X:9", "Hand pain", "symptom", ("pain",), phrases=("Hand pain", "Pain in hand"))
    matcher = Matcher(Lexicon([PAIN, back]))
    text = "Hand pain, and pain in the hand, and pain."
    assert [m.concept for m in matcher.mentions(text, 0, len(text))] == ["X:9", "X:9", "pain"]


def test_a_concept_may_have_names_of_both_sorts() -> None:
    both = Concept("cough", "cough", "symptom", phrases=("tussis nervosa",))
    matcher = Matcher(Lexicon([both]))
    text = "Coughing, tussis nervosa, nervosa tussis."
    assert [text[m.begin : m.end] for m in matcher.mentions(text, 0, len(text))] == ["Coughing", "tussis nervosa"]
    assert matcher.knows("tussis") == "right"
    assert "tussis" in matcher.words
    assert "tussis" not in matcher.vocabulary


def test_phrases_change_the_version_of_labels_and_codes_do_not() -> None:
    plain = Lexicon([PAIN])
    coded = Lexicon([Concept("pain", "pain", "symptom", codes=("HP:0012531",))])
    named = Lexicon([Concept("pain", "pain", "symptom", phrases=("dolor",))])
    assert labels_version(plain) == labels_version(coded) != labels_version(named)
    assert plain.fingerprints == coded.fingerprints != named.fingerprints


def test_a_concept_is_found_by_its_code_and_its_phrases() -> None:
    lexicon = Lexicon([Concept("pain", "pain", "symptom", phrases=("dolor magnus",), codes=("HP:0012531",))])
    assert [lexicon.find(n) for n in ("hp:0012531", "Dolor magnus", "HP:1")] == [*lexicon.concepts.values()] * 2 + [
        None
    ]
