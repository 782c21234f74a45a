from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_stack.language.sentences import sentences

PIECES = st.sampled_from(
    [
        "Dr. ",
        "Smith",
        "b.i.d. ",
        "2.5 mg",
        ". ",
        "? ",
        "1. ",
        "2. ",
        "\n",
        "\r\n",
        "\n\n",
        "- ",
        "• ",
        "\t",
        "و. ",
        "😀",
        "。",
        "\u200f",
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=8), max_size=40).map("".join)


def cut(text: str) -> list[str]:
    return [text[begin:end] for begin, end in sentences(text, 0, len(text))]


@pytest.mark.parametrize(
    "text",
    [
        "Dr. J. Smith saw Mr. Sample vs. Mrs. Jones.",
        "Take 2.5 mg b.i.d. for 3 days.",
        "One tablet p.o. q.d. 30 minutes before meals.",
        "Seen by John F. Kennedy.",
        "See Fig. 3, e.g. Lasix.",
        "1. Aspirin 81 mg.",
        "Pain... and then fever.",
    ],
)
def test_one_sentence(text: str) -> None:
    assert cut(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No effusion.  The heart is normal.", ["No effusion.", "The heart is normal."]),
        ("He takes Lasix b.i.d.  Eye report noted.", ["He takes Lasix b.i.d.", "Eye report noted."]),
        ("Low vitamin D. She was told.", ["Low vitamin D.", "She was told."]),
        ("It is clear.The heart is normal.", ["It is clear.", "The heart is normal."]),
        ("Any pain? none! Well.", ["Any pain? none!", "Well."]),
        ("1. Pain 2. Fever 3. Cough", ["1. Pain", "2. Fever", "3. Cough"]),
        ("1. Pain.  2. Fever.", ["1. Pain.", "2. Fever."]),
        ("Aspirin\nmetoprolol 25 mg\nLasix", ["Aspirin", "metoprolol 25 mg", "Lasix"]),
        ("- cough\n• fever\n* chills", ["- cough", "• fever", "* chills"]),
        ("fever and\nchills\n\nno cough", ["fever and\nchills", "no cough"]),
        ("fever and\r\n\r\nchills", ["fever and", "chills"]),
        ("BP: 120/80\nHR: 70", ["BP: 120/80", "HR: 70"]),
        ("", []),
        (" \r\n\t ", []),
    ],
)
def test_several_sentences(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cough. ? pneumonia.", ["Cough.", "? pneumonia."]),
        ("? pneumonia", ["? pneumonia"]),
        ("Any fever ? No. Cough.", ["Any fever ? No.", "Cough."]),
        ("Any fever ? No cough.", ["Any fever ?", "No cough."]),
        ("Angina? Yes ☐ No ☑ Asthma", ["Angina? Yes ☐ No ☑ Asthma"]),
        ("Heart murmur ....... N", ["Heart murmur ....... N"]),
        ("Heart murmur ... No effusion.", ["Heart murmur ...", "No effusion."]),
        ("Fever? Cough.", ["Fever?", "Cough."]),
    ],
)
def test_a_question_mark_ends_what_stands_before_it_and_opens_what_it_begins(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Latex no\nNSAID intolerance", "Latex no"),
        ("Latex - No\nNSAID intolerance", "Latex - No"),
        ("Latex\tNo\nNSAID intolerance", "Latex\tNo"),
        ("Latex,No\nNSAID intolerance", "Latex,No"),
        ("There is no\nfracture", "There is no\nfracture"),
        ("No\nFracture", "No\nFracture"),
        ("There was no\nFracture", "There was no\nFracture"),
        ("THERE IS NO\nFRACTURE", "THERE IS NO\nFRACTURE"),
    ],
)
def test_an_answer_at_the_end_of_a_short_line_denies_nothing_of_the_next(text: str, first: str) -> None:
    begin, end = sentences(text, 0, len(text))[0]
    assert text[begin:end] == first


def test_a_line_wrapped_at_the_margin_goes_on() -> None:
    text = "The patient is a 50-year-old man who was brought to our\nemergency room by his wife. He was well."
    assert cut(text) == [text[:-13].strip(), "He was well."]


def test_only_the_stretch_asked_for() -> None:
    text = "One. Two. Three."
    assert [text[b:e] for b, e in sentences(text, 5, 11)] == ["Two.", "T"]


@given(TEXTS, st.data())
def test_every_visible_character_is_in_one_sentence(text: str, data: st.DataObject) -> None:
    begin = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(begin, len(text)))
    spans = sentences(text, begin, end)
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    assert all(begin <= b < e <= end and text[b:e] == text[b:e].strip() for b, e in spans)
    covered = {at for span in spans for at in range(*span)}
    assert {at for at in range(begin, end) if not text[at].isspace()} <= covered


MARGIN = "The patient was seen in the clinic today by the team of doctors"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("pt seen in clinic. no fever. abd. pain is better", 3),
        ("pt seen in clinic, e. coli in urine by dr. smith", 1),
        ("Pt seen in clinic. no fever.", 1),
    ],
)
def test_a_small_letter_begins_a_sentence_where_no_capital_does(text: str, count: int) -> None:
    assert len(cut(text)) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Lungs clear to auscultation bilaterally without wheezes or crackles\nLeft foot ulcer", 2),
        ("Lungs clear to auscultation bilaterally without wheezes or crackles\nof any kind", 1),
        ("Lungs clear to auscultation bilaterally without wheezes or crackles and\nLasix was given", 1),
        (f"{MARGIN} and got\n{MARGIN}\nLasix", 1),
        (f"{MARGIN}\nNo fever, cough or any other complaint since surgery\nLeg swelling", 2),
    ],
)
def test_a_long_line_is_an_item_where_the_next_begins_with_a_capital_and_no_margin_is_kept(
    text: str, count: int
) -> None:
    assert len(cut(text)) == count
